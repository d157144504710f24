//! A thousand objects allocated, then all of them freed.

use super::shuffle::shuffled;
use crate::{Case, contender::Contender, contenders::all, payload::Payload};
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
    case::<C>((0..SIZE).collect())
}

fn out_of_order<C: Contender>() -> Case {
    case::<C>(shuffled(SIZE))
}

fn case<C: Contender>(order: Vec<usize>) -> Case {
    let mut contender = C::new();
    let mut owners: Vec<Option<C::Owner>> = Vec::with_capacity(SIZE);
    Case::batches(C::NAME, SIZE, move || {
        owners.extend((0..SIZE as u64).map(|seed| Some(contender.allocate(black_box(seed)))));
        for &place in &order {
            let owner = owners[place].take().expect("every place comes once");
            contender.free(owner);
        }
        owners.clear();
    })
}
