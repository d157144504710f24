//! The destruction of an actor, row by row. All generations alike, but for the argument of `end_state`.

mod common;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_actors::{
    Actor, ActorRef, ClassBuilder, Event, Level, NativeActorRef, NetDriver, NetMode, PlayerController, PlayerPawn,
    Recorder, Rules, Spawn, SpawnEx, Stage, Warning, actor,
};
use common::*;

fn things<const N: usize>(level: &mut Level) -> [ActorRef; N] {
    [(); N].map(|()| level.spawn::<Thing>(Spawn::new()).unwrap().any())
}

// 2.1 Validity.

#[test]
fn v1_nothing_can_be_destroyed_through_a_dead_reference() {
    in_each(|level, recorder, _| {
        let [actor] = things(level);
        assert!(level.destroy(actor));
        let _ = recorder.take();
        assert!(!level.destroy(actor));
        assert_eq!(level.warnings(), [Warning::AccessedNone]);
        assert!(steps(recorder).is_empty());
    });
}

probe!(Rock, "Test.Rock", |class| class.defaults(|it| it.is_static = true));
probe!(Eternal, "Test.Eternal", |class| class
    .defaults(|it| it.no_delete = true));

#[test]
fn v2_static_actors_are_only_destroyed_in_the_editor() {
    in_each(|level, recorder, _| {
        let rock = level.place::<Rock>(Spawn::new()).unwrap().any();
        let eternal = level.place::<Eternal>(Spawn::new()).unwrap().any();
        let _ = recorder.take();
        for actor in [rock, eternal] {
            assert!(!level.destroy(actor) && !level.is_pending_delete(actor));
            assert!(steps(recorder).is_empty() && level.warnings().is_empty());
            level.settings_mut().editor = true;
            assert!(level.destroy(actor));
            level.settings_mut().editor = false;
            let _ = recorder.take();
        }
    });
}

#[test]
fn v3_an_actor_that_is_dead_says_yes() {
    in_each(|level, recorder, _| {
        let [actor] = things(level);
        let seen = Rc::new(Cell::new(false));
        let saw = seen.clone();
        when(Event::BeginState, move |hand, _| {
            assert!(!hand.is_deleted());
            assert!(hand.destroy() && hand.is_deleted());
            assert!(hand.destroy(), "V3");
            saw.set(true);
        });
        let _ = recorder.take();
        level.goto_state(actor, "Busy");
        assert!(seen.get());
        let ends = rows(recorder, "K3").len();
        assert_eq!(ends, 1);
    });
}

#[test]
fn v4_clients_have_no_say_in_what_came_through_the_net() {
    in_each(|level, _, _| {
        level.settings_mut().net_mode = NetMode::Client;
        let theirs = [(); 3].map(|()| level.receive::<Thing>(acedia_actors::Vector::default(), None).unwrap());
        assert!(!level.destroy(theirs[0]));
        level.properties_mut(theirs[1]).unwrap().net_temporary = true;
        assert!(level.destroy(theirs[1]), "temporary");
        assert!(level.tear_off(theirs[2]));
        assert!(!level.lose_relevance(theirs[2]), "torn off: it stays");
        assert!(level.destroy(theirs[2]), "torn off");
        let [own] = things(level);
        assert!(level.destroy(own), "its own");
        assert!(level.lose_relevance(theirs[0]), "by replication");
    });
}

