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

/// A page is given back beside a living object, while another thread allocates. No life is issued twice.
#[test]
fn collect_against_allocation() {
    model(&["live", "stale", "dropped", "kept"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        // On the first page; with `alive` on another one.
        let owner = pool.allocate();
        let others: Vec<_> = (0..3).map(|_| pool.allocate()).collect();
        let alive = pool.allocate();
        let (key, kept) = (owner.key(), alive.key());
        drop(others);
        both(
            || {
                drop(owner);
                saw(if pool.collect().objects > 0 { "dropped" } else { "kept" });
            },
            || {
                let mine = pool.allocate();
                assert_ne!(mine.key(), key, "issued twice");
                match pool.get(key, &pin()) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                }
            },
        );
        let again: Vec<_> = (0..4).map(|_| pool.allocate()).collect();
        assert!(again.iter().all(|owner| owner.key() != key), "issued twice");
        assert_eq!(pool.get(kept, &pin()).map(|object| object.read()), Some(BEGUN));
        drop(alive);
    });
}
