//! The same work on two threads at once.

use crate::case::nanoseconds;
use std::{sync::Barrier, thread};

/// How many operations a new thread does before it is measured.
pub(super) const WARM_UP: u64 = 2000;

/// Runs `work` on this thread and a new one, both with a state of their own that has gone through `warm_up`.
/// Answers the mean of their times, in nanoseconds.
pub(super) fn both<S>(
    state: impl Fn() -> S + Sync,
    warm_up: impl Fn(&mut S) + Sync,
    work: impl Fn(&mut S) + Sync,
) -> f64 {
    let gate = Barrier::new(2);
    let turn = || {
        let mut state = state();
        warm_up(&mut state);
        gate.wait();
        nanoseconds(|| work(&mut state))
    };
    thread::scope(|scope| {
        let other = scope.spawn(turn);
        let mine = turn();
        f64::midpoint(mine, other.join().expect("the other thread finishes"))
    })
}