#[test]
fn v5_players_are_disconnected_first() {
    /// Counts the connections that it is asked to close.
    struct Driver(Arc<AtomicUsize>);
    impl NetDriver for Driver {
        fn close(&mut self, _player: ActorRef) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    in_each(|level, recorder, _| {
        level.settings_mut().net_mode = NetMode::ListenServer;
        let closing = Arc::new(AtomicUsize::new(0));
        level.set_net(Driver(closing.clone()));
        let player = level.spawn::<HumanPawn>(Spawn::new()).unwrap().any();
        let control = level.spawn::<HumanControl>(Spawn::new()).unwrap().any();
        let [thing] = things(level);
        let kept = [player, control, thing].map(|actor| level.connect(actor));
        assert!(kept == [true, false, false] || kept == [false, true, false], "{kept:?}");
        let player = if kept[0] { player } else { control };
        let _ = recorder.take();
        assert!(!level.destroy(player) && !level.destroy(player));
        assert_eq!(closing.load(Ordering::Relaxed), 1);
        assert!(steps(recorder).is_empty() && level.is_alive(player));
        assert!(level.disconnect(player));
        assert!(steps(recorder).iter().any(|step| step.starts_with("K3 ")));
        assert!(!level.is_alive(player) && !level.disconnect(player) && !level.connect(player));
    });
}

#[test]
fn v5_only_servers_keep_players() {
    let modes = [
        (NetMode::Standalone, true),
        (NetMode::Client, true),
        (NetMode::ListenServer, false),
        (NetMode::DedicatedServer, false),
    ];
    in_each(|level, recorder, _| {
        for (net_mode, goes) in modes {
            level.settings_mut().net_mode = net_mode;
            let players = [
                level.spawn::<HumanPawn>(Spawn::new()).unwrap().any(),
                level.spawn::<HumanControl>(Spawn::new()).unwrap().any(),
            ];
            let player = players.into_iter().find(|player| level.connect(*player)).unwrap();
            let _ = recorder.take();
            assert_eq!(level.destroy(player), goes, "{net_mode:?}");
            assert_eq!((level.is_alive(player), steps(recorder).is_empty()), (!goes, !goes));
        }
    });
}

probe!(HumanPawn, "Test.HumanPawn", |class| class, parent = PlayerPawn);
probe!(
    HumanControl,
    "Test.HumanControl",
    |class| class,
    parent = PlayerController
);

// 2.2 The sequence.

#[test]
fn k1_to_k10() {
    in_each(|level, recorder, _| {
        let owner = level.spawn::<Keeper>(Spawn::new()).unwrap();
        let base = level.spawn::<Platform>(Spawn::new()).unwrap();
        let toucher = level.spawn::<Toucher>(Spawn::new()).unwrap();
        let actor = level.spawn::<Victim>(Spawn::new().owned_by(owner)).unwrap();
        let [rider, later] = things(level);
        let child = level.spawn::<Thing>(Spawn::new().owned_by(actor)).unwrap();
        level.set_base(actor, Some(base.any()));
        level.set_base(rider, Some(actor.any()));
        level.set_base(later, Some(actor.any()));
        assert!(level.is_touching(actor, toucher));
        let _ = recorder.take();
        assert!(level.destroy(actor));
        assert_eq!(
            steps(recorder),
            [
                "K2 Victim.EndState()",
                "K3 Victim.Destroyed()",
                "K4 Platform.Detach(Victim)",
                "K4 Victim.BaseChange()",
                "K5 Victim.Detach(Thing)",
                "K5 Thing.BaseChange()",
                "K5 Victim.Detach(Thing)",
                "K5 Thing.BaseChange()",
                "K6 Toucher.UnTouch(Victim)",
                "K7 Keeper.LostChild(Victim)",
                "K9 - Victim",
            ]
        );
        assert_eq!(level.owner(child), None, "without LostChild");
        assert!(level.get(actor).is_none() && level.location(actor).is_none());
    });
}

probe!(Platform, "Test.Platform", |class| class);
probe!(Victim, "Test.Victim", |class| {
    class.defaults(|it| it.collide_actors = true);
    class.state("Living").auto();
});

#[test]
fn during_destruction_it_is_pending_and_still_there() {
    in_each(|level, _, _| {
        let [base, rider] = things(level);
        let owner = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        let actor = level.spawn::<Victim>(Spawn::new().owned_by(owner)).unwrap().any();
        level.set_base(actor, Some(base));
        level.set_base(rider, Some(actor));
        let count = Rc::new(Cell::new(0));
        let counted = count.clone();
        script(move |hand, event, about| {
            counted.set(counted.get() + 1);
            let me = hand.me();
            let others = hand.others();
            assert!(others.is_alive(actor) && others.is_pending_delete(actor));
            match event {
                Event::Detach if me == base => assert_eq!(others.base(actor), Some(base)),
                Event::BaseChange => assert_eq!(others.base(me), None),
                Event::Detach => assert_eq!(others.base(about.unwrap()), Some(actor)),
                Event::LostChild => assert_eq!(others.owner(actor), Some(owner)),
                _ => {}
            }
        });
        level.destroy(actor);
        assert_eq!(count.get(), 7);
    });
}

#[test]
fn k2_the_state_is_not_left_and_a_new_one_is_not_ended() {
    let change = ["1.10 Thing.EndState", "1.10 Thing.BeginState"];
    for (changes_in, [before, after]) in [
        // Not a change of state that goes on: the inner change sends its own `end_state`, whose handler changes the state, too.
        (Event::EndState, [&change[..], &[]]),
        (Event::Destroyed, [&[], &change[..]]),
    ] {
        in_each(|level, recorder, _| {
            let [actor] = things(level);
            level.goto_state(actor, "Busy");
            let _ = recorder.take();
            script(move |hand, event, _| {
                if event == changes_in {
                    hand.goto_state("Idle");
                }
            });
            level.destroy(actor);
            let mut kinds = steps(recorder);
            for step in &mut kinds {
                step.truncate(step.find('(').unwrap_or(step.len()));
            }
            let expected = [
                &["K2 Thing.EndState"],
                before,
                &["K3 Thing.Destroyed"],
                after,
                &["K9 - Thing"],
            ]
            .concat();
            assert_eq!(kinds, expected);
        });
    }
}

#[test]
fn k3_a_state_overrides_destroyed() {
    #[derive(Default)]
    struct Martyr;
    static BY_STATE: AtomicUsize = AtomicUsize::new(0);
    static BY_CLASS: AtomicUsize = AtomicUsize::new(0);
    impl Actor for Martyr {
        actor!(Martyr, "Test.Martyr");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Burning").auto().destroyed(|cx| {
                BY_STATE.fetch_add(1, Ordering::Relaxed);
                cx.inherited().destroyed();
            });
            class.destroyed(|_| _ = BY_CLASS.fetch_add(1, Ordering::Relaxed));
        }
    }
    in_each(|level, _, _| {
        let actor = level.spawn::<Martyr>(Spawn::new()).unwrap();
        level.destroy(actor);
    });
    assert_eq!(
        (BY_STATE.load(Ordering::Relaxed), BY_CLASS.load(Ordering::Relaxed)),
        (3, 3)
    );
}

