//! A thousand objects allocated, then all of them freed.

use crate::shuffle::shuffled;
use crate::{case::Case, contender::Contender, contenders::all, payload::Payload};
use std::hint::black_box;

/// How many objects live at once.
const SIZE: usize = 1000;

/// Freed in the order in which they were made.
pub(super) fn first_in_first_out<P: Payload>() -> Vec<Case> {
    all!(in_order, P)
}

/// Freed in random order.
pub(super) fn random<P: Payload>() -> Vec<Case> {
    all!(out_of_order, P)
}

fn in_order<C: Contender>() -> Case {
    of(C::new(), (0..SIZE).collect())
}

fn out_of_order<C: Contender>() -> Case {
    of(C::new(), shuffled(SIZE))
}

/// As many are allocated as `order` has places, then freed in that order.
pub(super) fn of<C: Contender>(mut contender: C, order: Vec<usize>) -> Case {
    let size = order.len();
    let mut owners: Vec<Option<C::Owner>> = Vec::with_capacity(size);
    Case::batches(C::NAME, size, move || {
        owners.extend((0..size as u64).map(|seed| Some(contender.allocate(black_box(seed)))));
        for &place in &order {
            let owner = owners[place].take().expect("every place comes once");
            contender.free(owner);
        }
        owners.clear();
    })
}
