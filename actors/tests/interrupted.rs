//! 1.5 and bad handlers: whatever event of a spawn or of a destruction the actor is destroyed in, or the handler panics in,
//! the sequence ends as it should and the level goes on. Each event is tried, one at a time.

mod common;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use acedia_actors::{Actor, ActorRef, Level, Rules, Spawn, SpawnEx, Stage, Vector};
use common::*;

probe!(Ram, "Test.Ram", |class| class.defaults(|it| {
    it.collide_actors = true;
    it.block_actors = true;
}));

/// Every so many events one is tried.
const STRIDE: usize = if cfg!(miri) { 7 } else { 1 };

/// What a handler does when its turn has come.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Nothing,
    Destroy,
    Panic,
}

/// Does `deed` in event number `turn` from now on, to the actor of the class `short` that the event is for or about.
/// Gives the number of such events so far.
fn in_event(turn: usize, short: &'static str, deed: Deed) -> Rc<Cell<usize>> {
    let events = Rc::new(Cell::new(0));
    let count = events.clone();
    script(move |hand, event, about| {
        let target = if hand.is(short) { Some(hand.me()) } else { about };
        let Some(target) = target.filter(|it| hand.others().class(*it).is_some_and(|it| it.short_name() == short))
        else {
            return;
        };
        count.set(count.get() + 1);
        if count.get() - 1 == turn {
            match deed {
                Deed::Nothing => {}
                Deed::Destroy => assert!(hand.others().destroy(target)),
                Deed::Panic => panic!("on purpose, in {event}"),
            }
        }
    });
    events
}

/// A spawn with everything of an actor of `T`.
fn spawn<T: Actor>(level: &mut Level, keeper: ActorRef<Keeper>, no_fail: bool) -> Option<ActorRef> {
    let spawn = Spawn::new().owned_by(keeper).at(Vector::new(0.0, 0.0, 22.0));
    let request = SpawnEx {
        spawn,
        no_fail,
        ..SpawnEx::default()
    };
    level.spawn_ex(Some(T::class().into()), &request).ok()
}

/// The stage, with somebody to bump into.
fn stage(rules: Rules) -> (Level, acedia_actors::Recorder, ActorRef<Keeper>) {
    let (mut level, recorder, keeper) = furnished(rules);
    let at = Vector::new(20.0, 0.0, 22.0);
    level.spawn::<Blocker>(Spawn::new().at(at)).unwrap();
    let _ = recorder.take();
    (level, recorder, keeper)
}

fn destroyed_in_each_event<T: Actor>(least: usize) {
    let short = T::class().short_name();
    for rules in all_rules() {
        for no_fail in [false, true] {
            let (mut level, _, keeper) = stage(rules.clone());
            let events = in_event(usize::MAX, short, Deed::Nothing);
            assert!(spawn::<T>(&mut level, keeper, no_fail).is_some());
            let events = events.get();
            assert!(events >= least, "{events}");
            for turn in (0..events).step_by(STRIDE) {
                let (mut level, recorder, keeper) = stage(rules.clone());
                let before = level.actors().count();
                in_event(turn, short, Deed::Destroy);
                let result = spawn::<T>(&mut level, keeper, no_fail);
                let steps = steps(&recorder);
                let death = format!("K9 - {short}");
                let dead = steps.iter().position(|step| *step == death).expect("it was destroyed");
                let after = &steps[dead + 1..];
                let about =
                    |step: &String| step.contains(&format!(" {short}.")) || step.contains(&format!("({short})"));
                assert!(!after.iter().any(about), "event {turn}: {steps:#?}");
                // A notifier may give a dead actor, which is none even then.
                let notified = steps.iter().any(|step| step.starts_with("Q15"));
                assert_eq!(result.is_some(), no_fail && !notified, "event {turn}: {steps:#?}");
                assert!(result.is_none_or(|actor| !level.is_alive(actor)));
                assert_eq!(level.actors().count(), before);
                assert!(
                    level
                        .actors()
                        .all(|it| level.owner(it).is_none() && level.base(it).is_none())
                );
            }
        }
    }
}

#[test]
fn destroyed_in_any_event_it_is_not_spawned() {
    destroyed_in_each_event::<Crew>(10);
    destroyed_in_each_event::<Ram>(10);
}

#[test]
fn a_panic_in_any_event_leaves_a_usable_level() {
    for rules in all_rules() {
        let everything = |level: &mut Level, keeper| {
            let actor = spawn::<Crew>(level, keeper, false).unwrap();
            level.set_base(actor, None);
            level.tick(0.1);
            level.destroy(actor)
        };
        let (mut level, _, keeper) = stage(rules.clone());
        let events = in_event(usize::MAX, "Crew", Deed::Nothing);
        assert!(everything(&mut level, keeper));
        let events = events.get();
        assert!(events >= 18, "{events}");
        for turn in (0..events).step_by(STRIDE) {
            let (mut level, recorder, keeper) = stage(rules.clone());
            in_event(turn, "Crew", Deed::Panic);
            assert!(catch_unwind(AssertUnwindSafe(|| everything(&mut level, keeper))).is_err());
            script(|_, _, _| ());
            // Whoever collides is found where it is.
            for actor in level.actors().collect::<Vec<_>>() {
                let properties = level.properties(actor).unwrap();
                let (shape, collides) = (properties.shape, properties.collide_actors);
                let here = level.overlapping(shape, level.location(actor).unwrap());
                assert_eq!(here.contains(&actor), collides, "event {turn}: {:?}", level.name(actor));
            }
            // What was half done is there to be destroyed, or is dead.
            let left: Vec<_> = level.actors().filter(|it| level.cast::<Crew>(*it).is_some()).collect();
            for actor in left {
                assert!(level.destroy(actor), "event {turn}");
            }
            let _ = recorder.take();
            assert!(everything(&mut level, keeper));
            let steps = recorder.take();
            assert!(steps.iter().all(|step| step.depth < 6), "the depth was not restored");
            assert!(steps.iter().any(|step| step.row == "1.12"));
            assert!(
                level
                    .actors()
                    .all(|it| !level.is_pending_delete(it) && level.owner(it).is_none())
            );
        }
    }
}
