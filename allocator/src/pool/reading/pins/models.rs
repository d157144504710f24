//! The mode rises while other threads free.

use crate::pool::models::{BEGUN, Beginning, both, model_with_fence, saw};
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
