//! The language's guarantees for the orderings above, where loom cannot decide.

use super::Guards;
use crate::litmus::Access::{Add, Fence, Load, Store};
use crate::litmus::{Word, outcomes};
use crate::pool::life::Life;
use crate::sync::Ordering;

const READERS: Word = 0;
const LIFE: Word = 1;

/// Whether a guard may find the life current (0) although the freeing thread, which ended it (1), found no reader.
fn meets_unseen(entering: Ordering, confirming: Ordering, fence: Ordering) -> bool {
    let guard = [Add(READERS, 1, entering), Load(LIFE, confirming)];
    let free = [
        Store(LIFE, 1, Ordering::Relaxed),
        Fence(fence),
        Load(READERS, Ordering::Acquire),
    ];
    let outcomes = outcomes(&[&guard, &free]);
    // The guard alone, the freeing thread alone, and each of them in sight of the other.
    for seen in [[0, 0, 1], [0, 1, 0], [0, 1, 1]] {
        assert!(outcomes.contains(seen.as_slice()), "{outcomes:?}");
    }
    outcomes.contains([0, 0, 0].as_slice())
}

#[test]
fn guard_and_free_see_each_other() {
    let fence = Ordering::SeqCst;
    assert!(!meets_unseen(Guards::entering(), Life::confirming(), fence));
    // Weaker orderings are not sufficient.
    assert!(meets_unseen(Ordering::AcqRel, Ordering::SeqCst, fence));
    assert!(meets_unseen(Ordering::SeqCst, Ordering::Acquire, fence));
    assert!(meets_unseen(Ordering::SeqCst, Ordering::SeqCst, Ordering::AcqRel));
}
