//! The count of reads whose object was gone.
#![cfg(feature = "count-refused")]

use acedia::pool::{Pool, pin};

#[test]
fn each_way_to_read_counts_what_it_refuses() {
    let pool: Pool<u64> = Pool::new();
    let other: Pool<u64> = Pool::new();
    let owner = pool.allocate();
    let key = owner.key();
    let foreign = other.allocate();
    let pinned = pin();
    let reader = pool.reader(&pinned);
    let read = |key| {
        [
            pool.get(key, &pinned).is_some(),
            pool.try_get(key, &pinned).is_ok(),
            pool.with(key, |_| ()).is_some(),
            reader.get(key).is_some(),
            reader.get_many(&[key]).flatten().count() == 1,
            pool.guard(key).is_some(),
            pool.try_guard(key).is_ok(),
        ]
    };
    assert_eq!(read(key), [true; 7]);
    assert_eq!(read(foreign.key()), [false; 7]);
    assert!(!pool.contains(foreign.key()));
    assert_eq!(pool.stats().refused, 0, "no key of this pool was refused");
    drop(owner);
    assert!(!pool.contains(key));
    for round in 1..=3 {
        assert_eq!(read(key), [false; 7]);
        assert_eq!(pool.stats().refused, 7 * round);
    }
    assert_eq!(other.stats().refused, 0);
    assert!(pool.stats().to_string().ends_with(", refused 21"));
}
