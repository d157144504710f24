//! An owner cloned, and the clone dropped.

use super::threads;
use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::{Acedia, Kept},
    payload::{Payload, Words},
};
use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The content of the owners: 16 bytes.
type Content = Words<2>;

/// `$case` of each kind of owner, with its name and what makes one.
macro_rules! owners {
    ($case:ident) => {{
        // Each column has a pool of its own, because the engine counts otherwise once a second thread counts in a pool.
        let mut pool = Acedia::<Content, Kept, true>::new();
        vec![
            $case("acedia", move || pool.allocate(7)),
            $case("Arc", || Arc::new(Content::make(7))),
            $case("triomphe", || triomphe::Arc::new(Content::make(7))),
        ]
    }};
}

/// One thread clones an owner that no other thread has.
pub(super) fn alone() -> Vec<Case> {
    owners!(on_one_thread)
}

/// Two threads at once, each an owner of an object of its own.
pub(super) fn own() -> Vec<Case> {
    owners!(on_two_threads)
}

/// Two threads at once, both an owner of the same object.
pub(super) fn same() -> Vec<Case> {
    owners!(of_one_object)
}

fn on_one_thread<O: Clone + 'static>(name: &'static str, mut make: impl FnMut() -> O) -> Case {
    let owner = make();
    Case::new(name, move |n| nanoseconds(|| clones(&owner, n)))
}

fn on_two_threads<O: Clone + Send + Sync + 'static>(name: &'static str, mut make: impl FnMut() -> O) -> Case {
    // Others between the two, so that no cache line has both.
    let owners: Vec<O> = (0..APART).map(|_| make()).collect();
    Case::new(name, move |n| clones_on_both(&owners[0], &owners[APART - 1], n))
}

fn of_one_object<O: Clone + Send + Sync + 'static>(name: &'static str, mut make: impl FnMut() -> O) -> Case {
    let owner = make();
    Case::new(name, move |n| clones_on_both(&owner, &owner, n))
}

/// The number of objects from one that a thread uses to the one that another uses.
const APART: usize = 64;

fn clones_on_both<O: Clone + Sync>(mine: &O, theirs: &O, n: u64) -> f64 {
    let taken = AtomicUsize::new(0);
    threads::both(
        || [mine, theirs][taken.fetch_add(1, Ordering::Relaxed)],
        |owner| clones(*owner, threads::WARM_UP),
        |owner| clones(*owner, n),
    )
}

/// `n` clones, one after another.
fn clones<O: Clone>(owner: &O, n: u64) {
    for _ in 0..n {
        drop(black_box(black_box(owner).clone()));
    }
}
