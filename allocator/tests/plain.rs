//! Plain data: copies beside writers, frees and collections, and the places where a load may be called.

mod support;

use std::array;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use acedia::pool::{Contended, Key, PlainOwner, PlainPool, Pool, pin};
use acedia::{AllocateError, LifeVersion, PoolPolicy, Reason, SparseSecondaryMap, field};
use bytemuck::{AnyBitPattern, NoUninit};
use support::sized;

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
    let key = owner.key();
    assert_eq!(pool.load(key), Some(IBM));
    for nth in 0..5 {
        let next = Instrument {
            bid: f64::from(nth),
            ..IBM
        };
        owner.set(next);
        assert_eq!((pool.load(key), owner.load()), (Some(next), next));
    }
    assert_eq!(owner.update(|value| std::mem::replace(&mut value.flags, 9)), 7);
    assert_eq!(pool.try_load(key).unwrap().flags, 9);
    assert_eq!(pool.load_within(key, 0).unwrap().unwrap().flags, 9);
    drop(owner);
    assert_eq!(
        (pool.load(key), pool.load_within(key, 1), pool.contains(key)),
        (None, Ok(None), false)
    );
    let error = pool.try_load(key).unwrap_err();
    assert_eq!(error.reason(), Reason::Freed);
    assert!(error.to_string().contains("plain::Instrument in slot"), "{error}");
    // The same slot, at once.
    let next = pool.insert(IBM);
    assert_eq!(next.index(), key.index());
    assert_eq!((pool.load(key), pool.load(next.key())), (None, Some(IBM)));
    assert_eq!(pool.try_load(key).unwrap_err().reason(), Reason::Reused);
    let other: PlainPool<Instrument> = PlainPool::new();
    let foreign = other.insert(IBM);
    assert_eq!(pool.load(foreign.key()), None);
    assert_eq!(pool.try_load(foreign.key()).unwrap_err().reason(), Reason::Foreign);
}

#[test]
fn the_last_life_of_a_slot() {
    let pool: PlainPool<u64> = PlainPool::new();
    let mut owner = pool.insert(1);
    pool.skip_lives(&mut owner, LifeVersion::new(i32::MAX as u32).unwrap());
    let key = owner.key();
    assert_eq!(pool.load(key), Some(1));
    drop(owner);
    assert_eq!((pool.load(key), pool.stats().worn), (None, 1));
    assert_ne!(pool.insert(2).index(), key.index());
}

#[test]
fn fields() {
    let pool: PlainPool<Instrument> = PlainPool::new();
    let mut owner = pool.insert(IBM);
    let key = owner.key();
    owner.update(|value| value.ask += 1.0);
    assert_eq!(pool.load_field(key, field!(Instrument, name)), Some(*b"IBM  "));
    assert_eq!(pool.load_field(key, field!(Instrument, venue)), Some(*b"NYS"));
    assert_eq!(pool.load_field(key, field!(Instrument, bid)), Some(17.25));
    assert_eq!(pool.load_field(key, field!(Instrument, ask)), Some(18.5));
    assert_eq!(pool.load_field(key, field!(Instrument, sizes)), Some([300, 400]));
    assert_eq!(pool.load_field(key, field!(Instrument, more)), Some([1, 2, 3, 4, 5, 6]));
    assert_eq!(owner.load_field(field!(Instrument, flags)), 7);
    drop(owner);
    assert_eq!(pool.load_field(key, field!(Instrument, bid)), None);
}

