//! The language's guarantees for the two orderings of a pool's number. The directory is one static of the process, and pools are
//! made in constants, so no loom model has them.

use super::{Ordering, finding, publishing};
use crate::litmus::Access::{Load, Store};
use crate::litmus::{Word, outcomes};

/// Whether a thread may find the number, and then an entry from before.
fn finds_half(publishing: Ordering, finding: Ordering) -> bool {
    const NUMBER: Word = 0;
    const ENTRY: Word = 1;
    let enter = [Store(ENTRY, 1, Ordering::Relaxed), Store(NUMBER, 1, publishing)];
    let find = [Load(NUMBER, finding), Load(ENTRY, Ordering::Relaxed)];
    let outcomes = outcomes(&[&enter, &find]);
    for seen in [[0, 0], [0, 1], [1, 1]] {
        assert!(outcomes.contains(seen.as_slice()), "{outcomes:?}");
    }
    outcomes.contains([1, 0].as_slice())
}

#[test]
fn a_number_is_found_with_its_entries() {
    assert!(!finds_half(publishing(), finding()));
    // Weaker orderings are not sufficient.
    assert!(finds_half(Ordering::Relaxed, Ordering::Acquire));
    assert!(finds_half(Ordering::Release, Ordering::Relaxed));
}
