//! Collections, their peers, and the ratios to reach.

mod keys;
mod lists;
mod tables;

use crate::workload::{Against, Column, Goal, SHOWN, Workload};

const fn goal(ours: &'static str, peer: &'static str, at_most: &'static [Option<f64>]) -> Goal {
    Goal {
        ours,
        against: Against::Peer(peer),
        at_most,
    }
}

/// The same limit in each of the three sizes of tables, against each of the maps.
macro_rules! against_maps {
    ($($ours:expr, $limit:literal;)+) => {
        &[$(
            goal($ours, tables::STD, &[Some($limit), Some($limit), Some($limit)]),
            goal($ours, tables::FOLDHASH, &[Some($limit), Some($limit), Some($limit)]),
            goal($ours, tables::AHASH, &[Some($limit), Some($limit), Some($limit)]),
            goal($ours, tables::INDEXMAP, &[Some($limit), Some($limit), Some($limit)]),
        )+]
    };
}

/// One column for each size.
macro_rules! sizes {
    ($module:ident::$cases:ident, $($label:literal = $number:literal),+) => {
        &[$(Column::new($label, $module::$cases::<$number>)),+]
    };
}

/// Everything that is measured, in the order of the table.
pub static ALL: &[Workload] = &[
    Workload {
        name: "hit",
        title: "Look up a key of 8 bytes that is in the table",
        unit: "ns",
        columns: sizes!(tables::hit, "100" = 100, "10,000" = 10_000, "1,000,000" = 1_000_000),
        goals: against_maps! { tables::BY_TEXT, 1.0; tables::BY_STR, 1.0; },
        rounds: 15,
    },
    Workload {
        name: "miss",
        title: "Look up a key of 8 bytes that is not in the table",
        unit: "ns",
        columns: sizes!(tables::miss, "100" = 100, "10,000" = 10_000, "1,000,000" = 1_000_000),
        goals: against_maps! { tables::BY_TEXT, 1.0; },
        rounds: 15,
    },
    Workload {
        name: "long-hit",
        title: "Look up a longer key that is in a table of 10,000 entries",
        unit: "ns",
        columns: sizes!(tables::long_hit, "24 bytes" = 24, "64 bytes" = 64),
        goals: &[
            goal(tables::BY_TEXT, tables::FOLDHASH, &[Some(1.2); 2]),
            goal(tables::BY_TEXT, tables::INDEXMAP, &[Some(1.2); 2]),
            goal(tables::BY_STR, tables::FOLDHASH, &[Some(1.2); 2]),
            goal(tables::BY_STR, tables::INDEXMAP, &[Some(1.2); 2]),
        ],
        rounds: 15,
    },
    Workload {
        name: "walk",
        title: "Iterate over a table of 10,000 entries, or a list of 10,000 doubles or texts, per entry",
        unit: "ns",
        columns: &[
            Column::new("values", tables::values),
            Column::new("keys and values", tables::entries),
            Column::new("doubles", lists::doubles),
            Column::new("texts", lists::walked),
        ],
        goals: &[
            goal(tables::ORDINARY, tables::FOLDHASH, &[Some(1.5), Some(1.5)]),
            goal(tables::ORDINARY, tables::INDEXMAP, &[Some(1.5), Some(1.5)]),
            goal(lists::OURS, lists::DOUBLES, &[None, None, Some(1.5)]),
            goal(lists::OURS, lists::STRINGS, &[None, None, None, Some(1.2)]),
        ],
        rounds: 15,
    },
    Workload {
        name: "flood",
        title: "Fill a table with 100,000 keys of 34 bytes, given as strings, and free it, per key",
        unit: "ns",
        columns: &[Column::new("34 bytes", tables::flood)],
        goals: &[goal(tables::FLOODED, tables::ORDINARY, &[Some(1.3)])],
        rounds: 15,
    },
    Workload {
        name: "ints",
        title: "Push integers, read each by index, drop the list, per integer",
        unit: "ns",
        columns: sizes!(lists::ints, "100" = 100, "1,000" = 1000, "100,000" = 100_000),
        goals: &[goal(lists::OURS, lists::VEC, &[SHOWN; 3])],
        rounds: usize::MAX,
    },
    Workload {
        name: "texts",
        title: "Make texts of 24 bytes, push them, drop the list, per text",
        unit: "ns",
        columns: sizes!(lists::texts, "100" = 100, "1,000" = 1000, "100,000" = 100_000),
        goals: &[goal(lists::OURS, lists::ARCS, &[Some(1.0); 3])],
        rounds: usize::MAX,
    },
];
