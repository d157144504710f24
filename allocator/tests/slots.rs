//! Conservation of slots: none is lost, none is issued twice.
#![allow(
    clippy::items_after_statements,
    reason = "a test's own types stand where they are used"
)]

mod support;

use std::sync::Arc;

use acedia::pool::{Hooks, Pool, pin};
use acedia::{Object, PoolPolicy};

#[test]
fn a_dropped_reservation_is_not_issued_again() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let reserved = pool.reserve();
    let key = reserved.handle();
    drop(reserved);
    let owner = pool.allocate();
    assert_eq!(owner.index(), key.index());
    assert_ne!(owner.handle(), key);
    assert!(pool.get(key, &pin()).is_none());
}

#[test]
fn no_slot_is_lost() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepNone);
    let mut indices: Vec<_> = (0..5_000).map(|_| pool.allocate().index()).collect();
    indices.sort_unstable();
    indices.dedup();
    assert!(
        indices.len() <= 128,
        "slots of dropped objects were lost: {}",
        indices.len()
    );
    let kept: Pool<u64> = Pool::new();
    let mut indices: Vec<_> = (0..200).map(|_| kept.allocate()).map(|owner| owner.index()).collect();
    indices.dedup();
    assert_eq!(indices.len(), 1);
}

#[test]
fn a_slot_is_on_one_list_only() {
    let _alone = support::alone();
    struct Ending;
    impl Hooks<u64> for Ending {
        type Readers = acedia::pool::Global;

        fn make() -> u64 {
            0
        }
        const END: Option<fn(&mut u64)> = Some(|n| *n = 0);
    }
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    // So that the thread has a list below the place of the slot freed last.
    drop([(); 3].map(|()| pool.allocate()));
    let owner = pool.allocate();
    let guard = pool.guard(owner.handle()).unwrap();
    drop(owner);
    drop(guard);
    let owners = [(); 4].map(|()| pool.allocate());
    let indices: std::collections::BTreeSet<_> = owners.iter().map(acedia::pool::Owned::index).collect();
    assert_eq!(indices.len(), 4);
}

#[test]
fn what_is_not_kept_is_dropped_once() {
    let _alone = support::alone();
    let pool: Pool<Option<Arc<()>>> = Pool::new().keep(PoolPolicy::KeepAtMost(1));
    let witness = Arc::new(());
    let fill = |object: &mut Option<Arc<()>>| *object = Some(Arc::clone(&witness));
    drop([(); 3].map(|()| pool.allocate_with(fill)));
    assert_eq!((pool.stats().kept, Arc::strong_count(&witness)), (1, 2));
}

/// An allocation gets the slot that was freed last, in any order of allocations and frees.
#[test]
fn the_slot_freed_last_comes_first() {
    let _alone = support::alone();
    let mut rng = support::Rng(8);
    for most in [2, 5, 250, 500] {
        let pool: Pool<u64> = Pool::new();
        let (mut owners, mut free) = (Vec::new(), Vec::new());
        for _ in 0..support::sized(5_000, 50_000, 300) {
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
                    free.push(owner.index());
                    drop(owner);
                }
            }
        }
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (owners.len() as u64, free.len() as u64));
    }
}

/// After another thread has read an object of the pool, the object that was freed last still comes back, although it had a handle.
#[test]
fn the_object_freed_last_comes_back_after_another_thread_has_read() {
    #[derive(Default)]
    struct Text(String);
    impl acedia::Object for Text {
        acedia::class!(Text, "Slots.Text");
    }
    let _alone = support::alone();
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
    for _ in 0..support::sized(5_000, 50_000, 200) {
        let _ = Text::allocate().handle();
    }
    let exist = support::existing(acedia::Class::of::<Text>().stats());
    assert!(exist <= 32, "{exist} objects for one at a time");
}

/// The words of a chunk whose pool has ended are clear for the next pool, also if the chunk keeps its pages.
#[test]
fn a_chunk_is_clear_for_the_next_pool() {
    for round in 0..100 {
        // More slots than keep their pages, in some rounds.
        for count in [1, 3, 100, 5_000] {
            let pool: Pool<u64> = Pool::new();
            let keys: Vec<_> = (0..count).map(|_| pool.allocate().into_manual()).collect();
            assert!(keys.iter().all(|&key| pool.free(key).is_ok()), "round {round}");
            let owners: Vec<_> = (0..count).map(|_| pool.allocate_with(|n| *n = u64::MAX)).collect();
            for mut owner in owners {
                assert_eq!(owner.owners(), 1, "round {round}");
                assert!(owner.get_mut().is_some(), "a key of the last pool");
                std::mem::forget((pool.guard(owner.handle()), owner.clone()));
                let key = owner.into_manual();
                assert!(pool.contains(key));
                assert_eq!(pool.free(key).unwrap_err().reason(), acedia::Reason::Owned);
            }
        }
    }
}
