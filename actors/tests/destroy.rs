//! Parts of a destruction that the cases in `scenarios/destroy.txt` cannot express: connections, fields, references and reclamation.

mod common;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_actors::{
    Actor, ActorRef, ClassBuilder, Event, Level, Name, NativeActorRef, NetDriver, NetMode, PlayerPawn, Rules, Spawn,
    Stage, Vector, Warning, actor,
};
use common::*;

#[test]
fn v5_the_connection_of_a_player_is_closed_once() {
    /// Counts the connections that it is asked to close.
    struct Driver(Arc<AtomicUsize>);
    impl NetDriver for Driver {
        fn close(&mut self, _player: ActorRef) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (mut level, _) = level(Rules::ue1());
    level.settings_mut().net_mode = NetMode::ListenServer;
    let closing = Arc::new(AtomicUsize::new(0));
    level.set_net(Driver(closing.clone()));
    let player = level.spawn::<PlayerPawn>(Spawn::new()).unwrap();
    assert!(level.connect(player) && !level.destroy(player) && !level.destroy(player));
    assert_eq!(closing.load(Ordering::Relaxed), 1);
    assert!(level.disconnect(player) && !level.is_alive(player));
}

/// Even if the level has no sink, and only a state has a body.
#[test]
fn k3_a_state_overrides_destroyed() {
    #[derive(Default)]
    struct Martyr;
    static BURNT: AtomicUsize = AtomicUsize::new(0);
    impl Actor for Martyr {
        actor!(Martyr, "Test.Martyr");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class
                .state("Burning")
                .auto()
                .destroyed(|_| _ = BURNT.fetch_add(1, Ordering::Relaxed));
        }
    }
    for watched in [false, true] {
        let mut level = if watched {
            level(Rules::ue2()).0
        } else {
            Level::new(Rules::ue2())
        };
        level.start();
        let actor = level.spawn::<Martyr>(Spawn::new()).unwrap();
        level.destroy(actor);
    }
    assert_eq!(BURNT.load(Ordering::Relaxed), 2);
}

#[test]
fn after_destroy_the_fields_are_there_and_references_are_not() {
    #[derive(Default)]
    struct Sleeper {
        health: i32,
    }
    static REACHED: AtomicUsize = AtomicUsize::new(0);
    impl Actor for Sleeper {
        actor!(Sleeper, "Test.Sleeper");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Awake").begin_state(|cx, _| {
                let before = cx.me();
                assert_eq!((cx.is_deleted(), cx.destroy(), cx.is_deleted()), (false, true, true));
                let after = cx.me();
                cx.health = 7;
                assert_eq!(cx.health, 7);
                for reference in [before, after] {
                    assert_eq!(cx.others.value_or_null(reference, |it| it.health), 0);
                }
                assert_eq!(cx.others.take_warnings(), [const { Warning::AccessedNone }; 2]);
                let name = cx.others.name(before).unwrap();
                assert!(name.starts_with("Sleeper") && cx.others.name(after) == Some(name));
                assert!(cx.destroy(), "again");
                cx.goto_state("None");
                assert!(!cx.set_owner(None) && !cx.set_base(None) && !cx.set_location(Vector::default()));
                assert!(cx.name().starts_with("Sleeper") && cx.state() == Name::new("Awake"));
                let spawned = cx.spawn::<Keeper>(Spawn::new().owned_by(cx.me())).unwrap();
                assert_eq!(cx.others.owner(spawned), None);
                assert_eq!(cx.others.take_warnings(), [Warning::AccessedNone]);
                REACHED.fetch_add(1, Ordering::Relaxed);
            });
        }
    }
    in_each(|level, _, _| {
        let actor = level.spawn::<Sleeper>(Spawn::new()).unwrap();
        level.goto_state(actor, "Awake");
        assert_eq!(level.name(actor), None, "reclaimed");
    });
    assert_eq!(REACHED.load(Ordering::Relaxed), 3);
}

