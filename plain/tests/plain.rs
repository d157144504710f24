//! Plain data: copies next to writers, frees and collections, and the places where a load may be called.

#![expect(clippy::cast_possible_truncation, reason = "small numbers")]

use std::array;
use std::cell::Cell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use acedia_plain::{AccessError, Plain, PlainHandle, PlainOwned, PlainPool};
use bytemuck::{AnyBitPattern, NoUninit};

/// As many as fit the build: with and without debug assertions, and under Miri.
const fn sized(debug: usize, release: usize, miri: usize) -> usize {
    if cfg!(miri) {
        miri
    } else if cfg!(debug_assertions) {
        debug
    } else {
        release
    }
}

#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C)]
struct Instrument {
    name: [u8; 5],
    venue: [u8; 3],
    bid: f64,
    ask: f64,
    sizes: [u32; 2],
    flags: u16,
    more: [u8; 6],
}

const IBM: Instrument = Instrument {
    name: *b"IBM  ",
    venue: *b"NYS",
    bid: 17.25,
    ask: 17.5,
    sizes: [300, 400],
    flags: 7,
    more: [1, 2, 3, 4, 5, 6],
};

#[test]
fn a_value_until_its_life_ends() {
    let pool: PlainPool<Instrument> = PlainPool::new();
    let mut owner = pool.insert(IBM);
    let handle = owner.handle();
    assert_eq!(pool.load(handle), Some(IBM));
    for nth in 0..5 {
        let next = Instrument {
            bid: f64::from(nth),
            ..IBM
        };
        owner.set(next);
        assert_eq!((pool.load(handle), owner.load()), (Some(next), next));
    }
    assert_eq!(owner.update(|value| std::mem::replace(&mut value.flags, 9)), 7);
    assert_eq!(pool.load(handle).unwrap().flags, 9);
    assert_eq!(
        (owner.handle(), PlainHandle::from_bits(handle.to_bits())),
        (handle, Some(handle))
    );
    drop(owner);
    assert_eq!((pool.load(handle), pool.contains(handle)), (None, false));
    // The same slot, immediately.
    let next = pool.insert(IBM);
    assert_eq!(
        (next.handle().index(), next.handle().life()),
        (handle.index(), handle.life() + 1)
    );
    assert_eq!((pool.load(handle), pool.load(next.handle())), (None, Some(IBM)));
    assert!(handle < next.handle());
    let other: PlainPool<Instrument> = PlainPool::new();
    assert_eq!(other.load(handle), None);
    let foreign = other.insert(IBM);
    assert_eq!((pool.load(foreign.handle()), other.load(next.handle())), (None, None));
    assert_eq!(pool.remove(foreign.handle()), Err(AccessError::Foreign));
}

#[test]
fn bits_that_no_pool_issues() {
    for bits in [0, 1, u64::from(u32::MAX), 1 << 63 | 65_536, u64::MAX] {
        assert_eq!(PlainHandle::<u64>::from_bits(bits), None, "{bits:#x}");
    }
    let last = PlainHandle::from_bits(u64::MAX >> 1).expect("the last life of the last slot");
    assert_eq!((last.index(), last.life()), (u32::MAX, u32::MAX >> 1));
    let pool: PlainPool<u64> = PlainPool::new();
    assert!(pool.load(last).is_none() && !pool.contains(last));
    assert_eq!(pool.remove(last), Err(AccessError::Foreign));
}

/// Sizes and alignments: of no bytes, of parts of words, larger than a chunk of usual objects.
#[test]
fn any_size() {
    fn check<T: Plain + PartialEq + std::fmt::Debug>(make: impl Fn(u8) -> T) {
        let pool: PlainPool<T> = PlainPool::new();
        let mut owners: Vec<_> = (0..70).map(|n| pool.insert(make(n))).collect();
        for (nth, owner) in (0..).zip(&mut owners) {
            assert_eq!(pool.load(owner.handle()), Some(make(nth)));
            owner.set(make(nth + 100));
            owner.set(make(nth + 101));
        }
        for (nth, owner) in (101..).zip(&owners) {
            assert_eq!((pool.load(owner.handle()), owner.load()), (Some(make(nth)), make(nth)));
        }
    }
    check(|_| ());
    check(|n| n);
    check(|n| [n; 3]);
    check(u16::from);
    check(|n| [u32::from(n); 3]);
    check(|n| [u16::from(n); 9]);
    check(u128::from);
    check(|n| [u128::from(n), 7]);
    check(|n| array::from_fn::<u64, 125, _>(|nth| nth as u64 * 1000 + u64::from(n)));
    check(|n| [[u64::from(n); 32]; 60]);
    check(|n| Line([u64::from(n); 8]));
    check(|n| Page([[u64::from(n); 32]; 16]));
    check(|_| Nothing([]));
}

/// Aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// Aligned to a page.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(4096))]
struct Page([[u64; 32]; 16]);

/// Aligned, and without bytes.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(32))]
struct Nothing([u8; 0]);

/// Larger than any chunk of small values: a chunk begins with one slot.
#[test]
#[expect(clippy::large_stack_arrays, reason = "the thread has a stack for them")]
fn large_values() {
    let check = || {
        let pool: PlainPool<[u64; 32 * 1024]> = PlainPool::new();
        let mut owners: Vec<_> = (0..5).map(|n| pool.insert([n; 32 * 1024])).collect();
        for (owner, n) in owners.iter_mut().zip(3..) {
            owner.set([n; 32 * 1024]);
        }
        for (owner, n) in owners.iter().zip(3..) {
            assert!(pool.load(owner.handle()).is_some_and(|value| value == [n; 32 * 1024]));
        }
        drop(owners);
        assert!(pool.insert([7; 32 * 1024]).load() == [7; 32 * 1024]);
    };
    thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

/// No handle resolves to a place that is not a slot, or to another slot, whatever its bits are.
#[test]
fn invented_handles() {
    let pool: PlainPool<[u64; 2]> = PlainPool::new();
    let mut owners: Vec<_> = (0..sized(4000, 4000, 100) as u64)
        .map(|n| pool.insert([n; 2]))
        .collect();
    for (owner, n) in owners.iter_mut().zip(0..) {
        owner.set([n + 1; 2]);
    }
    let alive: HashSet<u32> = owners.iter().map(|owner| owner.handle().index()).collect();
    // The chunks of this pool, as far as an index can go, and the numbers next to them.
    let chunks: HashSet<u32> = alive
        .iter()
        .flat_map(|index| [index >> 16, (index >> 16) + 1])
        .collect();
    for index in chunks.iter().flat_map(|chunk| chunk << 16..=chunk << 16 | 0xFFFF) {
        if alive.contains(&index) || cfg!(miri) && index % 1021 > 0 {
            continue;
        }
        for life in [1_u32, 2, 0x7FFF_FFFF] {
            let handle = PlainHandle::from_bits(u64::from(life) << 32 | u64::from(index)).expect("a possible handle");
            assert_eq!(pool.load(handle), None);
            assert!(!pool.contains(handle) && pool.remove(handle).is_err() && pool.reclaim(handle).is_err());
        }
    }
    assert!(owners.iter().zip(0..).all(|(owner, n)| owner.load() == [n + 1; 2]));
}

#[test]
fn manual_objects_and_iteration() {
    let pool: PlainPool<u64> = PlainPool::new();
    let handles: Vec<_> = (0..10).map(|n| pool.insert(n).into_manual()).collect();
    assert_eq!(pool.iter().map(|(_, n)| n).sum::<u64>(), 45);
    assert_eq!(pool.handles().collect::<Vec<_>>(), handles);
    assert_eq!((pool.len(), pool.is_empty()), (10, false));
    assert!(format!("{pool:?}").contains("len: 10"));
    let mut owner = pool.reclaim(handles[3]).unwrap();
    owner.set(30);
    assert_eq!(pool.remove(handles[3]), Err(AccessError::Owned));
    let handle = owner.into_manual();
    assert_eq!((handle, pool.remove(handle)), (handles[3], Ok(30)));
    assert_eq!(pool.remove(handle), Err(AccessError::Ended));
    assert_eq!(pool.reclaim(handle).err(), Some(AccessError::Ended));
    assert_eq!(pool.iter().count(), 9);
}

/// Slots are reused, the last one first, so that a pool takes the memory of its peak.
#[test]
fn slots_come_back() {
    let pool: PlainPool<[u64; 3]> = PlainPool::new();
    let count = sized(1000, 20_000, 100) as u64;
    let mut slots = HashSet::new();
    for round in 0..5 {
        let owners: Vec<_> = (0..count).map(|n| pool.insert([n; 3])).collect();
        slots.extend(owners.iter().map(|owner| owner.handle().index()));
        assert!(owners.iter().zip(0..).all(|(owner, n)| owner.load() == [n; 3]));
        assert_eq!((slots.len() as u64, pool.len() as u64), (count, count), "round {round}");
    }
    assert!(pool.is_empty());
}

/// A pool reuses the numbers of a dropped one, but has other handles.
#[test]
fn handles_of_dropped_pools() {
    let mut handles = HashSet::new();
    for round in 0..sized(300, 3000, 30) as u64 {
        let pool: PlainPool<u64> = PlainPool::new();
        let mut owners: Vec<_> = (0..70).map(|n| pool.insert(n)).collect();
        owners[0] = pool.insert(round);
        assert!(handles.iter().all(|handle| pool.load(*handle).is_none()));
        for owner in &owners {
            assert!(handles.insert(owner.handle()), "issued twice");
        }
        if handles.len() > 1000 {
            handles.clear();
        }
    }
}

/// Steps of `update_many`, sets, updates and frees in any order against a list of the values.
#[test]
fn any_order_of_operations() {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |end: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % end
    };
    let pool: PlainPool<[u64; 5]> = PlainPool::new();
    let mut owners: Vec<PlainOwned<'_, [u64; 5]>> = Vec::new();
    let mut model: Vec<[u64; 5]> = Vec::new();
    let mut ended: Vec<PlainHandle<[u64; 5]>> = Vec::new();
    for n in 0..sized(20_000, 200_000, 500) as u64 {
        let at = next(model.len().max(1) as u64) as usize;
        match next(8) {
            0 | 1 => {
                owners.push(pool.insert([n; 5]));
                model.push([n; 5]);
            }
            2 if !model.is_empty() => {
                ended.push(owners[at].handle());
                owners.swap_remove(at);
                model.swap_remove(at);
            }
            3 if !model.is_empty() => {
                owners[at].set([n; 5]);
                model[at] = [n; 5];
            }
            4 if !model.is_empty() => {
                owners[at].update(|value| value[n as usize % 5] = n);
                model[at][n as usize % 5] = n;
            }
            5 => {
                PlainOwned::update_many(&mut owners[at..], |nth, value| value[1] += nth as u64);
                model[at..].iter_mut().zip(0..).for_each(|(value, nth)| value[1] += nth);
            }
            6 if !model.is_empty() => {
                let handle = owners.swap_remove(at).into_manual();
                let value = model.swap_remove(at);
                assert_eq!(pool.remove(handle), Ok(value));
                ended.push(handle);
            }
            _ if !model.is_empty() => {
                let handle = owners.swap_remove(at).into_manual();
                owners.push(pool.reclaim(handle).unwrap());
                let value = model.swap_remove(at);
                model.push(value);
            }
            _ => {}
        }
        if let Some(owner) = owners.get(at) {
            assert_eq!((owner.load(), pool.load(owner.handle())), (model[at], Some(model[at])));
        }
        if let Some(handle) = ended.get(next(ended.len().max(1) as u64) as usize) {
            assert_eq!(pool.load(*handle), None);
        }
    }
    let handles: Vec<_> = owners.iter().map(PlainOwned::handle).collect();
    assert!(
        handles
            .iter()
            .map(|handle| pool.load(*handle))
            .eq(model.iter().copied().map(Some))
    );
    assert_eq!(pool.len(), model.len());
}

