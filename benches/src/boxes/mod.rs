//! Boxes, refs and arrays against what the standard library has for the same.

mod arrays;
mod values;

use crate::workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload};

/// Everything that is measured, in the order of the tables.
pub static ALL: &[Workload] = &[
    Workload {
        name: "box",
        title: "Create and drop a box",
        unit: "ns",
        columns: &[
            Column {
                label: "i32",
                cases: values::int_boxes,
            },
            Column {
                label: "24-byte string",
                cases: values::string_boxes,
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("Arc, mimalloc"),
            at_most: &[Some(1.0); 2],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "ref",
        title: "Use a ref to an `i32`, one thread",
        unit: "ns",
        columns: &[
            Column {
                label: "get",
                cases: values::get,
            },
            Column {
                label: "set",
                cases: values::set,
            },
            Column {
                label: "add",
                cases: values::add,
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("AtomicI32"),
            at_most: &[Some(1.05); 3],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "sort",
        title: "Copy a random array and sort it, per item",
        unit: "ns",
        columns: &[
            Column {
                label: "100 i32",
                cases: || arrays::sort(100, arrays::int),
            },
            Column {
                label: "1,000 i32",
                cases: || arrays::sort(1000, arrays::int),
            },
            Column {
                label: "100,000 i32",
                cases: || arrays::sort(100_000, arrays::int),
            },
            Column {
                label: "1,000 f32",
                cases: || arrays::sort(1000, arrays::float),
            },
            Column {
                label: "100,000 f32",
                cases: || arrays::sort(100_000, arrays::float),
            },
            Column {
                label: "100,000 f64",
                cases: || arrays::sort(100_000, arrays::double),
            },
            Column {
                label: "100,000 i64",
                cases: || arrays::sort(100_000, arrays::long),
            },
            Column {
                label: "1,000,000 i64",
                cases: || arrays::sort(1_000_000, arrays::long),
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("sort_unstable"),
            at_most: &[
                SHOWN,
                Some(1.0),
                Some(1.0),
                Some(1.0),
                Some(1.0),
                Some(1.0),
                Some(1.0),
                SHOWN,
            ],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "find",
        title: "Search an array for an absent value, per item",
        unit: "ns",
        columns: &[
            Column {
                label: "1,000 i32",
                cases: || arrays::find(1000, arrays::int),
            },
            Column {
                label: "100,000 i32",
                cases: || arrays::find(100_000, arrays::int),
            },
            Column {
                label: "100,000 f32",
                cases: || arrays::find(100_000, arrays::float),
            },
            Column {
                label: "100,000 u8",
                cases: || arrays::find(100_000, arrays::byte),
            },
            Column {
                label: "100,000 i64",
                cases: || arrays::find(100_000, arrays::long),
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("iter().position"),
            at_most: &[Some(1.0), Some(1.0), Some(1.0), Some(1.0), SHOWN],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "replace",
        title: "Replace a value in an array of 100,000 `i32`, per item",
        unit: "ns",
        columns: &[
            Column {
                label: "value not found",
                cases: || arrays::replace(None),
            },
            Column {
                label: "1 in 100 matches",
                cases: || arrays::replace(Some(100)),
            },
            Column {
                label: "1 in 2 matches",
                cases: || arrays::replace(Some(2)),
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("if equal, store"),
            at_most: &[Some(1.0); 3],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "remove",
        title: "Copy an array of 100,000 `i32` and remove a value, per item",
        unit: "ns",
        columns: &[
            Column {
                label: "value not found",
                cases: || arrays::remove(None),
            },
            Column {
                label: "1 in 100 matches",
                cases: || arrays::remove(Some(100)),
            },
            Column {
                label: "1 in 2 matches",
                cases: || arrays::remove(Some(2)),
            },
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("Vec::retain"),
            at_most: &[Some(1.0); 3],
        }],
        rounds: usize::MAX,
    },
];
