//! Waiting for room in a bounded pool.

use crate::pool::Pool;
use crate::pool::models::{BEGUN, Beginning, Payload, both, model, saw};

fn allocate(pool: &Pool<Payload, Beginning>) {
    let (owner, how) = match pool.try_allocate() {
        Ok(owner) => (owner, "at once"),
        Err(_) => (pool.allocate_waiting(None).unwrap(), "waited"),
    };
    assert_eq!(owner.read(), BEGUN);
    saw(how);
}

/// A waiter is woken by the thread that makes room.
#[test]
fn room_for_a_waiter() {
    model(&["at once", "waited"], || {
        let pool = Pool::with_hooks().bounded(1);
        let owner = pool.allocate();
        both(|| drop(owner), || allocate(&pool));
        assert_eq!(pool.stats().live, 0);
    });
}

/// Of two waiters, one wakes the other.
#[test]
fn room_for_two_waiters() {
    model(&["at once", "waited"], || {
        let pool = Pool::with_hooks().bounded(1);
        let owner = pool.allocate();
        both(|| both(|| drop(owner), || allocate(&pool)), || allocate(&pool));
        assert_eq!(pool.stats().live, 0);
    });
}