/// Sizes and alignments: of no bytes, of parts of words, larger than a chunk of usual objects.
#[test]
fn any_size() {
    fn check<T: NoUninit + AnyBitPattern + Send + PartialEq + std::fmt::Debug>(make: impl Fn(u8) -> T) {
        let pool: PlainPool<T> = PlainPool::new();
        let mut owners: Vec<_> = (0..70).map(|n| pool.insert(make(n))).collect();
        for (nth, owner) in (0..).zip(&mut owners) {
            assert_eq!(pool.load(owner.key()), Some(make(nth)));
            owner.set(make(nth + 100));
            owner.set(make(nth + 101));
        }
        for (nth, owner) in (101..).zip(&owners) {
            assert_eq!((pool.load(owner.key()), owner.load()), (Some(make(nth)), make(nth)));
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
}

/// Aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(64))]
struct Line([u64; 8]);

/// Aligned to a page.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(4096))]
struct Page([[u64; 32]; 16]);

/// Aligned, and of no bytes.
#[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
#[repr(C, align(32))]
struct Nothing([u8; 0]);

#[test]
fn the_alignment_of_a_value_takes_no_memory() {
    fn check<T: NoUninit + AnyBitPattern + Send + PartialEq + std::fmt::Debug>(make: impl Fn(u64) -> T) {
        let pool: PlainPool<T> = PlainPool::new();
        let mut owners: Vec<_> = (0..70).map(|n| pool.insert(make(n))).collect();
        let stats = pool.stats();
        let expected = 16 + size_of::<T>().next_multiple_of(8) as u64;
        assert_eq!(stats.bytes, stats.fresh * expected, "{}", std::any::type_name::<T>());
        for (n, owner) in (1..).zip(&mut owners) {
            owner.set(make(n));
        }
        for (n, owner) in (1..).zip(&owners) {
            assert_eq!(pool.load(owner.key()), Some(make(n)));
        }
    }
    check(|n| n);
    check(|n| [n.to_ne_bytes()[0]; 9]);
    check(u128::from);
    check(|n| Line([n; 8]));
    check(|n| Page([[n; 32]; 16]));
    check(|_| Nothing([]));
}

/// 256 KiB: a chunk has one slot, and its spare.
#[test]
#[expect(clippy::large_stack_arrays, reason = "the thread has a stack for them")]
fn the_largest_values() {
    let check = || {
        let pool: PlainPool<[u64; 32 * 1024]> = PlainPool::new();
        let mut owners: Vec<_> = (0..3).map(|n| pool.insert([n; 32 * 1024])).collect();
        for (owner, n) in owners.iter_mut().zip(3..) {
            owner.set([n; 32 * 1024]);
        }
        for (owner, n) in owners.iter().zip(3..) {
            assert!(pool.load(owner.key()).is_some_and(|value| value == [n; 32 * 1024]));
        }
        drop(owners);
        assert_eq!(pool.collect().objects, 3);
        assert!(pool.insert([7; 32 * 1024]).load() == [7; 32 * 1024]);
    };
    thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

/// A list of keys in a pool that no cache holds, with stale keys in it.
#[test]
fn many_loads() {
    let count = sized(100_000, 200_000, 300) as u64;
    let pool: PlainPool<[u64; 8]> = PlainPool::new();
    assert_eq!(pool.load_many::<Key>(&[]).len(), 0);
    let keys: Vec<Key> = (0..count).map(|n| pool.insert([n; 8]).into_manual()).collect();
    for key in keys.iter().step_by(3) {
        pool.remove(*key).unwrap();
    }
    let found = pool.load_many(&keys);
    assert_eq!(found.len(), keys.len());
    for (nth, value) in (0..).zip(found) {
        assert_eq!(value, (nth % 3 != 0).then_some([nth; 8]));
    }
}

/// The upper half of a chunk holds spares. No key leads there, whatever its bits are.
#[test]
fn keys_of_places_that_are_no_slots() {
    let pool: PlainPool<[u64; 2]> = PlainPool::new();
    let mut owners: Vec<_> = (0..4000).map(|n| pool.insert([n; 2])).collect();
    for (owner, n) in owners.iter_mut().zip(0..) {
        owner.set([n + 1; 2]);
    }
    let first = owners[0].key();
    let alive: Vec<u32> = owners.iter().map(acedia::pool::PlainOwner::index).collect();
    let near = (first.index()..first.index() + 3 * 4096).filter(|index| !alive.contains(index));
    for index in near {
        for life in [1_u32, 2, 0x7FFF_FFFF] {
            let key = Key::from_bits(u64::from(life) << 32 | u64::from(index)).expect("a possible key");
            assert_eq!(pool.load(key), None);
            assert!(!pool.contains(key) && pool.try_load(key).is_err());
            assert!(pool.remove(key).is_err() && pool.reclaim(key).is_err());
        }
    }
    assert!(owners.iter().zip(0..).all(|(owner, n)| owner.load() == [n + 1; 2]));
}

/// Pages go back beside living objects, and those keep their values and can be set.
#[test]
fn collections_leave_the_spares_of_the_living() {
    let pool: PlainPool<[u64; 8]> = PlainPool::new();
    for round in 0..sized(3, 10, 1) as u64 {
        let mut owners: Vec<_> = (0..6000).map(|n| Some(pool.insert([n; 8]))).collect();
        for (owner, n) in owners.iter_mut().flatten().zip(0..) {
            owner.set([n + round; 8]);
        }
        for (nth, owner) in owners.iter_mut().enumerate() {
            if nth % 2000 >= 10 {
                owner.take();
            }
        }
        assert!(pool.collect().objects > 5000);
        for (nth, owner) in (0..).zip(&mut owners) {
            let Some(owner) = owner else { continue };
            assert_eq!(owner.load(), [nth + round; 8]);
            owner.update(|value| value[0] += 1);
            assert_eq!((owner.load()[0], owner.load()[7]), (nth + round + 1, nth + round));
        }
    }
}

#[test]
fn manual_objects_and_iteration() {
    let pool: PlainPool<u64> = PlainPool::new();
    let keys: Vec<Key> = (0..10).map(|n| pool.insert(n).into_manual()).collect();
    assert_eq!(pool.iter().map(|(_, n)| n).sum::<u64>(), 45);
    assert_eq!(pool.keys().collect::<Vec<_>>(), keys);
    assert_eq!((pool.len(), pool.is_empty()), (10, false));
    let mut owner = pool.reclaim(keys[3]).unwrap();
    owner.set(30);
    assert_eq!(pool.remove(keys[3]).unwrap_err().reason(), Reason::Owned);
    let key = owner.into_manual();
    assert_eq!((key, pool.remove(key)), (keys[3], Ok(30)));
    let error = pool.remove(key).unwrap_err();
    assert!(error.to_string().starts_with("u64 in slot"), "{error}");
    assert!(pool.reclaim(key).is_err());
    assert_eq!(pool.iter().count(), 9);
}

#[test]
fn limits_and_numbers() {
    let pool: PlainPool<u64> = PlainPool::new().bounded(3).keep(PoolPolicy::KeepAtMost(1));
    let owners = [1, 2, 3].map(|n| pool.insert(n));
    let keys = owners.each_ref().map(PlainOwner::key);
    let error = pool.try_insert(4).unwrap_err();
    assert!(matches!(
        error,
        AllocateError::Full {
            type_name: "u64",
            capacity: 3
        }
    ));
    drop(owners);
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept, stats.dropped, stats.waiting), (0, 1, 2, 0));
    for policy in [PoolPolicy::KeepNone, PoolPolicy::KeepBytes(100), PoolPolicy::KeepAll] {
        pool.set_policy(policy).unwrap();
        assert_eq!(pool.policy(), policy);
        let again = [4, 5, 6].map(|n| pool.insert(n));
        assert_eq!(
            again.each_ref().map(|owner| pool.load(owner.key())),
            [Some(4), Some(5), Some(6)]
        );
        assert!(keys.iter().all(|key| pool.load(*key).is_none()));
    }
    let prewarmed: PlainPool<u64> = PlainPool::new();
    prewarmed.prewarm(100).unwrap();
    assert_eq!((prewarmed.stats().fresh, prewarmed.stats().kept), (100, 100));
    assert_eq!(prewarmed.insert(7).load(), 7);
    assert_eq!(
        format!("{:?}", prewarmed.insert(7)).split(' ').next(),
        Some("PlainOwner(slot")
    );
}

/// A free waits for nothing: not for pins, not for threads that read.
#[test]
fn a_free_beside_pins_is_at_once() {
    let pool: PlainPool<u64> = PlainPool::new();
    let others: Pool<u64> = Pool::new();
    let other = others.allocate();
    let pinned = pin();
    thread::scope(|s| {
        s.spawn(|| assert!(others.get(other.key(), &pin()).is_some()))
            .join()
            .unwrap();
        let first = pool.insert(1).into_manual();
        for n in 0..1000 {
            let before = pool.insert(n);
            let key = before.key();
            drop(before);
            let after = pool.insert(n + 1);
            assert_eq!(after.index(), key.index(), "the slot waits");
            assert_eq!((pool.load(key), pool.load(after.key())), (None, Some(n + 1)));
        }
        assert_eq!(
            (pool.load(first), pool.stats().waiting, pool.stats().kept),
            (Some(1), 0, 1)
        );
    });
    drop(pinned);
}

#[test]
fn collections_keep_stale_keys_dead() {
    let pool: PlainPool<[u64; 6]> = PlainPool::new();
    let owners: Vec<_> = (0..sized(20_000, 100_000, 200))
        .map(|n| pool.insert([n as u64; 6]))
        .collect();
    let keys: Vec<_> = owners.iter().map(PlainOwner::key).collect();
    drop(owners);
    let reclaimed = pool.collect();
    assert_eq!(reclaimed.objects, keys.len() as u64);
    if cfg!(all(target_os = "linux", not(any(miri, acedia_heap)))) {
        assert!(reclaimed.bytes > 0);
    }
    assert!(keys.iter().all(|key| pool.load(*key).is_none()));
    let mut again: Vec<_> = keys.iter().map(|_| pool.insert([7; 6])).collect();
    assert!(keys.iter().all(|key| pool.load(*key).is_none()));
    for owner in &mut again {
        owner.set([8; 6]);
    }
    assert!(again.iter().all(|owner| pool.load(owner.key()) == Some([8; 6])));
    drop(again);
    pool.trim();
}

#[test]
fn side_maps_of_plain_data() {
    let pool: Arc<PlainPool<u64>> = Arc::default();
    let mut names: SparseSecondaryMap<Arc<PlainPool<u64>>, &str> = SparseSecondaryMap::of(Arc::clone(&pool));
    let owner = pool.insert(1);
    names.insert(owner.key(), "one");
    assert_eq!(names.get(owner.key()), Some(&"one"));
    let key = owner.key();
    drop(owner);
    assert_eq!(names.get(key), None);
    let borrowed: SparseSecondaryMap<&PlainPool<u64>, &str> = SparseSecondaryMap::of(&pool);
    assert!(borrowed.is_empty());
}

#[test]
fn an_update_that_panics_changes_nothing() {
    let pool: PlainPool<[u64; 2]> = PlainPool::new();
    let mut owner = pool.insert([1, 1]);
    for shared in [false, true] {
        let _other = shared.then(|| owner.clone());
        let update = AssertUnwindSafe(|| {
            owner.update(|value| {
                value[0] = 9;
                panic!("on purpose");
            });
        });
        assert!(catch_unwind(update).is_err());
        assert_eq!(
            (owner.load(), pool.load_within(owner.key(), 1)),
            ([1, 1], Ok(Some([1, 1])))
        );
        owner.update(|value| *value = [1, 1]);
    }
}

/// An update may use the pool, and set the same object once.
#[test]
fn an_update_that_uses_its_pool() {
    let pool: PlainPool<u64> = PlainPool::new();
    let mut owner = pool.insert(1);
    let key = owner.key();
    let mut other = owner.clone();
    let mut calls = 0;
    owner.update(|n| {
        calls += 1;
        if calls == 1 {
            other.set(10);
        }
        drop(pool.insert(7));
        pool.collect();
        *n = pool.load(key).unwrap() + 1;
    });
    assert_eq!((calls, pool.load(key)), (2, Some(11)));
}

#[test]
fn no_update_of_several_owners_is_lost() {
    let pool: PlainPool<[u64; 3]> = PlainPool::new();
    let mut owner = pool.insert([0; 3]);
    let times = sized(5_000, 50_000, 30) as u64;
    thread::scope(|s| {
        for _ in 0..3 {
            let mut other = owner.clone();
            s.spawn(move || (0..times).for_each(|_| other.update(|value| *value = value.map(|n| n + 1))));
        }
        (0..times).for_each(|_| owner.update(|value| *value = value.map(|n| n + 1)));
    });
    assert_eq!(pool.load(owner.key()), Some([4 * times; 3]));
}

/// A thread-local's destructor runs when the thread has lost its record of the pool.
#[test]
fn a_load_in_the_destructor_of_a_thread_local() {
    struct Last(Cell<Option<Key>>);
    impl Drop for Last {
        fn drop(&mut self) {
            let found = self.0.get().and_then(|key| POOL.load(key));
            FOUND.store(found.unwrap_or(0), Ordering::Relaxed);
        }
    }
    static POOL: PlainPool<u64> = PlainPool::new();
    static FOUND: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static LAST: Last = const { Last(Cell::new(None)) };
    }
    let owner = POOL.insert(17);
    let key = owner.key();
    for uses_the_pool in [false, true] {
        FOUND.store(0, Ordering::Relaxed);
        thread::spawn(move || {
            LAST.with(|last| last.0.set(Some(key)));
            if uses_the_pool {
                drop(POOL.insert(1));
            }
        })
        .join()
        .unwrap();
        assert_eq!(FOUND.load(Ordering::Relaxed), 17);
    }
}

