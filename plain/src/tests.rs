//! The limits of lives and of chunk numbers.

use crate::directory::LOCAL_BITS;
use crate::handle::LAST_LIFE;
use crate::{PlainHandle, PlainPool};

#[test]
fn the_last_life_of_a_slot() {
    let pool: PlainPool<u64> = PlainPool::new();
    let owner = pool.insert(1);
    let first = owner.handle();
    owner.skip_lives_to(LAST_LIFE - 1);
    drop(owner);
    let mut last = pool.insert(2);
    let handle = last.handle();
    assert_eq!((handle.index(), handle.life()), (first.index(), LAST_LIFE));
    last.set(3);
    assert_eq!((pool.load(handle), pool.load(first)), (Some(3), None));
    drop(last);
    assert_eq!((pool.load(handle), pool.contains(handle), pool.len()), (None, false, 0));
    let others: Vec<_> = (0..300).map(|n| pool.insert(n)).collect();
    assert!(
        others.iter().all(|owner| owner.handle().index() != handle.index()),
        "a worn slot is used"
    );
    assert_eq!(pool.load(handle), None);
}

/// A chunk number continues above the lives that were issued under it, and is given up after the last life.
#[test]
fn lives_go_on_in_the_next_pool() {
    let number = |handle: PlainHandle<u64>| handle.index() >> LOCAL_BITS;
    let end_with = |life| {
        let pool: PlainPool<u64> = PlainPool::new();
        let owner = pool.insert(1);
        owner.skip_lives_to(life);
        owner.handle()
    };
    // Other tests take and return numbers meanwhile, so this is repeated until the number is reused.
    let reused = |life| {
        let old = end_with(life);
        let pools: Vec<PlainPool<u64>> = (0..50).map(|_| PlainPool::new()).collect();
        let handles = pools.iter().map(|pool| pool.insert(2).into_manual());
        (old, handles.filter(|handle| number(*handle) == number(old)).min())
    };
    let (old, next) = (0..100)
        .map(|_| reused(1000))
        .find(|(_, next)| next.is_some())
        .expect("no number is used again");
    assert!(next.is_some_and(|next| next.life() > old.life()), "{old} {next:?}");
    for _ in 0..20 {
        assert_eq!(reused(LAST_LIFE).1, None, "a number without lives is used again");
    }
}

#[test]
fn types_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<PlainPool<u64>>();
    check::<crate::PlainOwned<'static, u64>>();
    check::<PlainHandle<std::cell::Cell<u64>>>();
}
