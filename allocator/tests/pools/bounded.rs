//! Bounded pools: never more objects in use than the bound, and no capacity is lost.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use acedia::pool::Hooks;
use acedia::{AllocateError, Pool, pin};

use super::support::{alone, existing, hooks};

static MADE: AtomicU64 = AtomicU64::new(0);

/// Objects with this number panic when they end.
const BAD: u64 = u64::MAX;

fn make() -> u64 {
    MADE.fetch_add(1, Ordering::Relaxed);
    0
}

fn fail() {
    resume_unwind(Box::new("on purpose"));
}

hooks!(Ending: u64 = make(), end |n| if std::mem::take(n) == BAD { fail() });

/// Fills the pool, checks that it refuses one more and says why, and empties it.
#[track_caller]
fn has_room_for<H: Hooks<u64>>(pool: &Pool<u64, H>, bound: usize) {
    let all: Vec<_> = (0..bound).map_while(|_| pool.try_allocate().ok()).collect();
    assert_eq!(all.len(), bound, "room was lost");
    let refused = pool.try_allocate().unwrap_err();
    assert!(
        matches!(refused, AllocateError::Full { capacity, .. } if capacity == bound),
        "{refused}"
    );
    assert!(pool.try_reserve().is_err() && pool.try_allocate_fresh().is_err());
}

/// Every event that ends a use frees capacity, and none before it.
#[test]
fn whatever_makes_room() {
    let _alone = alone();
    let mut pool: Pool<u64, Ending> = Pool::with_hooks().bounded(1);
    let is_full = || pool.try_allocate().is_err();

    let owner = pool.allocate();
    let other = owner.clone();
    assert!(is_full());
    owner.free();
    assert!(is_full(), "the other owner");
    drop(other);
    has_room_for(&pool, 1);

    let reserved = pool.reserve();
    assert!(is_full(), "a reservation");
    drop(reserved);
    has_room_for(&pool, 1);

    let handle = pool.allocate().into_manual();
    assert!(is_full());
    assert!(pool.free(handle).is_ok() && pool.free(handle).is_err());
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

    let ends: [fn(&mut Pool<u64, Ending>); 3] = [
        |pool| pool.clear(),
        |pool| drop(pool.drain()),
        |pool| assert_eq!(pool.drain().count(), 1),
    ];
    for end in ends {
        let _ = pool.allocate().into_manual();
        end(&mut pool);
        has_room_for(&pool, 1);
    }
    has_room_for(&Pool::<u64>::new().bounded(0), 0);
}

/// A panic in user code costs an object, but no capacity.
#[test]
fn room_comes_back_after_panics() {
    static FAILS: AtomicBool = AtomicBool::new(true);
    hooks!(Failing: u64 = { assert!(!FAILS.load(Ordering::Relaxed), "make"); 0 });
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(2);
    let bad = || pool.allocate_with(|n| *n = BAD);
    let in_time: [&dyn Fn(); 4] = [
        &|| drop(pool.allocate_with(|_| fail())),
        &|| drop(pool.reserve().fill(|_| fail())),
        &|| drop(bad()),
        &|| _ = pool.free(bad().into_manual()),
    ];
    for _ in 0..3 {
        for work in in_time {
            assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
            has_room_for(&pool, 2);
        }
        // Contained: the finalizer runs at the end of the pin.
        let owner = bad();
        let _ = owner.handle();
        let pinned = pin();
        drop(owner);
        drop(pinned);
        has_room_for(&pool, 2);
    }

    let pool: Pool<u64, Failing> = Pool::with_hooks().bounded(2);
    for _ in 0..3 {
        assert!(catch_unwind(|| drop(pool.allocate())).is_err());
        assert!(catch_unwind(|| drop(pool.try_reserve())).is_err());
    }
    FAILS.store(false, Ordering::Relaxed);
    has_room_for(&pool, 2);
}
