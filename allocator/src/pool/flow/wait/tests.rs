//! Magazines that wait for pins of a domain that no other test uses.

use std::sync::Arc;

use crate::PoolPolicy;
use crate::pool::list::magazine::MAGAZINE;
use crate::pool::{Domain, Hooks, Pool, Readers};
use crate::sync::plain::{AtomicU64, Ordering};

/// Objects of `D` without a finalizer, which count themselves.
struct Counting<D>(std::marker::PhantomData<fn() -> D>);

impl<D: Readers> Hooks<Arc<()>> for Counting<D> {
    type Readers = D;

    fn make() -> Arc<()> {
        Arc::default()
    }
}

/// Makes objects and frees them under a pin of this thread, so that a full magazine waits.
fn with_a_waiting_magazine<D: Domain>(pool: &Pool<Arc<()>, Counting<D>>, work: impl FnOnce()) {
    let pinned = D::pin();
    let owners: Vec<_> = (0..=MAGAZINE).map(|_| pool.allocate()).collect();
    for owner in &owners {
        let _ = owner.key();
    }
    drop(owners);
    assert_eq!(pool.stats().waiting, MAGAZINE as u64);
    work();
    drop(pinned);
}

#[test]
fn a_limit_finds_magazines_that_wait() {
    crate::domain! { Limited }
    let pool = Pool::<_, Counting<Limited>>::with_hooks();
    with_a_waiting_magazine(&pool, || {
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        assert_eq!(pool.stats().kept, MAGAZINE as u64 + 1, "they wait");
    });
    // No allocation and no free comes between.
    let stats = pool.stats();
    assert_eq!((stats.waiting, stats.kept, stats.dropped), (0, 1, MAGAZINE as u64));
}

#[test]
fn a_collection_leaves_magazines_that_wait() {
    crate::domain! { Collected }
    let pool = Pool::<_, Counting<Collected>>::with_hooks();
    with_a_waiting_magazine(&pool, || {
        assert_eq!(pool.collect().objects, 0);
        assert_eq!(pool.stats().waiting, MAGAZINE as u64 + 1);
    });
    assert_eq!(pool.collect().objects, MAGAZINE as u64 + 1);
}

#[test]
fn a_pool_ends_while_a_magazine_waits() {
    crate::domain! { Ended }
    static DROPPED: AtomicU64 = AtomicU64::new(0);
    #[derive(Default)]
    struct Dropping;
    impl Drop for Dropping {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
    struct Dropped;
    impl Hooks<Dropping> for Dropped {
        type Readers = Ended;

        fn make() -> Dropping {
            Dropping
        }
    }
    let pinned = Ended::pin();
    let pool = Pool::<_, Dropped>::with_hooks();
    let owners: Vec<_> = (0..=MAGAZINE).map(|_| pool.allocate()).collect();
    for owner in &owners {
        let _ = owner.key();
    }
    drop(owners);
    assert_eq!(pool.stats().waiting, MAGAZINE as u64);
    drop(pool);
    assert_eq!(DROPPED.load(Ordering::Relaxed), MAGAZINE as u64 + 1);
    drop(pinned);
}

/// A late finalizer collects while another object of the same pool still waits to be finished.
#[test]
fn a_collection_takes_the_objects_that_it_finishes() {
    crate::domain! { Late }
    static POOL: Pool<u64, Collecting> = Pool::with_hooks();
    static COLLECTED: AtomicU64 = AtomicU64::new(0);
    struct Collecting;
    impl Hooks<u64> for Collecting {
        type Readers = Late;

        fn make() -> u64 {
            0
        }

        const END: Option<fn(&mut u64)> = Some(|first| {
            if std::mem::take(first) == 1 {
                COLLECTED.store(POOL.collect().objects, Ordering::Relaxed);
            }
        });
    }
    let pinned = Late::pin();
    let owners = [POOL.allocate_with(|first| *first = 1), POOL.allocate()];
    for owner in &owners {
        let _ = owner.key();
    }
    drop(owners);
    assert_eq!(POOL.stats().waiting, 2);
    drop(pinned);
    assert_eq!(COLLECTED.load(Ordering::Relaxed), 1);
    assert_eq!((POOL.stats().waiting, POOL.stats().kept), (0, 1));
}
