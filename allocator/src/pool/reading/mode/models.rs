//! The mode rises and falls while other threads free.

use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model_with_fence, saw};
use crate::pool::{Pool, pin};

/// A first reader appears while another thread frees and reuses without a scan.
#[test]
fn a_first_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                drop(owner);
                let next = pool.allocate_with(|object| object.write(1));
                if next.index() == key.index() {
                    saw("reused");
                }
            },
            || match pool.get(key, &pin()) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
    });
}

/// A second reader appears while the only reader frees and reuses without a scan.
#[test]
fn a_second_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        drop(pin());
        both(
            || {
                drop(owner);
                let next = pool.allocate_with(|object| object.write(1));
                saw(if next.index() == key.index() {
                    "reused"
                } else {
                    "not reused"
                });
            },
            || match pool.get(key, &pin()) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
    });
}

/// One new reader sets the mode to `MANY` while another relies on it.
#[test]
fn two_new_readers_against_a_free() {
    model_with_fence(3, &["live", "stale"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        drop(pin());
        both(
            || {
                drop(owner);
                drop(pool.allocate_with(|object| object.write(1)));
            },
            || {
                both(
                    || drop(pin()),
                    || match pool.get(key, &pin()) {
                        Some(object) => {
                            assert_eq!(object.read(), BEGUN);
                            saw("live");
                        }
                        None => saw("stale"),
                    },
                );
            },
        );
    });
}

/// A freeing thread that finds no pin makes the mode fall while a reader returns.
#[test]
fn a_fall_against_a_reader_that_returns() {
    model_with_fence(2, &["live", "stale", "at once", "late"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owners = [pool.allocate(), pool.allocate()];
        let keys = owners.each_ref().map(|owner| owner.key());
        drop(pin());
        both(|| (), || drop(pin()));
        both(
            || {
                // The first free may make the mode fall, and the second then makes no scan.
                let [first, second] = owners;
                drop(first);
                drop(second);
                saw(if ends() == 2 { "at once" } else { "late" });
            },
            || {
                let pinned = pin();
                match pool.get(keys[1], &pinned) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                }
            },
        );
        drop(pin());
        assert_eq!(ends(), 2);
        assert_eq!(pool.stats().panics, 0);
    });
}

/// One thread makes the mode fall after a reader has left, and another thread then ends what that reader has read.
#[test]
fn a_fall_for_a_third_thread() {
    model_with_fence(3, &["live", "stale", "at once"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let (read, other) = (pool.allocate(), pool.allocate());
        let keys = [read.key(), other.key()];
        drop(pin());
        both(
            || {
                drop(read);
                if ends() > 0 {
                    saw("at once");
                }
            },
            || {
                both(
                    || drop(other),
                    || match pool.get(keys[0], &pin()) {
                        Some(object) => {
                            assert_eq!(object.read(), BEGUN);
                            saw("live");
                        }
                        None => saw("stale"),
                    },
                );
            },
        );
        drop(pin());
        assert_eq!(ends(), 2);
        assert_eq!(pool.stats().panics, 0);
    });
}
