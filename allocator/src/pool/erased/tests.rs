use crate::pool::{Plain, Pool, pin};

/// The slot's word alone gives an erased owner its life: with a handle or without, through any of several owners, in every
/// life.
#[test]
fn the_life_is_that_of_the_object() {
    static POOL: Pool<u64> = Pool::new();
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
        assert_eq!(erased.downcast_ref::<u64, Plain>(), Some(&number));
        assert!(
            before
                .replace(handle)
                .is_none_or(|before| POOL.get(before.cast(), &pin()).is_none())
        );
        let owner = erased.downcast::<u64, Plain>().unwrap();
        assert_eq!((owner.handle().cast(), owner.owners()), (handle, 1));
        drop(owner.erase());
        assert!(!POOL.contains(handle.cast()));
        drop(POOL.allocate().erase()); // a life without a handle
    }
    assert_eq!(POOL.stats().live, 0);
}
