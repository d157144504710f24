//! 1.10, the states: forced changes, states on top of each other, and actors that are destroyed on the way.

mod common;

use std::panic::catch_unwind;

use acedia_actors::{
    Actor, ActorClass, ActorRef, ClassBuilder, Event, Level, Name, Recorder, Rules, Spawn, Stage, Warning, actor,
};
use common::*;

probe!(Worker, "Test.Worker", |class| {
    class.state("Idle").auto();
    class.state("Busy");
    class.state("Stunned");
});

fn worker(rules: Rules) -> (Level, Recorder, ActorRef<Worker>) {
    let (mut level, recorder) = level(rules);
    let actor = level.spawn::<Worker>(Spawn::new()).unwrap();
    let _ = recorder.take();
    (level, recorder, actor)
}

/// The events of the recorded steps.
fn events(recorder: &Recorder) -> Vec<String> {
    let event = |step: &String| step.rsplit_once('.').unwrap().1.to_owned();
    steps(recorder).iter().map(event).collect()
}

#[test]
fn a_forced_change_is_made_again() {
    for rules in all_rules() {
        let forced = rules.forced_states;
        let (mut level, recorder, actor) = worker(rules);
        level.goto_state(actor, "Idle");
        assert!(steps(&recorder).is_empty());
        level.force_state(actor, "Idle");
        let expected: &[&str] = if forced {
            &["EndState(Idle)", "BeginState(Idle)"]
        } else {
            &[]
        };
        assert_eq!(events(&recorder), expected);
        level.force_state(actor, "Busy");
        assert_eq!(level.state(actor), Name::new("Busy"));
    }
}

#[test]
fn states_are_pushed_and_popped() {
    for rules in all_rules() {
        let stacks = rules.state_stack;
        let (mut level, recorder, actor) = worker(rules);
        assert_eq!(level.push_state(actor, "Busy"), stacks);
        if !stacks {
            assert!(!level.pop_state(actor) && !level.pop_all_states(actor) && steps(&recorder).is_empty());
            continue;
        }
        assert_eq!(events(&recorder), ["PausedState()", "PushedState()"]);
        assert!(level.push_state(actor, "Stunned"));
        assert_eq!(level.paused_states(actor), ["Busy", "Idle"].map(Name::new));
        let _ = recorder.take();
        // Never twice on one stack.
        for state in ["Idle", "Busy", "Stunned", "None"] {
            assert!(!level.push_state(actor, state), "{state}");
        }
        assert!(events(&recorder).is_empty() && level.warnings().is_empty());
        assert!(!level.push_state(actor, "Unheard"));
        assert_eq!(
            level.take_warnings(),
            [Warning::UnknownState(Worker::class(), Name::new("Unheard"))]
        );
        assert!(level.pop_state(actor));
        assert_eq!(events(&recorder), ["PoppedState()", "ContinuedState()"]);
        assert_eq!(level.state(actor), Name::new("Busy"));
        assert!(level.push_state(actor, "Stunned"));
        let _ = recorder.take();
        assert!(level.pop_all_states(actor));
        assert_eq!(
            events(&recorder),
            ["PoppedState()", "PoppedState()", "ContinuedState()"]
        );
        assert_eq!(level.state(actor), Name::new("Idle"));
        assert!(!level.pop_state(actor) && !level.pop_all_states(actor));
        // A state above none.
        level.goto_state(actor, "None");
        assert!(level.push_state(actor, "Busy"));
        let _ = recorder.take();
        assert!(level.pop_state(actor));
        assert!(level.state(actor).is_none());
        assert_eq!(events(&recorder), ["PoppedState()"]);
    }
}

#[test]
fn goto_state_forgets_what_is_paused() {
    let (mut level, recorder, actor) = worker(Rules::ue3());
    assert!(level.push_state(actor, "Busy"));
    let _ = recorder.take();
    level.goto_state(actor, "Stunned");
    assert_eq!(events(&recorder), ["EndState(Stunned)", "BeginState(Busy)"]);
    assert!(level.paused_states(actor).is_empty() && !level.pop_state(actor));
    // Nor is it there for the next actor in the slot.
    assert!(level.push_state(actor, "Busy"));
    level.destroy(actor);
    let next = level.spawn::<Worker>(Spawn::new()).unwrap();
    assert!(level.paused_states(next).is_empty() && level.paused_states(actor).is_empty());
}