#[test]
fn an_update_that_panics_changes_nothing() {
    let pool: PlainPool<[u64; 2]> = PlainPool::new();
    let mut owner = pool.insert([1, 1]);
    let update = AssertUnwindSafe(|| {
        owner.update(|value| {
            value[0] = 9;
            panic!("on purpose");
        });
    });
    assert!(catch_unwind(update).is_err());
    assert_eq!((owner.load(), pool.load(owner.handle())), ([1, 1], Some([1, 1])));
    let mut owners = [owner, pool.insert([2, 2]), pool.insert([3, 3])];
    let update = AssertUnwindSafe(|| {
        PlainOwned::update_many(&mut owners, |nth, value| {
            value[0] = 9;
            assert!(nth < 1, "on purpose");
            value[1] = 9;
        });
    });
    assert!(catch_unwind(update).is_err());
    assert_eq!(owners.each_ref().map(PlainOwned::load), [[9, 9], [2, 2], [3, 3]]);
}

/// An update may use the pool.
#[test]
fn an_update_that_uses_its_pool() {
    let pool: PlainPool<u64> = PlainPool::new();
    let mut owner = pool.insert(1);
    let handle = owner.handle();
    owner.update(|n| {
        drop(pool.insert(7));
        *n = pool.load(handle).unwrap() + 1;
    });
    assert_eq!(pool.load(handle), Some(2));
}

