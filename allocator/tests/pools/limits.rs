//! Limits of free objects: exact below 4,096; above, of the threads' shared stock.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use acedia::pool::{Global, Hooks};
use acedia::{Owned, Pool, PoolPolicy, pin};

use super::support::{Barrier, Rng, alone, beside, crew, existing, sized, together};

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
    type Readers = Global;

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
        owners.truncate(rng.below(most));
        drop(pinned);
    }
}

/// With no thread at work, `stats` tells the truth, and the limit holds.
#[track_caller]
fn at_rest<const ENDS: bool>(pool: &Counts<ENDS>, policy: PoolPolicy) -> u64 {
    pool.settle();
    let stats = pool.stats();
    let counts = [stats.live, stats.waiting, stats.kept];
    assert_eq!(counts, [0, 0, counted()], "{policy}: {stats:?}");
    let holds = policy.limit().is_none_or(|limit| stats.kept <= limit as u64);
    assert!(holds, "{policy}: {stats:?}");
    stats.kept
}

/// Once no thread is at work, an exact limit holds for all threads together.
fn several_threads_under_an_exact_limit<const ENDS: bool>() {
    for limit in [0, 1, 10, 500, 4095] {
        let policy = PoolPolicy::KeepAtMost(limit);
        let pool: Counts<ENDS> = Pool::with_hooks().keep(policy);
        let (all_rest, go_on) = (Barrier::new(4), Barrier::new(4));
        let most = (2 * limit + 20).min(sized(1000, 1000, 30));
        let work = |seed: u64| {
            for round in 0..3 {
                churn(&pool, seed + 10 * round, sized(20, 60, 2), most);
                all_rest.wait();
                go_on.wait();
            }
        };
        crew(1..=3, work, || {
            for _ in 0..3 {
                all_rest.wait();
                at_rest(&pool, policy);
                go_on.wait();
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

/// The limit is lowered, raised, and taken away while threads work. Then the last limit holds, and no object is lost.
fn a_limit_changes_under_work<const ENDS: bool>(limits: &[PoolPolicy]) {
    for last in limits {
        let pool: Counts<ENDS> = Pool::with_hooks();
        let next = AtomicU64::new(9);
        let change = || {
            let nth = Rng(next.fetch_add(1, Ordering::Relaxed)).below(limits.len());
            pool.set_policy(limits[nth]).unwrap();
            thread::yield_now();
        };
        beside(1, change, || {
            together([1, 2], |seed| churn(&pool, seed, sized(150, 1000, 3), 300))
        });
        pool.set_policy(*last).unwrap();
        let kept = at_rest(&pool, *last);
        // Every object that is kept can be had, and there is none twice.
        let all: Vec<_> = (0..kept).map(|_| pool.allocate()).collect();
        let indices: BTreeSet<_> = all.iter().map(Owned::index).collect();
        assert_eq!(indices.len(), all.len(), "{last}");
        assert_eq!((counted(), pool.stats().kept), (kept, 0), "{last}: out of reach");
        drop(all);
        pool.collect();
        assert_eq!((pool.stats().kept, counted()), (0, 0), "{last}");
    }
}

#[test]
fn a_limit_that_changes_while_threads_work() {
    use PoolPolicy::{KeepAll, KeepAtMost, KeepNone};
    let _alone = alone();
    let limits = [KeepAll, KeepAtMost(100), KeepAtMost(20), KeepNone, KeepAtMost(4096)];
    a_limit_changes_under_work::<false>(&limits);
    a_limit_changes_under_work::<true>(&limits);
    // Only exact limits, so that an object is in a cell above the new limit.
    a_limit_changes_under_work::<false>(&[2000, 300, 40, 5].map(KeepAtMost));
}

/// A high limit applies to the stock. Each thread may keep 766 free objects more.
#[test]
fn a_high_limit() {
    const LIMIT: u64 = 5_000;
    const THREADS: usize = 3;
    let _alone = alone();
    let pool: Counts<false> = Pool::with_hooks().keep(PoolPolicy::from_limit(5_000));
    let (full, checked) = (Barrier::new(THREADS + 1), Barrier::new(THREADS + 1));
    let work = |_| {
        let owners: Vec<_> = (0..2 * LIMIT).map(|_| pool.allocate()).collect();
        drop(owners);
        full.wait();
        checked.wait();
    };
    crew(0..THREADS, work, || {
        full.wait();
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (0, counted()), "{stats:?}");
        let most = LIMIT + THREADS as u64 * OF_A_THREAD;
        assert!((LIMIT..=most).contains(&stats.kept), "{stats:?}");
        checked.wait();
    });
    // This thread may take from the stock only what the limit lets the pool keep there; the other threads have ended.
    let before = counted();
    assert!(before <= LIMIT, "the lists of ended threads: {before}");
    let made = MADE.load(Ordering::Relaxed);
    let all: Vec<_> = (0..before).map(|_| pool.allocate()).collect();
    assert_eq!(MADE.load(Ordering::Relaxed), made, "free objects are out of reach");
    drop(all);
    assert!(existing(pool.stats()) <= LIMIT + OF_A_THREAD);
}

/// The largest numbers are like any others.
#[test]
fn the_largest_bound_and_the_largest_limit() {
    let _alone = alone();
    let largest = PoolPolicy::KeepAtMost(usize::MAX);
    let pools: [Pool<u64>; 3] = [
        Pool::new().bounded(usize::MAX),
        Pool::new().keep(largest),
        Pool::new().keep(largest).bounded(usize::MAX),
    ];
    for pool in &pools {
        for _ in 0..3 {
            let owners: Vec<_> = (0..1000).map(|_| pool.try_allocate().unwrap()).collect();
            assert_eq!(pool.stats().live, 1000);
            drop(owners);
            assert_eq!((pool.stats().live, pool.stats().kept), (0, 1000));
        }
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        assert_eq!(pool.stats().kept, 1);
        pool.set_policy(largest).unwrap();
        drop((pool.allocate(), pool.allocate()));
        assert_eq!((pool.policy(), pool.stats().kept), (largest, 2));
    }
}
