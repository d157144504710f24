//! The language's guarantee for two writers. loom orders the stores to a word as it executes them.

use super::{Ordering, entering};
use crate::litmus::Access::{Add, Load, Store};
use crate::litmus::{Word, outcomes};

/// Whether a thread that has read the state of the second writer may find a word of the first, which wrote the same copy.
fn mixes_writers(entering: Ordering) -> bool {
    const STATE: Word = 0;
    const WORD: Word = 1;
    // The first writer leaves by adding 1. The second enters by adding 2, and leaves by adding 4.
    let first = [Store(WORD, 1, Ordering::Relaxed), Store(STATE, 1, Ordering::Release)];
    let second = [
        Add(STATE, 2, entering),
        Store(WORD, 2, Ordering::Relaxed),
        Store(STATE, 7, Ordering::Release),
    ];
    let reader = [Load(STATE, Ordering::Acquire), Load(WORD, Ordering::Relaxed)];
    let outcomes = outcomes(&[&first, &second, &reader]);
    // The second writer has entered behind the first.
    assert!(outcomes.contains([1, 7, 2].as_slice()), "{outcomes:?}");
    outcomes.contains([1, 7, 1].as_slice())
}

#[test]
fn two_writers_of_one_copy() {
    assert!(!mixes_writers(entering()));
    // A weaker ordering is not sufficient.
    assert!(mixes_writers(Ordering::Relaxed));
}
