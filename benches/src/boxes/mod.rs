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
            Column::new("i32", values::int_boxes),
            Column::new("24-byte string", values::string_boxes),
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
            Column::new("get", values::get),
            Column::new("set", values::set),
            Column::new("add", values::add),
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
            Column::new("100 i32", || arrays::sort(100, arrays::int)),
            Column::new("1,000 i32", || arrays::sort(1000, arrays::int)),
            Column::new("100,000 i32", || arrays::sort(100_000, arrays::int)),
            Column::new("1,000 f32", || arrays::sort(1000, arrays::float)),
            Column::new("100,000 f32", || arrays::sort(100_000, arrays::float)),
            Column::new("100,000 f64", || arrays::sort(100_000, arrays::double)),
            Column::new("100,000 i64", || arrays::sort(100_000, arrays::long)),
            Column::new("1,000,000 i64", || arrays::sort(1_000_000, arrays::long)),
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
            Column::new("1,000 i32", || arrays::find(1000, arrays::int)),
            Column::new("100,000 i32", || arrays::find(100_000, arrays::int)),
            Column::new("100,000 f32", || arrays::find(100_000, arrays::float)),
            Column::new("100,000 u8", || arrays::find(100_000, arrays::byte)),
            Column::new("100,000 i64", || arrays::find(100_000, arrays::long)),
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
            Column::new("value not found", || arrays::replace(None)),
            Column::new("1 in 100 matches", || arrays::replace(Some(100))),
            Column::new("1 in 2 matches", || arrays::replace(Some(2))),
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
            Column::new("value not found", || arrays::remove(None)),
            Column::new("1 in 100 matches", || arrays::remove(Some(100))),
            Column::new("1 in 2 matches", || arrays::remove(Some(2))),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer("Vec::retain"),
            at_most: &[Some(1.0); 3],
        }],
        rounds: usize::MAX,
    },
];
