//! Allocate and free at once, on one thread, in very many pools, one after another. In each, an object stays alive.

use super::pair::pair;
use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::{Acedia, Kept, ShardedSlab, Slots},
    payload::Words,
};

/// So many pools, or maps.
pub(super) fn cases<const POOLS: usize>() -> Vec<Case> {
    vec![
        case::<Acedia<Words<2>, Kept, true>, POOLS>(),
        case::<Slots<Words<2>>, POOLS>(),
        case::<ShardedSlab<Words<2>>, POOLS>(),
    ]
}

fn case<C: Contender, const POOLS: usize>() -> Case {
    let mut contenders: Vec<C> = (0..POOLS).map(|_| C::new()).collect();
    let owners: Vec<C::Owner> = contenders.iter_mut().map(|one| one.allocate(1)).collect();
    // Another thread has read, so a pool makes about thirty objects before it looks whether the thread still does.
    for _ in 0..64 {
        for one in &mut contenders {
            pair(one, 1);
        }
    }
    let mut turn = 0;
    Case::new(C::NAME, move |n| {
        let _ = &owners;
        nanoseconds(|| {
            for seed in 0..n {
                pair(&mut contenders[turn], seed);
                turn = (turn + 1) % POOLS;
            }
        })
    })
}
