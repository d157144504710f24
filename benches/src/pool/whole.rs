//! Work on all objects of a pool of values, of 64 bytes each, and changes of such a pool without owners.

use std::hint::black_box;

use acedia::{Values, pin};
use slotmap::{DefaultKey, SlotMap};

use crate::measure::{ACEDIA, BARE, Case, random, shuffled};

const SIZE: usize = 100_000;

type Object = [u64; 8];

fn objects(count: usize) -> impl Iterator<Item = Object> {
    (0..count as u64).map(|n| [n; 8])
}

fn full(count: usize) -> (Values<Object>, SlotMap<DefaultKey, Object>, Vec<Object>) {
    let (mut pool, mut map) = (Values::new(), SlotMap::new());
    for object in objects(count) {
        pool.add(object);
        map.insert(object);
    }
    (pool, map, objects(count).collect())
}

pub(super) fn iter_mut() -> Vec<Case> {
    let (mut pool, mut map, mut vec) = full(SIZE);
    vec![
        Case::batches(ACEDIA, SIZE, move || pool.iter_mut().for_each(|(_, it)| it[0] += 1)),
        Case::batches("slotmap", SIZE, move || map.iter_mut().for_each(|(_, it)| it[0] += 1)),
        Case::batches(BARE, SIZE, move || {
            black_box(&mut vec).iter_mut().for_each(|it| it[0] += 1);
        }),
    ]
}

/// Each walk of acedia's pool has its own pin.
pub(super) fn iter<const N: usize>() -> Vec<Case> {
    let (pool, map, vec) = full(N);
    vec![
        Case::batches(ACEDIA, N, move || {
            let pinned = pin();
            black_box(&pool).iter(&pinned).map(|(_, it)| it[0]).sum::<u64>()
        }),
        Case::batches("slotmap", N, move || {
            black_box(&map).iter().map(|(_, it)| it[0]).sum::<u64>()
        }),
        Case::batches(BARE, N, move || black_box(&vec).iter().map(|it| it[0]).sum::<u64>()),
    ]
}

pub(super) fn len() -> Vec<Case> {
    let (pool, map, _) = full(1000);
    vec![
        Case::each(ACEDIA, move || black_box(&pool).len()),
        Case::each("slotmap", move || black_box(&map).len()),
    ]
}

pub(super) fn make_and_drop() -> Vec<Case> {
    const COUNT: usize = 1000;
    vec![
        Case::each(ACEDIA, || {
            let mut pool = Values::new();
            objects(COUNT).for_each(|object| _ = black_box(pool.add(object)));
            pool
        }),
        Case::each("slotmap", || {
            let mut map = SlotMap::<DefaultKey, Object>::new();
            objects(COUNT).for_each(|object| _ = black_box(map.insert(object)));
            map
        }),
    ]
}

pub(super) fn retain() -> Vec<Case> {
    let (mut pool, mut map, mut vec) = full(SIZE);
    vec![
        Case::batches(ACEDIA, SIZE, move || pool.retain(|_, it| it[0] != u64::MAX)),
        Case::batches("slotmap", SIZE, move || map.retain(|_, it| it[0] != u64::MAX)),
        Case::batches(BARE, SIZE, move || vec.retain_mut(|it| it[0] != u64::MAX)),
    ]
}

pub(super) fn clear() -> Vec<Case> {
    const COUNT: usize = 10_000;
    let (mut pool, mut map, mut vec) = (Values::new(), SlotMap::<DefaultKey, Object>::new(), Vec::new());
    vec![
        Case::batches(ACEDIA, COUNT, move || {
            objects(COUNT).for_each(|object| _ = black_box(pool.add(object)));
            pool.clear();
        }),
        Case::batches("slotmap", COUNT, move || {
            objects(COUNT).for_each(|object| _ = black_box(map.insert(object)));
            map.clear();
        }),
        Case::batches(BARE, COUNT, move || {
            vec.extend(objects(COUNT));
            black_box(&mut vec).clear();
        }),
    ]
}

pub(super) fn add_and_remove() -> Vec<Case> {
    let mut pool = Values::new();
    let ours = Case::each(ACEDIA, move || {
        let handle = pool.add([black_box(7); 8]);
        pool.remove(black_box(handle)).expect("alive")
    });
    vec![ours, on_slotmap(), on_vec()]
}

/// Each of `N` objects is changed through its handle, in random order.
pub(super) fn get_mut<const N: usize>() -> Vec<Case> {
    let (mut pool, mut map, mut vec) = (Values::new(), SlotMap::<DefaultKey, Object>::new(), Vec::new());
    vec.extend(objects(N));
    let handles: Vec<_> = objects(N).map(|object| pool.add(object)).collect();
    let keys: Vec<_> = objects(N).map(|object| map.insert(object)).collect();
    let places = shuffled(N);
    let handles: Vec<_> = places.iter().map(|&place| handles[place]).collect();
    let keys: Vec<_> = places.iter().map(|&place| keys[place]).collect();
    vec![
        Case::batches(ACEDIA, N, move || {
            handles
                .iter()
                .for_each(|&handle| pool.get_mut(handle).expect("alive")[0] += 1);
        }),
        Case::batches("slotmap", N, move || {
            keys.iter().for_each(|&key| map.get_mut(key).expect("alive")[0] += 1);
        }),
        Case::batches(BARE, N, move || places.iter().for_each(|&place| vec[place][0] += 1)),
    ]
}

/// One of 1,000 objects is removed, and another added in its place.
pub(super) fn replace() -> Vec<Case> {
    const ALIVE: usize = 1000;
    let (mut pool, mut map, mut vec) = (Values::new(), SlotMap::<DefaultKey, Object>::new(), Vec::new());
    vec.extend(objects(ALIVE));
    let mut handles: Vec<_> = objects(ALIVE).map(|object| pool.add(object)).collect();
    let mut keys: Vec<_> = objects(ALIVE).map(|object| map.insert(object)).collect();
    let (mut ours, mut theirs, mut bare) = (random(), random(), random());
    vec![
        Case::each(ACEDIA, move || {
            let handle = &mut handles[ours(ALIVE)];
            let old = pool.remove(*handle).expect("alive");
            *handle = pool.add([old[0]; 8]);
        }),
        Case::each("slotmap", move || {
            let key = &mut keys[theirs(ALIVE)];
            let old = map.remove(*key).expect("alive");
            *key = map.insert([old[0]; 8]);
        }),
        Case::each(BARE, move || {
            let object = &mut vec[bare(ALIVE)];
            *object = [object[0]; 8];
        }),
    ]
}

pub(super) fn insert_and_free() -> Vec<Case> {
    let pool = Values::new();
    let ours = Case::each(ACEDIA, move || {
        let handle = pool.insert([black_box(7); 8]).into_manual();
        pool.free(black_box(handle)).expect("alive");
    });
    let slab = sharded_slab::Slab::new();
    let theirs = Case::each("sharded-slab", move || {
        let key = slab.insert([black_box(7_u64); 8]).expect("room");
        assert!(slab.remove(black_box(key)));
    });
    vec![ours, theirs, on_slotmap(), on_vec()]
}

fn on_slotmap() -> Case {
    let mut map: SlotMap<DefaultKey, Object> = SlotMap::new();
    Case::each("slotmap", move || {
        let key = map.insert([black_box(7); 8]);
        map.remove(black_box(key))
    })
}

fn on_vec() -> Case {
    let mut vec: Vec<Object> = Vec::new();
    Case::each(BARE, move || {
        vec.push([black_box(7); 8]);
        black_box(&mut vec).pop()
    })
}
