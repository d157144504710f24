//! 1.15, the start of play, with everything that a map has; 1.13, notifiers; and the end of a level.

mod common;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use acedia_actors::{
    Actor, ActorClass, ActorRef, ClassBuilder, Event, Level, Name, NetMode, Recorder, Rules, Spawn, SpawnError, Stage,
    Vector, actor,
};
use common::*;

/// A map with one actor in a zone and a volume, on the ground, with a game.
fn map(rules: Rules) -> (Level, Recorder, ActorRef<Crew>) {
    let (mut level, recorder) = unbegun(rules);
    furnish(&mut level);
    let aside = Spawn::new().at(Vector::new(900.0, 0.0, 0.0));
    let game = level.spawn::<Game>(aside).unwrap();
    level.set_game(game);
    let judge = level.spawn::<Judge>(aside).unwrap();
    level.add_mutator(judge);
    let at = Vector::new(0.0, 0.0, 22.0);
    let crew = level.place::<Crew>(Spawn::new().at(at)).unwrap();
    level.place::<Toucher>(Spawn::new().at(at)).unwrap();
    (level, recorder, crew)
}

#[test]
fn l1_to_l11_of_a_whole_map() {
    for rules in all_rules() {
        let generation = rules.generation;
        let (mut level, recorder, crew) = map(rules);
        let silent = steps(&recorder);
        assert!(
            silent.iter().all(|step| step.starts_with("P1 ")),
            "nothing happens before play: {silent:?}"
        );
        assert!(!level.has_begun() && !level.is_starting());
        script(|hand, _, _| assert!(hand.others().has_begun() && hand.others().is_starting()));
        assert!(level.begin_play("?Game=Test"));
        assert!(level.has_begun() && !level.is_starting());
        let mut sent = steps(&recorder);
        sent.retain(|step| step.contains("Crew") || step.starts_with("L2"));
        let table = "
            123 L2 Game.InitGame()
            123 L3 Crew.PreBeginPlay()
            1-- 1.6 Game.IsRelevant(Crew)
            -2- 1.6 Judge.CheckRelevance(Crew)
            --3 1.6 Game.CheckRelevance(Crew)
            123 1.6 Judge.AlwaysKeep(Crew)
            123 1.6 Judge.CheckReplacement(Crew)
            1-- 1.6 Game.native PassesFilters(Crew)
            12- L4 Crew.BeginPlay()
            12- L5 LevelInfo.ActorLeaving(Crew)
            12- L5 Crew.ZoneChange(Zone)
            12- L5 Zone.ActorEntered(Crew)
            -23 L6 Crew.PhysicsVolumeChange(Volume)
            -23 L6 Volume.ActorEnteredVolume(Crew)
            123 L7 Crew.PostBeginPlay()
            -23 L7 Crew.native PostBeginPlay()
            12- L8 Crew.PostNetBeginPlay()
            123 L9 Crew.SetInitialState()
            123 1.10 Crew.BeginState()
            123 L10 Crew.BaseChange()";
        // No Spawned, and no collision check: it stands in the toucher.
        assert_eq!(sent, of(generation, table), "{generation:?}");
        assert_eq!(level.base(crew), level.level_info());
        assert_eq!(level.options(), "?Game=Test");
    }
}

#[test]
fn l3_actors_rejected_at_start_up_are_destroyed_and_left_out() {
    for rules in all_rules() {
        let (mut level, recorder, crew) = map(rules);
        when(Event::CheckReplacement, |hand, about| {
            let crew = hand.others().cast::<Crew>(about.unwrap()).is_some();
            if crew {
                hand.answer_yes();
            }
        });
        level.begin_play("");
        assert!(!level.is_alive(crew));
        let mut sent = steps(&recorder);
        sent.retain(|step| step.contains(" Crew"));
        assert_eq!(
            sent,
            [
                "P1 + Crew",
                "L3 Crew.PreBeginPlay()",
                "K3 Crew.Destroyed()",
                "K9 - Crew"
            ],
            "in no state yet, so there is no EndState"
        );
    }
}

/// Starts play, with a panic in event number `turn` of one actor. Whether it went on, how many events that actor was
/// sent, and which ones another.
fn begin_with_a_panic(rules: Rules, turn: usize) -> (bool, usize, Vec<Event>) {
    let (mut level, _, crew) = map(rules);
    let seen = Rc::new(RefCell::new((0, Vec::new())));
    let saw = seen.clone();
    script(move |hand, event, _| {
        let (events, of_the_other) = &mut *saw.borrow_mut();
        if hand.is("Toucher") {
            of_the_other.push(event);
        } else if hand.is("Crew") {
            *events += 1;
            assert!(*events - 1 != turn, "on purpose");
        }
    });
    let panicked = catch_unwind(AssertUnwindSafe(|| level.begin_play(""))).is_err();
    assert!(level.has_begun() && !level.is_starting() && !level.begin_play(""));
    script(|_, _, _| ());
    assert_eq!(
        level.state(crew),
        Name::new("Ready"),
        "it takes part in the phases that follow"
    );
    assert!(level.spawn::<Thing>(Spawn::new()).is_some());
    let (events, of_the_other) = seen.take();
    (panicked, events, of_the_other)
}

#[test]
fn a_panic_in_any_event_of_the_start_ends_it_for_nobody_else() {
    for rules in all_rules() {
        let (panicked, events, of_the_other) = begin_with_a_panic(rules.clone(), usize::MAX);
        assert!(
            !panicked && events > 4 && of_the_other.len() > 3,
            "{events} {of_the_other:?}"
        );
        for turn in 0..events {
            let (panicked, _, others) = begin_with_a_panic(rules.clone(), turn);
            assert!(panicked && others == of_the_other, "event {turn}: {others:?}");
        }
    }
}

