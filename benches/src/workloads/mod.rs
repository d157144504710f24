//! The workloads, and the ratios to reach.

mod aged;
mod among_readers;
mod batch;
mod churn;
mod clone;
mod crowded;
mod frame;
mod goals;
mod handoff;
mod hot;
mod limits;
mod manual;
mod million;
mod pair;
mod pools;
mod read;
mod replace;
mod start;
mod threads;
mod turns;
mod walk;

use crate::{
    payload::{List, Payload, Text, Words},
    workload::{Column, Workload},
};

pub(crate) use million::TASKS;
pub(crate) use start::TASK as START;

/// The four payloads with the same generic workload.
macro_rules! every_payload {
    ($module:ident::$cases:ident) => {
        &[
            column!($module::$cases, Words<2>),
            column!($module::$cases, Words<8>),
            column!($module::$cases, Text),
            column!($module::$cases, List),
        ]
    };
}

/// One payload with a generic workload.
macro_rules! column {
    ($module:ident::$cases:ident, $Payload:ty) => {
        Column::new(<$Payload as Payload>::NAME, $module::$cases::<$Payload>)
    };
}

/// Everything that is measured, in the order of the table.
pub static ALL: &[Workload] = &[
    Workload {
        name: "pair",
        title: "Allocate and free, one thread",
        unit: "ns",
        columns: every_payload!(pair::cases),
        goals: goals::PAIR,
        rounds: usize::MAX,
    },
    Workload {
        name: "turns",
        title: "Allocate and free, one thread, alternately in two pools",
        unit: "ns",
        columns: &[
            Column::new("16 B and 16 B", turns::one_type),
            Column::new("16 B and 64 B", turns::two_types),
        ],
        goals: goals::TURNS,
        rounds: usize::MAX,
    },
    Workload {
        name: "clone",
        title: "Clone an owner and drop the clone",
        unit: "ns",
        columns: &[
            Column::new("one thread", clone::alone),
            Column::new("two threads, an object each", clone::own),
            Column::new("two threads, one object", clone::same),
        ],
        goals: goals::CLONE,
        rounds: usize::MAX,
    },
    Workload {
        name: "churn",
        title: "Allocate and free, two threads at once",
        unit: "ns",
        columns: every_payload!(churn::cases),
        goals: goals::CHURN,
        rounds: usize::MAX,
    },
    Workload {
        name: "handoff",
        title: "One thread allocates, another frees",
        unit: "ns",
        columns: every_payload!(handoff::cases),
        goals: goals::HANDOFF,
        rounds: usize::MAX,
    },
    Workload {
        name: "fifo",
        title: "Allocate 1,000 objects, then free them in the same order",
        unit: "ns",
        columns: every_payload!(batch::first_in_first_out),
        goals: goals::BATCH,
        rounds: usize::MAX,
    },
    Workload {
        name: "random",
        title: "Allocate 1,000 objects, then free them in random order",
        unit: "ns",
        columns: every_payload!(batch::random),
        goals: goals::BATCH,
        rounds: usize::MAX,
    },
    Workload {
        name: "aged",
        title: "Allocate and free 10,000 objects after a million were freed in random order",
        unit: "ns",
        columns: &[column!(aged::cases, Words<2>), column!(aged::cases, Words<8>)],
        goals: goals::AGED,
        rounds: usize::MAX,
    },
    Workload {
        name: "crowded",
        title: "Free 2,000 of 400,000 objects in random order, then allocate 2,000",
        unit: "ns",
        columns: &[column!(crowded::cases, Words<2>), column!(crowded::cases, Words<8>)],
        goals: goals::CROWDED,
        rounds: usize::MAX,
    },
    Workload {
        name: "read",
        title: "Read by handle in random order, under one pin if the crate has pins",
        unit: "ns",
        columns: &[
            Column::new("1,000 live", read::thousand),
            Column::new("1,000,000 live, from memory", read::from_memory),
            Column::new("1,000,000 live, just read", read::again),
            Column::new("1,000 dead", read::stale),
        ],
        goals: goals::READ,
        rounds: usize::MAX,
    },
    Workload {
        name: "manual",
        title: "Insert a value of 64 bytes and remove it by its key, without an owner",
        unit: "ns",
        columns: &[
            Column::new("`free`, shared", manual::free),
            Column::new("`take`, shared", manual::take),
            Column::new("`remove`, by `&mut`", manual::remove),
        ],
        goals: goals::MANUAL,
        rounds: usize::MAX,
    },
    Workload {
        name: "walk",
        title: "Iterate over 120,000 slots with objects of 64 bytes, per living object",
        unit: "ns",
        columns: &[
            Column::new("`iter_mut`", walk::dense),
            Column::new("`iter`", walk::iter),
            Column::new("`keys`", walk::keys),
            Column::new("`retain`", walk::retain),
            Column::new("`iter_mut`, 1 % alive, collected", walk::sparse),
        ],
        goals: goals::WALK,
        rounds: usize::MAX,
    },
    // Several threads pin in the next three. From then on, each free of the process looks for pins.
    Workload {
        name: "hot",
        title: "Read one object on two cores at once",
        unit: "ns",
        columns: &[Column::new("16 B", hot::cases)],
        goals: goals::HOT,
        rounds: usize::MAX,
    },
    Workload {
        name: "replace",
        title: "Read and replace the objects of 1,024 places",
        unit: "ns",
        columns: &[
            Column::new("read, a pin each", replace::reads),
            Column::new("read, 64 per pin, while another thread replaces", replace::reads_beside),
            Column::new("replace", replace::replacements),
            Column::new("replace, while another thread reads", replace::replacements_beside),
        ],
        goals: goals::REPLACE,
        rounds: usize::MAX,
    },
    Workload {
        name: "among-readers",
        title: "Allocate and free, one thread, while two others pin a thousand times a second",
        unit: "ns",
        columns: every_payload!(among_readers::cases),
        goals: goals::AMONG_READERS,
        rounds: usize::MAX,
    },
    Workload {
        name: "limits",
        title: "Allocate and free, one thread, in a pool far below its limit",
        unit: "ns",
        columns: &[Column::new("16 B", limits::cases)],
        goals: goals::LIMITS,
        rounds: usize::MAX,
    },
    Workload {
        name: "pools",
        title: "Allocate and free, one thread, in each of many pools in turn",
        unit: "ns",
        columns: &[
            Column::new("256 pools", pools::cases::<256>),
            Column::new("1,000 pools", pools::cases::<1_000>),
            Column::new("10,000 pools", pools::cases::<10_000>),
        ],
        goals: goals::POOLS,
        rounds: usize::MAX,
    },
    Workload {
        name: "frame",
        title: "A frame of a game: 200,000 units of 64 bytes move, and one in 200 is replaced; per unit",
        unit: "ns",
        columns: &[Column::new("a unit", frame::cases)],
        goals: goals::FRAME,
        rounds: usize::MAX,
    },
    Workload {
        name: "start",
        title: "Make a pool and its first object in a fresh process",
        unit: "ns",
        columns: &[Column::new("16 B", start::cases)],
        goals: goals::START,
        rounds: usize::MAX,
    },
    Workload {
        name: "build",
        title: "Allocate a million objects in a fresh process, per object",
        unit: "ns",
        columns: &[Column::new("16 B", million::build)],
        goals: goals::BUILD,
        rounds: 11,
    },
    Workload {
        name: "memory",
        title: "Resident memory of a million objects, per object",
        unit: "bytes",
        columns: &[
            Column::new("16 B", million::memory),
            Column::new("16 B, by layout", million::layout),
        ],
        goals: goals::MEMORY,
        rounds: 3,
    },
];
