//! Spawning things and destroying them.

use std::hint::black_box;

use super::{bevy, ours, slots, world::World};
use crate::{
    case::{Case, nanoseconds},
    shuffle::shuffled,
};

/// How many things there are at a time, unless they come and go one by one. Tests only check that every contender can do it.
const COUNT: usize = if cfg!(test) { 1000 } else { 1_000_000 };

/// Few enough for the caches.
const FEW: usize = if cfg!(test) { 1000 } else { 10_000 };

macro_rules! events {
    ($case:ident) => {
        vec![
            $case::<ours::Level<ours::Busy>>(),
            $case::<bevy::Ecs<bevy::Observers>>(),
            $case::<bevy::Ecs<bevy::EntityEvents>>(),
            $case::<bevy::Ecs<bevy::Hooks>>(),
        ]
    };
}

macro_rules! plain {
    ($case:ident) => {
        vec![
            $case::<ours::Level<ours::Idle>>(),
            $case::<bevy::Ecs<bevy::Plain>>(),
            $case::<slots::Slots>(),
        ]
    };
}

pub(super) fn events_in_order() -> Vec<Case> {
    events!(in_order)
}

pub(super) fn events_in_random_order() -> Vec<Case> {
    events!(in_random_order)
}

pub(super) fn events_of_few_in_random_order() -> Vec<Case> {
    events!(few_in_random_order)
}

pub(super) fn events_in_churn() -> Vec<Case> {
    events!(in_churn)
}

pub(super) fn plain_in_order() -> Vec<Case> {
    plain!(in_order)
}

pub(super) fn plain_in_random_order() -> Vec<Case> {
    plain!(in_random_order)
}

pub(super) fn plain_in_churn() -> Vec<Case> {
    plain!(in_churn)
}

/// A million are spawned, then destroyed from the oldest to the youngest, again and again in the same world.
fn in_order<W: World>() -> Case {
    waves::<W>((0..COUNT).collect())
}

/// As `in_order`, but destroyed in random order, so that the next million is spawned into what that leaves.
fn in_random_order<W: World>() -> Case {
    waves::<W>(shuffled(COUNT))
}

/// As `in_random_order`, with ten thousand.
fn few_in_random_order<W: World>() -> Case {
    waves::<W>(shuffled(FEW))
}

fn waves<W: World>(order: Vec<usize>) -> Case {
    let count = order.len();
    // Made in the first run, so that cases that are not run need no memory.
    let mut state = None;
    Case::fixed(W::NAME, count as u64, move || {
        let (world, ids) = state.get_or_insert_with(|| (W::new(), Vec::with_capacity(count)));
        let total = nanoseconds(|| {
            ids.extend((0..count).map(|_| world.spawn()));
            for &place in &order {
                world.destroy(black_box(ids[place]));
            }
        });
        ids.clear();
        total
    })
}

/// One is spawned and destroyed, and then the next.
fn in_churn<W: World>() -> Case {
    let mut world = W::new();
    Case::new(W::NAME, move |n| {
        nanoseconds(|| {
            for _ in 0..n {
                let id = world.spawn();
                world.destroy(black_box(id));
            }
        })
    })
}
