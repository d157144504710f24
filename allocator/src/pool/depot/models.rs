//! Threads make their first guards while other threads free. Objects leave a bounded pool, and limits fall.

use super::Room;
use crate::PoolPolicy;
use crate::pool::models::{Beginning, Payload, both, by_guard, free_against, model, model_with_fence, saw};
use crate::pool::{Owned, Pool};
use crate::sync::loads_are_rmw;

/// The pool's first guard, made by a thread other than the one that frees and reuses without a check.
#[test]
fn a_first_guard_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused", "not reused"], || {
        free_against(|_, _| (), by_guard)
    });
}

/// So far only the freeing thread made guards.
#[test]
fn a_second_guarding_thread_against_a_free() {
    model_with_fence(3, &["live", "stale"], || {
        free_against(|pool, handle| drop(pool.guard(handle)), by_guard)
    });
}

/// Of two new guarding threads, one sets the census to `MANY` while the other relies on it.
#[test]
fn two_new_guarding_threads_against_a_free() {
    model_with_fence(2, &["live", "stale"], || {
        free_against(
            |pool, handle| drop(pool.guard(handle)),
            |pool, handle| _ = both(|| by_guard(pool, handle), || by_guard(pool, handle)),
        );
    });
}

/// A thread that takes the place of an object sees everything that was done before the object left.
#[test]
fn room_passes_to_another_thread() {
    model(&["taken", "full"], || {
        let room = &Room::new(Some(1));
        assert!(room.enter());
        let object = Box::into_raw(Box::new(Payload::default()));
        let write = |value| {
            // SAFETY: only the thread that has the place uses the object.
            unsafe { &mut *object }.write(value);
        };
        both(
            || {
                write(1);
                room.leave();
            },
            || {
                let taken = room.enter();
                if taken {
                    write(2);
                }
                saw(if taken { "taken" } else { "full" });
            },
        );
        // SAFETY: both threads have ended.
        drop(unsafe { Box::from_raw(object) });
    });
}

/// Never more objects are in use than the bound allows.
#[test]
fn two_allocations_in_a_full_pool() {
    model(&["one", "none"], || {
        let pool = Pool::<_, Beginning>::with_hooks().bounded(1);
        let owner = pool.allocate();
        let index = |owner: Owned<Payload, &'_ Pool<Payload, Beginning>>| std::mem::ManuallyDrop::new(owner).index();
        let (here, there) = both(
            || {
                drop(owner);
                pool.try_allocate().ok().map(index)
            },
            || pool.try_allocate().ok().map(index),
        );
        assert!(here.is_none() || there.is_none(), "two objects in use");
        saw(if there.is_some() { "one" } else { "none" });
        assert!(here.is_some() || there.is_some());
    });
}

/// The limit falls while another thread frees. With a limit of 0, nothing is kept, even if the free had found a cell before.
#[test]
fn a_limit_that_falls_beside_a_free() {
    model(&["kept none"], || {
        let pool = Pool::<_, Beginning>::with_hooks().keep(PoolPolicy::KeepAtMost(1));
        let owner = pool.allocate();
        both(
            || pool.set_policy(PoolPolicy::KeepNone).expect("a pool takes each policy"),
            || drop(owner),
        );
        // A stale limit keeps an object until the next operation.
        if loads_are_rmw() {
            assert_eq!(pool.stats().kept, 0);
        }
        if pool.stats().kept == 0 {
            saw("kept none");
        }
    });
}