#[test]
fn k4_k5_the_level_as_a_base() {
    in_each(|level, recorder, _| {
        let ground = level.level_info().unwrap();
        let [first, second, third] = things(level);
        for actor in [second, first, third] {
            assert!(level.set_base(actor, Some(ground)) && level.base(actor) == Some(ground));
        }
        let _ = recorder.take();
        assert!(level.destroy(third));
        let based = |recorder: &Recorder| {
            let mut steps = steps(recorder);
            steps.retain(|step| step.starts_with("K4") || step.starts_with("K5"));
            steps
        };
        assert_eq!(based(recorder), ["K4 Thing.BaseChange()"], "the level is not told");
        assert!(level.set_base(second, None) && level.base(second).is_none());
        // Only an editor can destroy the level's actor. Its riders are told; former riders are not.
        level.settings_mut().editor = true;
        let _ = recorder.take();
        assert!(level.destroy(ground) && level.base(first).is_none());
        assert_eq!(based(recorder), ["K5 Thing.BaseChange()"]);
    });
}

#[test]
fn k5_who_has_left_before_its_turn_is_passed_over() {
    // In the events of the first rider, the second one leaves: for no base, or for another one.
    for event in [Event::Detach, Event::BaseChange] {
        for elsewhere in [false, true] {
            in_each(|level, recorder, _| {
                let actor = level.spawn::<Victim>(Spawn::new()).unwrap().any();
                let other = level.spawn::<Platform>(Spawn::new()).unwrap().any();
                let [first, second, third] = things(level);
                for rider in [first, second, third] {
                    assert!(level.set_base(rider, Some(actor)));
                }
                let next = elsewhere.then_some(other);
                let left = Rc::new(Cell::new(false));
                let once = left.clone();
                script(move |hand, now, _| {
                    if now == event && !once.replace(true) {
                        assert!(hand.others().set_base(second, next));
                    }
                });
                let _ = recorder.take();
                assert!(level.destroy(actor) && left.get());
                let sent = rows(recorder, "K5");
                let sequence = ["K5 Victim.Detach(Thing)", "K5 Thing.BaseChange()"];
                assert_eq!(sent, [sequence, sequence].concat(), "of the first and the third");
                assert_eq!(level.base(second), next);
                assert_eq!(level.attached(other), next.map_or(vec![], |_| vec![second]));
                assert_eq!((level.base(first), level.base(third)), (None, None));
            });
        }
    }
}

