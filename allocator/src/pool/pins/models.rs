//! The mode rises while other threads free.

use crate::pool::models::{Beginning, both, look, model_with_fence, reuse};
use crate::pool::{Pool, pin};

/// A first reader appears while another thread frees and reuses without a scan.
#[test]
fn a_first_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || drop(reuse(&pool, owner, key)),
            || look(pool.get(key, &pin()), "stale"),
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
            || drop(reuse(&pool, owner, key)),
            || look(pool.get(key, &pin()), "stale"),
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
            || drop(reuse(&pool, owner, key)),
            || {
                both(|| drop(pin()), || look(pool.get(key, &pin()), "stale"));
            },
        );
    });
}