/// Threads that insert, read, hand over and free at the same time.
#[test]
fn insertions_and_frees_by_several_threads() {
    let pool: PlainPool<[u64; 3]> = PlainPool::new();
    let times = sized(10_000, 200_000, 40) as u64;
    thread::scope(|s| {
        for thread in 0..4_u64 {
            let pool = &pool;
            s.spawn(move || {
                let mut kept: Vec<(PlainHandle<[u64; 3]>, u64)> = Vec::new();
                for n in 0..times {
                    let value = thread << 32 | n;
                    kept.push((pool.insert([value; 3]).into_manual(), value));
                    if kept.len() > 20 {
                        let (handle, value) = kept.swap_remove(n as usize % 20);
                        assert_eq!(pool.load(handle), Some([value; 3]));
                        assert_eq!(pool.remove(handle), Ok([value; 3]));
                        assert_eq!(pool.load(handle), None);
                    }
                }
                for (handle, value) in kept {
                    assert_eq!(pool.remove(handle), Ok([value; 3]));
                }
            });
        }
    });
    assert!(pool.is_empty());
    let owners: Vec<_> = (0..500).map(|n| pool.insert([n; 3])).collect();
    let indices: HashSet<_> = owners.iter().map(|owner| owner.handle().index()).collect();
    assert_eq!(indices.len(), 500, "a slot was given twice");
}

/// A thread-local's destructor runs after the thread has lost its record of the pool.
#[test]
fn a_load_in_the_destructor_of_a_thread_local() {
    struct Last(Cell<Option<PlainHandle<u64>>>);
    impl Drop for Last {
        fn drop(&mut self) {
            let found = self.0.get().and_then(|handle| POOL.load(handle));
            FOUND.store(found.unwrap_or(0), Ordering::Relaxed);
        }
    }
    static POOL: PlainPool<u64> = PlainPool::new();
    static FOUND: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static LAST: Last = const { Last(Cell::new(None)) };
    }
    let owner = POOL.insert(17);
    let handle = owner.handle();
    for uses_the_pool in [false, true] {
        FOUND.store(0, Ordering::Relaxed);
        thread::spawn(move || {
            LAST.with(|last| last.0.set(Some(handle)));
            if uses_the_pool {
                drop(POOL.insert(1));
            }
        })
        .join()
        .unwrap();
        assert_eq!(FOUND.load(Ordering::Relaxed), 17);
    }
}

