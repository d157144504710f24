//! `retain`, `clear`, `drain`: the end of many lives by `&mut`, which no reader delays.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;

use acedia::pool::{Domain, Global, Handle, Hooks, Pool, Values, pin};
use acedia::{PoolPolicy, Reason};
use support::{alone, existing, sized};

/// Calls `work` while another thread is pinned, which has never used the pools of `work`.
fn under_a_pin_elsewhere<R>(work: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        let (pinned, is_pinned) = channel();
        let (unpin, unpins) = channel::<()>();
        let holder = scope.spawn(move || {
            let pin = pin();
            pinned.send(()).unwrap();
            let _ = unpins.recv();
            drop(pin);
        });
        is_pinned.recv().unwrap();
        let result = catch_unwind(AssertUnwindSafe(work));
        assert_eq!(Global::pinned_threads().len(), 1);
        drop(unpin);
        holder.join().unwrap();
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

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
    for policy in [PoolPolicy::KeepAll, PoolPolicy::KeepAtMost(10), PoolPolicy::KeepNone] {
        let witness = Arc::new(());
        let mut pool: Values<Arc<()>> = Values::new().keep(policy);
        under_a_pin_elsewhere(|| {
            let ways: [fn(&mut Values<Arc<()>>); 4] = [
                |pool| pool.clear(),
                |pool| pool.retain(|_, _| false),
                |pool| pool.drain().for_each(drop),
                |pool| drop(pool.drain()),
            ];
            for way in ways {
                let keys = fill(&pool, &witness, COUNT);
                way(&mut pool);
                let stats = pool.stats();
                assert_eq!((Arc::strong_count(&witness), stats.live, stats.waiting), (1, 0, 0));
                assert_eq!(stats.kept, policy.limit().unwrap_or(COUNT) as u64);
                assert!(keys.iter().all(|&key| !pool.contains(key)));
            }
            let keys = fill(&pool, &witness, COUNT);
            let mut nth = 0;
            pool.retain(|_, _| {
                nth += 1;
                nth % 4 == 0
            });
            assert_eq!(Arc::strong_count(&witness), 1 + COUNT / 4);
            assert_eq!(keys.iter().filter(|&&key| pool.contains(key)).count(), COUNT / 4);
            pool.clear();
        });
    }
}

/// Objects without a finalizer come back at once, too.
#[test]
fn a_pool_that_is_cleared_and_filled_under_a_pin_does_not_grow() {
    const COUNT: usize = 1_000;
    let _alone = alone();
    let mut values: Values<Box<u64>> = Values::new();
    let mut objects: Pool<u64> = Pool::new();
    let mut drained: Pool<u64> = Pool::new();
    under_a_pin_elsewhere(|| {
        for _ in 0..sized(500, 500, 3) {
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
    });
}

/// The iterator removes what it has not returned, and what it has returned belongs to the caller.
#[test]
fn a_drain_that_is_dropped_early() {
    let _alone = alone();
    let witness = Arc::new(());
    let mut pool: Values<Arc<()>> = Values::new();
    for taken in [0, 1, 4, 9, 10] {
        let keys = fill(&pool, &witness, 10);
        let mut drain = pool.drain();
        let owners: Vec<_> = drain.by_ref().take(taken).collect();
        assert_eq!(owners.len(), taken);
        drop(drain);
        assert_eq!(Arc::strong_count(&witness), 1 + taken);
        assert!(owners.iter().all(|owner| Arc::ptr_eq(owner, &witness)));
        drop(owners);
        assert_eq!((Arc::strong_count(&witness), pool.stats().live), (1, 0));
        for key in keys {
            assert!(pool.try_with(key, |_| ()).is_err());
        }
    }
    let keys = fill(&pool, &witness, 3);
    std::mem::forget(pool.drain());
    assert!(keys.iter().all(|&key| pool.contains(key)), "nothing was taken");
}

/// A key is stale from the moment on at which the iterator has returned the owner.
#[test]
fn the_keys_of_a_drained_object_are_stale_while_it_lives() {
    let _alone = alone();
    let mut pool: Pool<u64> = Pool::new();
    let key = pool.allocate_with(|n| *n = 7).into_manual();
    let owner = pool.drain().next().expect("an object");
    assert_eq!((*owner, owner.index()), (7, key.index()));
    let new = owner.handle();
    assert!(new != key && new.life() > key.life());
    drop(owner);
    for key in [key, new] {
        let error = pool.try_with(key, |_| ()).unwrap_err();
        assert!(matches!(error.reason(), Reason::Freed | Reason::Reused), "{error}");
    }
}

/// Each object is finalized once, also those after one whose finalizer panics.
#[test]
fn finalizers_run_once_also_after_a_panic() {
    static ENDED: AtomicUsize = AtomicUsize::new(0);
    struct Ending;
    impl Hooks<u64> for Ending {
        type Readers = Global;

        fn make() -> u64 {
            0
        }

        const END: Option<fn(&mut u64)> = Some(|n| {
            ENDED.fetch_add(1, Ordering::Relaxed);
            if std::mem::take(n) == 3 {
                std::panic::resume_unwind(Box::new("on purpose"));
            }
        });
    }
    let _alone = alone();
    let mut pool: Pool<u64, Ending> = Pool::with_hooks();
    for (drains, ended) in [(false, 3), (true, 6)] {
        ENDED.store(0, Ordering::Relaxed);
        for number in 1..=6 {
            let _ = pool.allocate_with(|n| *n = number).into_manual();
        }
        let end = || if drains { drop(pool.drain()) } else { pool.clear() };
        assert!(catch_unwind(AssertUnwindSafe(end)).is_err());
        assert_eq!(ENDED.load(Ordering::Relaxed), ended);
        // The drop of the iterator goes on after the panic; `clear` stops there, and the rest lives.
        assert_eq!(pool.stats().live, 6 - ended as u64);
        pool.clear();
        assert_eq!((ENDED.load(Ordering::Relaxed), pool.stats().live), (6, 0));
    }
}

/// Of several threads that free an object by its key, one succeeds. The others get an error that is true.
#[test]
fn one_of_several_frees_succeeds() {
    const THREADS: usize = 3;
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let rounds = sized(2_000, 20_000, 20);
    let keys: Vec<Handle<u64>> = (0..rounds).map(|_| pool.allocate().into_manual()).collect();
    let start = Barrier::new(THREADS);
    let freed = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                start.wait();
                for &key in &keys {
                    match pool.free(key) {
                        Ok(()) => _ = freed.fetch_add(1, Ordering::Relaxed),
                        Err(error) => assert!(
                            matches!(error.reason(), Reason::Freed | Reason::Reused | Reason::Owned),
                            "{error}"
                        ),
                    }
                }
            });
        }
    });
    assert_eq!((freed.load(Ordering::Relaxed), pool.stats().live), (rounds, 0));
}
