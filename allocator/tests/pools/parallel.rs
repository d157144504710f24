//! The living objects on the threads of rayon.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use acedia::{Pool, pin};
use rayon::prelude::*;

use super::support::{alone, beside, handles};

const SLOTS: u64 = if cfg!(miri) { 300 } else { 10_000 };

/// An object that lives throughout is seen once, and none is seen twice, while another thread frees, reuses and lets the pool grow.
#[test]
fn each_object_that_lives_throughout_is_seen_once() {
    let _alone = alone();
    let pool: Pool<AtomicU64> = Pool::new();
    let make = |number| pool.allocate_with(|it| *it.get_mut() = number);
    assert!(pool.is_empty() && pool.par_iter(&pin()).count() == 0);
    let keep: BTreeSet<_> = (0..SLOTS).map(|number| make(number).into_manual()).collect();
    let changes = AtomicU64::new(0);
    let work = || {
        let owners: Vec<_> = (0..600).map(|_| make(u64::MAX)).collect();
        handles(&owners);
        drop(owners);
        let _ = pool.collect();
        changes.fetch_add(1, Ordering::Relaxed);
    };
    beside(1, work, || {
        let mut rounds = 0;
        while rounds < 5 || changes.load(Ordering::Relaxed) < 5 {
            rounds += 1;
            let pinned = pin();
            let read = |it: &AtomicU64| it.load(Ordering::Relaxed);
            let seen: Vec<_> = pool.par_iter(&pinned).map(|(handle, it)| (handle, read(it))).collect();
            let different: BTreeSet<_> = seen.iter().map(|(handle, _)| *handle).collect();
            assert_eq!(different.len(), seen.len(), "a handle was seen twice");
            assert!(different.is_superset(&keep));
            let (kept, new): (Vec<_>, Vec<_>) = seen.into_iter().partition(|(handle, _)| keep.contains(handle));
            assert_eq!(kept.iter().map(|(_, it)| it).sum::<u64>(), (0..SLOTS).sum::<u64>());
            assert!(new.iter().all(|(_, it)| *it == u64::MAX));
        }
    });
    assert_eq!(pool.len() as u64, SLOTS);
}
