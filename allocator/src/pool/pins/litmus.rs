//! The language's guarantee for a guard that relies on `MANY`. loom cannot decide: its models have a fence in the look at the life,
//! which also orders the load of the census.

use super::{Ordering, trusting};
use crate::litmus::Access::{Add, Load, Store};
use crate::litmus::{Word, outcomes};

/// Whether a guard may find `MANY` in the census and the life current (0), although it ended (1) before that store.
fn trusts_too_early(trusting: Ordering) -> bool {
    const LIFE: Word = 0;
    const CENSUS: Word = 1;
    const READERS: Word = 2;
    let ended_and_fenced = [Store(LIFE, 1, Ordering::Relaxed), Store(CENSUS, 1, Ordering::Release)];
    let guard = [
        Load(CENSUS, trusting),
        Add(READERS, 1, Ordering::SeqCst),
        Load(LIFE, Ordering::SeqCst),
    ];
    let outcomes = outcomes(&[&ended_and_fenced, &guard]);
    for seen in [[0, 0, 0], [0, 0, 1], [1, 0, 1]] {
        assert!(outcomes.contains(seen.as_slice()), "{outcomes:?}");
    }
    outcomes.contains([1, 0, 0].as_slice())
}

#[test]
fn a_guard_trusts_the_census() {
    assert!(!trusts_too_early(trusting()));
    // A weaker ordering is not sufficient.
    assert!(trusts_too_early(Ordering::Relaxed));
}
