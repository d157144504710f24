//! 1.15, the start of play, with everything that a map has; 1.13, notifiers; and the end of a level.

mod common;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use acedia_actors::{Actor, ActorClass, ActorRef, Event, Level, Name, Recorder, Rules, Spawn, Stage, Vector};
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

/// Starts play, with a panic in event number `turn` of one actor. Returns whether it panicked, the number of that actor's events,
/// and the events of another.
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

/// An override of `set_initial_state` without the inherited body marks the actor itself (1.10).
#[test]
fn who_is_initialized_already_is_passed_over() {
    define! { Own "Test.Own" { begun: u32 } |class| {
        class.pre_begin_play(|cx| cx.begun += 1);
        class.set_initial_state(|cx| {
            assert!(!cx.is_script_initialized());
            cx.set_script_initialized(true);
        });
    } }
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
