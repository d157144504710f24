//! Allocate and free at once, on one thread, in a pool far below its limit.

use std::hint::black_box;

use acedia::PoolPolicy;
use acedia::pool::Pool;

use crate::case::{Case, nanoseconds};
use crate::workload::ACEDIA;

/// Without a limit, and with each kind.
pub(super) fn cases() -> Vec<Case> {
    vec![
        case(ACEDIA, Pool::new()),
        case(
            "acedia, KeepAtMost",
            Pool::new().keep(PoolPolicy::KeepAtMost(1_000_000)),
        ),
        case(
            "acedia, KeepBytes",
            Pool::new().keep(PoolPolicy::KeepBytes(1_000_000_000)),
        ),
        case("acedia, bounded", Pool::new().bounded(1_000_000)),
    ]
}

fn case(name: &'static str, pool: Pool<[u64; 2]>) -> Case {
    Case::new(name, move |n| {
        nanoseconds(|| {
            for seed in 0..n {
                let owner = pool.allocate_with(|words| words[0] = black_box(seed));
                black_box(owner.key());
            }
        })
    })
}
