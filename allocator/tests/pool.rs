//! The engine on one thread: the promises of its documentation, line by line.

#![allow(
    clippy::items_after_statements,
    reason = "a test's own types stand where they are used"
)]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};

use acedia::pool::{Handle, Hooks, Owned, Pool, pin};
use acedia::{AllocateError, PoolPolicy, Reason};

#[test]
fn a_stale_key_reads_as_nothing_for_ever() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let mut keys = Vec::new();
    for n in 0..1000 {
        let owner = pool.allocate_with(|object| *object = n);
        keys.push(owner.handle());
        assert_eq!(pool.get(keys[keys.len() - 1], &pin()), Some(&n));
    }
    for (i, &key) in keys.iter().enumerate() {
        assert!(pool.get(key, &pin()).is_none());
        assert!(!keys[..i].contains(&key), "issued twice");
    }
}

#[test]
fn objects_keep_their_memory() {
    let _alone = support::alone();
    let pool: Pool<Vec<u32>> = Pool::new();
    drop(pool.allocate_with(|v| v.reserve(100)));
    let again = pool.allocate();
    assert!(again.capacity() >= 100);
    assert_eq!((pool.stats().live, pool.stats().kept), (1, 0));
}

#[test]
fn a_worn_slot_retires() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let mut owner = pool.allocate();
    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
    let key = owner.handle();
    let index = owner.index();
    assert_eq!(key.life(), i32::MAX.unsigned_abs());
    drop(owner);
    assert_eq!((pool.stats().live, pool.stats().kept), (0, 0));
    let others: Vec<_> = (0..10_000).map(|_| pool.allocate()).collect();
    assert!(others.iter().all(|other| other.index() != index));
    assert!(pool.get(key, &pin()).is_none());
}

/// Two owners of one object agree which life it is in.
#[test]
#[should_panic(expected = "another owner")]
fn no_life_is_skipped_behind_an_owners_back() {
    let pool: Pool<u64> = Pool::new();
    let mut owner = pool.allocate();
    let _other = owner.clone();
    pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
}

#[test]
fn reasons() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let other: Pool<u64> = Pool::new();
    let foreign = other.allocate().handle();
    let owner = pool.allocate();
    assert_eq!(pool.try_get(foreign, &pin()).unwrap_err().reason(), Reason::Foreign);
    let key = owner.handle();
    let made_up = Handle::from_bits(key.to_bits() + (5 << 32)).unwrap();
    assert_eq!(pool.try_get(made_up, &pin()).unwrap_err().reason(), Reason::NeverIssued);
    assert_eq!(pool.free(key).unwrap_err().reason(), Reason::Owned);
    drop(owner);
    assert_eq!(pool.free(key).unwrap_err().reason(), Reason::Freed);
    let reserved = pool.reserve();
    assert_eq!(
        pool.try_get(reserved.handle(), &pin()).unwrap_err().reason(),
        Reason::Hidden
    );
}

#[test]
fn policies() {
    let _alone = support::alone();
    static DROPS: AtomicUsize = AtomicUsize::new(0);
    #[derive(Default)]
    struct Counted;
    impl Drop for Counted {
        fn drop(&mut self) {
            DROPS.fetch_add(1, Ordering::Relaxed);
        }
    }
    let pool: Pool<Counted> = Pool::new().keep(PoolPolicy::KeepAtMost(3));
    let owners: Vec<_> = (0..10).map(|_| pool.allocate()).collect();
    drop(owners);
    assert_eq!((pool.stats().kept, DROPS.load(Ordering::Relaxed)), (3, 7));
    pool.set_policy(PoolPolicy::KeepNone).unwrap();
    assert_eq!((pool.stats().kept, DROPS.load(Ordering::Relaxed)), (0, 10));
    pool.set_policy(PoolPolicy::KeepAll).unwrap();
    drop(pool.allocate());
    assert_eq!(pool.stats().kept, 1);
    assert_eq!(pool.collect().objects, 1);
    drop(pool);
    assert_eq!(DROPS.load(Ordering::Relaxed), 11);
}

