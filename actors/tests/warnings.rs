//! The log: which warnings there are, and how many are kept.

mod common;

use acedia_actors::{Actor, ActorRef, Event, Level, Rules, Spawn, SpawnNotify, Stage, Vector, Warning};
use common::*;

/// A command, with a name for messages.
type Command = (&'static str, fn(&mut Level, ActorRef<Thing>));

fn commands() -> [Command; 15] {
    [
        ("destroy", |level, it| assert!(!level.destroy(it))),
        ("goto_state", |level, it| level.goto_state(it, "Idle")),
        ("force_state", |level, it| level.force_state(it, "Idle")),
        ("push_state", |level, it| assert!(!level.push_state(it, "Idle"))),
        ("pop_state", |level, it| assert!(!level.pop_state(it))),
        ("pop_all_states", |level, it| assert!(!level.pop_all_states(it))),
        ("set_owner", |level, it| assert!(!level.set_owner(it, None))),
        ("set_base", |level, it| assert!(!level.set_base(it, None))),
        ("set_instigator", |level, it| assert!(!level.set_instigator(it, None))),
        ("set_location", |level, it| {
            assert!(!level.set_location(it, Vector::default()));
        }),
        ("value_or_null", |level, it| assert!(!level.value_or_null(it, |_| true))),
        ("change_or_null", |level, it| {
            assert!(!level.change_or_null(it, |_| true));
        }),
        ("set_game", |level, it| level.set_game(it)),
        ("add_mutator", |level, it| level.add_mutator(it)),
        ("add_notifier", |level, it| level.add_notifier(it)),
    ]
}

#[test]
fn a_command_to_a_dead_actor_is_accessed_none() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
        level.destroy(actor);
        let _ = recorder.take();
        for (name, command) in commands() {
            command(&mut level, actor);
            assert_eq!(level.take_warnings(), [Warning::AccessedNone], "{name}");
        }
        assert!(recorder.take().is_empty());
        // Queries are not commands.
        assert!(level.get(actor).is_none() && level.owner(actor).is_none() && level.location(actor).is_none());
        assert!(!level.is_alive(actor) && level.state(actor).is_none() && level.properties_mut(actor).is_none());
        assert!(level.warnings().is_empty());
    }
}

#[test]
fn the_log_keeps_the_last_warnings_and_counts_the_others() {
    let mut level = Level::new(Rules::ue2());
    let dead = level.spawn::<Plain>(Spawn::new()).unwrap();
    level.destroy(dead);
    let most = Level::WARNINGS_KEPT;
    for number in 1..=2 * most + most / 2 {
        if number == 2 * most {
            level.spawn_ex(None, &acedia_actors::SpawnEx::default()).unwrap_err();
        } else {
            level.destroy(dead);
        }
        assert_eq!(level.warnings().len(), number.min(most));
        assert_eq!(level.dropped_warnings(), number.saturating_sub(most));
    }
    let others = level.warnings().iter().filter(|it| **it != Warning::AccessedNone);
    assert_eq!(others.count(), 1, "the log goes back that far");
    assert_eq!(level.warnings()[most - most / 2 - 1], Warning::NoClass);
    assert_eq!(level.take_warnings().len(), most);
    assert!(level.warnings().is_empty() && level.dropped_warnings() == 0);
}

// Has no bodies at all.
define! { Plain "Test.Plain" {} }

#[test]
fn an_event_that_is_too_deep_is_warned_of_whether_or_not_it_has_a_body() {
    for (depth, expected) in [(2, vec![]), (3, vec![Warning::Recursion])] {
        for mut rules in all_rules() {
            rules.depth_limit = 3;
            let mut level = Level::new(rules);
            level.begin_play("");
            for traced in [false, true] {
                if traced {
                    level.set_sink(Deaf);
                }
                let things: Vec<_> = (0..depth)
                    .map(|_| level.spawn::<Thing>(Spawn::new()).unwrap().any())
                    .collect();
                let plain = level.spawn::<Plain>(Spawn::new()).unwrap();
                let first = things[0];
                // Each has the next one leave its state, inside of its own `end_state`; the last one destroys.
                when(Event::EndState, move |hand, _| {
                    let next = things.iter().skip_while(|it| **it != hand.me()).nth(1);
                    match next {
                        Some(next) => hand.others().goto_state(*next, "Busy"),
                        None => assert!(hand.others().destroy(plain)),
                    }
                });
                level.goto_state(first, "Busy");
                assert!(!level.is_alive(plain));
                assert_eq!(level.take_warnings(), expected, "{depth} deep, traced: {traced}");
                script(|_, _, _| ());
            }
        }
    }
}

/// With a sink, events without a handler are sent too.
struct Deaf;
impl acedia_actors::EventSink for Deaf {
    fn record(&mut self, _: &acedia_actors::Step<'_>) {}
}

// Gives its pawn instead of each new actor, once it has one.
define! { Swap "Test.WarningSwap" SpawnNotify in base { base: SpawnNotify, pawn: Option<ActorRef> } |class| {
    class.spawn_notification(|cx, it| cx.pawn.or(Some(it)));
} }

/// A reference whose actor lives, but is of another class, after an exchange by a notifier.
#[test]
fn a_living_actor_of_another_class_is_not_none() {
    let mut level = Level::new(Rules::ue1());
    level.begin_play("");
    let pawn = level.spawn::<acedia_actors::Pawn>(Spawn::new()).unwrap();
    let swap = level.spawn::<Swap>(Spawn::new()).unwrap();
    level.get_mut(swap).unwrap().pawn = Some(pawn.any());
    let mutator = level.spawn::<acedia_actors::Mutator>(Spawn::new()).unwrap();
    assert_eq!(mutator, pawn);
    assert!(!level.value_or_null(mutator, |_| true));
    level.change_or_null(mutator, |_| ());
    let other = Warning::OtherClass(acedia_actors::Pawn::class(), acedia_actors::Mutator::class());
    assert_eq!(level.take_warnings(), [other.clone(), other]);
    level.destroy(pawn);
    assert!(!level.value_or_null(mutator, |_| true));
    assert_eq!(level.take_warnings(), [Warning::AccessedNone]);
}
