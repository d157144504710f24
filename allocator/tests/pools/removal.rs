//! `retain`, `clear`, `drain`: the end of many lives through `&mut`, which no reader delays.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia::pool::Global;
use acedia::{Handle, Pool, Reason, Values};

use super::support::{POLICIES, PinElsewhere, alone, existing, hooks, sized};

/// Fills the pool with `count` values that share `witness`.
fn fill(pool: &Values<Arc<()>>, witness: &Arc<()>, count: usize) -> Vec<Handle<Arc<()>>> {
    (0..count)
        .map(|_| pool.insert(Arc::clone(witness)).into_manual())
        .collect()
}

#[test]
fn values_are_dropped_at_once_under_a_pin() {
    const COUNT: usize = 100;
    let _alone = alone();
    let _pin = PinElsewhere::new::<Global>();
    let ways: [fn(&mut Values<Arc<()>>); 4] = [
        |pool| pool.clear(),
        |pool| pool.retain(|_, _| false),
        |pool| pool.drain().for_each(drop),
        |pool| drop(pool.drain()),
    ];
    for policy in POLICIES {
        let witness = Arc::new(());
        let mut pool: Values<Arc<()>> = Values::new().keep(policy);
        for way in ways {
            let old = fill(&pool, &witness, COUNT);
            way(&mut pool);
            let stats = pool.stats();
            assert_eq!((Arc::strong_count(&witness), stats.live, stats.waiting), (1, 0, 0));
            assert_eq!(stats.kept, policy.limit().unwrap_or(COUNT) as u64);
            assert!(old.iter().all(|&handle| !pool.contains(handle)));
        }
        let some = fill(&pool, &witness, COUNT);
        let mut nth = 0;
        pool.retain(|_, _| {
            nth += 1;
            nth % 4 == 0
        });
        assert_eq!(Arc::strong_count(&witness), 1 + COUNT / 4);
        assert_eq!(some.iter().filter(|&&handle| pool.contains(handle)).count(), COUNT / 4);
    }
}

/// Objects without a finalizer come back at once, too.
#[test]
fn a_pool_that_is_cleared_and_filled_under_a_pin_does_not_grow() {
    const COUNT: usize = 1_000;
    let _alone = alone();
    let _pin = PinElsewhere::new::<Global>();
    let (mut values, mut objects, mut drained) = (Values::<Box<u64>>::new(), Pool::<u64>::new(), Pool::<u64>::new());
    for _ in 0..sized(100, 500, 3) {
        for number in 0..COUNT as u64 {
            let _ = values.insert(Box::new(number)).into_manual();
            let _ = objects.allocate().into_manual();
            let _ = drained.allocate().into_manual();
        }
        values.clear();
        objects.clear();
        assert_eq!(drained.drain().count(), COUNT);
    }
    for stats in [values.stats(), objects.stats(), drained.stats()] {
        assert_eq!((stats.live, stats.waiting), (0, 0));
        assert!(existing(stats) <= 2 * COUNT as u64, "{stats:?}");
    }
}

/// The iterator removes what it has not returned, and what it has returned belongs to the caller.
#[test]
fn a_drain_that_is_dropped_early() {
    let _alone = alone();
    let witness = Arc::new(());
    let mut pool: Values<Arc<()>> = Values::new();
    for taken in [0, 1, 4, 9, 10] {
        let old = fill(&pool, &witness, 10);
        let mut drain = pool.drain();
        let owners: Vec<_> = drain.by_ref().take(taken).collect();
        assert_eq!(owners.len(), taken);
        drop(drain);
        assert_eq!(Arc::strong_count(&witness), 1 + taken);
        assert!(owners.iter().all(|owner| Arc::ptr_eq(owner, &witness)));
        drop(owners);
        assert_eq!((Arc::strong_count(&witness), pool.stats().live), (1, 0));
        assert!(old.into_iter().all(|handle| pool.try_with(handle, |_| ()).is_err()));
    }
    let all = fill(&pool, &witness, 3);
    std::mem::forget(pool.drain());
    assert!(all.iter().all(|&handle| pool.contains(handle)), "nothing was taken");
}

/// A handle is stale as soon as the iterator has returned the owner.
#[test]
fn the_handles_of_a_drained_object_are_stale_while_it_lives() {
    let _alone = alone();
    let mut pool: Pool<u64> = Pool::new();
    let old = pool.allocate_with(|n| *n = 7).into_manual();
    let owner = pool.drain().next().expect("an object");
    assert_eq!((*owner, owner.index()), (7, old.index()));
    let new = owner.handle();
    assert!(new != old && new.life() > old.life());
    drop(owner);
    for handle in [old, new] {
        let error = pool.try_with(handle, |_| ()).unwrap_err();
        assert!(matches!(error.reason(), Reason::Freed | Reason::Reused), "{error}");
    }
}

/// Each object is finalized once, even those after one whose finalizer panics.
#[test]
fn finalizers_run_once_also_after_a_panic() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    hooks!(Ending: u64 = 0, end |n| {
        ENDED.fetch_add(1, Ordering::Relaxed);
        if std::mem::take(n) == 3 {
            resume_unwind(Box::new("on purpose"));
        }
    });
    let _alone = alone();
    let mut pool: Pool<u64, Ending> = Pool::with_hooks();
    for (drains, ended) in [(false, 3), (true, 6)] {
        ENDED.store(0, Ordering::Relaxed);
        for number in 1..=6 {
            let _ = pool.allocate_with(|n| *n = number).into_manual();
        }
        let end = || if drains { drop(pool.drain()) } else { pool.clear() };
        assert!(catch_unwind(AssertUnwindSafe(end)).is_err());
        // The drop of the iterator goes on after the panic; `clear` stops there, and the rest lives.
        assert_eq!(
            (ENDED.load(Ordering::Relaxed), pool.stats().live),
            (ended, 6 - ended as u64)
        );
        pool.clear();
        assert_eq!((ENDED.load(Ordering::Relaxed), pool.stats().live), (6, 0));
    }
}
