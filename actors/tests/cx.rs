//! A handler's [`Cx`] and the level give the same answers about the handler's actor.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_actors::{Cx, Name, Rotator, Spawn, Stage, Vector};
use common::*;

const TURNED: Rotator = Rotator::new(0, 16384, 0);
const FAR: Vector = Vector::new(900.0, 0.0, 0.0);

/// How many keepers were asked when they were dead.
static DEAD: AtomicUsize = AtomicUsize::new(0);

// Touches others, and owns some of them.
define! { Keeper "Test.SelfKeeper" {
    begun: u32,
    /// Whether the rules have forced changes of states.
    forced: bool,
    checks: u32,
} |class| {
    class.defaults(|it| it.collide_actors = true);
    class.state("Calm").auto().begin_state(|cx, _| cx.begun += 1);
    class.tick(|cx, _| Self::alive(cx));
    class.destroyed(|cx| {
        // Inside of this destruction the innermost one completes; from then on the actor is dead.
        if !cx.is_deleted() && cx.checks == 1 {
            cx.checks += 1;
            assert!(cx.destroy());
            Self::dead(cx);
        }
    });
} }

impl Keeper {
    fn alive(cx: &mut Cx<'_, Self>) {
        let me = cx.me();
        assert_eq!(Some(cx.name()), cx.others.name(me));
        assert_eq!(cx.rotation(), TURNED);
        let (children, touching) = (cx.children(), cx.touching());
        assert_eq!((children.len(), touching.len()), (2, 2));
        assert_eq!(children, cx.others.children(me));
        assert_eq!(touching, cx.others.touching(me));

        let expected = cx.begun + u32::from(cx.forced);
        cx.force_state("Calm");
        assert_eq!(cx.begun, expected);

        assert!(!cx.set_location(Vector::new(f32::NAN, 0.0, 0.0)));
        assert!(cx.set_location(FAR));
        assert_eq!((cx.location(), cx.touching()), (FAR, vec![]));
        cx.checks += 1;
    }

    /// Its own properties can still be read, as before, but it has no children and touches no actor.
    fn dead(cx: &mut Cx<'_, Self>) {
        assert!(cx.is_deleted() && cx.name().starts_with("SelfKeeper"));
        assert_eq!((cx.rotation(), cx.location()), (TURNED, FAR));
        assert!(cx.children().is_empty() && cx.touching().is_empty());
        assert!(!cx.set_location(Vector::default()));
        let state = cx.state();
        cx.force_state(Name::NONE);
        assert_eq!((cx.location(), cx.state()), (FAR, state));
        assert!(
            cx.others.warnings().is_empty(),
            "what the dead do themselves is no access"
        );
        DEAD.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn what_a_handler_asks_about_its_own_actor() {
    for rules in all_rules() {
        let forced = rules.forced_states;
        let (mut level, _) = level(rules);
        let keeper = level.spawn::<Keeper>(Spawn::new().facing(TURNED)).unwrap();
        for _ in 0..2 {
            level.spawn::<Toucher>(Spawn::new().owned_by(keeper)).unwrap();
        }
        level.get_mut(keeper).unwrap().forced = forced;
        level.tick(0.1);
        assert_eq!(level.get(keeper).unwrap().checks, 1);
        assert_eq!(level.location(keeper), Some(FAR));
        assert!(level.destroy(keeper));
        assert!(level.warnings().is_empty());
    }
    assert_eq!(DEAD.load(Ordering::Relaxed), all_rules().into_iter().count());
}
