//! Allocate and free at once, on two threads that share the pool.

use super::{
    pair::{FEWEST, company, pairs},
    threads,
};
use crate::{case::Case, contender::Shared, contenders::shared, payload::Payload};

/// The contenders with this payload.
pub(super) fn cases<P: Payload>() -> Vec<Case> {
    shared!(case, P)
}

fn case<C: Shared>() -> Case {
    let contender = C::new();
    let mut count = FEWEST;
    Case::new(C::NAME, move |n| {
        count += 1;
        threads::both(
            || {
                let mut mine = contender.clone();
                let company = company(&mut mine, count);
                (mine, company)
            },
            |(mine, _)| pairs(mine, threads::WARM_UP),
            |(mine, company)| {
                pairs(mine, n);
                company.drain(..).for_each(|owner| mine.free(owner));
            },
        )
    })
}
