//! The level keeps its promises whatever its handlers do.

mod common;
mod program;

use std::collections::BTreeSet;

use common::all_rules;
use program::{dice, play, start_up};

#[test]
fn whatever_handlers_do_the_level_keeps_its_promises() {
    let mut seen = BTreeSet::new();
    let (programs, rounds) = if cfg!(miri) { (1, 3) } else { (9, 40) };
    for number in 0..programs {
        for rules in all_rules() {
            seen.extend(play(&dice(number), rules, rounds).0);
        }
    }
    if cfg!(miri) {
        return; // Too few for all events.
    }
    for wanted in [
        "Touch",
        "UnTouch",
        "GainedChild",
        "LostChild",
        "Attach",
        "Detach",
        "EndState",
        "PausedState",
        "ContinuedState",
        "ActorEntered",
        "PawnEnteredVolume",
        "EncroachedBy",
        "SpawnNotification",
        "Destroyed",
        "Tick",
        "the end of a timer",
        "a step of code",
    ] {
        assert!(seen.contains(wanted), "{wanted} was never seen");
    }
}

#[test]
fn whatever_handlers_do_a_start_of_play_goes_phase_by_phase() {
    let mut seen = BTreeSet::new();
    for number in 0..if cfg!(miri) { 1 } else { 60 } {
        for rules in all_rules() {
            seen.extend(start_up(&dice(number), rules, 5));
        }
    }
    assert!(seen.contains("PreBeginPlay") && seen.contains("SetInitialState"));
    assert!(cfg!(miri) || (seen.contains("Destroyed") && seen.contains("Touch")));
}
