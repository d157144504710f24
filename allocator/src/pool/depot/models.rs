//! Threads make their first guards while other threads free.

use crate::pool::Pool;
use crate::pool::models::{Beginning, both, look, model_with_fence, reuse};

/// The pool's first guard, made by a thread other than the one that frees and reuses without a check.
#[test]
fn a_first_guard_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.handle();
        both(|| drop(reuse(&pool, owner, key)), || look(pool.guard(key), "stale"));
    });
}

/// So far only the freeing thread made guards.
#[test]
fn a_second_guarding_thread_against_a_free() {
    model_with_fence(3, &["live", "stale"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.handle();
        drop(pool.guard(key));
        both(|| drop(reuse(&pool, owner, key)), || look(pool.guard(key), "stale"));
    });
}

/// Of two new guarding threads, one sets the census to `MANY` while the other relies on it.
#[test]
fn two_new_guarding_threads_against_a_free() {
    model_with_fence(2, &["live", "stale"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.handle();
        drop(pool.guard(key));
        let read = || look(pool.guard(key), "stale");
        both(
            || drop(reuse(&pool, owner, key)),
            || {
                both(read, read);
            },
        );
    });
}
