//! The living objects on the threads of rayon.
#![cfg(feature = "rayon")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use acedia::pool::{Pool, pin};
use acedia::{Object, class, pin as pin_global};
use rayon::prelude::*;

const SLOTS: u64 = if cfg!(miri) { 300 } else { 10_000 };

/// An object that lives throughout is seen once, and none twice, while another thread frees, reuses and lets the pool grow.
#[test]
fn each_object_that_lives_throughout_is_seen_once() {
    let pool: Pool<AtomicU64> = Pool::new();
    let keep: BTreeSet<_> = (0..SLOTS)
        .map(|number| pool.allocate_with(|it| *it.get_mut() = number).into_manual())
        .collect();
    let done = AtomicBool::new(false);
    let changes = AtomicU64::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let owners: Vec<_> = (0..600)
                    .map(|_| pool.allocate_with(|it| *it.get_mut() = u64::MAX))
                    .collect();
                assert!(owners.iter().all(|owner| pool.contains(owner.handle())));
                drop(owners);
                let _ = pool.collect();
                changes.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut rounds = 0;
        while rounds < 5 || changes.load(Ordering::Relaxed) < 5 {
            rounds += 1;
            let pinned = pin();
            let seen: Vec<_> = pool
                .par_iter(&pinned)
                .map(|(key, object)| (key, object.load(Ordering::Relaxed)))
                .collect();
            let keys: BTreeSet<_> = seen.iter().map(|(key, _)| *key).collect();
            assert_eq!(keys.len(), seen.len(), "a key was seen twice");
            assert!(keys.is_superset(&keep));
            let sum: u64 = seen
                .iter()
                .filter(|(key, _)| keep.contains(key))
                .map(|(_, it)| it)
                .sum();
            assert_eq!(sum, (0..SLOTS).sum());
            assert!(seen.iter().all(|(key, it)| keep.contains(key) || *it == u64::MAX));
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(pool.len() as u64, SLOTS);
}

/// An object that one of rayon's threads reads is not reused, also if another task, on the pin's own thread perhaps, frees it.
#[test]
fn tasks_free_what_others_read() {
    #[derive(Default)]
    struct Lamp(AtomicU64);
    impl Object for Lamp {
        class!(Lamp, "Parallel.Lamp");

        fn constructor(&mut self) {
            *self.0.get_mut() = 7;
        }

        const FINALIZER: Option<fn(&mut Self)> = Some(|lamp| *lamp.0.get_mut() = 0);
    }

    for _ in 0..SLOTS / 10 {
        let _ = Lamp::allocate().into_manual();
    }
    let pinned = pin_global();
    let read = AtomicU64::new(0);
    Lamp::pool().par_iter(&pinned).for_each(|(handle, lamp)| {
        handle.free().expect("it has a manual share");
        drop(Lamp::allocate());
        assert_eq!(lamp.0.load(Ordering::Relaxed), 7, "it was finalized under the pin");
        read.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(read.into_inner(), SLOTS / 10);
    drop(pinned);
    Lamp::class().collect();
    assert_eq!(Lamp::class().stats().live, 0);
    assert_eq!(Lamp::pool().iter(&pin_global()).count(), 0);
}

#[test]
fn an_unused_pool_has_no_objects() {
    let pool: Pool<u64> = Pool::new();
    assert_eq!(pool.par_iter(&pin()).count(), 0);
    assert!(pool.is_empty());
}