/// A future that goes from thread to thread, and keeps its copy meanwhile.
#[test]
fn a_load_in_a_future() {
    async fn twice(pool: &PlainPool<u64>, key: Key) -> [Option<u64>; 2] {
        let before = pool.load(key);
        let mut has_waited = false;
        poll_fn(|_| {
            if std::mem::replace(&mut has_waited, true) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        [before, pool.load(key)]
    }
    let pool: PlainPool<u64> = PlainPool::new();
    let owner = pool.insert(7);
    let mut task: Pin<Box<dyn Future<Output = _> + Send + '_>> = Box::pin(twice(&pool, owner.key()));
    let mut step = || {
        let one_step = || task.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        thread::scope(|scope| scope.spawn(one_step).join().unwrap())
    };
    assert!(step().is_pending());
    owner.free();
    assert_eq!(pool.insert(8).load(), 8, "the slot is used again");
    assert_eq!(step(), Poll::Ready([Some(7), None]));
}

/// A signal interrupts a thread that sets, frees and allocates, at any instruction, and its handler reads the same objects.
#[cfg(all(unix, not(miri)))]
#[test]
fn a_load_in_a_signal_handler() {
    static POOL: PlainPool<[u64; 8]> = PlainPool::new();
    static KEYS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
    static WHOLE: AtomicU64 = AtomicU64::new(0);
    static STALE: AtomicU64 = AtomicU64::new(0);
    static WRONG: AtomicU64 = AtomicU64::new(0);

    extern "C" fn handler(_: libc::c_int) {
        for bits in &KEYS {
            let Some(key) = Key::from_bits(bits.load(Ordering::Relaxed)) else {
                continue;
            };
            // One attempt is enough: the interrupted thread is the only writer.
            match POOL.load_within(key, 1) {
                Ok(Some(value)) if value == [value[0]; 8] => WHOLE.fetch_add(1, Ordering::Relaxed),
                Ok(None) => STALE.fetch_add(1, Ordering::Relaxed),
                _ => WRONG.fetch_add(1, Ordering::Relaxed),
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
        // Beside it, a set takes the way of several owners.
        let mut other = None;
        KEYS[0].store(owner.key().to_bits(), Ordering::Relaxed);
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
                let short = POOL.insert([n; 8]);
                KEYS[1].store(short.key().to_bits(), Ordering::Relaxed);
                drop(short);
                if n % 1024 == 0 {
                    POOL.collect();
                    other = other.is_none().then(|| owner.clone());
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

/// C calls a function of ours in the middle of a sort.
#[cfg(all(unix, not(miri)))]
#[test]
fn a_load_in_a_call_from_c() {
    static POOL: PlainPool<u64> = PlainPool::new();

    extern "C" fn compare(a: *const libc::c_void, b: *const libc::c_void) -> libc::c_int {
        // SAFETY: `qsort` gives elements of the array.
        let [a, b] = [a, b].map(|key| unsafe { *key.cast::<Key>() });
        POOL.load(a).cmp(&POOL.load(b)) as libc::c_int
    }

    let owners = [3, 1, 2].map(|n| POOL.insert(n));
    let mut keys = owners.each_ref().map(PlainOwner::key);
    let start = keys.as_mut_ptr().cast();
    // SAFETY: an array of so many keys.
    unsafe { libc::qsort(start, keys.len(), size_of::<Key>(), Some(compare)) };
    assert_eq!(keys.map(|key| POOL.load(key)), [Some(1), Some(2), Some(3)]);
}

/// A writer at full speed, and threads that read without a pause. No copy is torn, older than one before, or of another life.
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
        let life = u64::from(owner.life_version().get()) << 32;
        // Half of the numbers, so that the sets of a life do not reach the upper half.
        owner.set([life | (n & 0x7FFF_FFFF); WORDS]);
        owner
    };
    let mut owners: [_; OBJECTS] = array::from_fn(|_| Some(begin(0)));
    let keys: [AtomicU64; OBJECTS] =
        array::from_fn(|at| AtomicU64::new(owners[at].as_ref().map_or(0, |owner| owner.key().to_bits())));
    let reading = AtomicU64::new(READERS as u64);
    let sums = [const { AtomicU64::new(0) }; 4];
    thread::scope(|s| {
        for reader in 0..READERS {
            let (pool, keys, reading, sums) = (&pool, &keys, &reading, &sums);
            s.spawn(move || {
                // Also if an assertion fails: the writer would go on.
                let _done = Done(reading);
                let mut last = [[0; 2]; OBJECTS];
                let mut kept = [0; OBJECTS];
                let (mut counted, mut at) = ([0u64; 4], reader);
                for _ in 0..reads {
                    at = (at + 1) % OBJECTS;
                    // Acquire: the life before this key has ended.
                    let bits = keys[at].load(Ordering::Acquire);
                    if let Some(old) = Key::from_bits(kept[at]).filter(|_| kept[at] != bits) {
                        assert_eq!(pool.load(old), None, "of a life that ended");
                        counted[1] += 1;
                    }
                    kept[at] = bits;
                    let key = Key::from_bits(bits).expect("a key");
                    match pool.load_within(key, 4) {
                        Err(Contended) => counted[2] += 1,
                        // It ended since.
                        Ok(None) => counted[3] += 1,
                        Ok(Some(value)) => {
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
            for (key, place) in keys.iter().zip(&mut owners) {
                n += 1;
                let mut owner = place.take().expect("always put back");
                owner.update(|value| *value = value.map(|word| word + 1));
                if n % 64 == 0 {
                    drop(owner);
                    owner = begin(n);
                    key.store(owner.key().to_bits(), Ordering::Release);
                }
                *place = Some(owner);
            }
        }
    });
    let [whole, stale, disturbed, ended] = sums.map(AtomicU64::into_inner);
    println!(
        "{WORDS} words: {whole} whole, {ended} ended meanwhile, {disturbed} disturbed 4 times; {stale} by stale keys"
    );
    assert_eq!(whole + ended + disturbed, reads * READERS as u64);
    assert!(whole > 0);
}
