//! The engine takes no lock in an allocation, a free, a pin, a guard and their ends.
//!
//! Each workload runs twice in the same pool. The first run makes the objects, which takes the depot's lock. The second run takes none, though
//! its magazines move between threads, wait for pins, and come back. Under a pin of another test, the second run would find fewer free
//! objects, and make new ones.

use std::sync::mpsc::sync_channel;
use std::thread;

use crate::PoolPolicy;
use crate::pool::{Global, GuardsOnly, Hooks, Owned, Plain, Pool, pin};
use crate::support::{Barrier, PinElsewhere, alone, crew, elsewhere, handles, hooks};
use crate::sync::LOCKS;

hooks!(Ending: [u64; 2] = [0; 2], end |object| object[0] += 1);

/// The locks that this thread takes in `work`.
fn locks(work: impl FnOnce()) -> u64 {
    let before = LOCKS.get();
    work();
    LOCKS.get() - before
}

/// Allocates `count` objects with handles, and frees them.
fn burst<H: Hooks<[u64; 2]>>(pool: &Pool<[u64; 2], H>, count: usize) {
    let owners: Vec<_> = (0..count).map(|_| pool.allocate()).collect();
    handles(&owners);
}

/// The locks of the second of two runs of `work`, after enough objects were made.
fn second<H: Hooks<[u64; 2]>>(pool: &Pool<[u64; 2], H>, enough: usize, work: impl Fn()) -> u64 {
    burst(pool, enough);
    work();
    pool.settle();
    locks(work)
}

#[test]
fn bursts_on_one_thread() {
    let _alone = alone();
    for count in [1, 2_000, 10_000, 100_000] {
        let (recycled, ending) = (Pool::<[u64; 2]>::new(), Pool::<_, Ending>::with_hooks());
        assert_eq!(second(&recycled, 2 * count, || burst(&recycled, count)), 0, "{count}");
        assert_eq!(second(&ending, 2 * count, || burst(&ending, count)), 0, "{count}");
    }
}

#[test]
fn reads_and_guards() {
    let _alone = alone();
    let pool = Pool::<[u64; 2]>::new();
    let only: Pool<[u64; 2], Plain<GuardsOnly>> = Pool::with_hooks();
    let work = || {
        for _ in 0..1_000 {
            let (owner, other) = (pool.allocate(), only.allocate());
            let (handle, by_guard) = (owner.handle(), only.guard(other.handle()));
            let pinned = pin();
            let (seen, guard) = (pool.get(handle, &pinned), pool.guard(handle));
            drop((owner.clone(), other));
            assert_eq!((seen, by_guard.as_deref()), (Some(&[0; 2]), Some(&[0; 2])));
            drop(owner);
            drop(guard);
            drop(pinned);
        }
    };
    assert_eq!(second(&pool, 5_000, work), 0);
}

/// While another thread holds a pin, allocations find no freed object. So the pool has enough free ones.
#[test]
fn frees_beside_a_pin() {
    let _alone = alone();
    let (recycled, ending) = (Pool::<[u64; 2]>::new(), Pool::<_, Ending>::with_hooks());
    burst(&recycled, 40_000);
    burst(&ending, 40_000);
    let pinned = PinElsewhere::new::<Global>();
    let counted = locks(|| {
        for _ in 0..10_000 {
            burst(&recycled, 1);
            burst(&ending, 1);
        }
    });
    drop(pinned);
    assert_eq!(counted, 0);
    // Finishes the objects that the end of the other pin left.
    drop(pin());
    let counted = locks(|| {
        drop(pin());
        burst(&recycled, 20_000);
        burst(&ending, 20_000);
    });
    assert_eq!(counted, 0);
}

#[test]
fn a_hand_over_between_threads() {
    let _alone = alone();
    let pool = &Pool::<[u64; 2]>::new();
    burst(pool, 20_000);
    let (send, receive) = sync_channel::<Vec<Owned<_, &Pool<_>>>>(4);
    thread::scope(|scope| {
        let freeing = scope.spawn(move || {
            // The first free of a thread makes its lists.
            drop(receive.recv());
            locks(|| receive.into_iter().for_each(drop))
        });
        let allocating = locks(|| {
            for _ in 0..200 {
                send.send((0..300).map(|_| pool.allocate()).collect()).unwrap();
            }
            drop(send);
        });
        assert_eq!((allocating, freeing.join().unwrap()), (0, 0));
    });
}

#[test]
fn limits_and_bounds() {
    let _alone = alone();
    let limited = Pool::<[u64; 2]>::new().keep(PoolPolicy::KeepAtMost(100));
    let far = Pool::<[u64; 2]>::new().keep(PoolPolicy::KeepAtMost(1_000_000));
    let bounded = Pool::<[u64; 2]>::new().bounded(1_000);
    let work = || {
        burst(&limited, 100);
        burst(&far, 10_000);
        burst(&bounded, 1_000);
        assert!(bounded.try_allocate().is_ok());
    };
    burst(&far, 20_000);
    burst(&bounded, 1_000);
    assert_eq!(second(&limited, 100, work), 0);
}

/// Living objects are counted without a lock while only one thread uses the pool, and correctly in each case.
#[test]
fn counts_of_the_living() {
    let pool = Pool::<[u64; 2]>::new();
    let own: Vec<_> = (0..1_000).map(|_| pool.allocate()).collect();
    let alone = || assert_eq!(locks(|| assert_eq!(pool.len(), 1_000)), 0);
    alone();
    let (made, seen) = (Barrier::new(2), Barrier::new(2));
    let work = |_| {
        let _two = [pool.allocate(), pool.allocate()];
        made.wait();
        seen.wait();
    };
    let (_, of_both) = crew([1], work, || {
        made.wait();
        let of_both = pool.len();
        seen.wait();
        of_both
    });
    assert_eq!(of_both, 1_002);
    alone();
    drop(own);
    assert!(pool.is_empty());
    elsewhere(|| assert!(pool.is_empty()));
}

/// A collection takes the lock once per chunk, not once per object, and does not hold it while an object is
/// dropped.
#[test]
fn a_collection() {
    static POOL: Pool<Asking> = Pool::new();
    #[derive(Default)]
    struct Asking(#[expect(dead_code, reason = "for its size")] u64);
    impl Drop for Asking {
        fn drop(&mut self) {
            let _stats = POOL.stats();
        }
    }
    let count = 10_000;
    drop(POOL.allocate_many(count).collect::<Vec<_>>());
    let taken = locks(|| assert_eq!(POOL.collect().objects, count as u64));
    let (of_drops, chunks) = (count as u64, 3);
    assert!((of_drops..of_drops + 10 * chunks).contains(&taken), "{taken}");
}
