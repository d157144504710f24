use crate::pool::{Handle, Plain, Pool, pin};

/// The slot's word alone gives an erased owner its life: with a key or without, through any of several owners, in every
/// life.
#[test]
fn the_life_is_that_of_the_object() {
    static POOL: Pool<u64> = Pool::new();
    let mut before = None;
    for number in 0..100 {
        let owner = POOL.allocate_with(|it| *it = number);
        let seen = (number % 3 == 0).then(|| Handle::key(owner.handle()));
        let erased = owner.erase();
        let other = erased.clone();
        let key = erased.key();
        assert!(seen.is_none_or(|seen| seen == key));
        assert_eq!(std::thread::spawn(move || other.key()).join().unwrap(), key);
        assert_eq!(POOL.get(Handle::of_key(key), &pin()), Some(&number));
        assert_eq!(erased.downcast_ref::<u64, Plain>(), Some(&number));
        assert!(
            before
                .replace(key)
                .is_none_or(|before| POOL.get(Handle::of_key(before), &pin()).is_none())
        );
        let owner = erased.downcast::<u64, Plain>().unwrap();
        assert_eq!((owner.handle().key(), owner.owners()), (key, 1));
        drop(owner.erase());
        assert!(!POOL.contains(Handle::of_key(key)));
        drop(POOL.allocate().erase()); // a life without a key
    }
    assert_eq!(POOL.stats().live, 0);
}
