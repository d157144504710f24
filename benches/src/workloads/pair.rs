//! Allocate and free at once, on one thread.

use crate::{Case, case::nanoseconds, contender::Contender, contenders::all, payload::Payload};
use std::hint::black_box;

/// The contenders with this payload.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    all!(case, P)
}

fn case<C: Contender>() -> Case {
    let mut contender = C::new();
    let company = company(&mut contender);
    Case::new(C::NAME, move |n| {
        black_box(&company);
        nanoseconds(|| pairs(&mut contender, n))
    })
}

/// `n` objects, one after another.
pub(super) fn pairs<C: Contender>(contender: &mut C, n: u64) {
    for seed in 0..n {
        let owner = contender.allocate(black_box(seed));
        black_box(&owner);
        contender.free(owner);
    }
}

/// A few objects that stay alive meanwhile, as in any program: mimalloc has more to do when the last block of a page
/// is freed, and would have to do it for every object.
pub(super) fn company<C: Contender>(contender: &mut C) -> Vec<C::Owner> {
    (0..10).map(|seed| contender.allocate(seed)).collect()
}
