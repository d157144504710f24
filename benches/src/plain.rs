//! Plain data that is read as a copy, against references under a pin and against tables.

mod peers;

use crate::{
    case::{Case, nanoseconds},
    readers::while_others_read,
    shuffle::{shuffle, shuffled},
    workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload},
};
use acedia::pool::{Key, PlainOwner, PlainPool, Pool, pin};
use bytemuck::{NoUninit, Pod};
use slotmap::{DefaultKey, SlotMap};
use std::{
    hint::black_box,
    sync::{
        Barrier, RwLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

const RAW: &str = "raw pointers";
const PASS: &str = "pool: a pin for the pass";
const READER: &str = "pool: a `Reader` for the pass";
const EACH: &str = "pool: a pin for each read";
const SLOTMAP: &str = "slotmap";
const LOCK: &str = "`RwLock` for each value";
const SHARED: &str = "acedia, two owners";
const FIELD: &str = "acedia, one field of 8 bytes";
const BOXED: &str = "`Box`, alone";

/// Everything that is measured, in the order of the tables.
pub static ALL: &[Workload] = &[
    Workload {
        name: "load",
        title: "Read a value once",
        unit: "ns",
        columns: &[
            Column::new("1,000 values of 16 B", || load::<2>(1_000)),
            Column::new("1,000 values of 64 B", || load::<8>(1_000)),
            Column::new("1,000,000 values of 16 B", || load::<2>(1_000_000)),
            Column::new("1,000,000 values of 64 B", || load::<8>(1_000_000)),
        ],
        goals: &[
            Goal {
                ours: ACEDIA,
                against: Against::Value(1.0),
                at_most: &[Some(1.0), Some(1.0), None, None],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(SLOTMAP),
                at_most: &[SHOWN, SHOWN, Some(1.2), Some(1.2)],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(EACH),
                at_most: &[SHOWN, SHOWN, SHOWN, SHOWN],
            },
        ],
        rounds: usize::MAX,
    },
    Workload {
        name: "set",
        title: "Set one of a thousand values",
        unit: "ns",
        columns: &[Column::new("16 B", set::<2>), Column::new("64 B", set::<8>)],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Value(5.0),
            at_most: &[Some(1.0), Some(1.0)],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "life",
        title: "Insert a value of 64 bytes, make its key, free it",
        unit: "ns",
        columns: &[Column::new("one at a time", life)],
        goals: &[Goal {
            ours: BESIDE_READERS,
            against: Against::Peer(ACEDIA),
            at_most: &[Some(1.05)],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "beside",
        title: "Read one of a thousand values once, while another thread sets them without a pause",
        unit: "ns",
        columns: &[Column::new("16 B", beside::<2>), Column::new("64 B", beside::<8>)],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Value(1.5),
            at_most: &[Some(1.0), Some(1.0)],
        }],
        rounds: usize::MAX,
    },
];

/// The whole value is read.
#[inline]
fn sum<const N: usize>(value: &[u64; N]) -> u64 {
    value.iter().fold(0, |sum, word| sum ^ word)
}

/// Objects of a leaked pool, in a random order.
fn plain<const N: usize>(count: usize) -> (&'static PlainPool<[u64; N]>, Vec<Key>)
where
    [u64; N]: Pod,
{
    let pool: &PlainPool<[u64; N]> = Box::leak(Box::default());
    let mut keys: Vec<Key> = (0..count as u64).map(|n| pool.insert([n; N]).into_manual()).collect();
    shuffle(&mut keys);
    (pool, keys)
}

fn load<const N: usize>(count: usize) -> Vec<Case>
where
    [u64; N]: Pod + Default,
{
    let (values, keys) = plain::<N>(count);
    let fields = keys.clone();
    let pool: &Pool<[u64; N]> = Box::leak(Box::default());
    let mut pinned_keys: Vec<Key> = (0..count as u64)
        .map(|n| pool.allocate_with(|value| *value = [n; N]).into_manual())
        .collect();
    shuffle(&mut pinned_keys);
    let (by_reader, by_each) = (pinned_keys.clone(), pinned_keys.clone());
    let raw: &'static Vec<[u64; N]> = Box::leak(Box::new((0..count as u64).map(|n| [n; N]).collect()));
    let pointers: Vec<&'static [u64; N]> = shuffled(count).into_iter().map(|at| &raw[at]).collect();
    let mut map: SlotMap<DefaultKey, [u64; N]> = SlotMap::new();
    let mut map_keys: Vec<DefaultKey> = (0..count as u64).map(|n| map.insert([n; N])).collect();
    shuffle(&mut map_keys);
    let pass = |name, mut one: Box<dyn FnMut() -> u64>| {
        Case::batches(name, count, move || {
            black_box(one());
        })
    };
    let mut cases = vec![
        pass(
            ACEDIA,
            Box::new(move || {
                let found = keys.iter().filter_map(|key| values.load(*key));
                found.fold(0, |all, value| all ^ sum(&value))
            }),
        ),
        pass(
            FIELD,
            Box::new(move || {
                let first = acedia::pool::Field::at(0, |value: &[u64; N]| &value[0]);
                let found = fields.iter().filter_map(|key| values.load_field(*key, first));
                found.fold(0, |all, word| all ^ word)
            }),
        ),
        pass(
            RAW,
            Box::new(move || pointers.iter().fold(0, |all, value| all ^ sum(value))),
        ),
        pass(
            PASS,
            Box::new(move || {
                let pinned = pin();
                let found = pinned_keys.iter().filter_map(|key| pool.get(*key, &pinned));
                found.fold(0, |all, value| all ^ sum(value))
            }),
        ),
        pass(
            READER,
            Box::new(move || {
                let pinned = pin();
                let reader = pool.reader(&pinned);
                let found = by_reader.iter().filter_map(|key| reader.get(*key));
                found.fold(0, |all, value| all ^ sum(value))
            }),
        ),
        pass(
            EACH,
            Box::new(move || {
                let found = by_each.iter().filter_map(|key| pool.get(*key, &pin()).map(sum));
                found.fold(0, |all, value| all ^ value)
            }),
        ),
        pass(
            SLOTMAP,
            Box::new(move || {
                let found = map_keys.iter().filter_map(|key| map.get(*key));
                found.fold(0, |all, value| all ^ sum(value))
            }),
        ),
    ];
    cases.extend(peers::load::<N>(count, &shuffled(count)));
    cases
}

fn set<const N: usize>() -> Vec<Case>
where
    [u64; N]: Pod,
{
    const COUNT: usize = 1000;
    let pool: &PlainPool<[u64; N]> = Box::leak(Box::default());
    let mut owners: Vec<_> = (0..COUNT).map(|_| pool.insert([0; N])).collect();
    // Chunks with clones of owners are slower: a pool of their own.
    let other: &PlainPool<[u64; N]> = Box::leak(Box::default());
    let mut shared: Vec<_> = (0..COUNT).map(|_| other.insert([0; N])).collect();
    let clones = shared.clone();
    let mut updated: Vec<_> = (0..COUNT).map(|_| pool.insert([0; N])).collect();
    let locks: Vec<_> = (0..COUNT).map(|_| RwLock::new([0; N])).collect();
    let mut boxes: Vec<_> = (0..COUNT).map(|_| Box::new([0; N])).collect();
    let mut n = 0;
    let mut next = move || {
        n += 1;
        black_box(n)
    };
    let mut nexts = [(); 4].map(|()| next);
    let [for_shared, for_updated, for_locks, for_boxes] = &mut nexts;
    let (mut for_shared, mut for_updated, mut for_locks, mut for_boxes) =
        (*for_shared, *for_updated, *for_locks, *for_boxes);
    vec![
        Case::batches(ACEDIA, COUNT, move || {
            let n = next();
            for owner in &mut owners {
                owner.set([n; N]);
            }
        }),
        Case::batches("acedia, update", COUNT, move || {
            let n = for_updated();
            for owner in &mut updated {
                owner.update(|value| value[0] += n);
            }
        }),
        Case::batches(SHARED, COUNT, move || {
            let n = for_shared();
            for owner in &mut shared {
                owner.set([n; N]);
            }
            black_box(&clones);
        }),
        Case::batches(LOCK, COUNT, move || {
            let n = for_locks();
            for lock in &locks {
                *lock.write().expect("no panic") = [n; N];
            }
        }),
        Case::batches(BOXED, COUNT, move || {
            let n = for_boxes();
            for value in &mut boxes {
                **value = [n; N];
            }
            black_box(&boxes);
        }),
    ]
}

const BESIDE_READERS: &str = "acedia, two threads pin and load";

fn life() -> Vec<Case> {
    let [alone, beside]: [&'static PlainPool<[u64; 8]>; 2] = [(); 2].map(|()| &*Box::leak(Box::default()));
    let pools: [&'static Pool<[u64; 8]>; 2] = [(); 2].map(|()| &*Box::leak(Box::default()));
    let one = |pool: &PlainPool<[u64; 8]>, n| {
        let owner = pool.insert([n; 8]);
        black_box(owner.key());
    };
    let one_of_pool = |pool: &Pool<[u64; 8]>, n| {
        let owner = pool.allocate_with(|value| *value = [n; 8]);
        black_box(owner.key());
    };
    vec![
        Case::new(ACEDIA, move |n| nanoseconds(|| (0..n).for_each(|n| one(alone, n)))),
        Case::new(BESIDE_READERS, move |n| {
            while_others_read(|| while_loading(beside, || nanoseconds(|| (0..n).for_each(|n| one(beside, n)))))
        }),
        Case::new("pool, alone", move |n| {
            nanoseconds(|| (0..n).for_each(|n| one_of_pool(pools[0], n)))
        }),
        Case::new("pool, two threads pin", move |n| {
            while_others_read(|| nanoseconds(|| (0..n).for_each(|n| one_of_pool(pools[1], n))))
        }),
    ]
}

/// Runs `work` while another thread loads an object a thousand times a second.
fn while_loading<T: Pod + Send + NoUninit, R>(pool: &PlainPool<T>, work: impl FnOnce() -> R) -> R {
    let owner = pool.insert(T::zeroed());
    let key = owner.key();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                black_box(pool.load(key));
                thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

fn beside<const N: usize>() -> Vec<Case>
where
    [u64; N]: Pod,
{
    const COUNT: usize = 1000;
    let pool: &'static PlainPool<[u64; N]> = Box::leak(Box::default());
    let owners: Vec<_> = (0..COUNT as u64).map(|n| pool.insert([n; N])).collect();
    let mut keys: Vec<Key> = owners.iter().map(PlainOwner::key).collect();
    shuffle(&mut keys);
    let alone = keys.clone();
    let owners = std::sync::Mutex::new(owners);
    let locks: &'static Vec<_> = Box::leak(Box::new(
        (0..COUNT as u64).map(|n| RwLock::new([n; N])).collect::<Vec<_>>(),
    ));
    let order = shuffled(COUNT);
    let read_pass = move |keys: &[Key]| {
        let found = keys.iter().map(|key| {
            let value = pool.load(*key).expect("it is alive");
            assert!(value[0] == value[N - 1], "torn");
            sum(&value)
        });
        black_box(found.fold(0, |all, one| all ^ one));
    };
    let passes = |n: u64| n.div_ceil(COUNT as u64);
    vec![
        Case::new(ACEDIA, move |n| {
            let set_pass = |n| {
                for owner in owners.lock().expect("no panic").iter_mut() {
                    owner.set([n; N]);
                }
            };
            let took = while_writing(set_pass, || (0..passes(n)).for_each(|_| read_pass(&keys)));
            crate::case::share(took, n, passes(n) * COUNT as u64)
        }),
        Case::new("acedia, no writer", move |n| {
            let took = nanoseconds(|| (0..passes(n)).for_each(|_| read_pass(&alone)));
            crate::case::share(took, n, passes(n) * COUNT as u64)
        }),
        Case::new(LOCK, move |n| {
            let set_pass = |n| locks.iter().for_each(|lock| *lock.write().expect("no panic") = [n; N]);
            let read_pass = || {
                let found = order.iter().map(|at| sum(&locks[*at].read().expect("no panic")));
                black_box(found.fold(0, |all, one| all ^ one));
            };
            let took = while_writing(set_pass, || (0..passes(n)).for_each(|_| read_pass()));
            crate::case::share(took, n, passes(n) * COUNT as u64)
        }),
    ]
}

/// The nanoseconds that `read` takes while another thread repeats `set`.
fn while_writing(set: impl Fn(u64) + Send + Sync, read: impl FnOnce()) -> f64 {
    let (gate, done) = (Barrier::new(2), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            set(0);
            gate.wait();
            let mut n = 0;
            while !done.load(Relaxed) {
                n += 1;
                set(n);
            }
        });
        gate.wait();
        let took = nanoseconds(read);
        done.store(true, Relaxed);
        took
    })
}
