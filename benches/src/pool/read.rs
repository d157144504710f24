//! Reading objects of 16 bytes by handle in random order, on one thread.

use std::hint::black_box;
use std::sync::{Arc, Mutex, PoisonError};

use acedia::{Handle, Object, Owned, Pool, class, pin};
use acedia_plain::{PlainOwned, PlainPool};
use slotmap::{DefaultKey, SlotMap};

use crate::contenders::{Payload, Words};
use crate::measure::{ACEDIA, BARE, Case, nanoseconds, shuffled};

type Content = Words<2>;

/// With more objects than this, a run first evicts the processor's caches, then reads the list once.
const CACHED: usize = 10_000;

/// A case that reads all objects of a list, and checks their sum.
fn reading<K: 'static>(
    name: &'static str,
    keys: Vec<K>,
    expected: u64,
    mut read: impl FnMut(&[K]) -> u64 + 'static,
) -> Case {
    let size = keys.len();
    let mut all = move || assert_eq!(read(black_box(&keys)), expected, "{name} read something else");
    if size <= CACHED {
        return Case::batches(name, size, all);
    }
    Case::fixed(name, size, move || {
        leave_the_caches();
        nanoseconds(&mut all)
    })
}

/// Fills the processor's caches with other data.
fn leave_the_caches() {
    const BYTES: usize = if cfg!(test) { 1 << 20 } else { 128 << 20 };
    static ELSEWHERE: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let mut elsewhere = ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner);
    elsewhere.resize(BYTES / size_of::<u64>(), 0);
    elsewhere.iter_mut().step_by(8).for_each(|line| *line += 1);
    black_box(&*elsewhere);
}

/// The sum of the objects `0..n`.
fn sum(n: usize) -> u64 {
    (0..n as u64).sum()
}

/// The items in random order.
fn mixed<T: Clone>(items: &[T]) -> Vec<T> {
    shuffled(items.len())
        .into_iter()
        .map(|place| items[place].clone())
        .collect()
}

fn content(n: usize) -> Content {
    Content::make(n as u64)
}

type Owners = Vec<Owned<Content, &'static Pool<Content>>>;

/// A pool with `n` objects, and their handles in random order.
fn pool(n: usize) -> (&'static Pool<Content>, Owners, Vec<Handle<Content>>) {
    let pool: &Pool<Content> = Box::leak(Box::new(Pool::new()));
    let owners: Vec<_> = (0..n).map(|nth| pool.allocate_with(|it| *it = content(nth))).collect();
    let handles: Vec<_> = owners.iter().map(Owned::handle).collect();
    (pool, owners, mixed(&handles))
}

fn through_a_reader(n: usize) -> Case {
    let (pool, owners, handles) = pool(n);
    reading(ACEDIA, handles, sum(n), move |handles| {
        black_box(&owners);
        let pinned = pin();
        let reader = pool.reader(&pinned);
        handles
            .iter()
            .filter_map(|handle| reader.get(*handle))
            .map(|it| it.0[0])
            .sum()
    })
}

fn slotmap(n: usize) -> Case {
    let mut map = SlotMap::new();
    let keys: Vec<DefaultKey> = (0..n).map(|nth| map.insert(content(nth))).collect();
    reading("slotmap", mixed(&keys), sum(n), move |keys| {
        keys.iter().filter_map(|key| map.get(*key)).map(|it| it.0[0]).sum()
    })
}

fn sharded_slab(n: usize) -> Case {
    let slab = sharded_slab::Slab::new();
    let keys: Vec<usize> = (0..n).map(|nth| slab.insert(content(nth)).expect("room")).collect();
    reading("sharded-slab", mixed(&keys), sum(n), move |keys| {
        keys.iter().filter_map(|key| slab.get(*key)).map(|it| it.0[0]).sum()
    })
}

fn weak(n: usize) -> Case {
    let owners: Vec<_> = (0..n).map(|nth| Arc::new(content(nth))).collect();
    let keys: Vec<_> = owners.iter().map(Arc::downgrade).collect();
    reading("Arc", mixed(&keys), sum(n), move |keys| {
        black_box(&owners);
        keys.iter().filter_map(std::sync::Weak::upgrade).map(|it| it.0[0]).sum()
    })
}

/// References, which are not checked.
fn references(n: usize) -> Case {
    let objects: &'static [Content] = (0..n).map(content).collect::<Vec<_>>().leak();
    let references: Vec<&Content> = objects.iter().collect();
    reading(BARE, mixed(&references), sum(n), |references| {
        references.iter().map(|it| it.0[0]).sum()
    })
}

fn with_peers(ours: Case, n: usize) -> Vec<Case> {
    vec![ours, slotmap(n), sharded_slab(n), weak(n), references(n)]
}

pub(super) fn by_reader<const N: usize>() -> Vec<Case> {
    with_peers(through_a_reader(N), N)
}

pub(super) fn by_get<const N: usize>() -> Vec<Case> {
    let (pool, owners, handles) = pool(N);
    let ours = reading(ACEDIA, handles, sum(N), move |handles| {
        black_box(&owners);
        let pinned = pin();
        handles
            .iter()
            .filter_map(|handle| pool.get(*handle, &pinned))
            .map(|it| it.0[0])
            .sum()
    });
    vec![ours, slotmap(N)]
}

