//! Limits of free objects: exact below 4,096; above, of the stock that all threads share.

mod support;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use acedia::PoolPolicy;
use acedia::pool::{Hooks, Pool, pin};
use support::{Rng, alone, existing, sized};

/// The most free objects that a thread keeps for itself.
const OF_A_THREAD: u64 = 766;

static MADE: AtomicU64 = AtomicU64::new(0);
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// An object that is counted. One test at a time uses it.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

/// With a finalizer, or without one.
struct Counting<const ENDS: bool>;

impl<const ENDS: bool> Hooks<Counted> for Counting<ENDS> {
    type Readers = acedia::pool::Global;

    fn make() -> Counted {
        MADE.fetch_add(1, Ordering::Relaxed);
        Counted
    }

    const END: Option<fn(&mut Counted)> = if ENDS { Some(|_| ()) } else { None };
}

type Counts<const ENDS: bool> = Pool<Counted, Counting<ENDS>>;

/// The objects that exist, by their own count.
fn counted() -> u64 {
    MADE.load(Ordering::Relaxed) - DROPPED.load(Ordering::Relaxed)
}

/// Allocates and frees at random, with and without readers.
fn churn<const ENDS: bool>(pool: &Counts<ENDS>, seed: u64, steps: usize, most: usize) {
    let mut rng = Rng(seed);
    let mut owners = Vec::new();
    for _ in 0..steps {
        for _ in 0..rng.below(most) {
            let owner = pool.allocate();
            match rng.below(4) {
                0 => _ = owner.handle(),
                1 => drop(pool.guard(owner.handle())),
                _ => (),
            }
            owners.push(owner);
        }
        let pinned = (rng.below(4) == 0).then(pin);
        let left = rng.below(most);
        owners.truncate(left);
        drop(pinned);
    }
}

/// Once no thread is at work, an exact limit holds for all threads together, and `stats` tells the truth.
fn several_threads_under_an_exact_limit<const ENDS: bool>() {
    for limit in [0, 1, 10, 500, 4095] {
        let pool: Counts<ENDS> = Pool::with_hooks().keep(PoolPolicy::KeepAtMost(limit));
        let (at_rest, go_on) = (Barrier::new(4), Barrier::new(4));
        let most = (2 * limit + 20).min(sized(1000, 1000, 30));
        thread::scope(|scope| {
            for seed in 1..=3 {
                let (pool, at_rest, go_on) = (&pool, &at_rest, &go_on);
                scope.spawn(move || {
                    for round in 0..3 {
                        churn(pool, seed + 10 * round, sized(20, 60, 2), most);
                        at_rest.wait();
                        go_on.wait();
                    }
                });
            }
            let at_rests = [(); 3].map(|()| {
                at_rest.wait();
                pool.settle();
                let seen = (pool.stats(), counted());
                go_on.wait();
                seen
            });
            // Not before: a thread that waits does not see a panic of this one.
            for (stats, exist) in at_rests {
                assert_eq!((stats.live, stats.waiting), (0, 0), "{stats:?}");
                assert!(stats.kept <= limit as u64, "{limit}: {stats:?}");
                assert_eq!(stats.kept, exist, "{limit}");
            }
        });
        let kept = pool.stats().kept;
        assert_eq!((pool.collect().objects, counted()), (kept, 0));
    }
}

#[test]
fn an_exact_limit_holds_for_all_threads_together() {
    let _alone = alone();
    several_threads_under_an_exact_limit::<false>();
    several_threads_under_an_exact_limit::<true>();
}

/// On one thread, a limited pool is a stack: what was freed last is allocated first, and what is above the limit is dropped at the free.
#[test]
fn one_thread_reuses_what_it_freed_last() {
    let _alone = alone();
    for limit in [1, 2, 7, 100] {
        let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(limit));
        let owners: Vec<_> = (0..limit + 3)
            .map(|at| pool.allocate_with(|n| *n = 1 + at as u64))
            .collect();
        drop(owners);
        assert_eq!(pool.stats().kept, limit as u64);
        // A vector drops its elements in order, so the first ones are kept.
        let again: Vec<_> = (0..=limit).map(|_| pool.allocate()).collect();
        let numbers: Vec<u64> = again.iter().map(|owner| **owner).collect();
        let expected: Vec<u64> = (1..=limit as u64).rev().chain([0]).collect();
        assert_eq!(numbers, expected);
        let mut rng = Rng(limit as u64);
        let (mut owners, mut free) = (again, Vec::new());
        for _ in 0..sized(2_000, 20_000, 100) {
            if rng.below(2) == 0 {
                let owner = pool.allocate();
                if let Some(last) = free.pop() {
                    assert_eq!(owner.index(), last);
                }
                owners.push(owner);
            } else if !owners.is_empty() {
                let owner = owners.swap_remove(rng.below(owners.len()));
                if free.len() < limit {
                    free.push(owner.index());
                }
                drop(owner);
            }
            assert_eq!(pool.stats().kept, free.len() as u64);
        }
    }
}

