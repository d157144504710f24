//! The language's guarantees for the two orderings, where loom cannot decide.

use super::{Ordering, change_of_room, look_for_room};
use crate::litmus::Access::{Add, Load};
use crate::litmus::{Word, outcomes};

/// Whether a waiter may see no room (0) although the thread that made room saw no waiter.
fn misses_room(change: Ordering, look: Ordering) -> bool {
    const WAITERS: Word = 0;
    const ROOM: Word = 1;
    let waiter = [Add(WAITERS, 1, change), Load(ROOM, look)];
    let leaver = [Add(ROOM, 1, change), Load(WAITERS, look)];
    let outcomes = outcomes(&[&waiter, &leaver]);
    assert!(outcomes.contains(&vec![0, 1, 0, 1]), "{outcomes:?}");
    outcomes.contains(&vec![0, 0, 0, 0])
}

#[test]
fn waiter_and_leaver_see_each_other() {
    assert!(!misses_room(change_of_room(), look_for_room()));
    // Weaker orderings are not sufficient.
    assert!(misses_room(Ordering::AcqRel, Ordering::SeqCst));
    assert!(misses_room(Ordering::SeqCst, Ordering::Acquire));
}
