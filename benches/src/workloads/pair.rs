//! Allocate and free at once, on one thread.

use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::all,
    payload::Payload,
};
use std::hint::black_box;

/// The contenders with this payload.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    all!(case, P)
}

fn case<C: Contender>() -> Case {
    let mut contender = C::new();
    let mut company = company(&mut contender, FEWEST);
    Case::new(C::NAME, move |n| {
        // Each run has one more, and so another place in memory for the object that comes and goes.
        company.push(contender.allocate(n));
        black_box(&company);
        nanoseconds(|| pairs(&mut contender, n))
    })
}

/// `n` objects, one after another.
pub(super) fn pairs<C: Contender>(contender: &mut C, n: u64) {
    (0..n).for_each(|seed| pair(contender, seed));
}

/// One object.
#[expect(clippy::inline_always, reason = "as in `contenders`")]
#[inline(always)]
pub(super) fn pair<C: Contender>(contender: &mut C, seed: u64) {
    let owner = contender.allocate(black_box(seed));
    black_box(&owner);
    contender.free(owner);
}

/// The objects that stay alive at first.
pub(super) const FEWEST: u64 = 10;

/// Objects that stay alive meanwhile, as in any program: mimalloc has more to do when the last block of a page is freed,
/// and would have to do it for every object. Their number differs from run to run, because it decides which addresses the
/// processor takes for each other (it compares the low twelve bits of a load with those of the stores before it).
pub(super) fn company<C: Contender>(contender: &mut C, count: u64) -> Vec<C::Owner> {
    (0..count).map(|seed| contender.allocate(seed)).collect()
}
