//! A pool on one thread: the promises of its documentation, line by line.

use std::collections::HashSet;

use acedia::{Handle, Owned, Pool, pin};

use super::support::{LAST_LIFE, Rng, alone, handles, sized};

#[test]
fn a_stale_handle_reads_as_nothing_for_ever() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut old = HashSet::new();
    for n in 0..1000 {
        let owner = pool.allocate_with(|object| *object = n);
        let pinned = pin();
        assert!(old.insert(owner.handle()), "issued twice");
        assert_eq!(pool.get(owner.handle(), &pinned), Some(&n));
        let alive = old.iter().filter(|handle| pool.get(**handle, &pinned).is_some());
        assert_eq!(alive.count(), 1);
    }
    assert!(old.iter().all(|&handle| pool.get(handle, &pin()).is_none()));
}

/// Two owners of one object agree which life it is in.
#[test]
#[should_panic(expected = "another owner")]
fn no_life_is_skipped_behind_an_owners_back() {
    let pool: Pool<u64> = Pool::new();
    let mut owner = pool.allocate();
    let _other = owner.clone();
    pool.skip_lives(&mut owner, LAST_LIFE);
}

#[test]
fn collecting_a_million_keeps_stale_handles_dead() {
    let _alone = alone();
    let pool: Pool<[u64; 2]> = Pool::new();
    let owners: Vec<_> = pool.allocate_many(1_000_000).collect();
    let stale: Vec<_> = owners.iter().step_by(1000).map(Owned::handle).collect();
    drop(owners);
    let reclaimed = pool.collect();
    assert_eq!(reclaimed.objects, 1_000_000);
    #[cfg(all(target_os = "linux", not(any(miri, acedia_heap))))]
    assert!(reclaimed.bytes > 18_000_000, "{reclaimed:?}");
    let again: Vec<_> = pool.allocate_many(1_000_000).collect();
    let new: HashSet<_> = handles(&again).into_iter().collect();
    let is_dead = |handle: &_| pool.get(*handle, &pin()).is_none() && !new.contains(handle);
    assert!(stale.iter().all(is_dead));
}

/// Pages next to living objects are returned again and again. The living objects stay, and no life is issued twice.
#[test]
fn collecting_a_partly_living_pool() {
    let _alone = alone();
    let pool: Pool<[u64; 8]> = Pool::new();
    let count = sized(20_000, 200_000, 2000);
    let mut rng = Rng(3);
    let (mut issued, mut alive) = (HashSet::new(), Vec::new());
    for round in 0..4_u64 {
        let mut owners: Vec<_> = (0..count)
            .map(|at| pool.allocate_with(|object| object[7] = round << 32 | at as u64))
            .collect();
        assert!(owners.iter().all(|owner| issued.insert(owner.handle())), "issued twice");
        // One in a hundred at random, and a run.
        let run = owners.drain(count / 2..count / 2 + 100);
        alive.extend(run.map(|owner| (owner[7], owner)));
        let some = owners.into_iter().filter(|_| rng.below(100) == 0);
        alive.extend(some.map(|owner| (owner[7], owner)));
        let reclaimed = pool.collect();
        assert_eq!(pool.stats().live, alive.len() as u64);
        if cfg!(all(target_os = "linux", not(any(miri, acedia_heap)))) {
            assert!(reclaimed.bytes > (count * 72 / (3 << round)) as u64, "{reclaimed:?}");
        }
        let pinned = pin();
        for (number, owner) in &alive {
            assert_eq!(pool.get(owner.handle(), &pinned).map(|object| object[7]), Some(*number));
        }
        let living: HashSet<_> = alive.iter().map(|(_, owner)| owner.handle()).collect();
        let found = issued.iter().filter(|one| pool.contains(**one)).copied();
        assert_eq!(found.collect::<HashSet<_>>(), living, "a stale handle");
    }
}

/// A free by handle leaves the object to a guard.
#[test]
fn manual_objects_outlast_a_free_under_a_guard() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let handle = pool.allocate_with(|object| *object = 7).into_manual();
    let guard = pool.guard(handle).unwrap();
    pool.free(handle).unwrap();
    let other = pool.allocate_with(|object| *object = 8);
    assert_eq!((*guard, *other), (7, 8), "reused under a guard");
    drop(guard);
    assert_ne!(pool.allocate().index(), other.index());
}

/// A slot with few lives left costs its neighbours none: its page stays.
#[test]
fn collecting_beside_a_worn_slot() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let half = LAST_LIFE / 2;
    let mut owners: Vec<_> = pool.allocate_many(20_000).collect();
    pool.skip_lives(&mut owners[10_000], half);
    let worn = handles(&owners)[10_000];
    drop(owners);
    pool.collect();
    let owners: Vec<_> = pool.allocate_many(20_000).collect();
    let late = owners.iter().filter(|owner| owner.handle().life() >= half);
    let late: Vec<_> = late.map(|owner| owner.handle().index()).collect();
    assert_eq!(late, [worn.index()]);
}

struct Words<const COUNT: usize>([u64; COUNT]);

impl<const COUNT: usize> Default for Words<COUNT> {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

/// The handles of the living are those of the owners, each once.
#[track_caller]
fn are_all<const COUNT: usize>(owners: &[Owned<Words<COUNT>, &Pool<Words<COUNT>>>], pool: &Pool<Words<COUNT>>) {
    let mut expected = handles(owners);
    let mut seen: Vec<Handle<Words<COUNT>>> = pool.handles().collect();
    expected.sort_unstable();
    seen.sort_unstable();
    assert_eq!(expected, seen);
}

/// If most slots of a pool are free, the handles skip those that no thread keeps, and miss no living object.
fn a_pool_with_few_objects<const COUNT: usize>(objects: u64) {
    let pool: Pool<Words<COUNT>> = Pool::new();
    let make = |count| (0..count).map(|n| pool.allocate_with(|words| words.0[0] = n));
    let mut owners: Vec<_> = make(objects).collect();
    for rest in [96, 31, 5] {
        owners.retain(|owner| owner.0[0] % 97 == rest || owner.0[0] % 6_000 > 5_900 + rest);
        are_all(&owners, &pool);
        owners.extend(make(300));
        are_all(&owners, &pool);
    }
    owners.clear();
    are_all(&owners, &pool);
    // No slot was lost, and none is in two places.
    owners.extend(make(objects));
    are_all(&owners, &pool);
    assert_eq!((pool.stats().live, pool.stats().kept), (objects, 0));
}

#[test]
fn the_handles_of_pools_with_few_objects() {
    let _alone = alone();
    a_pool_with_few_objects::<1>(40_000);
    // A chunk has 32 of these.
    a_pool_with_few_objects::<520>(10_000);
}