#[test]
fn k8_cuts_what_handlers_tie_meanwhile() {
    in_each(|level, recorder, _| {
        let [actor, other] = things(level);
        script(move |hand, event, _| {
            if event == Event::Destroyed {
                hand.others().set_base(other, Some(actor));
                hand.others().set_owner(other, Some(actor));
            }
            assert!(event != Event::LostChild, "nobody loses a child here");
        });
        // Tied in Destroyed, before K5: let go with events. Tied in the last event: cut without.
        assert!(level.destroy(actor));
        assert_eq!((level.base(other), level.owner(other)), (None, None));
        let detached = steps(recorder).iter().filter(|step| step.contains("Detach")).count();
        assert_eq!(detached, 1);
        let [base, actor] = things(level);
        let late = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        level.set_owner(actor, Some(late));
        when(Event::LostChild, move |hand, _| {
            hand.others().set_base(actor, Some(base));
            hand.others().set_base(late, Some(actor));
        });
        let _ = recorder.take();
        level.destroy(actor);
        assert!(!steps(recorder).iter().any(|step| step.contains("Detach")));
        assert_eq!(level.base(late), None);
        assert!(level.destroy(base) && level.destroy(late));
    });
}

#[test]
fn a_pending_owner_gains_a_child_and_a_dead_one_does_not() {
    in_each(|level, recorder, _| {
        let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        let _ = recorder.take();
        script(move |hand, event, _| {
            if event == Event::Destroyed && hand.is("Keeper") {
                let child = hand.others().spawn::<Thing>(Spawn::new().owned_by(keeper)).unwrap();
                assert_eq!(hand.others().owner(child), Some(keeper));
            }
        });
        level.destroy(keeper);
        assert!(steps(recorder).contains(&"Q1 Keeper.GainedChild(Thing)".to_owned()));
        let child = level.actors().last().unwrap();
        assert_eq!(level.owner(child), None);
    });
}

// 2.3 Recursion.

#[test]
fn two_actors_that_destroy_each_other() {
    in_each(|level, recorder, _| {
        let [a, b] = things(level);
        let results = Rc::new(RefCell::new(Vec::new()));
        let said = results.clone();
        when(Event::Destroyed, move |hand, _| {
            let other = if hand.me() == a { b } else { a };
            // Without this it would go on to the depth limit.
            if hand.me() == a && hand.others().is_pending_delete(b) {
                return;
            }
            let result = hand.others().destroy(other);
            said.borrow_mut().push(result);
        });
        let _ = recorder.take();
        assert!(level.destroy(a));
        assert_eq!(*results.borrow(), [true, true]);
        let lines = steps(recorder);
        let count = |row: &str| lines.iter().filter(|line| line.starts_with(row)).count();
        assert_eq!((count("K3"), count("K9")), (3, 2), "a twice, b once; each dies once");
        assert!(!level.is_alive(a) && !level.is_alive(b));
    });
}

#[test]
fn a_runaway_destruction_ends_at_the_depth_limit() {
    for mut rules in all_rules() {
        rules.depth_limit = 40;
        let (mut level, recorder) = level(rules);
        let [actor] = things(&mut level);
        let _ = recorder.take();
        when(Event::Destroyed, |hand, _| assert!(hand.destroy()));
        assert!(level.destroy(actor));
        assert_eq!(recorder.lines().iter().filter(|line| line.starts_with("K9")).count(), 1);
        assert!(level.warnings().contains(&Warning::Recursion));
        script(|_, _, _| ());
        assert_eq!(things::<1>(&mut level).len(), 1, "the level is usable");
    }
}

