//! Events that nest without end: every call of the level returns, even on a small stack.

mod common;

use std::cell::Cell;
use std::rc::Rc;
use std::thread;

use acedia_actors::{ActorRef, Event, Level, Recorder, Rules, Spawn, Stage, Warning};
use common::*;

/// The stack of a main thread on Windows, and of WebAssembly.
const SMALL: usize = 1 << 20;

/// The stack of a main thread on Linux.
const USUAL: usize = 8 << 20;

fn with_stack(size: usize, work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(size).spawn(work).unwrap();
    thread.join().unwrap();
}

// Spawns another actor of its class.
define! { Rabbit "Test.Rabbit" {} |class| {
    class.pre_begin_play(|cx| {
        cx.inherited().pre_begin_play();
        cx.spawn::<Self>(Spawn::new());
    });
} }

define! { LateRabbit "Test.LateRabbit" {} |class| { class.begin_play(|cx| _ = cx.spawn::<Self>(Spawn::new())); } }

// Spawns two in each event.
define! { Rabbits "Test.Rabbits" {} |class| {
    class.pre_begin_play(|cx| {
        for _ in 0..2 {
            cx.spawn::<Self>(Spawn::new());
        }
    });
    class.begin_play(|cx| {
        for _ in 0..2 {
            cx.spawn::<Self>(Spawn::new());
        }
    });
} }

// Spawns an actor when its play begins for the second time: the spawns do not nest.
define! { Chain "Test.Chain" { begun: u32 } |class| {
    class.begin_play(|cx| {
        cx.begun += 1;
        if cx.begun == 2 {
            cx.spawn::<Self>(Spawn::new());
        }
    });
} }

#[test]
#[cfg_attr(miri, ignore = "Miri's addresses do not follow the stack")]
fn play_begins_by_the_presets_on_a_small_stack() {
    with_stack(SMALL, || {
        for rules in all_rules() {
            let mut level = Level::new(rules);
            let mut placed = Vec::new();
            for _ in 0..3 {
                placed.push(level.place::<Rabbit>(Spawn::new()).unwrap().any());
                placed.push(level.place::<LateRabbit>(Spawn::new()).unwrap().any());
                placed.push(level.place::<Rabbits>(Spawn::new()).unwrap().any());
            }
            assert!(level.start() && level.has_begun());
            assert!(placed.iter().all(|it| level.is_alive(*it)));
            assert!(level.take_warnings().contains(&Warning::Recursion));
        }
    });
}

#[test]
fn play_begins_although_each_actor_that_is_new_in_a_phase_makes_another() {
    script(|_, _, _| ());
    let chain = |rules| {
        let mut level = Level::new(rules);
        let begins = level.place::<Chain>(Spawn::new()).unwrap();
        // Begun once already, so that the start is the second time.
        level.get_mut(begins).unwrap().begun = 1;
        level.start();
        (level.user_actors().count(), level.take_warnings())
    };
    let mut rules = Rules::ue1();
    rules.depth_limit = 30;
    let (actors, warnings) = chain(rules);
    // 30 for each of the first two actors.
    assert_eq!((actors, warnings), (62, vec![Warning::Recursion]));
    let (actors, warnings) = chain(Rules::ue2());
    assert_eq!((actors, warnings), (2, vec![]), "initialized actors are passed over");
}

#[test]
fn a_spawn_that_doubles_ends() {
    for rules in all_rules() {
        let mut level = Level::new(rules);
        level.start();
        assert!(level.spawn::<Rabbits>(Spawn::new()).is_some());
        assert!(level.user_actors().count() < 5000);
        assert!(level.take_warnings().contains(&Warning::Recursion));
        when(Event::Tick, |hand, _| {
            assert!(hand.others().spawn::<Keeper>(Spawn::new()).is_some());
            script(|_, _, _| ());
        });
        level.spawn::<Thing>(Spawn::new()).unwrap();
        let before = level.user_actors().count();
        level.tick(0.1);
        assert_eq!(level.user_actors().count(), before + 1, "the next call is not limited");
    }
}

#[test]
fn events_that_run_away_nest_less_deep_at_once_with_a_sink_and_without() {
    let begun = [true, false].map(|is_watched| {
        script(|_, _, _| ());
        let mut rules = Rules::ue1();
        rules.depth_limit = 20;
        let mut level = Level::new(rules);
        level.start();
        if is_watched {
            level.set_sink(Recorder::default());
        }
        let begun = Rc::new(Cell::new(0));
        let count = begun.clone();
        // Each spawns the next; the last is refused a hundred spawns.
        script(move |hand, event, _| match event {
            Event::Spawned => _ = (0..100).any(|_| hand.others().spawn::<Keeper>(Spawn::new()).is_some()),
            Event::BeginPlay => count.set(count.get() + 1),
            _ => {}
        });
        level.spawn::<Keeper>(Spawn::new());
        begun.get()
    });
    assert_eq!(begun, [16; 2]);
}

// Changes its state twice in each `begin_state`.
define! { Flicker "Test.Flicker" {} |class| {
    for (state, others) in [("A", ["B", "C"]), ("B", ["C", "A"]), ("C", ["A", "B"])] {
        class.state(state).begin_state(move |cx, _| {
            for other in others {
                cx.goto_state(other);
            }
        });
    }
} }

#[test]
fn changes_of_state_that_double_end() {
    for rules in all_rules() {
        let mut level = Level::new(rules);
        level.start();
        let flicker = level.spawn::<Flicker>(Spawn::new()).unwrap();
        level.goto_state(flicker, "A");
        assert!(level.is_alive(flicker) && level.take_warnings().contains(&Warning::Recursion));
    }
}

fn destroys_itself_for_ever(level: &mut Level) -> ActorRef<Thing> {
    when(Event::Destroyed, |hand, _| {
        // A handler with large variables.
        let filled = std::hint::black_box([1_u8; 4096]);
        assert!(hand.destroy() && filled[100] == 1);
    });
    level.spawn(Spawn::new()).unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "Miri's addresses do not follow the stack")]
fn a_small_stack_is_enough_for_any_limit() {
    for (stack, depth_limit) in [(SMALL, 250), (SMALL, 10_000), (SMALL, u32::MAX), (USUAL, 10_000)] {
        with_stack(stack, move || {
            for mut rules in all_rules() {
                rules.depth_limit = depth_limit;
                let mut level = Level::new(rules);
                level.start();
                assert!(level.spawn::<Rabbit>(Spawn::new()).is_some());
                assert!(level.take_warnings().contains(&Warning::Recursion));
                assert!(level.user_actors().count() > 50);
                let thing = destroys_itself_for_ever(&mut level);
                assert!(level.destroy(thing) && !level.is_alive(thing));
                assert!(level.take_warnings().contains(&Warning::Recursion));
                script(|_, _, _| ());
            }
        });
    }
}
