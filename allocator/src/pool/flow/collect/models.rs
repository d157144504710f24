//! A collection with concurrent readers.

use crate::pool::models::{BEGUN, Beginning, both, model, saw};
use crate::pool::{Pool, pin};

#[test]
fn collect_against_pin() {
    model(&["live", "stale", "dropped", "kept"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                drop(owner);
                saw(if pool.collect().objects == 1 { "dropped" } else { "kept" });
            },
            || match pool.get(key, &pin()) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
        assert!(pool.get(key, &pin()).is_none());
        assert_ne!(pool.allocate().key(), key, "issued twice");
    });
}

#[test]
fn collect_against_guard() {
    model(&["live", "stale", "dropped", "kept"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                drop(owner);
                saw(if pool.collect().objects == 1 { "dropped" } else { "kept" });
            },
            || match pool.guard(key) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
        assert_ne!(pool.allocate().key(), key, "issued twice");
    });
}
