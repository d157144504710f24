//! The ratios to reach, and those that are shown beside them.
//!
//! A ratio has a limit if it means something to who chooses: ours takes no longer than the best allocator, or the best pool, for the
//! same job. The others are shown without one.

use crate::workload::{ACEDIA, Against, Goal, SHOWN};

/// The allocators.
const ALLOCATOR: Against = Against::Best {
    of: "allocator",
    among: &["Box, system", "Box, mimalloc", "Box, jemalloc", "Box, snmalloc"],
};

/// The pools that several threads can use at once.
const POOL: Against = Against::Best {
    of: "other pool",
    among: &[
        "sharded-slab",
        "idr-ebr",
        "generational-box, sync",
        "concurrent-slotmap",
        "lockfree-object-pool",
        "opool",
    ],
};

/// The contenders that have checked references for several threads.
const REFERENCE: Against = Against::Best {
    of: "other reference",
    among: &[
        "Arc",
        "sharded-slab",
        "idr-ebr",
        "generational-box, sync",
        "concurrent-slotmap",
    ],
};

/// Tables from a number that the program gives out to an object. Ours is the pool, whose keys are the numbers.
const TABLE: Against = Against::Best {
    of: "table",
    among: &["papaya", "DashMap"],
};

/// Reclamation without a pool.
const RECLAMATION: Against = Against::Best {
    of: "reclamation",
    among: &["kovan", "seize"],
};

/// A pool in which one thread allocates.
const PLURALITY: Against = Against::Peer("plurality");

const SLOTMAP: Against = Against::Peer("slotmap");

const ONE: Option<f64> = Some(1.0);
const HALF: Option<f64> = Some(0.5);

const fn goal(ours: &'static str, against: Against, at_most: &'static [Option<f64>]) -> Goal {
    Goal { ours, against, at_most }
}

/// Twice a map of one thread, for keys that several threads may remove by.
pub(super) const MANUAL: &[Goal] = &[goal(ACEDIA, SLOTMAP, &[Some(2.0), Some(2.0), Some(1.3)])];

const WALKED: Option<f64> = Some(1.3);

/// The sparse walk has a limit in nanoseconds.
pub(super) const WALK: &[Goal] = &[
    goal(ACEDIA, SLOTMAP, &[WALKED, WALKED, WALKED, WALKED, SHOWN]),
    goal(ACEDIA, Against::Value(20.0), &[None, None, None, None, ONE]),
];

pub(super) const PAIR: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[ONE; 4]),
    goal("acedia", POOL, &[HALF; 4]),
    goal("acedia, finalizer, no handle", ALLOCATOR, &[SHOWN; 4]),
    goal("acedia, finalizer", ALLOCATOR, &[SHOWN; 4]),
    goal("acedia, finalizer", POOL, &[SHOWN; 4]),
    goal("acedia, no handle", PLURALITY, &[SHOWN; 4]),
    goal("acedia", TABLE, &[SHOWN; 4]),
];

pub(super) const AMONG_READERS: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[SHOWN; 4]),
    goal("acedia", POOL, &[ONE; 4]),
    goal("acedia, finalizer", ALLOCATOR, &[SHOWN; 4]),
];

pub(super) const TURNS: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[Some(1.2); 2]),
    goal("acedia", POOL, &[ONE; 2]),
];

pub(super) const CLONE: &[Goal] = &[
    goal("acedia", Against::Peer("Arc"), &[Some(1.05); 3]),
    goal("acedia", Against::Peer("triomphe"), &[SHOWN; 3]),
];

pub(super) const CHURN: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[ONE; 4]),
    goal("acedia, no handle", PLURALITY, &[SHOWN; 4]),
    goal("acedia", TABLE, &[SHOWN; 4]),
];

pub(super) const HANDOFF: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[SHOWN, SHOWN, ONE, ONE]),
    goal("acedia, no handle", PLURALITY, &[SHOWN; 4]),
];

pub(super) const AGED: &[Goal] = &[goal("acedia", ALLOCATOR, &[SHOWN, ONE])];

pub(super) const BATCH: &[Goal] = &[
    goal("acedia", ALLOCATOR, &[SHOWN, SHOWN, ONE, ONE]),
    goal("acedia, no handle", PLURALITY, &[SHOWN; 4]),
];

pub(super) const CROWDED: &[Goal] = &[goal("acedia", ALLOCATOR, &[SHOWN; 2])];

pub(super) const READ: &[Goal] = &[
    goal("acedia, Handle::get", REFERENCE, &[ONE, ONE, ONE, SHOWN]),
    goal("acedia", REFERENCE, &[ONE, ONE, ONE, SHOWN]),
    // A list is read ahead in memory that no cache holds.
    goal("acedia, get_many", SLOTMAP, &[SHOWN, ONE, ONE, SHOWN]),
    goal("acedia, Handle::get", SLOTMAP, &[SHOWN; 4]),
    goal("acedia", SLOTMAP, &[SHOWN; 4]),
    goal("acedia", TABLE, &[SHOWN; 4]),
];

pub(super) const HOT: &[Goal] = &[goal("acedia", REFERENCE, &[ONE]), goal("acedia", TABLE, &[SHOWN])];

pub(super) const REPLACE: &[Goal] = &[
    goal("acedia", RECLAMATION, &[SHOWN; 4]),
    goal("acedia", TABLE, &[SHOWN; 4]),
];

/// Of a pair without a limit.
pub(super) const LIMITS: &[Goal] = &[
    goal("acedia, KeepAtMost", Against::Peer(ACEDIA), &[Some(1.5)]),
    goal("acedia, KeepBytes", Against::Peer(ACEDIA), &[Some(1.5)]),
    goal("acedia, bounded", Against::Peer(ACEDIA), &[Some(1.5)]),
];

/// The last limit is in nanoseconds.
pub(super) const POOLS: &[Goal] = &[
    goal(ACEDIA, Against::Peer("sharded-slab"), &[SHOWN; 3]),
    goal(ACEDIA, Against::Value(12.0), &[ONE; 3]),
];

/// 1.3 ms a frame.
pub(super) const FRAME: &[Goal] = &[
    goal("acedia, Vec of owners", Against::Value(6.5), &[ONE]),
    goal("acedia, Values", Against::Value(6.5), &[ONE]),
    goal("acedia, Values", SLOTMAP, &[SHOWN]),
    goal("acedia, Values", Against::Peer("bevy_ecs"), &[SHOWN]),
];

pub(super) const START: &[Goal] = &[
    goal(ACEDIA, Against::Value(40_000.0), &[ONE]),
    goal(ACEDIA, Against::Peer("sharded-slab"), &[SHOWN]),
];

pub(super) const BUILD: &[Goal] = &[goal("acedia", ALLOCATOR, &[SHOWN])];

// 16 bytes and 8 more, with what the pool's books take: as measured, because what a layout promises proves nothing.
pub(super) const MEMORY: &[Goal] = &[goal("acedia", Against::Value(24.0), &[Some(1.02)])];
