//! JSON against its peers.

mod documents;
mod edits;
mod fields;
mod held;
mod kinds;
mod peers;
mod stream;

pub(crate) use self::held::TASKS;

use self::peers::{SERDE, SIMD, SONIC};
use crate::{
    case::Case,
    workload::{ACEDIA, Against, Column, Goal, SHOWN, Workload},
};
use acedia_json as json;
use std::hint::black_box;

/// One column for each of the [`kinds`].
macro_rules! kinds {
    ($cases:ident) => {
        kinds!($cases, "new keys" = new_keys, "left out" = left_out, "40 kinds" = forty, "dictionary" = dictionary, "scripts" = scripts, "escapes" = escapes, "40 bytes" = tiny, "doubles" = doubles, "decimals" = decimals, "deep" = deep, "places" = places, "settings" = settings, "rows" = rows, "`\\u` escapes" = codes, "emoji" = emoji, "wide unicode" = wide_unicode, "controls" = controls)
    };
    ($cases:ident, $($label:literal = $kind:ident),+) => {
        &[$(Column::new($label, || $cases(&kinds::$kind()))),+]
    };
}

/// Everything that is measured, in the order of the tables. One operation is one byte of the document, or one field.
pub static ALL: &[Workload] = &[
    Workload {
        name: "parse",
        title: "Parse and drop a document, per byte",
        unit: "ns",
        columns: &[
            Column::new("messages", || parse(&documents::messages(900))),
            Column::new("seats", || parse(&documents::seats(1200))),
            Column::new("one message", || parse(&documents::messages(1))),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(SERDE),
            at_most: &[Some(1.0), Some(1.0), SHOWN],
        }],
        rounds: 11,
    },
    Workload {
        name: "print",
        title: "Print a document, per byte",
        unit: "ns",
        columns: &[
            Column::new("messages", || print(&documents::messages(900))),
            Column::new("seats", || print(&documents::seats(1200))),
            Column::new("one message", || print(&documents::messages(1))),
        ],
        goals: &[
            Goal {
                ours: ACEDIA,
                against: Against::Peer(SERDE),
                at_most: &[Some(1.0), Some(1.0), SHOWN],
            },
            Goal {
                ours: ACEDIA,
                against: Against::Peer(SONIC),
                at_most: &[Some(1.0), Some(1.0), SHOWN],
            },
        ],
        rounds: usize::MAX,
    },
    Workload {
        name: "parse-kinds",
        title: "Parse and drop documents of other kinds, per byte",
        unit: "ns",
        columns: kinds!(parse),
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(SERDE),
            at_most: &[Some(0.9); 17],
        }],
        rounds: 9,
    },
    Workload {
        name: "stream",
        title: "Read and drop the values of a stream with one value a line, per byte",
        unit: "ns",
        columns: &[
            Column::new("40 bytes a line", stream::read::<40>),
            Column::new("200 bytes a line", stream::read::<200>),
            Column::new("2 KB a line", stream::read::<2000>),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(stream::SLICE),
            at_most: &[Some(1.0); 3],
        }],
        rounds: 9,
    },
    Workload {
        name: "print-kinds",
        title: "Print documents of other kinds, per byte",
        unit: "ns",
        columns: kinds!(print),
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(SERDE),
            at_most: &[Some(0.9); 17],
        }],
        rounds: 9,
    },
    Workload {
        name: "edit",
        title: "Edit a document, per edit",
        unit: "ns",
        columns: &[
            Column::new("sections", || edits::sections(&kinds::settings())),
            Column::new("values", || edits::values(&kinds::dictionary())),
            Column::new("records, parsed and edited", edits::records),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(SERDE),
            at_most: &[Some(1.2), Some(1.2), Some(1.0)],
        }],
        rounds: usize::MAX,
    },
    Workload {
        name: "held",
        title: "Resident memory of a parsed document, per byte of its text",
        unit: "bytes",
        columns: &[
            Column::new("short strings", held::cases::<0>),
            Column::new("wide", held::cases::<1>),
            Column::new("dictionary", held::cases::<2>),
            Column::new("settings", held::cases::<3>),
        ],
        goals: &[Goal {
            ours: ACEDIA,
            against: Against::Peer(SERDE),
            at_most: &[Some(1.0); 4],
        }],
        rounds: 3,
    },
    Workload {
        name: "again",
        title: "Parse and drop in a fresh process, before or after other documents, per byte",
        unit: "ns",
        columns: &[
            Column::new("wide", held::cases::<4>),
            Column::new("settings", held::cases::<5>),
        ],
        goals: &[Goal {
            ours: held::AFTER,
            against: Against::Peer(held::AT_FIRST),
            at_most: &[Some(1.1); 2],
        }],
        rounds: 5,
    },
    Workload {
        name: "field",
        title: "Read eight fields of every message of a document, per field",
        unit: "ns",
        columns: &[Column::new("messages", || fields::read(&documents::messages(900)))],
        goals: &[Goal {
            ours: fields::BY_TEXT,
            against: Against::Peer(SERDE),
            at_most: &[Some(1.0)],
        }],
        rounds: usize::MAX,
    },
];

/// A case whose operations are the bytes of a document, of which it does whole ones.
fn bytes(name: &'static str, len: usize, whole: impl FnMut() + 'static) -> Case {
    Case::batches(name, len, whole)
}

fn parse(document: &str) -> Vec<Case> {
    let len = document.len();
    let [ours, serde, sonic, simd] = [(); 4].map(|()| document.to_owned());
    vec![
        bytes(ACEDIA, len, move || {
            drop(json::parse(black_box(&ours)).expect("JSON"));
        }),
        bytes(SERDE, len, move || {
            drop(serde_json::from_slice::<serde_json::Value>(black_box(serde.as_bytes())).expect("JSON"));
        }),
        bytes(SONIC, len, move || {
            drop(sonic_rs::from_slice::<sonic_rs::Value>(black_box(sonic.as_bytes())).expect("JSON"));
        }),
        bytes(SIMD, len, move || {
            // It parses in place.
            let mut document = black_box(simd.as_bytes()).to_vec();
            drop(simd_json::to_owned_value(&mut document).expect("JSON"));
        }),
    ]
}

fn print(document: &str) -> Vec<Case> {
    let len = document.len();
    let ours = json::parse(document).expect("JSON");
    let serde: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let sonic: sonic_rs::Value = sonic_rs::from_str(document).expect("JSON");
    vec![
        bytes(ACEDIA, len, move || {
            drop(black_box(json::to_string(&ours).expect("printable")));
        }),
        bytes(SERDE, len, move || {
            drop(black_box(serde_json::to_string(&serde).expect("printable")));
        }),
        bytes(SONIC, len, move || {
            drop(black_box(sonic_rs::to_string(&sonic).expect("printable")));
        }),
    ]
}