#[test]
fn finalizers_wait_for_readers_and_run_once() {
    let _alone = support::alone();
    static ENDS: AtomicUsize = AtomicUsize::new(0);
    struct Counting;
    impl Hooks<u64> for Counting {
        type Readers = acedia::pool::Global;

        fn make() -> u64 {
            0
        }
        const END: Option<fn(&mut u64)> = Some(|_| {
            ENDS.fetch_add(1, Ordering::Relaxed);
        });
    }
    let pool: Pool<u64, Counting> = Pool::with_hooks();
    let ends = || ENDS.load(Ordering::Relaxed);
    drop(pool.allocate());
    assert_eq!(ends(), 1, "nobody could see it");
    let owner = pool.allocate();
    let key = owner.handle();
    let pinned = pin();
    drop(owner);
    assert!(pool.get(key, &pinned).is_none());
    assert_eq!(ends(), 1, "a pin may be looking");
    drop(pinned);
    assert_eq!(ends(), 2);
    let owner = pool.allocate();
    let guard = pool.guard(owner.handle()).unwrap();
    let other = guard.clone();
    drop(owner);
    drop(guard);
    assert_eq!(ends(), 2, "a guard is looking");
    drop(other);
    assert_eq!(ends(), 3);
    let _left_alive = pool.allocate().into_manual();
    drop(pool);
    assert_eq!(ends(), 4);
}

#[test]
fn bounded() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new().bounded(2);
    let (a, _b) = (pool.allocate(), pool.allocate());
    assert!(matches!(pool.try_allocate(), Err(AllocateError::Full { .. })));
    let key = a.handle();
    let guard = pool.guard(key).unwrap();
    drop(a);
    assert!(pool.try_allocate().is_err(), "still being read");
    drop(guard);
    assert!(pool.try_allocate().is_ok());
}

#[test]
fn collecting_a_million_keeps_stale_keys_dead() {
    let _alone = support::alone();
    let pool: Pool<[u64; 2]> = Pool::new();
    let owners: Vec<_> = (0..1_000_000).map(|_| pool.allocate()).collect();
    let keys: Vec<_> = owners.iter().step_by(1000).map(acedia::pool::Owned::handle).collect();
    drop(owners);
    let reclaimed = pool.collect();
    assert_eq!(reclaimed.objects, 1_000_000);
    #[cfg(all(target_os = "linux", not(any(miri, acedia_heap))))]
    assert!(reclaimed.bytes > 18_000_000, "{reclaimed:?}");
    let again: Vec<_> = (0..1_000_000).map(|_| pool.allocate()).collect();
    let new_keys: Vec<_> = again.iter().map(acedia::pool::Owned::handle).collect();
    for key in &keys {
        assert!(pool.get(*key, &pin()).is_none());
        assert!(!new_keys.contains(key));
    }
}

/// Pages beside living objects are given back, again and again; the living objects stay, and no life is issued twice.
#[test]
fn collecting_a_partly_living_pool() {
    let _alone = support::alone();
    let pool: Pool<[u64; 8]> = Pool::new();
    let count = support::sized(20_000, 200_000, 2000);
    let mut rng = support::Rng(3);
    let mut issued = std::collections::HashSet::new();
    let mut alive = Vec::new();
    for round in 0..4_u64 {
        let mut owners: Vec<_> = (0..count)
            .map(|at| pool.allocate_with(|object| object[7] = round << 32 | at as u64))
            .collect();
        assert!(owners.iter().all(|owner| issued.insert(owner.handle())), "issued twice");
        // One in a hundred at random, and a run.
        let run = owners.drain(count / 2..count / 2 + 100);
        alive.extend(run.map(|owner| (owner[7], owner)));
        for owner in owners {
            if rng.below(100) == 0 {
                alive.push((owner[7], owner));
            }
        }
        let reclaimed = pool.collect();
        assert_eq!(pool.stats().live, alive.len() as u64);
        if cfg!(all(target_os = "linux", not(any(miri, acedia_heap)))) {
            assert!(reclaimed.bytes > (count * 72 / (3 << round)) as u64, "{reclaimed:?}");
        }
        let pinned = pin();
        for (number, owner) in &alive {
            assert_eq!(pool.get(owner.handle(), &pinned).map(|object| object[7]), Some(*number));
        }
        let living: std::collections::HashSet<_> = alive.iter().map(|(_, owner)| owner.handle()).collect();
        assert!(
            issued.iter().all(|key| living.contains(key) == pool.contains(*key)),
            "a stale key"
        );
    }
}

