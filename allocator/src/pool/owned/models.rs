//! Several owners, and none: operations by handle.

use std::panic::Location;

use crate::AccessError;
use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, ends_here, model, saw};
use crate::pool::{Handle, Hooks, Pool, pin, recycle};

/// The thread that drops the last owner ends the life, after all accesses by the other owners.
#[test]
fn owners_on_two_threads() {
    model(&["ended here", "ended there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let other = owner.clone();
        let (here, there) = both(|| ends_here(owner), || ends_here(other));
        assert!(here || there);
        saw(if here { "ended here" } else { "ended there" });
        assert_eq!(ends(), 1);
    });
}

#[test]
fn owners_cloned_on_two_threads() {
    model(&["last here", "last there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let other = owner.clone();
        both(
            || {
                let more = owner.clone();
                drop(owner);
                assert_eq!(more.read(), BEGUN);
                if more.owners() == 1 {
                    saw("last here");
                }
            },
            || {
                let more = other.clone();
                assert_eq!(other.read(), BEGUN);
                drop(other);
                if more.owners() == 1 {
                    saw("last there");
                }
            },
        );
        assert_eq!(ends(), 1);
    });
}

/// Of two threads that free the same handle, one succeeds, and neither ends a later life.
#[test]
fn manual_free_by_two_threads() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let handle = pool.allocate().into_manual();
        let (here, there) = both(
            || {
                let won = pool.free(handle).is_ok();
                assert_eq!(pool.allocate().read(), BEGUN);
                won
            },
            || pool.free(handle).is_ok(),
        );
        assert!(here != there, "{} won", if here { "both" } else { "none" });
        saw(if here { "here" } else { "there" });
        // Objects may still wait for readers: the end of a pin finishes them.
        drop(pin());
        assert_eq!(ends(), 2);
    });
}

/// A free by a stale handle does not take the manual share of the slot's next life, though no pin holds the slot.
#[test]
fn a_free_by_an_old_handle() {
    model(&["freed here", "freed there", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let handle = pool.allocate().into_manual();
        let (next, there) = both(
            || {
                let here = pool.free(handle).is_ok();
                let next = pool.allocate().into_manual();
                if next.index() == handle.index() {
                    saw("reused");
                }
                saw(if here { "freed here" } else { "freed there" });
                next
            },
            || pool.free(handle).is_ok(),
        );
        assert!(pool.contains(next), "the free by the old handle ended it");
        assert!(pool.free(next).is_ok());
        let _ = there;
    });
}

/// As [`Values::take`](crate::pool::Values::take), but the object is finalized.
fn take<T: Send + Sync, H: Hooks<T>>(pool: &Pool<T, H>, handle: Handle<T>) -> Result<(), AccessError> {
    let (slot, ended) = pool.end_unread(handle, Location::caller())?;
    recycle::finish::<T, H>(slot, ended);
    Ok(())
}

/// As [`Values::add`](crate::pool::Values::add).
fn add<T: Send + Sync, H: Hooks<T>>(pool: &mut Pool<T, H>) -> Handle<T> {
    Pool::<T, H>::leave_alone(pool.allocate().into_slot())
}

/// As [`Values::remove`](crate::pool::Values::remove), but the object is finalized.
fn remove<T: Send + Sync, H: Hooks<T>>(pool: &mut Pool<T, H>, handle: Handle<T>) -> bool {
    let ended = pool.end_alone(handle);
    ended.is_some_and(|(slot, ended)| {
        recycle::finish::<T, H>(slot, ended);
        true
    })
}

/// A take that a guard refuses hides the life and shows it again. A free that gets the share next ends that life, even if it looked
/// at the share before the take began. A free that finds no share leaves the object.
#[test]
fn a_refused_take_beside_a_free() {
    model(&["taken", "freed", "neither"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let handle = pool.allocate().into_manual();
        let (taken, (freed, ())) = both(
            || take(&pool, handle),
            || both(|| pool.free(handle), || drop(pool.guard(handle))),
        );
        saw(match (&taken, &freed) {
            (Ok(()), Err(_)) => "taken",
            (Err(_), Ok(())) => "freed",
            (Err(_), Err(_)) => "neither",
            (Ok(()), Ok(())) => panic!("both ended the life"),
        });
        let is_over = taken.is_ok() || freed.is_ok();
        assert_eq!(pool.contains(handle), !is_over);
        assert_eq!(pool.free(handle).is_ok(), !is_over);
    });
}

/// Guards and refused frees of other threads, which have ended before the pool is borrowed mutably, leave a guard word that plain
/// stores may change.
#[test]
fn a_removal_by_mut_after_guards() {
    model(&["guarded", "too late"], || {
        let mut pool = Pool::<_, Ending>::with_hooks();
        let handle = add(&mut pool);
        let old = add(&mut pool);
        assert!(remove(&mut pool, old));
        let (guarded, freed) = both(|| pool.guard(handle).is_some(), || pool.free(handle).is_ok());
        assert!(freed);
        saw(if guarded { "guarded" } else { "too late" });
        let next = add(&mut pool);
        assert!(remove(&mut pool, next), "a guard or a share is left");
        assert!(!remove(&mut pool, next));
        drop(pin());
        assert_eq!(ends(), 3);
    });
}

/// A free by handle while another thread reclaims the object, clones its owner and makes it manual again. The free is refused while there is
/// another owner.
#[test]
fn a_free_beside_a_share_that_is_cloned() {
    model(&["freed", "refused"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let handle = pool.allocate().into_manual();
        let (freed, ()) = both(
            || pool.free(handle).is_ok(),
            || {
                if let Ok(owner) = pool.reclaim(handle) {
                    let other = owner.clone();
                    let _ = owner.into_manual();
                    assert_eq!(other.read(), BEGUN);
                    drop(other);
                }
            },
        );
        saw(if freed { "freed" } else { "refused" });
        assert_eq!(pool.free(handle).is_ok(), !freed);
        assert!(!pool.contains(handle));
    });
}
