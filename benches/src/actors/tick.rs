//! One tick of every thing.

use std::hint::black_box;

use acedia_actors::{Actor, ClassBuilder, EventSink, Repeat, Spawn, Stage as _, Trace, actor};
use slotmap::{DefaultKey, SlotMap};

use super::{
    call::DYN,
    ours::{Busy, Level, Ticker},
    slots::SLOTMAP,
    world::{Words, World},
};
use crate::{case::Case, shuffle::shuffled, workload::ACEDIA};

/// How many things there are.
const COUNT: usize = 100_000;

pub(super) fn cases() -> Vec<Case> {
    vec![ours(), slotmap(), boxed(&vec![0; COUNT])]
}

fn ours() -> Case {
    let mut world = Level::<Ticker>::new();
    for _ in 0..COUNT {
        world.spawn();
    }
    Case::batches(ACEDIA, COUNT, move || world.level.tick(black_box(0.1)))
}

/// Classes that differ in their names alone, a function that spawns one of them, and a function that a thing has in its place.
macro_rules! eight {
    ($($nth:literal $class:ident $tick:ident $name:literal;)+) => {
        $(
            #[derive(Default)]
            struct $class {
                #[expect(dead_code, reason = "for its size")]
                words: Words,
            }

            impl Actor for $class {
                actor!($class, $name);

                fn describe(class: &mut ClassBuilder<'_, Self>) {
                    class.tick(|cx, seconds| {
                        black_box((cx, seconds, $nth));
                    });
                }
            }

            fn $tick(words: &mut Words, seconds: f32) {
                black_box((words, seconds, $nth));
            }

            impl Tick for $class {
                fn tick(&mut self, seconds: f32) {
                    black_box((self, seconds, $nth));
                }
            }
        )+

        fn boxed_one(nth: usize) -> Box<dyn Tick> {
            match nth % 8 {
                $($nth => Box::<$class>::default(),)+
                _ => unreachable!("there are eight"),
            }
        }

        fn spawn_mixed(level: &mut acedia_actors::Level, nth: usize) {
            match nth % 8 {
                $($nth => drop(level.spawn::<$class>(Spawn::new()).expect("nothing stands in its way")),)+
                _ => unreachable!("there are eight"),
            }
        }

        const TICKS: [fn(&mut Words, f32); 8] = [$($tick),+];
    };
}

eight! {
    0 Ticker0 tick0 "Benches.Ticker0";
    1 Ticker1 tick1 "Benches.Ticker1";
    2 Ticker2 tick2 "Benches.Ticker2";
    3 Ticker3 tick3 "Benches.Ticker3";
    4 Ticker4 tick4 "Benches.Ticker4";
    5 Ticker5 tick5 "Benches.Ticker5";
    6 Ticker6 tick6 "Benches.Ticker6";
    7 Ticker7 tick7 "Benches.Ticker7";
}

/// Ticks of things of eight kinds, in a random order of kinds.
pub(super) fn mixed() -> Vec<Case> {
    let order = shuffled(COUNT);
    let mut level = Level::<Ticker>::new().level;
    for &nth in &order {
        spawn_mixed(&mut level, nth);
    }
    let kinds: Vec<_> = order.iter().map(|nth| TICKS[nth % 8]).collect();
    vec![
        Case::batches(ACEDIA, COUNT, move || level.tick(black_box(0.1))),
        on_slotmap(kinds),
        boxed(&order),
    ]
}

/// The usual way to tick things of several kinds.
trait Tick {
    fn tick(&mut self, seconds: f32);
}

fn boxed(kinds: &[usize]) -> Case {
    let mut things: Vec<_> = kinds.iter().map(|nth| boxed_one(*nth)).collect();
    Case::batches(DYN, COUNT, move || {
        let seconds = black_box(0.1);
        for thing in &mut things {
            thing.tick(seconds);
        }
    })
}

pub(super) const WITHOUT_TIMERS: &str = "no timers";
pub(super) const ARMED: &str = "a timer each, not due";

/// Ticks of actors with a timer that is not due, and of actors without one.
pub(super) fn armed() -> Vec<Case> {
    [(WITHOUT_TIMERS, false), (ARMED, true)]
        .map(|(name, is_armed)| {
            let mut world = Level::<Ticker>::new();
            for _ in 0..COUNT {
                let actor = world.spawn();
                if is_armed {
                    assert!(world.level.set_timer(actor, 1e9, Repeat::Looping), "it runs");
                }
            }
            Case::batches(name, COUNT, move || world.level.tick(black_box(0.1)))
        })
        .into()
}

pub(super) const UNWATCHED: &str = "no sink";
pub(super) const WATCHED: &str = "a sink that does nothing";

struct Deaf;

impl EventSink for Deaf {
    fn record(&mut self, trace: &Trace) {
        black_box(trace);
    }
}

/// Ticks with a sink and without.
pub(super) fn watched() -> Vec<Case> {
    [(UNWATCHED, false), (WATCHED, true)]
        .map(|(name, is_watched)| {
            let mut world = Level::<Ticker>::new();
            for _ in 0..COUNT {
                world.spawn();
            }
            if is_watched {
                world.level.set_sink(Deaf);
            }
            Case::batches(name, COUNT, move || world.level.tick(black_box(0.1)))
        })
        .into()
}

/// Spawns and destructions, with eleven events, with a sink and without.
pub(super) fn watched_lives() -> Vec<Case> {
    [(UNWATCHED, false), (WATCHED, true)]
        .map(|(name, is_watched)| {
            let mut world = Level::<Busy>::new();
            if is_watched {
                world.level.set_sink(Deaf);
            }
            Case::batches(name, 1, move || {
                let actor = world.spawn();
                world.destroy(actor);
            })
        })
        .into()
}

/// A thing with what it does as time goes on.
struct Thing {
    words: Words,
    tick: fn(&mut Words, f32),
}

fn tick(words: &mut Words, seconds: f32) {
    black_box((words, seconds));
}

fn slotmap() -> Case {
    on_slotmap(vec![black_box(tick); COUNT])
}

fn on_slotmap(ticks: Vec<fn(&mut Words, f32)>) -> Case {
    let mut things: SlotMap<DefaultKey, Thing> = SlotMap::new();
    for tick in ticks {
        let words = Words::default();
        things.insert(Thing { words, tick });
    }
    Case::batches(SLOTMAP, COUNT, move || {
        let seconds = black_box(0.1);
        for thing in things.values_mut() {
            (thing.tick)(&mut thing.words, seconds);
        }
    })
}
