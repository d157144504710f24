//! One tick of every thing.

use std::hint::black_box;

use slotmap::{DefaultKey, SlotMap};

use super::{
    ours::{Level, Ticker},
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
