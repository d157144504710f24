//! Texts, their peers, and the ratios to reach.

mod hash;
mod index;
mod letters;
mod make;

use crate::workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload};

/// A goal of ours.
const fn goal(peer: &'static str, at_most: &'static [Option<f64>]) -> Goal {
    Goal {
        ours: ACEDIA,
        against: Against::Peer(peer),
        at_most,
    }
}

/// One column for each number, which is a parameter of `$module::$cases`.
macro_rules! columns {
    ($module:ident::$cases:ident, $($label:literal = $number:literal),+) => {
        &[$(Column::new($label, $module::$cases::<$number>)),+]
    };
}

/// Everything that is measured, in the order of the table.
pub static ALL: &[Workload] = &[
    Workload {
        name: "create",
        title: "Make a text and drop the text made 64 texts ago",
        unit: "ns",
        columns: &[
            Column::new("8 bytes", make::create::<8>),
            Column::new("24 bytes", make::create::<24>),
            Column::new("64 bytes", make::create::<64>),
            Column::new("100 bytes", make::create::<100>),
            Column::new("1,000 bytes", make::create::<1000>),
            Column::new("24 Cyrillic letters", make::create_cyrillic::<24>),
        ],
        goals: &[goal("String", &[Some(1.0); 6])],
        rounds: usize::MAX,
    },
    Workload {
        name: "replace",
        title: "Replace a random one of 20,000 texts by a new text",
        unit: "ns",
        columns: &[
            Column::new("24 bytes", make::replace::<24>),
            Column::new("100 bytes", make::replace::<100>),
            Column::new("1,000 bytes", make::replace::<1000>),
            Column::new("24 Cyrillic letters", make::replace_cyrillic::<24>),
        ],
        goals: &[goal("String", &[Some(1.1); 4])],
        rounds: usize::MAX,
    },
    Workload {
        name: "clone",
        title: "Clone a text and drop the clone",
        unit: "ns",
        columns: columns!(make::clone, "8 bytes" = 8, "24 bytes" = 24, "64 bytes" = 64),
        goals: &[goal("String", &[None; 3]), goal("Arc<str>", &[Some(1.05); 3])],
        rounds: usize::MAX,
    },
    Workload {
        name: "index",
        title: "Find a code point at a random position of a text of 1,024 or 64 code points",
        unit: "ns",
        columns: &[
            Column::new("Cyrillic", index::cyrillic),
            Column::new("emoji", index::emoji),
            Column::new("64 ASCII characters", index::short),
        ],
        goals: &[goal(index::NTH, &[Some(1.0), Some(1.0), Some(0.5)])],
        rounds: usize::MAX,
    },
    Workload {
        name: "hash",
        title: "Hash ASCII, one text after another",
        unit: "ns",
        columns: columns!(
            hash::ascii,
            "8 bytes" = 8,
            "24 bytes" = 24,
            "256 bytes" = 256,
            "4 KiB" = 4096,
            "64 KiB" = 65_536,
            "4 MiB" = 4_194_304
        ),
        goals: &[
            goal(hash::SERIAL, &[None, None, None, None, SHOWN, None]),
            goal(hash::READING, &[None, None, None, None, None, SHOWN]),
        ],
        rounds: usize::MAX,
    },
    Workload {
        name: "latency",
        title: "Hash ASCII, the next text chosen by the hash",
        unit: "ns",
        columns: columns!(hash::chained, "8 bytes" = 8, "24 bytes" = 24, "64 bytes" = 64),
        goals: &[goal(hash::SERIAL, &[None, SHOWN, None])],
        rounds: usize::MAX,
    },
    Workload {
        name: "wide",
        title: "Hash a text of 4,096 code points of another script",
        unit: "ns",
        columns: &[Column::new("Cyrillic", hash::two), Column::new("emoji", hash::four)],
        goals: &[goal(hash::SERIAL, &[SHOWN; 2])],
        rounds: usize::MAX,
    },
];
