//! Ten thousand objects allocated, then freed, where very many were freed in a random order before.

use super::batch;
use crate::{case::Case, contender::Contender, contenders::recycling, payload::Payload, shuffle::shuffled};

/// How many there were before.
const BEFORE: usize = 1_000_000;
/// How many live at once.
const SIZE: usize = 10_000;

/// Not against the pools that look for room among all that there is.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    recycling!(case, P)
}

fn case<C: Contender>() -> Case {
    let mut contender = C::new();
    let mut owners: Vec<_> = (0..BEFORE as u64).map(|seed| Some(contender.allocate(seed))).collect();
    for place in shuffled(BEFORE) {
        let owner = owners[place].take().expect("every place comes once");
        contender.free(owner);
    }
    batch::of(contender, (0..SIZE).collect())
}