#[test]
fn a_runaway_spawn_ends_at_the_depth_limit() {
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        when(Event::PreBeginPlay, |hand, _| {
            _ = hand.others().spawn::<Keeper>(Spawn::new());
        });
        assert!(level.spawn::<Keeper>(Spawn::new()).is_some());
        assert!(level.warnings().contains(&Warning::Recursion));
        // In a debug build the limit of the stack comes first.
        let least = if cfg!(debug_assertions) { 50 } else { 200 };
        assert!(level.actors().count() > least);
    }
}

#[test]
fn a_handler_may_destroy_its_destroyer() {
    in_each(|level, _, _| {
        let [destroyer, actor] = things(level);
        script(move |hand, event, _| {
            let me = hand.me();
            match event {
                Event::BeginState if me == destroyer => {
                    assert!(hand.others().destroy(actor));
                    assert!(hand.is_deleted(), "destroyed by the one it destroyed");
                }
                Event::Destroyed if me == actor => assert!(hand.others().destroy(destroyer)),
                _ => {}
            }
        });
        level.goto_state(destroyer, "Busy");
        assert!(!level.is_alive(destroyer) && !level.is_alive(actor));
    });
}

// 2.4 After it returned.

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
                let own = cx.me();
                for reference in [own, before, after] {
                    assert_eq!(cx.others.value_or_null(reference, |it| it.health), 0);
                }
                assert_eq!(cx.others.take_warnings(), [const { Warning::AccessedNone }; 3]);
                let name = cx.others.name(before).unwrap();
                assert!(name.starts_with("Sleeper") && cx.others.name(after) == Some(name));
                assert!(cx.destroy(), "again");
                cx.goto_state("None");
                assert!(!cx.set_owner(None) && !cx.set_base(None));
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

// 2.5 References.

#[test]
fn an_old_reference_never_leads_to_the_next_actor_in_its_slot() {
    in_each(|level, _, _| {
        let mut old: Vec<ActorRef> = Vec::new();
        for _ in 0..50 {
            let [actor] = things(level);
            assert!(old.iter().all(|it| *it != actor && !level.is_alive(*it)));
            old.push(actor);
            level.destroy(actor);
        }
    });
}

#[test]
fn a_reference_of_another_type_leads_to_nothing() {
    in_each(|level, _, _| {
        let soldier = level.spawn::<Soldier>(Spawn::new()).unwrap();
        assert!(level.cast::<Keeper>(soldier.any()).is_none());
        assert!(
            level.get(soldier.upcast::<acedia_actors::Pawn>()).is_some(),
            "its parent class"
        );
        assert_eq!(level.cast::<Soldier>(soldier.any()), Some(soldier));
    });
}

#[test]
fn native_refs_are_emptied_in_the_moment_of_death_on_every_thread() {
    let (mut level, _) = level(Rules::ue2());
    let [actor] = things(&mut level);
    let refs: Vec<_> = (0..100).map(|_| NativeActorRef::new(&mut level, Some(actor))).collect();
    let watched = refs.clone();
    let watch = move || watched.iter().filter(|it| it.is_none() && it.get().is_none()).count();
    let watch = Rc::new(watch);
    let seen = Rc::new(Cell::new((99, 0)));
    let (saw, first) = (seen.clone(), refs[0].clone());
    let owner = level.spawn::<Keeper>(Spawn::new()).unwrap();
    level.set_owner(actor, Some(owner.any()));
    let look = watch.clone();
    script(move |_, event, _| {
        if event == Event::LostChild {
            assert_eq!(first.get(), Some(actor));
            saw.set((look(), 1));
        }
    });
    level.destroy(actor);
    assert_eq!(seen.get(), (0, 1), "in the last event it was still there");
    assert_eq!(watch(), 100);
    let other = refs[0].clone();
    assert!(std::thread::spawn(move || other.is_none()).join().unwrap());
    // Dead ones are alike; a set actor counts again; freeing the reference leaves the actor alone.
    assert!(refs[0].holds_same(&NativeActorRef::new(&mut level, None)));
    assert!(refs[0] != refs[1], "by identity");
    let [next] = things(&mut level);
    refs[0].set(&mut level, Some(actor));
    assert!(refs[0].is_none(), "a dead one");
    refs[0].set(&mut level, Some(next));
    assert_eq!(refs[0].get(), Some(next));
    drop(refs);
    assert!(level.is_alive(next));
}

