//! The costs that one part of a program causes in another: pins, guards, many pools, partly living memory.
//!
//! Each case runs in a process of its own and prints one number. A [`Question`] has several cases; the figure of interest is
//! the growth from the first case to the others.

use serde::{Deserialize, Serialize};

use crate::{
    case::Case,
    isolated::{self, Task},
    measure::median,
    report,
};
use std::path::Path;

#[cfg(target_os = "linux")]
mod forbidden;
mod memory;
mod readers;
mod time;

/// Other systems have no `membarrier`.
#[cfg(not(target_os = "linux"))]
mod forbidden {
    use super::{Case, Task};

    pub(super) static INNER: Task = Task {
        name: "in-a-sandbox",
        cases: read,
        size: 1,
    };

    pub(super) fn read() -> Vec<Case> {
        Vec::new()
    }
}

/// A measurement and its limit.
struct Question {
    title: &'static str,
    unit: &'static str,
    /// The limit, in words.
    limit: &'static str,
    task: Task,
}

const fn question(
    title: &'static str,
    unit: &'static str,
    limit: &'static str,
    name: &'static str,
    cases: fn() -> Vec<Case>,
) -> Question {
    let task = Task { name, cases, size: 1 };
    Question {
        title,
        unit,
        limit,
        task,
    }
}

static QUESTIONS: [Question; 22] = [
    question(
        "Late finalizers, while two other threads free by key in another pool",
        "%",
        "0",
        "late",
        readers::late,
    ),
    question(
        "Late finalizers, while another thread stays pinned",
        "%",
        "—; 0; 0",
        "pinned",
        readers::pinned,
    ),
    question(
        "Ending a pin while another thread stays pinned, by the number of pools with waiting finalizers",
        "ns",
        "2 x the first",
        "unpin",
        readers::unpin,
    ),
    question(
        "Allocate a new object while freed objects are still guarded",
        "ns",
        "3 x the first",
        "guarded",
        readers::guarded,
    ),
    question(
        "`collect` of a pool of free objects of 8 bytes",
        "ms",
        "4.5 x the first",
        "collect",
        memory::collect,
    ),
    question(
        "Pools of one object each that one process could make, of 1,000,000 tried",
        "pools",
        "at least 1,000,000",
        "pools",
        memory::pools,
    ),
    question(
        "Objects of 16 bytes that one pool could make, of 100,000,000 tried",
        "objects",
        "at least 100,000,000",
        "objects",
        memory::objects,
    ),
    question(
        "Memory that stays after 20,000 pools were dropped and another pool was collected",
        "% of the peak",
        "5",
        "dropped",
        memory::dropped,
    ),
    question(
        "`Pool::new` and the first object",
        "µs",
        "0.5 x the first",
        "first",
        memory::first,
    ),
    question(
        "Memory that stays after most of a million objects of 64 bytes were freed and collected",
        "% of the peak",
        "60; 20",
        "partly",
        memory::partly,
    ),
    question(
        "Memory that stays when a random 900,000 of a million objects were freed",
        "% of the peak",
        "—",
        "fewer",
        memory::fewer,
    ),
    question(
        "An allocate/free pair in a ring of 32 objects while another thread pins",
        "ns",
        "2 x the first",
        "ring",
        readers::ring,
    ),
    question(
        "Replace a random one of 100,000 objects of 16 bytes",
        "ns",
        "1.2 x the first",
        "replaced-some-small",
        time::some_small,
    ),
    question(
        "Replace a random one of 100,000 objects of 64 bytes",
        "ns",
        "1.2 x the first",
        "replaced-some-large",
        time::some_large,
    ),
    question(
        "Replace a random one of 1,000,000 objects of 16 bytes",
        "ns",
        "1.2 x the first",
        "replaced-many-small",
        time::many_small,
    ),
    question(
        "Replace a random one of 1,000,000 objects of 64 bytes",
        "ns",
        "1.2 x the first",
        "replaced-many-large",
        time::many_large,
    ),
    question(
        "`configure` with entries of unknown classes",
        "ms",
        "4.5 x the first",
        "configure",
        time::configure,
    ),
    question(
        "Reads of a living object that return `None` while another thread calls `exclusive` again and again without success",
        "%",
        "0",
        "exclusive",
        readers::exclusive,
    ),
    question(
        "Processes (of 10) that continue although `membarrier` fails when a second thread starts to read",
        "processes",
        "0; at least 10",
        "forbidden",
        forbidden::read,
    ),
    question(
        "Objects freed by a finalizer during a pin, whose own finalizer never ran",
        "%",
        "0",
        "nested",
        readers::nested,
    ),
    question(
        "An allocate/free pair with a key, with and without `membarrier`",
        "ns",
        "—",
        "membarrier",
        readers::membarrier,
    ),
    question(
        "An allocate/free pair with a key and a finalizer, with and without `membarrier`",
        "ns",
        "2 x the first",
        "membarrier-end",
        readers::membarrier_end,
    ),
];

/// The tasks of children.
pub(crate) fn tasks() -> impl Iterator<Item = &'static Task> {
    QUESTIONS.iter().map(|one| &one.task).chain([&forbidden::INNER])
}

/// One answer: the median of each case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The question.
    pub title: String,
    /// The unit of the figures.
    pub unit: String,
    /// The limit.
    pub limit: String,
    /// The name of each case, with its median.
    pub cases: Vec<(String, f64)>,
}

/// Measures each question whose task has a name that contains `word`, `rounds` times.
pub fn measure(word: &str, rounds: usize) -> impl Iterator<Item = Answer> {
    let chosen = QUESTIONS.iter().filter(move |one| one.task.name.contains(word));
    chosen.map(move |one| {
        let mut cases = isolated::cases(&one.task);
        let mut runs = vec![Vec::new(); cases.len()];
        for _ in 0..rounds {
            let turn = cases.iter_mut().zip(&mut runs);
            turn.for_each(|(case, runs)| runs.push(case.run(1)));
        }
        Answer {
            title: one.title.to_owned(),
            unit: one.unit.to_owned(),
            limit: one.limit.to_owned(),
            cases: cases
                .iter()
                .zip(runs)
                .map(|(case, runs)| (case.name().to_owned(), median(runs)))
                .collect(),
        }
    })
}

/// The answers as a table.
#[must_use]
pub fn table(answers: &[Answer]) -> String {
    let mut table = report::row("", ["unit", "limit", "measured", "last / first"].map(str::to_owned));
    table += &report::row("---", ["---", "---", "---", "--:"].map(str::to_owned));
    for one in answers {
        let now = one
            .cases
            .iter()
            .map(|(name, value)| format!("{name}: {}", report::short(*value)));
        let growth = match one.cases[..] {
            [(_, first), .., (_, last)] if first > 0.0 => format!("{:.2}", last / first),
            _ => String::new(),
        };
        let cells = [
            one.unit.clone(),
            one.limit.clone(),
            now.collect::<Vec<_>>().join("; "),
            growth,
        ];
        table += &report::row(&one.title, cells);
    }
    table
}

/// Reads the answers saved in that file.
///
/// # Errors
///
/// A sentence, if it can't be read or isn't what the binary saves.
pub fn load(file: &Path) -> Result<Vec<Answer>, String> {
    report::read(file)
}