/// A free by key leaves the object to a guard.
#[test]
fn manual_objects_outlast_a_free_under_a_guard() {
    let pool: Pool<u64> = Pool::new();
    let key = pool.allocate_with(|object| *object = 7).into_manual();
    let guard = pool.guard(key).unwrap();
    pool.free(key).unwrap();
    let other = pool.allocate_with(|object| *object = 8);
    assert_eq!((*guard, *other), (7, 8), "reused under a guard");
    drop(guard);
    let again = pool.allocate();
    assert_ne!(again.index(), other.index());
}

/// A slot with few lives left costs the slots beside it none: its page stays.
#[test]
fn collecting_beside_a_worn_slot() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let half = i32::MAX.unsigned_abs() / 2;
    let mut owners: Vec<_> = (0..20_000).map(|_| pool.allocate()).collect();
    pool.skip_lives(&mut owners[10_000], half);
    let worn = owners[10_000].handle();
    for owner in &owners {
        let _ = owner.handle();
    }
    drop(owners);
    pool.collect();
    let owners: Vec<_> = (0..20_000).map(|_| pool.allocate()).collect();
    let late = owners.iter().filter(|owner| owner.handle().life() >= half);
    let late: Vec<_> = late.map(|owner| owner.handle().index()).collect();
    assert_eq!(late, [worn.index()]);
}

/// After a collection that leaves few objects, the keys skip the slots without one, and miss none of the others.
#[test]
fn the_keys_of_a_collected_pool() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let mut owners: Vec<_> = (0..20_000).map(|n| pool.allocate_with(|place| *place = n)).collect();
    let found = |owners: &[Owned<u64, &Pool<u64>>]| {
        let mut keys: Vec<Handle<u64>> = owners.iter().map(Owned::handle).collect();
        let mut seen: Vec<Handle<u64>> = pool.handles().collect();
        keys.sort_unstable();
        seen.sort_unstable();
        assert_eq!(keys, seen);
    };
    found(&owners);
    owners.retain(|owner| **owner % 97 == 0 || (9_000..9_100).contains(&**owner));
    pool.collect();
    found(&owners);
    owners.extend((0..500).map(|_| pool.allocate()));
    found(&owners);
    // Now the slots without an object are in no order.
    pool.set_policy(PoolPolicy::KeepNone).unwrap();
    for nth in [300, 200, 10, 0, 100] {
        drop(owners.swap_remove(nth));
        found(&owners);
    }
    pool.collect();
    found(&owners);
}

struct Words<const COUNT: usize>([u64; COUNT]);

impl<const COUNT: usize> Default for Words<COUNT> {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

/// If most slots of a pool are free, the keys skip those that no thread keeps, and miss no living object.
fn the_keys_of_a_pool_with_few_objects<const COUNT: usize>(objects: u64) {
    let pool: Pool<Words<COUNT>> = Pool::new();
    let make = |count| (0..count).map(|n| pool.allocate_with(|words| words.0[0] = n));
    let mut owners: Vec<_> = make(objects).collect();
    let found = |owners: &[Owned<Words<COUNT>, &Pool<Words<COUNT>>>]| {
        let mut keys: Vec<Handle<Words<COUNT>>> = owners.iter().map(Owned::handle).collect();
        let mut seen: Vec<Handle<Words<COUNT>>> = pool.handles().collect();
        keys.sort_unstable();
        seen.sort_unstable();
        assert_eq!(keys, seen);
    };
    for rest in [96, 31, 5] {
        owners.retain(|owner| owner.0[0] % 97 == rest || owner.0[0] % 6_000 > 5_900 + rest);
        found(&owners);
        owners.extend(make(300));
        found(&owners);
    }
    owners.clear();
    found(&owners);
    // No slot was lost, and none is in two places.
    owners.extend(make(objects));
    found(&owners);
    assert_eq!((pool.stats().live, pool.stats().kept), (objects, 0));
}

#[test]
fn the_keys_of_pools_with_few_objects() {
    let _alone = support::alone();
    the_keys_of_a_pool_with_few_objects::<1>(40_000);
    // A chunk has 32 of these.
    the_keys_of_a_pool_with_few_objects::<520>(10_000);
}