/// A signal interrupts a thread that sets, frees and allocates, at any instruction, and its handler reads the same objects.
#[cfg(all(unix, not(miri)))]
#[test]
fn a_load_in_a_signal_handler() {
    static POOL: PlainPool<[u64; 8]> = PlainPool::new();
    static HANDLES: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
    static WHOLE: AtomicU64 = AtomicU64::new(0);
    static STALE: AtomicU64 = AtomicU64::new(0);
    static WRONG: AtomicU64 = AtomicU64::new(0);

    extern "C" fn handler(_: libc::c_int) {
        for bits in &HANDLES {
            let Some(handle) = PlainHandle::from_bits(bits.load(Ordering::Relaxed)) else {
                continue;
            };
            match POOL.load(handle) {
                Some(value) if value == [value[0]; 8] => WHOLE.fetch_add(1, Ordering::Relaxed),
                Some(_) => WRONG.fetch_add(1, Ordering::Relaxed),
                None => STALE.fetch_add(1, Ordering::Relaxed),
            };
        }
    }

    thread::spawn(|| {
        let handler: extern "C" fn(libc::c_int) = handler;
        // SAFETY: the handler only accesses atomics, and calls what may be called in a handler: that is under test.
        unsafe { libc::signal(libc::SIGUSR1, handler as libc::sighandler_t) };
        // SAFETY: this thread.
        let this = unsafe { libc::pthread_self() };
        let done = AtomicBool::new(false);
        let mut owner = POOL.insert([0; 8]);
        HANDLES[0].store(owner.handle().to_bits(), Ordering::Relaxed);
        thread::scope(|s| {
            s.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    // SAFETY: the thread lives until this one is joined.
                    unsafe { libc::pthread_kill(this, libc::SIGUSR1) };
                    thread::sleep(Duration::from_micros(20));
                }
            });
            for n in 0.. {
                owner.set([n; 8]);
                PlainOwned::update_many(std::slice::from_mut(&mut owner), |_, value| {
                    *value = value.map(|n| n + 1);
                });
                let short = POOL.insert([n; 8]);
                HANDLES[1].store(short.handle().to_bits(), Ordering::Relaxed);
                drop(short);
                if n % 1024 == 0 {
                    let enough = WHOLE.load(Ordering::Relaxed) > 2000 && STALE.load(Ordering::Relaxed) > 0;
                    if enough || WRONG.load(Ordering::Relaxed) > 0 {
                        break;
                    }
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    })
    .join()
    .unwrap();
    assert_eq!(WRONG.load(Ordering::Relaxed), 0);
}

/// A writer at full speed, and threads that read without a pause. No copy is torn, older than an earlier one, or of another life.
/// `ACEDIA_SOAK_READS` sets the number of reads of each thread.
#[test]
fn soak_beside_a_writer_at_full_speed() {
    soak::<2>();
    soak::<8>();
}

/// Counts a reader that ends.
struct Done<'a>(&'a AtomicU64);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn soak<const WORDS: usize>() {
    const OBJECTS: usize = 16;
    const READERS: usize = 2;
    let reads = std::env::var("ACEDIA_SOAK_READS")
        .map_or(sized(300_000, 3_000_000, 300) as u64, |n| n.parse().expect("a number"));
    let pool: PlainPool<[u64; WORDS]> = PlainPool::new();
    // The value of an object is the number of its life in the upper half, and the number of the set.
    let begin = |n: u64| {
        let mut owner = pool.insert([0; WORDS]);
        let life = u64::from(owner.handle().life()) << 32;
        // Half of the numbers, so that the sets of a life do not reach the upper half.
        owner.set([life | (n & 0x7FFF_FFFF); WORDS]);
        owner
    };
    let mut owners: [_; OBJECTS] = array::from_fn(|_| Some(begin(0)));
    let handles: [AtomicU64; OBJECTS] =
        array::from_fn(|at| AtomicU64::new(owners[at].as_ref().map_or(0, |owner| owner.handle().to_bits())));
    let reading = AtomicU64::new(READERS as u64);
    let sums = [const { AtomicU64::new(0) }; 3];
    thread::scope(|s| {
        for reader in 0..READERS {
            let (pool, handles, reading, sums) = (&pool, &handles, &reading, &sums);
            s.spawn(move || {
                // Even after a panic: the writer would go on.
                let _done = Done(reading);
                let mut last = [[0; 2]; OBJECTS];
                let mut kept = [0; OBJECTS];
                let (mut counted, mut at) = ([0u64; 3], reader);
                for _ in 0..reads {
                    at = (at + 1) % OBJECTS;
                    // Acquire: the life before this handle has ended.
                    let bits = handles[at].load(Ordering::Acquire);
                    if let Some(old) = PlainHandle::from_bits(kept[at]).filter(|_| kept[at] != bits) {
                        assert_eq!(pool.load(old), None, "of a life that ended");
                        counted[1] += 1;
                    }
                    kept[at] = bits;
                    let handle = PlainHandle::from_bits(bits).expect("a handle");
                    match pool.load(handle) {
                        // It has ended since.
                        None => counted[2] += 1,
                        Some(value) => {
                            counted[0] += 1;
                            assert_eq!(value, [value[0]; WORDS], "torn");
                            // The first value of a life is 0.
                            assert!(value[0] == 0 || value[0] >> 32 == bits >> 32, "of another life");
                            let [last_bits, last_value] = last[at];
                            assert!(last_bits != bits || value[0] >= last_value, "older than one before");
                            last[at] = [bits, value[0]];
                        }
                    }
                }
                for (sum, count) in sums.iter().zip(counted) {
                    sum.fetch_add(count, Ordering::Relaxed);
                }
            });
        }
        let mut n = 0;
        while reading.load(Ordering::Relaxed) > 0 {
            for (handle, place) in handles.iter().zip(&mut owners) {
                n += 1;
                let mut owner = place.take().expect("always put back");
                if n % 3 == 0 {
                    PlainOwned::update_many(std::slice::from_mut(&mut owner), |_, it| *it = it.map(|word| word + 1));
                } else {
                    owner.update(|value| *value = value.map(|word| word + 1));
                }
                if n % 64 == 0 {
                    drop(owner);
                    owner = begin(n);
                    handle.store(owner.handle().to_bits(), Ordering::Release);
                }
                *place = Some(owner);
            }
        }
    });
    let [whole, stale, ended] = sums.map(AtomicU64::into_inner);
    println!("{WORDS} words: {whole} whole, {ended} ended meanwhile; {stale} by stale handles");
    assert_eq!(whole + ended, reads * READERS as u64);
    assert!(whole > 0);
}