#[test]
fn an_inner_change_of_state_wins() {
    for event in [Event::PausedState, Event::PoppedState] {
        let (mut level, _, actor) = worker(Rules::ue3());
        if event == Event::PoppedState {
            assert!(level.push_state(actor, "Busy"));
        }
        script(move |hand, happened, _| {
            if happened == event {
                hand.goto_state("Stunned");
            }
        });
        let done = if event == Event::PoppedState {
            level.pop_state(actor)
        } else {
            level.push_state(actor, "Busy")
        };
        assert!(!done, "{event}");
        assert_eq!(level.state(actor), Name::new("Stunned"));
        assert!(level.paused_states(actor).is_empty());
    }
}

#[test]
fn an_inner_change_ends_the_popping_of_all() {
    let (mut level, recorder, actor) = worker(Rules::ue3());
    assert!(level.push_state(actor, "Busy") && level.push_state(actor, "Stunned"));
    let pops = std::cell::Cell::new(0);
    when(Event::PoppedState, move |hand, _| {
        pops.set(pops.get() + 1);
        if pops.get() == 2 {
            hand.goto_state("Stunned");
        }
    });
    let _ = recorder.take();
    assert!(level.pop_all_states(actor), "one is gone");
    let expected = [
        "PoppedState()",
        "PoppedState()",
        "EndState(Stunned)",
        "BeginState(Busy)",
    ];
    assert_eq!(events(&recorder), expected);
    assert_eq!(level.state(actor), Name::new("Stunned"));
}

#[test]
fn destroyed_on_the_way_nothing_more_happens() {
    for rules in all_rules() {
        for event in [
            Event::EndState,
            Event::BeginState,
            Event::PausedState,
            Event::PushedState,
            Event::PoppedState,
            Event::ContinuedState,
        ] {
            let of_stack = !matches!(event, Event::EndState | Event::BeginState);
            if of_stack && !rules.state_stack {
                continue;
            }
            let (mut level, recorder, actor) = worker(rules.clone());
            let popping = matches!(event, Event::PoppedState | Event::ContinuedState);
            assert!(!popping || level.push_state(actor, "Busy"));
            script(move |hand, happened, _| {
                if happened == event && !hand.is_pending() {
                    assert!(hand.destroy());
                }
            });
            let _ = recorder.take();
            match event {
                _ if popping => _ = level.pop_state(actor),
                _ if of_stack => _ = level.push_state(actor, "Busy"),
                _ => level.goto_state(actor, "Busy"),
            }
            assert!(!level.is_alive(actor));
            let steps = steps(&recorder);
            assert_eq!(steps.last().unwrap(), "K9 - Worker", "{event}: {steps:?}");
        }
    }
}

/// A state that extends one that is not there is a mistake in the class: the first request for the class panics.
#[test]
fn extending_a_state_that_is_not_there_panics() {
    #[derive(Default)]
    struct Gate;
    impl Actor for Gate {
        actor!(Gate, "Test.Gate");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Closed");
            class.state("Locked").extends("Close");
        }
    }
    #[derive(Default)]
    struct Early;
    impl Actor for Early {
        actor!(Early, "Test.Early");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("First").extends("Second");
            class.state("Second");
        }
    }
    #[derive(Default)]
    struct Own;
    impl Actor for Own {
        actor!(Own, "Test.OwnState");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Alone").extends("Alone");
        }
    }
    let panic = |class: fn() -> &'static ActorClass| *catch_unwind(class).unwrap_err().downcast::<String>().unwrap();
    for _ in 0..2 {
        assert_eq!(
            panic(Gate::class),
            "state `Locked` of Test.Gate extends `Close`, which is not a state described before it (did you mean `Closed`?)"
        );
        assert_eq!(
            panic(Early::class),
            "state `First` of Test.Early extends `Second`, which is not a state described before it"
        );
    }
    assert!(panic(Own::class).contains("extends `Alone`"));
}
