//! Domains against each other, and pools that are read by guards only.

use crate::pool::domain::{GuardsOnly, Participant, Pins};
use crate::pool::models::{Ending, Payload, both, ends, look, model, model_with_fence, saw};
use crate::pool::{Domain, Pool, pin};
use crate::sync::{process_static, thread_static};

enum Other {}

process_static! { static PINS: Pins = Pins::new(); }
thread_static! { static THREAD: Participant = Participant::new(); }
crate::__readers!(Other, by_pin: true);
impl Domain for Other {}

/// A thread pins in two domains. Frees in one of them see only the pins of that domain.
fn domain_against_domain() {
    let (here, there) = (
        Pool::<Payload, Ending>::with_hooks(),
        Pool::<_, Ending<Other>>::with_hooks(),
    );
    let (one, other) = (here.allocate(), there.allocate());
    let keys = (one.handle(), other.handle());
    let there = &there;
    both(
        || {
            drop(one);
            assert_eq!(ends(), 1, "a pin of another domain delayed the finalizer");
            drop(other);
            saw(if ends() == 2 { "at once" } else { "late" });
        },
        || {
            let pinned = Other::pin();
            look(there.get(keys.1, &pinned), "stale");
        },
    );
    drop(Other::pin());
    assert_eq!(ends(), 2);
    assert!(here.get(keys.0, &pin()).is_none());
}

#[test]
fn a_pin_of_another_domain_against_a_free() {
    model(&["live", "stale", "at once", "late"], domain_against_domain);
}

#[test]
fn a_pin_of_another_domain_against_a_free_in_modes() {
    model_with_fence(2, &["live", "stale", "at once", "late"], domain_against_domain);
}

/// The finalizer of a pool that is read by guards only runs at the free, or at the end of the last guard, whatever is
/// pinned.
fn guards_only() {
    let pool = Pool::<Payload, Ending<GuardsOnly>>::with_hooks();
    let owner = pool.allocate();
    let key = owner.handle();
    let _pinned = pin();
    let (at_once, ()) = both(
        || {
            drop(owner);
            ends() == 1
        },
        || look(pool.guard(key), "stale"),
    );
    assert_eq!(ends(), 1, "the finalizer is late");
    saw(if at_once { "at the free" } else { "at the guard's end" });
}

const GUARDED: [&str; 4] = ["live", "stale", "at the free", "at the guard's end"];

#[test]
fn guards_only_against_a_free() {
    model(&GUARDED, guards_only);
}

#[test]
fn guards_only_against_a_free_in_modes() {
    model_with_fence(2, &GUARDED, guards_only);
}