#[test]
fn native_refs_are_emptied_in_the_moment_of_death_on_every_thread() {
    let (mut level, _) = level(Rules::ue2());
    let owner = level.spawn::<Keeper>(Spawn::new()).unwrap();
    let [actor, next] = [(); 2].map(|()| level.spawn::<Thing>(Spawn::new().owned_by(owner)).unwrap().any());
    let refs: Vec<_> = (0..100).map(|_| NativeActorRef::new(&mut level, Some(actor))).collect();
    let watched = refs.clone();
    let empty = move || watched.iter().filter(|it| it.is_none() && it.get().is_none()).count();
    let in_last_event = Rc::new(Cell::new(None));
    let (saw, look, first) = (in_last_event.clone(), empty.clone(), refs[0].clone());
    when(Event::LostChild, move |_, _| {
        assert_eq!(first.get(), Some(actor));
        saw.set(Some(look()));
    });
    level.destroy(actor);
    assert_eq!(
        (in_last_event.get(), empty()),
        (Some(0), 100),
        "in the last event it was still there"
    );
    let other = refs[0].clone();
    assert!(std::thread::spawn(move || other.is_none()).join().unwrap());
    // References to the dead hold the same; a reference can be set again; freeing it leaves its actor alone.
    assert!(refs[0].holds_same(&NativeActorRef::new(&mut level, None)));
    assert!(refs[0] != refs[1], "by identity");
    refs[0].set(&mut level, Some(actor));
    assert!(refs[0].is_none(), "a dead one");
    refs[0].set(&mut level, Some(next));
    assert_eq!(refs[0].get(), Some(next));
    drop(refs);
    assert!(level.is_alive(next));
}

static CONSTRUCTED: AtomicUsize = AtomicUsize::new(0);
static FINALIZED: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);
static STATICALLY: AtomicUsize = AtomicUsize::new(0);

/// Counts its drops.
struct Drops;
impl Drop for Drops {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Counted(Option<Drops>);
impl Actor for Counted {
    actor!(Counted, "Test.Counted");
    fn constructor(&mut self) {
        self.0 = Some(Drops);
        CONSTRUCTED.fetch_add(1, Ordering::Relaxed);
    }
    fn finalizer(&mut self) {
        FINALIZED.fetch_add(1, Ordering::Relaxed);
    }
    fn static_constructor() {
        STATICALLY.fetch_add(1, Ordering::Relaxed);
    }
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.pre_begin_play(|cx| {
            assert!(cx.0.is_some(), "constructed before the first event");
            cx.destroy();
            assert!(cx.0.is_some(), "not reclaimed while a handler runs");
        });
    }
}

#[test]
fn each_actor_is_constructed_and_finalized_once() {
    let counts = || [&CONSTRUCTED, &FINALIZED, &DROPPED].map(|it| it.load(Ordering::Relaxed));
    let mut made = 0;
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        for _ in 0..5 {
            assert!(level.spawn::<Counted>(Spawn::new()).is_none());
            made += 1;
            assert_eq!(
                counts(),
                [made; 3],
                "rejected in its first event, and finalized all the same"
            );
        }
        let placed = level.place::<Counted>(Spawn::new()).unwrap();
        made += 1;
        assert_eq!(counts(), [made, made - 1, made - 1]);
        assert!(level.is_alive(placed));
        drop(level);
        assert_eq!(counts(), [made; 3], "a level torn down finalizes all");
    }
    assert_eq!(STATICALLY.load(Ordering::Relaxed), 1);
}

#[test]
fn the_dead_can_be_held_back() {
    for mut rules in all_rules() {
        rules.min_dead = 3;
        let (mut level, _) = level(rules);
        let actors = [(); 4].map(|()| level.spawn::<Thing>(Spawn::new()).unwrap());
        for (dead, actor) in actors.into_iter().enumerate() {
            level.destroy(actor);
            assert_eq!(level.name(actor).is_some(), dead < 3, "named until it is reclaimed");
        }
    }
}
