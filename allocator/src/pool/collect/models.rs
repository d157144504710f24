//! A collection with concurrent readers.

use crate::pool::models::{BEGUN, Beginning, Payload, both, look, model, saw};
use crate::pool::{Owned, Pool, pin};

fn collect(pool: &Pool<Payload, Beginning>, owner: Owned<Payload, &'_ Pool<Payload, Beginning>>) {
    drop(owner);
    saw(if pool.collect().objects == 1 { "dropped" } else { "kept" });
}

#[test]
fn collect_against_pin() {
    model(&["live", "stale", "dropped", "kept"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.handle();
        both(|| collect(&pool, owner), || look(pool.get(key, &pin()), "stale"));
        assert!(pool.get(key, &pin()).is_none());
        assert_ne!(pool.allocate().handle(), key, "issued twice");
    });
}

#[test]
fn collect_against_guard() {
    model(&["live", "stale", "dropped", "kept"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.handle();
        both(|| collect(&pool, owner), || look(pool.guard(key), "stale"));
        assert_ne!(pool.allocate().handle(), key, "issued twice");
    });
}

/// A page is given back beside a living object, while another thread allocates. No life is issued twice.
#[test]
fn collect_against_allocation() {
    model(&["dropped", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        // The first four are on one page, the last is on another.
        let owners = [(); 4].map(|()| pool.allocate());
        let alive = pool.allocate();
        let keys = owners.each_ref().map(|owner| owner.handle());
        let kept = alive.handle();
        // A thread that ends leaves them to all threads.
        both(|| (), || drop(owners));
        let (mine, dropped) = both(|| pool.allocate(), || pool.collect().objects);
        saw(if dropped == 4 { "dropped" } else { "reused" });
        let again = [(); 4].map(|()| pool.allocate());
        let new = again.iter().chain([&mine]).map(|owner| owner.handle());
        assert!(new.into_iter().all(|key| !keys.contains(&key)), "issued twice");
        assert_eq!(pool.get(kept, &pin()).map(|object| object.read()), Some(BEGUN));
        drop(alive);
    });
}
