//! Bounded pools: never more objects in use than the bound, and no room is lost.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use acedia::pool::{Hooks, Pool, Values, pin};
use acedia::{AllocateError, PoolPolicy};
use support::{Rng, alone, existing, sized};

struct Ending;

static MADE: AtomicU64 = AtomicU64::new(0);

/// Objects with this number panic when they end.
const BAD: u64 = u64::MAX;

impl Hooks<u64> for Ending {
    type Readers = acedia::pool::Global;

    fn make() -> u64 {
        MADE.fetch_add(1, Ordering::Relaxed);
        0
    }

    const END: Option<fn(&mut u64)> = Some(|n| {
        if std::mem::take(n) == BAD {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    });
}

/// Fills the pool, checks that it refuses one more and says why, and empties it.
#[track_caller]
fn has_room_for<H: Hooks<u64>>(pool: &Pool<u64, H>, bound: usize) {
    let all: Vec<_> = (0..bound).map_while(|_| pool.try_allocate().ok()).collect();
    assert_eq!(all.len(), bound, "room was lost");
    assert!(
        matches!(pool.try_allocate(), Err(AllocateError::Full { capacity, .. }) if capacity == bound),
        "room for too many"
    );
    assert!(pool.try_reserve().is_err() && pool.try_allocate_fresh().is_err());
}

/// Several threads share few objects, under every policy.
#[test]
fn never_more_than_the_bound() {
    const ROOM: usize = 2;
    let _alone = alone();
    for policy in [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(1), PoolPolicy::KeepNone] {
        MADE.store(0, Ordering::Relaxed);
        let pool: Pool<u64, Ending> = Pool::with_hooks().keep(policy).bounded(ROOM);
        let (in_use, full) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |seed| {
            let mut rng = Rng(seed);
            let mut served = 0;
            while served < sized(500, 5000, 5) {
                let owner = match pool.try_allocate() {
                    Ok(owner) => owner,
                    Err(AllocateError::Full { capacity: ROOM, .. }) => {
                        full.fetch_add(1, Ordering::Relaxed);
                        thread::yield_now();
                        continue;
                    }
                    Err(other) => panic!("{other}"),
                };
                served += 1;
                assert!(in_use.fetch_add(1, Ordering::SeqCst) < ROOM, "more than the bound");
                match rng.below(4) {
                    0 => thread::yield_now(),
                    1 => assert_eq!(pool.get(owner.handle(), &pin()), Some(&0)),
                    2 => drop(pool.guard(owner.handle())),
                    _ => (),
                }
                in_use.fetch_sub(1, Ordering::SeqCst);
            }
        };
        thread::scope(|scope| {
            let both = [pool.allocate(), pool.allocate()];
            let workers = [1, 2, 3, 4, 5].map(|seed| scope.spawn(move || work(seed)));
            // They begin when the pool is full.
            while full.load(Ordering::Relaxed) < 5 {
                thread::yield_now();
            }
            drop(both);
            for worker in workers {
                worker.join().unwrap();
            }
        });
        pool.settle();
        let stats = pool.stats();
        assert_eq!(stats.live, 0, "{stats:?}");
        if policy == PoolPolicy::KeepAll {
            assert_eq!(stats.kept, MADE.load(Ordering::Relaxed), "an object was lost");
        }
        has_room_for(&pool, ROOM);
    }
}

/// Every event that ends a use makes room at that moment, and none before it.
#[test]
fn whatever_makes_room() {
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(1);
    let is_full = || pool.try_allocate().is_err();

    let owner = pool.allocate();
    assert!(is_full());
    owner.free();
    has_room_for(&pool, 1);

    let owner = pool.allocate();
    let other = owner.clone();
    drop(owner);
    assert!(is_full(), "the other owner");
    drop(other);
    has_room_for(&pool, 1);

    let reserved = pool.reserve();
    assert!(is_full(), "a reservation");
    drop(reserved);
    has_room_for(&pool, 1);

    let key = pool.allocate().into_manual();
    assert!(is_full());
    assert!(pool.free(key).is_ok());
    assert!(pool.free(key).is_err());
    has_room_for(&pool, 1);

    let owner = pool.allocate();
    let guard = pool.guard(owner.handle());
    drop(owner);
    assert!(is_full(), "a guard");
    drop(guard);
    has_room_for(&pool, 1);

    let owner = pool.allocate();
    let _ = owner.handle();
    let pinned = pin();
    drop(owner);
    assert!(is_full(), "a pin");
    drop(pinned);
    has_room_for(&pool, 1);
    assert_eq!(existing(pool.stats()), 1);

    let mut pool = pool;
    let _ = pool.allocate().into_manual();
    pool.clear();
    has_room_for(&pool, 1);
    let _ = pool.allocate().into_manual();
    drop(pool.drain());
    has_room_for(&pool, 1);
    let _ = pool.allocate().into_manual();
    assert_eq!(pool.drain().count(), 1);
    has_room_for(&pool, 1);
}

/// A panic in user code costs an object, and no room.
#[test]
fn room_comes_back_after_panics() {
    struct Failing;
    static FAILS: AtomicUsize = AtomicUsize::new(0);
    impl Hooks<u64> for Failing {
        type Readers = acedia::pool::Global;

        fn make() -> u64 {
            assert!(FAILS.load(Ordering::Relaxed) > 0, "make");
            0
        }
    }
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(2);
    let fails = |work: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
    for _ in 0..3 {
        fails(&|| drop(pool.allocate_with(|_| std::panic::resume_unwind(Box::new("in the start")))));
        has_room_for(&pool, 2);
        fails(&|| {
            let reserved = pool.reserve();
            drop(reserved.fill(|_| std::panic::resume_unwind(Box::new("in the start"))));
        });
        has_room_for(&pool, 2);
        fails(&|| drop(pool.allocate_with(|n| *n = BAD)));
        has_room_for(&pool, 2);
        fails(&|| {
            let _ = pool.free(pool.allocate_with(|n| *n = BAD).into_manual());
        });
        has_room_for(&pool, 2);
        // Contained: the finalizer runs at the end of the pin.
        let owner = pool.allocate_with(|n| *n = BAD);
        let _ = owner.handle();
        let pinned = pin();
        drop(owner);
        drop(pinned);
        has_room_for(&pool, 2);
    }

    let pool: Pool<u64, Failing> = Pool::with_hooks().bounded(2);
    for _ in 0..3 {
        fails(&|| drop(pool.allocate()));
        fails(&|| drop(pool.try_reserve()));
    }
    FAILS.store(1, Ordering::Relaxed);
    has_room_for(&pool, 2);
}

/// The last life of a slot leaves its room to another slot.
#[test]
fn room_comes_back_after_worn_lives() {
    let _alone = alone();
    for policy in [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(1), PoolPolicy::KeepNone] {
        let pool: Pool<u64, Ending> = Pool::with_hooks().keep(policy).bounded(2);
        for round in 0..6 {
            let mut owner = pool.allocate();
            pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
            let key = owner.handle();
            let pinned = (round % 3 == 1).then(pin);
            let guard = (round % 3 == 2).then(|| pool.guard(key));
            drop(owner);
            drop((pinned, guard));
            assert!(!pool.contains(key));
            has_room_for(&pool, 2);
        }
    }
}

/// The largest numbers are like any others, and the smallest one is, too.
#[test]
fn the_largest_bound_and_the_largest_limit() {
    let _alone = alone();
    let bounded: Pool<u64> = Pool::new().bounded(usize::MAX);
    let limited: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(usize::MAX));
    let both: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(usize::MAX)).bounded(usize::MAX);
    for pool in [&bounded, &limited, &both] {
        for _ in 0..3 {
            let owners: Vec<_> = (0..1000).map(|_| pool.try_allocate().unwrap()).collect();
            assert_eq!(pool.stats().live, 1000);
            drop(owners);
            let stats = pool.stats();
            assert_eq!((stats.live, stats.kept), (0, 1000), "{stats:?}");
        }
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        assert_eq!(pool.stats().kept, 1);
        pool.set_policy(PoolPolicy::KeepAtMost(usize::MAX)).unwrap();
        drop((pool.allocate(), pool.allocate()));
        assert_eq!(
            (pool.policy(), pool.stats().kept),
            (PoolPolicy::KeepAtMost(usize::MAX), 2)
        );
    }
    has_room_for(&Pool::<u64>::new().bounded(0), 0);
}

/// A refused value comes back with the error.
#[test]
fn a_full_pool_returns_the_value() {
    let pool: Values<String> = Values::new().bounded(1);
    let _only = pool.insert("one".to_owned());
    let (error, returned) = pool.try_insert("two".to_owned()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pool of alloc::string::String is full: it is bounded to 1 objects, and all are in use"
    );
    assert_eq!(returned, "two");
}
