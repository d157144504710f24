//! The life word and the guard word, tested through the operations that use them.

use loom::sync::atomic::{AtomicU32, Ordering};

use crate::pool::models::{
    BEGUN, Beginning, Ending, Payload, both, by_guard, by_pin, ends, ends_here, free_against, model, model_with_fence,
    saw,
};
use crate::pool::{Handle, Pool, pin};

/// A look-up by the handle of a reservation finds the object as `begin` left it, or nothing.
fn publish_against(read: fn(&Pool<Payload, Beginning>, Handle<Payload>)) {
    model(&["live", "stale"], move || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let reserved = pool.reserve();
        let handle = reserved.handle();
        let (_owner, ()) = both(|| reserved.fill(|_| ()), || read(&pool, handle));
    });
}

#[test]
fn publish_and_read_under_a_pin() {
    publish_against(by_pin);
}

#[test]
fn publish_and_read_by_a_guard() {
    publish_against(by_guard);
}

/// A thread that sees a life sees everything that happened before that life became visible.
#[test]
fn what_comes_before_a_visible_life() {
    model(&["there", "not yet"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let reserved = pool.reserve();
        let handle = reserved.handle();
        let before = AtomicU32::new(0);
        let (owner, ()) = both(
            || {
                before.store(1, Ordering::Relaxed);
                reserved.fill(|_| ())
            },
            || {
                if pool.contains(handle) {
                    assert_eq!(before.load(Ordering::Relaxed), 1);
                    saw("there");
                } else {
                    saw("not yet");
                }
            },
        );
        drop(owner);
    });
}

/// An object is not reused under a guard.
#[test]
fn free_against_guard() {
    model(&["live", "stale", "reused", "not reused"], || {
        free_against(|_, _| (), by_guard)
    });
}

/// A finalizer waits for guards, and runs exactly once, on the last thread.
#[test]
fn free_with_finalizer_against_guard() {
    model(&["live", "stale", "at once", "late"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        both(
            || saw(if ends_here(owner) { "at once" } else { "late" }),
            || by_guard(&pool, handle),
        );
        assert_eq!(ends(), 1);
        assert_eq!(pool.allocate().index(), handle.index(), "the slot was lost");
    });
}

/// The same with a guard that exists when the object is freed.
#[test]
fn free_against_a_guard_that_leaves() {
    model(&["at once", "late"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let guard = pool.guard(owner.handle()).unwrap();
        both(
            || saw(if ends_here(owner) { "at once" } else { "late" }),
            move || {
                assert_eq!(guard.read(), BEGUN);
                drop(guard);
            },
        );
        assert_eq!(ends(), 1);
    });
}

/// Exclusive access changes the object only if no thread reads it.
fn exclusive_against(read: fn(&Pool<Payload, Beginning>, Handle<Payload>)) {
    model(&["changed", "refused", "live", "stale"], move || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let mut owner = pool.allocate();
        let handle = owner.handle();
        both(
            || {
                let changed = owner.exclusive(|object| object.write(BEGUN)).is_some();
                saw(if changed { "changed" } else { "refused" });
                assert!(pool.contains(handle));
            },
            || read(&pool, handle),
        );
    });
}

#[test]
fn exclusive_against_pin() {
    exclusive_against(by_pin);
}

#[test]
fn exclusive_against_guard() {
    exclusive_against(by_guard);
}

/// A third thread, which freed nothing, defers the object to its guard: the owner's reads happen before the finalizer.
#[test]
fn deferred_to_a_guard_by_a_third_thread() {
    model(&["by the guard", "by another"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let guard = pool.guard(owner.handle()).unwrap();
        let pinned = pin();
        let (_, by_guard) = both(
            || {
                both(
                    // The end of the pin or the allocation finishes the objects that wait for pins.
                    || {
                        drop(pinned);
                        std::mem::forget(pool.allocate());
                    },
                    || ends_here(owner),
                )
            },
            move || {
                assert_eq!(guard.read(), BEGUN);
                let before = ends();
                drop(guard);
                before == 0 && ends() == 1
            },
        );
        saw(if by_guard { "by the guard" } else { "by another" });
        drop(pin());
        assert_eq!(ends(), 1);
    });
}

/// The owner's accesses happen before a free by handle, although no guard and no pin was ever made: the freeing thread
/// reads no other word of the slot.
#[test]
fn manual_to_a_thread_that_reuses_at_once() {
    model_with_fence(3, &["freed", "not yet"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        both(
            || {
                assert_eq!(owner.read(), BEGUN);
                let _ = owner.into_manual();
            },
            || match pool.free(handle) {
                Ok(()) => {
                    saw("freed");
                    drop(pool.allocate_with(|object| object.write(1)));
                }
                Err(_) => saw("not yet"),
            },
        );
        let _ = pool.free(handle);
        assert_eq!(pool.stats().live, 0);
    });
}