#[test]
fn whoever_learns_of_a_death_finds_the_ref_empty() {
    let (mut level, _) = level(Rules::ue2());
    let dead = Arc::new(AtomicUsize::new(0));
    let actors = things::<200>(&mut level);
    let refs: Vec<_> = actors
        .iter()
        .map(|actor| NativeActorRef::new(&mut level, Some(*actor)))
        .collect();
    let (watched, known) = (refs.clone(), dead.clone());
    let reader = std::thread::spawn(move || {
        loop {
            let count = known.load(Ordering::Acquire);
            assert!(watched[..count].iter().all(|it| it.is_none() && it.get().is_none()));
            if count == watched.len() {
                return;
            }
        }
    });
    for (count, actor) in actors.into_iter().enumerate() {
        std::thread::yield_now();
        assert!(level.destroy(actor));
        dead.store(count + 1, Ordering::Release);
    }
    reader.join().unwrap();
}

// 2.6 Reclamation.

static FINALIZED: AtomicUsize = AtomicUsize::new(0);
static CONSTRUCTED: AtomicUsize = AtomicUsize::new(0);
static STATICALLY: AtomicUsize = AtomicUsize::new(0);

#[derive(Default)]
struct Counted(Option<Drops>);
/// Counts its drops.
struct Drops;
static DROPPED: AtomicUsize = AtomicUsize::new(0);
impl Drop for Drops {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}
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
        class.state("Quiet");
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
        let actors = things::<4>(&mut level);
        for (dead, actor) in actors.into_iter().enumerate() {
            level.destroy(actor);
            assert_eq!(level.name(actor).is_some(), dead < 3, "named until it is reclaimed");
        }
    }
}

#[test]
fn templates_are_copied_where_the_class_can_be() {
    #[derive(Clone, Default)]
    struct Copied {
        health: i32,
    }
    impl Actor for Copied {
        actor!(Copied, "Test.Copied");
        fn duplicate(&self) -> Option<Self> {
            Some(self.clone())
        }
    }
    for rules in all_rules() {
        let honoured = rules.spawn_parameters;
        let (mut level, _) = level(rules);
        let original = level.spawn::<Copied>(Spawn::new()).unwrap();
        level.get_mut(original).unwrap().health = 9;
        let spawn = Spawn::new().template(original);
        let public = level.spawn::<Copied>(spawn).unwrap();
        assert_eq!(level.get(public).unwrap().health, if honoured { 9 } else { 0 });
        let request = SpawnEx::from(spawn);
        let copy = level.spawn_ex(Some(Copied::class().into()), &request).unwrap();
        let copy = level.cast::<Copied>(copy).unwrap();
        assert_eq!(level.get(copy).unwrap().health, 9);
        let [thing] = things(&mut level);
        let request = SpawnEx::from(Spawn::new().template(thing));
        assert!(
            level.spawn_ex(Some(Thing::class().into()), &request).is_err(),
            "it can't be copied"
        );
    }
}

/// Destroys itself in `destroyed`, once.
#[derive(Default)]
struct Guarded {
    going: bool,
    told: u32,
}

impl Actor for Guarded {
    actor!(Guarded, "Test.Guarded");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.destroyed(|cx| {
            cx.told += 1;
            assert!(cx.is_pending_delete(), "no guard: it is true each time");
            if !std::mem::replace(&mut cx.going, true) {
                assert!(cx.destroy() && cx.is_deleted());
                assert_eq!(cx.told, 2);
            }
        });
    }
}

#[test]
fn a_guard_ends_the_destruction_in_destroyed() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let actor = level.spawn::<Guarded>(Spawn::new()).unwrap();
        assert!(level.destroy(actor) && level.warnings().is_empty());
        let told = recorder
            .lines()
            .iter()
            .filter(|line| line.contains("Destroyed"))
            .count();
        assert_eq!(told, 2);
    }
}