#[test]
fn the_end_of_a_level_sends_nothing() {
    for rules in all_rules() {
        let (mut level, recorder, _) = map(rules);
        level.begin_play("");
        let _ = recorder.take();
        script(|_, event, _| panic!("{event} at the end"));
        drop(level);
        assert!(recorder.take().is_empty());
    }
}

// 1.13.

/// A level with two notifiers.
fn notified() -> (Level, Recorder, [ActorRef<Notify>; 2]) {
    let (mut level, recorder) = level(Rules::ue1());
    let notifiers = [0; 2].map(|_| level.spawn::<Notify>(Spawn::new()).unwrap());
    let _ = recorder.take();
    (level, recorder, notifiers)
}

#[test]
fn notifiers_are_asked_in_their_order_about_what_the_last_one_gave() {
    let (mut level, recorder, notifiers) = notified();
    let asked = Rc::new(RefCell::new(Vec::new()));
    let substitute = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
    let first = notifiers[0].any();
    let ask = asked.clone();
    when(Event::SpawnNotification, move |hand, about| {
        ask.borrow_mut().push(about.unwrap());
        let me = hand.me();
        if me == first {
            // Nested spawns don't notify.
            assert!(hand.others().spawn::<Thing>(Spawn::new()).is_some());
            hand.give(Some(substitute));
        }
    });
    assert_eq!(level.spawn::<Thing>(Spawn::new()).map(ActorRef::any), Some(substitute));
    assert_eq!((asked.borrow().len(), asked.borrow()[1]), (2, substitute));
    // The notifier gets actors of its class and of subclasses only.
    level.get_mut(notifiers[1]).unwrap().base.actor_class = Some(Thing::class());
    asked.borrow_mut().clear();
    assert!(level.spawn::<Thing>(Spawn::new()).is_some());
    assert_eq!(asked.borrow().len(), 1, "the result is a Keeper by then");
    // `Actor` is above all classes, so it stands for every actor, as `None` does.
    for everybody in [Some(ActorClass::root()), None] {
        level.get_mut(notifiers[1]).unwrap().base.actor_class = everybody;
        asked.borrow_mut().clear();
        assert!(level.spawn::<Thing>(Spawn::new()).is_some());
        assert_eq!((asked.borrow().len(), asked.borrow()[1]), (2, substitute));
    }
    // Not for what came over the network.
    let _ = recorder.take();
    level.settings_mut().net_mode = NetMode::Client;
    assert!(level.receive::<Thing>(Vector::default(), None).is_ok());
    assert!(!steps(&recorder).iter().any(|step| step.starts_with("Q15")));
}

#[test]
fn an_answer_that_is_dead_is_none() {
    let (mut level, _, _) = notified();
    let dead = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
    level.destroy(dead);
    when(Event::SpawnNotification, move |hand, _| hand.give(Some(dead)));
    let error = level.try_spawn::<Thing>(Spawn::new()).unwrap_err();
    assert_eq!(error, SpawnError::Replaced);
    // True of an answer of none, too.
    assert_eq!(error.to_string(), "a SpawnNotify returned no actor or a dead actor");
}

#[test]
fn a_notifier_without_a_filter_is_shown_its_own_spawn() {
    for filter in [None, Some(ActorClass::root()), Some(Thing::class())] {
        let (mut level, _) = level(Rules::ue1());
        let shown = Rc::new(RefCell::new(Vec::new()));
        let log = shown.clone();
        script(move |hand, event, about| match event {
            Event::PreBeginPlay if hand.is("Notify") => {
                let me = hand.me();
                let mut others = hand.others();
                let me = others.cast::<Notify>(me).unwrap();
                others.get_mut(me).unwrap().base.actor_class = filter;
            }
            Event::SpawnNotification => log.borrow_mut().push(about.unwrap()),
            _ => {}
        });
        let notifier = level.spawn::<Notify>(Spawn::new()).unwrap().any();
        let expected = if filter == Some(Thing::class()) {
            vec![]
        } else {
            vec![notifier]
        };
        assert_eq!(*shown.borrow(), expected);
        script(|_, _, _| ());
    }
}

/// An override of `set_initial_state` that leaves the inherited body out says itself that it was there (1.10).
#[test]
fn who_is_initialized_already_is_passed_over() {
    #[derive(Default)]
    struct Own {
        begun: u32,
    }
    impl Actor for Own {
        actor!(Own, "Test.Own");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.pre_begin_play(|cx| cx.begun += 1);
            class.set_initial_state(|cx| {
                assert!(!cx.is_script_initialized());
                cx.set_script_initialized(true);
            });
        }
    }
    for rules in all_rules().into_iter().filter(|rules| rules.script_initialized) {
        let mut level = Level::new(rules);
        level.place::<Thing>(Spawn::new()).unwrap();
        let own = Rc::new(Cell::new(None));
        let made = Rc::clone(&own);
        script(move |hand, event, _| {
            if event == Event::PreBeginPlay && hand.is("Thing") {
                made.set(hand.others().spawn::<Own>(Spawn::new()));
            }
        });
        level.begin_play("");
        script(|_, _, _| ());
        let own = own.take().expect("spawned while play begins");
        assert_eq!(
            level.get(own).unwrap().begun,
            1,
            "and not a second time with those of the map"
        );
    }
}
