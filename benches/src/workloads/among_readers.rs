//! Allocate and free at once, on one thread, while two others pin now and then: the engine's mode of several readers.

use super::pair::{FEWEST, company, pairs};
use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::shared,
    payload::Payload,
    readers::while_others_read,
};
use std::hint::black_box;

/// The contenders with this payload.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    shared!(case, P)
}

fn case<C: Contender>() -> Case {
    let mut contender = C::new();
    let mut company = company(&mut contender, FEWEST);
    Case::new(C::NAME, move |n| {
        // As in `pair`: each run has one more.
        company.push(contender.allocate(n));
        black_box(&company);
        while_others_read(|| nanoseconds(|| pairs(&mut contender, n)))
    })
}
