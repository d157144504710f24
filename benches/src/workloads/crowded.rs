//! Some of very many objects freed in a random order, and as many allocated in their place.

use crate::shuffle::shuffled;
use crate::{case::Case, contender::Contender, contenders::recycling, payload::Payload};
use std::hint::black_box;

/// How many live.
const ALIVE: usize = 400_000;
/// How many of them are freed at a time.
const SIZE: usize = 2000;

/// Not against the pools that look for room among all that there is.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    recycling!(case, P)
}

fn case<C: Contender>() -> Case {
    let mut contender = C::new();
    let mut owners: Vec<_> = (0..ALIVE as u64).map(|seed| Some(contender.allocate(seed))).collect();
    let order = shuffled(ALIVE);
    let mut turn = 0;
    Case::batches(C::NAME, SIZE, move || {
        let places = &order[turn..turn + SIZE];
        turn = (turn + SIZE) % ALIVE;
        for &place in places {
            contender.free(owners[place].take().expect("it is alive between batches"));
        }
        for &place in places {
            owners[place] = Some(contender.allocate(black_box(place as u64)));
        }
    })
}
