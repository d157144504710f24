//! Allocate and free at once, on one thread, alternately in two pools.

use super::pair::{FEWEST, company, pair};
use crate::{
    case::{Case, nanoseconds, share},
    contender::Contender,
    contenders::{Acedia, Boxed, Counted, Finalized, Generational, Idr, Kept, OneThread, ShardedSlab, Slots},
    payload::{Payload, Words},
};
use mimalloc::MiMalloc;
#[cfg(feature = "allocators")]
use snmalloc_rs::SnMalloc;
use std::{alloc::System, hint::black_box};
#[cfg(feature = "allocators")]
use tikv_jemallocator::Jemalloc;

/// Both pools hold objects of the same type.
pub(super) fn one_type() -> Vec<Case> {
    cases::<Words<2>, Words<2>>()
}

/// The pools hold objects of different sizes.
pub(super) fn two_types() -> Vec<Case> {
    cases::<Words<2>, Words<8>>()
}

fn cases<A: Payload, B: Payload>() -> Vec<Case> {
    vec![
        case::<Acedia<A, Kept, true>, Acedia<B, Kept, true>>(),
        case::<Acedia<A, Kept, false>, Acedia<B, Kept, false>>(),
        case::<Acedia<A, Finalized, true>, Acedia<B, Finalized, true>>(),
        case::<Boxed<A, System>, Boxed<B, System>>(),
        case::<Boxed<A, MiMalloc>, Boxed<B, MiMalloc>>(),
        #[cfg(feature = "allocators")]
        case::<Boxed<A, Jemalloc>, Boxed<B, Jemalloc>>(),
        #[cfg(feature = "allocators")]
        case::<Boxed<A, SnMalloc>, Boxed<B, SnMalloc>>(),
        case::<Counted<A, false>, Counted<B, false>>(),
        case::<ShardedSlab<A>, ShardedSlab<B>>(),
        case::<Idr<A>, Idr<B>>(),
        case::<Slots<A>, Slots<B>>(),
        case::<Generational<A, OneThread>, Generational<B, OneThread>>(),
    ]
}

fn case<A: Contender, B: Contender>() -> Case {
    let (mut first, mut second) = (A::new(), B::new());
    let mut others = (company(&mut first, FEWEST), company(&mut second, FEWEST));
    Case::new(A::NAME, move |n| {
        // As in `pair`: each run has one more in both.
        others.0.push(first.allocate(n));
        others.1.push(second.allocate(n));
        black_box(&others);
        let turns = n.div_ceil(2);
        let total = nanoseconds(|| {
            for seed in 0..turns {
                pair(&mut first, seed);
                pair(&mut second, seed);
            }
        });
        share(total, n, 2 * turns)
    })
}
