//! A collection with concurrent readers.

use crate::pool::models::{BEGUN, Beginning, Payload, both, by_guard, by_pin, model, saw};
use crate::pool::{Handle, Pool, pin};

/// An object is freed and its pool collected, while another thread reads.
fn collect_against(read: fn(&Pool<Payload, Beginning>, Handle<Payload>)) {
    model(&["live", "stale", "dropped", "kept"], move || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        let collect = || {
            drop(owner);
            saw(if pool.collect().objects == 1 { "dropped" } else { "kept" });
        };
        both(collect, || read(&pool, handle));
        assert!(pool.get(handle, &pin()).is_none());
        assert_ne!(pool.allocate().handle(), handle, "issued twice");
    });
}

#[test]
fn collect_against_pin() {
    collect_against(by_pin);
}

#[test]
fn collect_against_guard() {
    collect_against(by_guard);
}

/// A page next to a living object is returned, while another thread allocates. No life is issued twice.
#[test]
fn collect_against_allocation() {
    model(&["dropped", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        // The first four share a page, the last is on another.
        let owners = [(); 4].map(|()| pool.allocate());
        let alive = pool.allocate();
        let handles = owners.each_ref().map(|owner| owner.handle());
        let kept = alive.handle();
        // The thread's end leaves them to all threads.
        both(|| (), || drop(owners));
        let (mine, dropped) = both(|| pool.allocate(), || pool.collect().objects);
        saw(if dropped == 4 { "dropped" } else { "reused" });
        let again = [(); 4].map(|()| pool.allocate());
        let new = again.iter().chain([&mine]).map(|owner| owner.handle());
        assert!(new.into_iter().all(|handle| !handles.contains(&handle)), "issued twice");
        assert_eq!(pool.get(kept, &pin()).map(|object| object.read()), Some(BEGUN));
        drop(alive);
    });
}
