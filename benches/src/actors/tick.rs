//! One tick of every thing.

use std::hint::black_box;

use acedia_actors::{EventSink, Trace};
use slotmap::{DefaultKey, SlotMap};

use super::{
    ours::{Busy, Level, Ticker},
    slots::SLOTMAP,
    world::{Words, World},
};
use crate::{case::Case, workload::ACEDIA};

/// How many things there are.
const COUNT: usize = 100_000;

pub(super) fn cases() -> Vec<Case> {
    vec![ours(), slotmap()]
}

fn ours() -> Case {
    let mut world = Level::<Ticker>::new();
    for _ in 0..COUNT {
        world.spawn();
    }
    Case::batches(ACEDIA, COUNT, move || world.level.tick(black_box(0.1)))
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
    let mut things: SlotMap<DefaultKey, Thing> = SlotMap::new();
    for _ in 0..COUNT {
        things.insert(Thing {
            words: Words::default(),
            tick: black_box(tick),
        });
    }
    Case::batches(SLOTMAP, COUNT, move || {
        let seconds = black_box(0.1);
        for thing in things.values_mut() {
            (thing.tick)(&mut thing.words, seconds);
        }
    })
}
