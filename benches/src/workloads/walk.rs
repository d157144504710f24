//! Walks over all living objects of a pool, 64 bytes each.

use std::hint::black_box;

use acedia::pool::{Key, Pool, Values, pin};
use slotmap::{DefaultKey, SlotMap};

use crate::case::Case;
use crate::shuffle::shuffled;
use crate::workload::ACEDIA;

/// How many objects are made.
const SIZE: usize = 120_000;

/// One in so many stays alive in the sparse walk.
const SPARSE: usize = 100;

type Object = [u64; 8];

/// The places of the objects that stay alive, one in `one_in`, in random order.
fn survivors(one_in: usize) -> Vec<bool> {
    let mut alive = vec![false; SIZE];
    for place in shuffled(SIZE).into_iter().take(SIZE / one_in) {
        alive[place] = true;
    }
    alive
}

fn ours(one_in: usize) -> Values<Object> {
    let pool = Pool::values();
    let keys: Vec<Key> = (0..SIZE as u64).map(|n| pool.insert([n; 8]).into_manual()).collect();
    for (key, alive) in keys.into_iter().zip(survivors(one_in)) {
        if !alive {
            pool.free(key).expect("manual");
        }
    }
    // Without it, each place is visited, as in slotmap.
    if one_in > 1 {
        pool.collect();
    }
    pool
}

fn slots(one_in: usize) -> SlotMap<DefaultKey, Object> {
    let mut map = SlotMap::new();
    let keys: Vec<DefaultKey> = (0..SIZE as u64).map(|n| map.insert([n; 8])).collect();
    for (key, alive) in keys.into_iter().zip(survivors(one_in)) {
        if !alive {
            map.remove(key);
        }
    }
    map
}

fn change(one_in: usize) -> Vec<Case> {
    let (mut pool, mut map) = (ours(one_in), slots(one_in));
    vec![
        Case::batches(ACEDIA, SIZE / one_in, move || {
            pool.iter_mut().for_each(|(_, object)| object[0] += 1);
        }),
        Case::batches("slotmap", SIZE / one_in, move || {
            map.iter_mut().for_each(|(_, object)| object[0] += 1);
        }),
    ]
}

/// `iter_mut`, all alive.
pub(super) fn dense() -> Vec<Case> {
    change(1)
}

/// `iter_mut`, 1 % alive, after a collection.
pub(super) fn sparse() -> Vec<Case> {
    change(SPARSE)
}

/// `iter`, under one pin.
pub(super) fn iter() -> Vec<Case> {
    let (pool, map) = (ours(1), slots(1));
    vec![
        Case::batches(ACEDIA, SIZE, move || {
            let pinned = pin();
            black_box(pool.iter(&pinned).map(|(_, object)| object[0]).sum::<u64>());
        }),
        Case::batches("slotmap", SIZE, move || {
            black_box(map.iter().map(|(_, object)| object[0]).sum::<u64>());
        }),
    ]
}

/// `keys`.
pub(super) fn keys() -> Vec<Case> {
    let (pool, map) = (ours(1), slots(1));
    vec![
        Case::batches(ACEDIA, SIZE, move || {
            pool.keys().for_each(|key| {
                black_box(key);
            });
        }),
        Case::batches("slotmap", SIZE, move || {
            map.keys().for_each(|key| {
                black_box(key);
            });
        }),
    ]
}

/// `retain` that keeps all.
pub(super) fn retain() -> Vec<Case> {
    let (mut pool, mut map) = (ours(1), slots(1));
    vec![
        Case::batches(ACEDIA, SIZE, move || pool.retain(|_, object| object[0] != u64::MAX)),
        Case::batches("slotmap", SIZE, move || map.retain(|_, object| object[0] != u64::MAX)),
    ]
}
