use crate::pool::{Pool, pin};
use crate::support::alone;

/// The slot's word alone gives an erased owner its life: with a handle or without, through any of several owners, in every
/// life.
#[test]
fn the_life_is_that_of_the_object() {
    static POOL: Pool<u64> = Pool::new();
    let _alone = alone();
    let mut before = None;
    for number in 0..100 {
        let owner = POOL.allocate_with(|it| *it = number);
        let seen = (number % 3 == 0).then(|| owner.handle().cast());
        let erased = owner.erase();
        let other = erased.clone();
        let handle = erased.handle();
        assert!(seen.is_none_or(|seen| seen == handle));
        assert_eq!(std::thread::spawn(move || other.handle()).join().unwrap(), handle);
        assert_eq!(POOL.get(handle.cast(), &pin()), Some(&number));
        assert_eq!(erased.downcast_ref(&POOL), Some(&number));
        assert!(
            before
                .replace(handle)
                .is_none_or(|before| POOL.get(before.cast(), &pin()).is_none())
        );
        let owner = erased.downcast(&POOL).unwrap();
        assert_eq!((owner.handle().cast(), owner.owners()), (handle, 1));
        drop(owner.erase());
        assert!(!POOL.contains(handle.cast()));
        drop(POOL.allocate().erase()); // a life without a handle
    }
    assert_eq!(POOL.stats().live, 0);
}

/// Another pool of the same type, with or without objects, is not the object's pool.
#[test]
fn the_pool_gives_the_type() {
    static ONE: Pool<u64> = Pool::new();
    static OTHER: Pool<u64> = Pool::new();
    let erased = ONE.allocate().erase();
    assert!(erased.is_in(&ONE) && !erased.is_in(&OTHER));
    let other = OTHER.allocate().erase();
    assert!(!erased.is_in(&OTHER) && !erased.is_with(&other) && erased.is_with(&ONE.allocate().erase()));
    assert_eq!((erased.downcast_ref(&OTHER), other.downcast_ref(&ONE)), (None, None));
    let erased = erased.downcast(&OTHER).unwrap_err();
    assert_eq!(erased.downcast(&ONE).unwrap().owners(), 1);
}