/// The limit is lowered, raised, and taken away while threads work. Then the last limit holds, and no object is lost.
fn a_limit_changes_under_work<const ENDS: bool>(limits: &[PoolPolicy]) {
    for last in limits {
        let pool: Counts<ENDS> = Pool::with_hooks();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let workers: Vec<_> = (1..=2)
                .map(|seed| {
                    let pool = &pool;
                    scope.spawn(move || churn(pool, seed, sized(150, 1000, 3), 300))
                })
                .collect();
            scope.spawn(|| {
                let mut rng = Rng(9);
                while !stop.load(Ordering::Relaxed) {
                    pool.set_policy(limits[rng.below(limits.len())]).unwrap();
                    thread::yield_now();
                }
                pool.set_policy(*last).unwrap();
            });
            for worker in workers {
                worker.join().unwrap();
            }
            stop.store(true, Ordering::Relaxed);
        });
        pool.settle();
        let stats = pool.stats();
        assert_eq!((stats.live, stats.waiting), (0, 0), "{last}: {stats:?}");
        assert_eq!(stats.kept, counted(), "{last}");
        assert!(
            last.limit().is_none_or(|limit| stats.kept <= limit as u64),
            "{last}: {stats:?}"
        );
        // Every object that is kept can be had, and there is none twice.
        let all: Vec<_> = (0..stats.kept).map(|_| pool.allocate()).collect();
        let mut indices: Vec<_> = all.iter().map(acedia::pool::Owned::index).collect();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), all.len(), "{last}");
        assert_eq!((counted(), pool.stats().kept), (stats.kept, 0), "{last}: out of reach");
        drop(all);
        pool.collect();
        assert_eq!((pool.stats().kept, counted()), (0, 0), "{last}");
    }
}

#[test]
fn a_limit_that_changes_while_threads_work() {
    let _alone = alone();
    let limits = [
        PoolPolicy::KeepAll,
        PoolPolicy::KeepAtMost(100),
        PoolPolicy::KeepAtMost(20),
        PoolPolicy::KeepNone,
        PoolPolicy::KeepAtMost(4096),
    ];
    a_limit_changes_under_work::<false>(&limits);
    a_limit_changes_under_work::<true>(&limits);
    // Only exact ones, so that an object is in a cell above the new limit.
    let exact = [2000, 300, 40, 5].map(PoolPolicy::KeepAtMost);
    a_limit_changes_under_work::<false>(&exact);
}

/// A high limit applies to the stock. Each thread may keep 766 free objects more.
#[test]
fn a_high_limit() {
    const LIMIT: u64 = 5_000;
    const THREADS: usize = 3;
    let _alone = alone();
    let pool: Counts<false> = Pool::with_hooks().keep(PoolPolicy::from_limit(5_000));
    let (full, checked) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
    let (stats, exist) = thread::scope(|scope| {
        let workers = [(); THREADS].map(|()| {
            scope.spawn(|| {
                let owners: Vec<_> = (0..2 * LIMIT).map(|_| pool.allocate()).collect();
                drop(owners);
                full.wait();
                checked.wait();
            })
        });
        full.wait();
        let seen = (pool.stats(), counted());
        checked.wait();
        for worker in workers {
            worker.join().unwrap();
        }
        seen
    });
    assert_eq!((stats.live, stats.kept), (0, exist), "{stats:?}");
    assert!(stats.kept >= LIMIT, "{stats:?}");
    assert!(stats.kept <= LIMIT + THREADS as u64 * OF_A_THREAD, "{stats:?}");
    // This thread may take from the stock only what the limit lets the pool keep there; the other threads have ended.
    let before = counted();
    assert!(before <= LIMIT, "the lists of ended threads: {before}");
    let made = MADE.load(Ordering::Relaxed);
    let all: Vec<_> = (0..before).map(|_| pool.allocate()).collect();
    assert_eq!(MADE.load(Ordering::Relaxed), made, "free objects are out of reach");
    drop(all);
    assert!(existing(pool.stats()) <= LIMIT + OF_A_THREAD);
}
