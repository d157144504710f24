//! Values that are taken out while other threads read or operate on manual objects.

use std::cell::Cell;
use std::ops::Deref;

use crate::pool::models::{Payload, both, model, saw};
use crate::pool::{Handle, Values, pin};
use crate::{AccessError, Reason};

std::thread_local! {
    /// The number of values that exist. loom runs all threads of a model on the calling thread.
    static ALIVE: Cell<u32> = const { Cell::new(0) };
}

/// A value whose every access loom checks for races.
struct Watched {
    payload: Payload,
}

impl Watched {
    fn new() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        let mut payload = Payload::default();
        payload.write(7);
        Self { payload }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

fn pool_of_one() -> (Values<Watched>, Handle<Watched>) {
    ALIVE.set(0);
    let pool: Values<Watched> = Values::new();
    let handle = pool.insert(Watched::new()).into_manual();
    (pool, handle)
}

/// Reads the value that a handle or a guard resolved to, if there is one, and notes the outcome.
fn look(found: Option<impl Deref<Target = Watched>>) {
    match found {
        Some(value) => {
            assert_eq!(value.payload.read(), 7);
            saw("seen");
        }
        None => saw("not seen"),
    }
}

/// Notes the outcome of an operation: `done`, or the reason of its error.
fn note<T>(result: Result<T, AccessError>, done: &'static str) -> bool {
    saw(result.as_ref().map_or_else(refused, |_| done));
    result.is_ok()
}

fn take(pool: &Values<Watched>, handle: Handle<Watched>) -> bool {
    let taken = pool.take(handle).inspect(|value| assert_eq!(value.payload.read(), 7));
    note(taken, "taken")
}

fn free(pool: &Values<Watched>, handle: Handle<Watched>) -> bool {
    note(pool.free(handle), "freed here")
}

/// The reason of an error. The object never has an owner, but another operation may have its manual share, and hide it.
fn refused(error: &AccessError) -> &'static str {
    match error.reason() {
        Reason::Read => "read",
        Reason::Freed | Reason::Reused => "gone",
        Reason::Owned | Reason::Hidden => "busy",
        reason => panic!("the manual object {reason}"),
    }
}

/// After both threads: exactly one of them ended the life, or none did and the object can be freed.
fn check_the_end(pool: &Values<Watched>, handle: Handle<Watched>, here: bool, there: bool) {
    assert!(!(here && there), "both ended the life");
    assert_eq!(pool.contains(handle), !(here || there));
    assert_eq!(pool.free(handle).is_ok(), !(here || there));
    drop(pin());
    assert_eq!(ALIVE.get(), 0);
    assert_eq!(pool.stats().live, 0);
}

#[test]
fn take_against_a_guard() {
    model(&["taken", "read", "seen", "not seen"], || {
        let (pool, handle) = pool_of_one();
        let (taken, ()) = both(|| take(&pool, handle), || look(pool.guard(handle)));
        check_the_end(&pool, handle, taken, false);
    });
}

#[test]
fn take_against_a_pin() {
    model(&["taken", "read", "seen", "not seen"], || {
        let (pool, handle) = pool_of_one();
        let (taken, ()) = both(|| take(&pool, handle), || look(pool.get(handle, &pin())));
        check_the_end(&pool, handle, taken, false);
    });
}

#[test]
fn take_against_free() {
    model(&["taken", "gone", "freed here"], || {
        let (pool, handle) = pool_of_one();
        let (taken, freed) = both(|| take(&pool, handle), || free(&pool, handle));
        assert!(taken || freed, "nobody ended the life");
        check_the_end(&pool, handle, taken, freed);
    });
}

#[test]
fn take_against_take() {
    model(&["taken", "gone"], || {
        let (pool, handle) = pool_of_one();
        let (here, there) = both(|| take(&pool, handle), || take(&pool, handle));
        assert!(here || there, "nobody ended the life");
        check_the_end(&pool, handle, here, there);
    });
}

/// A free during a refused take: it succeeds, or finds no share and leaves the value.
#[test]
fn a_refused_take_against_free() {
    model(&["read", "gone", "busy", "freed here"], || {
        let (pool, handle) = pool_of_one();
        let guard = pool.guard(handle);
        let (taken, freed) = both(|| take(&pool, handle), || free(&pool, handle));
        drop(guard);
        assert!(!taken, "taken under a guard");
        check_the_end(&pool, handle, taken, freed);
    });
}

/// A reclaim during a take. If the take is refused, the share comes back, and the reclaim gets the owner. If the take
/// succeeds, the reclaim gets none.
#[test]
fn take_against_reclaim() {
    model(&["taken", "gone", "reclaimed"], || {
        let (pool, handle) = pool_of_one();
        let (taken, reclaimed) = both(
            || take(&pool, handle),
            || {
                let owner = pool
                    .reclaim(handle)
                    .inspect(|owner| assert_eq!(owner.payload.read(), 7));
                note(owner, "reclaimed")
            },
        );
        assert!(taken || reclaimed, "nobody ended the life");
        check_the_end(&pool, handle, taken, reclaimed);
    });
}

/// A free of an object with another owner is refused, and the share stays for a reclaim at the same time.
#[test]
fn a_refused_free_against_reclaim() {
    model(&["owned", "reclaimed"], || {
        let (pool, handle) = pool_of_one();
        let owner = pool.reclaim(handle).unwrap();
        let other = owner.clone();
        let _ = owner.into_manual();
        let (_, reclaimed) = both(
            || {
                assert_eq!(pool.free(handle).unwrap_err().reason(), Reason::Owned);
                saw("owned");
            },
            || {
                let owner = pool.reclaim(handle).unwrap();
                saw("reclaimed");
                owner.into_manual()
            },
        );
        assert_eq!(reclaimed, handle);
        drop(other);
        check_the_end(&pool, handle, false, false);
    });
}
