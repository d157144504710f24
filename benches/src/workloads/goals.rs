//! The ratios to reach. What is not here is measured for information.

use crate::workload::{Against, Goal};

const MIMALLOC: Against = Against::Peer("Box, mimalloc");
const SHARDED_SLAB: Against = Against::Peer("sharded-slab");
const SLOTMAP: Against = Against::Peer("slotmap");

/// One limit for all four payloads.
macro_rules! four {
    ($limit:literal) => {
        &[Some($limit), Some($limit), Some($limit), Some($limit)]
    };
}

pub(super) const PAIR: &[Goal] = &[
    Goal {
        ours: "acedia",
        against: MIMALLOC,
        at_most: &[Some(0.6), Some(0.6), Some(0.5), Some(0.45)],
    },
    Goal {
        ours: "acedia, finalizer, no handle",
        against: MIMALLOC,
        at_most: four!(0.6),
    },
    Goal {
        ours: "acedia, finalizer",
        against: MIMALLOC,
        at_most: four!(1.3),
    },
    Goal {
        ours: "acedia",
        against: SHARDED_SLAB,
        at_most: four!(0.15),
    },
    Goal {
        ours: "acedia, finalizer, no handle",
        against: SHARDED_SLAB,
        at_most: four!(0.15),
    },
    Goal {
        ours: "acedia, finalizer",
        against: SHARDED_SLAB,
        at_most: four!(0.35),
    },
];

pub(super) const CHURN: &[Goal] = &[Goal {
    ours: "acedia",
    against: MIMALLOC,
    at_most: four!(0.75),
}];

pub(super) const HANDOFF: &[Goal] = &[Goal {
    ours: "acedia",
    against: MIMALLOC,
    at_most: four!(0.4),
}];

pub(super) const BATCH: &[Goal] = &[Goal {
    ours: "acedia",
    against: MIMALLOC,
    at_most: four!(1.0),
}];

pub(super) const READ: &[Goal] = &[
    Goal {
        ours: "acedia",
        against: SLOTMAP,
        at_most: READS,
    },
    Goal {
        ours: "acedia, get_many",
        against: SLOTMAP,
        at_most: READS,
    },
    Goal {
        ours: "acedia, large pages",
        against: SLOTMAP,
        at_most: READS_OF_A_MILLION,
    },
    Goal {
        ours: "acedia, get_many, large pages",
        against: SLOTMAP,
        at_most: READS_OF_A_MILLION,
    },
];

const READS: &[Option<f64>] = &[Some(1.2), Some(0.8), Some(0.8), Some(1.0)];
const READS_OF_A_MILLION: &[Option<f64>] = &[None, Some(0.8), Some(0.8), None];

pub(super) const HOT: &[Goal] = &[Goal {
    ours: "acedia",
    against: Against::Peer("idr-ebr"),
    at_most: &[Some(1.0)],
}];

pub(super) const BUILD: &[Goal] = &[];

// 16 bytes and at most 8 over, as measured: what a layout promises proves nothing.
pub(super) const MEMORY: &[Goal] = &[Goal {
    ours: "acedia",
    against: Against::Value(24.0),
    at_most: &[Some(1.0)],
}];
