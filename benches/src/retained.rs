//! The memory that stays resident after a million objects were freed and their pool was asked to give memory back.

use serde::{Deserialize, Serialize};

use crate::{
    case::Case,
    contender::Readable,
    contenders::checked,
    isolated::{self, Task},
    payload::{Payload, Text, Words},
    report, resident,
    workloads::MILLION,
};
use std::{alloc::System, hint::black_box, path::Path};

/// Texts from the system allocator: what a pool can give back of them goes there.
type SystemText = Text<System>;

/// The part of the peak that may stay resident.
pub const AT_MOST: f64 = 0.1;

/// The tasks of children: for each payload, up to the peak, and to the end.
pub(crate) static TASKS: [Task; 6] = [
    Task {
        name: "peak-16",
        cases: || checked!(peak, Words<2>),
        size: MILLION,
    },
    Task {
        name: "after-16",
        cases: || checked!(after, Words<2>),
        size: MILLION,
    },
    Task {
        name: "peak-64",
        cases: || checked!(peak, Words<8>),
        size: MILLION,
    },
    Task {
        name: "after-64",
        cases: || checked!(after, Words<8>),
        size: MILLION,
    },
    Task {
        name: "peak-text",
        cases: || checked!(peak, SystemText),
        size: MILLION,
    },
    Task {
        name: "after-text",
        cases: || checked!(after, SystemText),
        size: MILLION,
    },
];

/// One contender with one payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Retained {
    /// The contender.
    pub name: String,
    /// The payload.
    pub payload: String,
    /// Bytes resident beyond the beginning, with all objects alive.
    pub peak: f64,
    /// The same after all of them were freed and collected.
    pub after: f64,
}

impl Retained {
    /// The part of the peak that stays.
    #[must_use]
    pub fn part(&self) -> f64 {
        self.after / self.peak
    }

    /// Whether no more stays than may; nothing is asked of the peers.
    #[must_use]
    pub fn is_met(&self) -> Option<bool> {
        (self.name == "acedia").then(|| self.part() <= AT_MOST)
    }
}

/// The measurements as a table: contenders down, payloads across.
#[must_use]
pub fn table(measured: &[Retained]) -> String {
    let distinct = |of: fn(&Retained) -> &str| {
        let mut found: Vec<&str> = Vec::new();
        for one in measured.iter().map(of) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
        found
    };
    let payloads = distinct(|one| &one.payload);
    let cell = |name: &str, payload: &str| {
        let found = measured.iter().find(|one| one.name == name && one.payload == payload);
        found.map_or_else(String::new, |one| {
            let missed = if one.is_met() == Some(false) { ", missed" } else { "" };
            format!("{:.1} % of {:.1} MB{missed}", one.part() * 100.0, one.peak / 1e6)
        })
    };
    let headings = payloads.iter().map(|&payload| payload.to_owned());
    let mut table = report::row("", headings) + &report::row("---", payloads.iter().map(|_| "--:".to_owned()));
    for name in distinct(|one| &one.name) {
        table += &report::row(name, payloads.iter().map(|payload| cell(name, payload)));
    }
    table
}

/// Reads the measurements saved in that file.
///
/// # Errors
///
/// A sentence, if it can't be read or isn't what the binary saves.
pub fn load(file: &Path) -> Result<Vec<Retained>, String> {
    report::read(file)
}

/// Measures every contender.
pub fn measure() -> impl Iterator<Item = Retained> {
    let payloads = [Words::<2>::NAME, Words::<8>::NAME, SystemText::NAME];
    TASKS.chunks(2).zip(payloads).flat_map(|(tasks, payload)| {
        let pairs = isolated::cases(&tasks[0]).into_iter().zip(isolated::cases(&tasks[1]));
        pairs.map(move |(mut peak, mut after)| Retained {
            name: peak.name().to_owned(),
            payload: payload.to_owned(),
            peak: peak.run(MILLION),
            after: after.run(MILLION),
        })
    })
}

fn peak<C: Readable>() -> Case {
    Case::fixed(C::NAME, MILLION, || million_lives::<C>().0)
}

fn after<C: Readable>() -> Case {
    Case::fixed(C::NAME, MILLION, || million_lives::<C>().1)
}

/// Allocates, frees, collects; answers the growth at the peak and at the end, in bytes.
fn million_lives<C: Readable>() -> (f64, f64) {
    let mut contender = C::new();
    let mut keys = resident::room::<C::Key>(MILLION);
    let mut owners = resident::room::<C::Owner>(MILLION);
    let before = resident::bytes();
    owners.extend((0..MILLION).map(|seed| contender.allocate(black_box(seed))));
    keys.extend(owners.iter().map(|owner| contender.key(owner)));
    let peak = resident::bytes() - before;
    for owner in owners.drain(..) {
        contender.free(owner);
    }
    contender.collect();
    let after = (resident::bytes() - before).max(0.0);
    let pin = contender.pin();
    let read = contender.reader(&pin);
    assert!(keys.iter().all(|key| read(key).is_none()), "a stale handle resolved");
    black_box(&owners);
    (peak, after)
}