pub(super) fn by_get_many() -> Vec<Case> {
    const N: usize = 1_000_000;
    let (pool, owners, handles) = pool(N);
    let ours = reading(ACEDIA, handles, sum(N), move |handles| {
        black_box(&owners);
        let pinned = pin();
        pool.reader(&pinned).get_many(handles).flatten().map(|it| it.0[0]).sum()
    });
    vec![ours, slotmap(N)]
}

pub(super) fn by_guard() -> Vec<Case> {
    const N: usize = 1000;
    let (pool, owners, handles) = pool(N);
    let ours = reading(ACEDIA, handles, sum(N), move |handles| {
        black_box(&owners);
        handles
            .iter()
            .filter_map(|handle| pool.guard(*handle))
            .map(|it| it.0[0])
            .sum()
    });
    vec![ours, sharded_slab(N), weak(N)]
}

type Planes = (&'static PlainPool<[u64; 2]>, Vec<PlainOwned<'static, [u64; 2]>>);

fn plain(n: usize) -> Planes {
    let pool: &PlainPool<[u64; 2]> = Box::leak(Box::new(PlainPool::new()));
    let owners = (0..n).map(|nth| pool.insert(content(nth).0)).collect();
    (pool, owners)
}

/// A copy of each value, without a pin.
pub(super) fn by_copy() -> Vec<Case> {
    const N: usize = 1000;
    let (pool, owners) = plain(N);
    let handles: Vec<_> = owners.iter().map(PlainOwned::handle).collect();
    let ours = reading(ACEDIA, mixed(&handles), sum(N), move |handles| {
        black_box(&owners);
        handles
            .iter()
            .filter_map(|handle| pool.load(*handle))
            .map(|it| it[0])
            .sum()
    });
    with_peers(ours, N)
}

pub(super) fn set() -> Vec<Case> {
    const N: usize = 1000;
    let (_, mut owners) = plain(N);
    let mut map = SlotMap::new();
    let keys: Vec<DefaultKey> = (0..N).map(|nth| map.insert(content(nth))).collect();
    let mut vec: Vec<Content> = (0..N).map(content).collect();
    vec![
        Case::batches(ACEDIA, N, move || {
            owners.iter_mut().for_each(|it| it.set([black_box(7); 2]));
        }),
        Case::batches("slotmap", N, move || {
            keys.iter().for_each(|key| map[*key] = Words([black_box(7); 2]));
        }),
        Case::batches(BARE, N, move || {
            black_box(&mut vec)
                .iter_mut()
                .for_each(|it| *it = Words([black_box(7); 2]));
        }),
    ]
}

/// A class has one pool per process.
#[derive(Debug, Default)]
pub(super) struct Record(Content);

impl Object for Record {
    class!(Record, "Benches.Record");
}

pub(super) fn by_handle<const N: usize>() -> Vec<Case> {
    let owners: Vec<_> = (0..N)
        .map(|nth| Record::allocate_with(|it| it.0 = content(nth)))
        .collect();
    let handles: Vec<Handle<Record>> = owners.iter().map(Owned::handle).collect();
    let ours = reading(ACEDIA, mixed(&handles), sum(N), move |handles| {
        black_box(&owners);
        let pinned = acedia::pin();
        handles
            .iter()
            .filter_map(|it| it.get(&pinned))
            .map(|it| it.0.0[0])
            .sum()
    });
    vec![ours, slotmap(N)]
}

/// Handles of objects that were freed, and whose slots hold other objects by now.
pub(super) fn stale() -> Vec<Case> {
    const N: usize = 1000;
    let (pool, mut owners, handles) = pool(N);
    owners.clear();
    owners.extend((0..N).map(|_| pool.allocate()));
    let ours = reading(ACEDIA, handles, 0, move |handles| {
        black_box(&owners);
        let pinned = pin();
        let reader = pool.reader(&pinned);
        handles
            .iter()
            .filter_map(|handle| reader.get(*handle))
            .map(|it| it.0[0])
            .sum()
    });
    let mut map = SlotMap::new();
    let keys: Vec<DefaultKey> = (0..N).map(|nth| map.insert(content(nth))).collect();
    map.clear();
    (0..N).for_each(|nth| _ = map.insert(content(nth)));
    let slotmap = reading("slotmap", mixed(&keys), 0, move |keys| {
        keys.iter().filter_map(|key| map.get(*key)).map(|it| it.0[0]).sum()
    });
    let slab = sharded_slab::Slab::new();
    let keys: Vec<usize> = (0..N).map(|nth| slab.insert(content(nth)).expect("room")).collect();
    keys.iter().for_each(|key| assert!(slab.remove(*key)));
    (0..N).for_each(|nth| _ = slab.insert(content(nth)));
    let slab = reading("sharded-slab", mixed(&keys), 0, move |keys| {
        keys.iter().filter_map(|key| slab.get(*key)).map(|it| it.0[0]).sum()
    });
    let owners: Vec<_> = (0..N).map(|nth| Arc::new(content(nth))).collect();
    let keys: Vec<_> = owners.iter().map(Arc::downgrade).collect();
    drop(owners);
    let weak = reading("Arc", mixed(&keys), 0, |keys| {
        keys.iter().filter_map(std::sync::Weak::upgrade).map(|it| it.0[0]).sum()
    });
    vec![ours, slotmap, slab, weak]
}
