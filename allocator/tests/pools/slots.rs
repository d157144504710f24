//! Conservation of slots: none is lost, none is issued twice.

use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};

use acedia::{Class, Object, Owned, Pool, PoolPolicy, Reason, class};

use super::support::{Rng, alone, existing, handles, hooks, sized};

#[test]
fn no_slot_is_lost() {
    let _alone = alone();
    for (policy, most) in [(PoolPolicy::KeepNone, 128), (PoolPolicy::KeepAll, 1)] {
        let pool: Pool<u64> = Pool::new().keep(policy);
        let indices: BTreeSet<_> = (0..5_000).map(|_| pool.allocate().index()).collect();
        assert!(indices.len() <= most, "slots were lost: {}", indices.len());
    }
}

#[test]
fn a_slot_is_on_one_list_only() {
    hooks!(Ending: u64 = 0, end |n| *n = 0);
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    // So that the thread has a list below the place of the slot freed last.
    drop([(); 3].map(|()| pool.allocate()));
    let owner = pool.allocate();
    let guard = pool.guard(owner.handle()).unwrap();
    drop(owner);
    drop(guard);
    let owners = [(); 4].map(|()| pool.allocate());
    assert_eq!(owners.iter().map(Owned::index).collect::<BTreeSet<_>>().len(), 4);
}

#[test]
fn what_is_not_kept_is_dropped_once() {
    let _alone = alone();
    let pool: Pool<Option<Arc<()>>> = Pool::new().keep(PoolPolicy::KeepAtMost(1));
    let witness = Arc::new(());
    drop([(); 3].map(|()| pool.allocate_with(|object| *object = Some(Arc::clone(&witness)))));
    assert_eq!((pool.stats().kept, Arc::strong_count(&witness)), (1, 2));
}

/// An allocation gets the slot that was freed last, in any order of allocations and frees. In a limited pool, a free drops the
/// objects above the limit.
#[test]
fn the_slot_freed_last_comes_first() {
    let _alone = alone();
    let limited = [1, 2, 7, 100].map(|limit| (PoolPolicy::KeepAtMost(limit), 2 * limit + 3));
    for (policy, most) in [2, 5, 250, 500]
        .map(|most| (PoolPolicy::KeepAll, most))
        .into_iter()
        .chain(limited)
    {
        let pool: Pool<u64> = Pool::new().keep(policy);
        let (mut rng, mut owners, mut free) = (Rng(8), Vec::new(), Vec::new());
        for _ in 0..sized(3_000, 50_000, 300) {
            // Several of a kind in a row, and as often taking turns.
            let (allocate, times) = (rng.below(2) == 0, 1 + rng.below(most));
            for _ in 0..times {
                if allocate && owners.len() < most {
                    let owner = pool.allocate();
                    if let Some(last) = free.pop() {
                        assert_eq!(owner.index(), last);
                    }
                    owners.push(owner);
                } else if !allocate && !owners.is_empty() {
                    let owner = owners.swap_remove(rng.below(owners.len()));
                    if policy.limit().is_none_or(|limit| free.len() < limit) {
                        free.push(owner.index());
                    }
                    drop(owner);
                }
            }
            let stats = pool.stats();
            assert_eq!((stats.live, stats.kept), (owners.len() as u64, free.len() as u64));
        }
    }
}

/// After another thread has read an object of the pool, the object that was freed last still comes back, although it had a handle.
#[test]
fn the_object_freed_last_comes_back_after_another_thread_has_read() {
    #[derive(Default)]
    struct Text(String);
    impl Object for Text {
        class!(Text, "Slots.Text");
    }
    let _alone = alone();
    let original = Text::allocate_with(|text| "My string".clone_into(&mut text.0));
    let handle = original.handle();
    let read = move || handle.with(|text| text.0.len());
    assert_eq!(std::thread::spawn(read).join().unwrap(), Some(9));
    drop(original);
    assert!(!handle.is_allocated());
    let new = Text::allocate_with(|text| "New string!".clone_into(&mut text.0));
    assert_eq!(new.handle().index(), handle.index(), "another object");
    assert!(new.handle() != handle && !handle.is_allocated());
    drop(new);
    // Later, some objects come back together, so that one look for readers serves them all.
    for _ in 0..sized(5_000, 50_000, 200) {
        let _ = Text::allocate().handle();
    }
    let exist = existing(Class::of::<Text>().stats());
    assert!(exist <= 32, "{exist} objects for one at a time");
}

/// The counts of the owners of 16 adjacent slots are in one cache line. Threads that clone owners should not write the same one.
#[test]
fn threads_take_slots_apart() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let make = |count| (0..count).map(|_| pool.allocate()).collect::<Vec<_>>();
    let lines = |owners: &[Owned<u64, _>]| owners.iter().map(|it| it.index() / 16).collect::<BTreeSet<_>>();
    let first = make(1);
    let barrier = Barrier::new(2);
    std::thread::scope(|threads| {
        let other = threads.spawn(|| {
            let first = make(1);
            barrier.wait();
            barrier.wait();
            lines(&[first, make(100)].concat())
        });
        barrier.wait();
        let next = make(20);
        barrier.wait();
        let theirs = other.join().unwrap();
        let ours = lines(&[first, next].concat());
        assert!(ours.is_disjoint(&theirs), "{ours:?} {theirs:?}");
    });
}

/// The words of a chunk whose pool has ended are clear for the next pool, even if the chunk keeps its pages.
#[test]
fn a_chunk_is_clear_for_the_next_pool() {
    let _alone = alone();
    for round in 0..100 {
        // More slots than keep their pages, in some rounds.
        for count in [1, 3, 100, 5_000] {
            let pool: Pool<u64> = Pool::new();
            let manual: Vec<_> = pool.allocate_many(count).map(Owned::into_manual).collect();
            assert!(manual.iter().all(|&handle| pool.free(handle).is_ok()), "round {round}");
            let mut owners: Vec<_> = (0..count).map(|_| pool.allocate_with(|n| *n = u64::MAX)).collect();
            for owner in &mut owners {
                assert_eq!(owner.owners(), 1, "round {round}");
                assert!(owner.get_mut().is_some(), "a handle of the last pool");
            }
            assert_eq!(handles(&owners).len(), count);
            for owner in owners {
                std::mem::forget((pool.guard(owner.handle()), owner.clone()));
                let handle = owner.into_manual();
                assert!(pool.contains(handle));
                assert_eq!(pool.free(handle).unwrap_err().reason(), Reason::Owned);
            }
        }
    }
}
