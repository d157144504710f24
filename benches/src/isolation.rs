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
    /// The figures of the engine before its readers were separated, measured on another processor (Zen 5).
    before: &'static str,
    /// The limit, in words.
    limit: &'static str,
    task: Task,
}

const fn question(
    title: &'static str,
    unit: &'static str,
    [before, limit]: [&'static str; 2],
    name: &'static str,
    cases: fn() -> Vec<Case>,
) -> Question {
    let task = Task { name, cases, size: 1 };
    Question {
        title,
        unit,
        before,
        limit,
        task,
    }
}

static QUESTIONS: [Question; 22] = [
    question(
        "Finalizers that run late while two other threads free by key in another pool",
        "%",
        ["17 to 39", "0"],
        "late",
        readers::late,
    ),
    question(
        "Finalizers that run late while another thread stays pinned",
        "%",
        ["100", "—; 0; 0"],
        "pinned",
        readers::pinned,
    ),
    question(
        "An outermost unpin while another thread stays pinned",
        "ns",
        ["6; 200,000 to 650,000", "2 x the first"],
        "unpin",
        readers::unpin,
    ),
    question(
        "A new object while freed objects are still guarded",
        "ns",
        ["45; 67,000 to 270,000", "3 x the first"],
        "guarded",
        readers::guarded,
    ),
    question(
        "`collect` of a pool of free objects of 8 bytes",
        "ms",
        ["530; 6,700", "4.5 x the first"],
        "collect",
        memory::collect,
    ),
    question(
        "Pools of one object each in one process",
        "pools",
        ["68,000", "1,000,000"],
        "pools",
        memory::pools,
    ),
    question(
        "Objects of 16 bytes in one pool, with one mapping for each 64 MiB",
        "objects",
        ["not measured", "100,000,000"],
        "objects",
        memory::objects,
    ),
    question(
        "Memory that stays of 20,000 pools that were dropped",
        "% of the peak",
        ["63", "5"],
        "dropped",
        memory::dropped,
    ),
    question(
        "`Pool::new` and the first object",
        "µs",
        ["45; 110", "0.5 x the first"],
        "first",
        memory::first,
    ),
    question(
        "Memory that stays of a million objects of 64 bytes after `collect`",
        "% of the peak",
        ["104 to 122; not measured", "60; 20"],
        "partly",
        memory::partly,
    ),
    question(
        "The same where 100,000 of them remain, before and after 10,000 of these are replaced in random order 100 times",
        "% of the peak",
        ["not measured", "—"],
        "fewer",
        memory::fewer,
    ),
    question(
        "A pair with a ring of 32 objects while another thread pins",
        "ns",
        ["4 to 7; 64 to 103", "2 x the first; as without pins"],
        "ring",
        readers::ring,
    ),
    question(
        "Of 100,000 objects of 16 bytes, one replaced at random",
        "ns",
        ["2.1 to 2.4 x", "1.2 x the first"],
        "replaced-some-small",
        time::some_small,
    ),
    question(
        "The same, of 100,000 objects of 64 bytes",
        "ns",
        ["not measured", "1.2 x the first"],
        "replaced-some-large",
        time::some_large,
    ),
    question(
        "The same, of 1,000,000 objects of 16 bytes",
        "ns",
        ["not measured", "1.2 x the first"],
        "replaced-many-small",
        time::many_small,
    ),
    question(
        "The same, of 1,000,000 objects of 64 bytes",
        "ns",
        ["not measured", "1.2 x the first"],
        "replaced-many-large",
        time::many_large,
    ),
    question(
        "`configure` with entries of unknown classes",
        "ms",
        ["25 to 55; 400 to 900", "4.5 x the first"],
        "configure",
        time::configure,
    ),
    question(
        "Reads of a living object refused while another thread polls `exclusive` in vain",
        "%",
        ["44", "0"],
        "exclusive",
        readers::exclusive,
    ),
    question(
        "Of 10 processes without standard error, those in which a second thread reads after a sandbox forbade `membarrier`",
        "processes",
        ["10", "0; 10"],
        "forbidden",
        forbidden::read,
    ),
    question(
        "Objects that still wait after the last pin, because a late finalizer freed them under a pin of its own",
        "%",
        ["100", "0"],
        "nested",
        readers::nested,
    ),
    question(
        "A pair with key, with and without `membarrier`",
        "ns",
        ["3.6; 6.2", "—"],
        "membarrier",
        readers::membarrier,
    ),
    question(
        "A pair with key and finalizer, with and without `membarrier`",
        "ns",
        ["3.3; 14.1", "2 x the first"],
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
    /// The figures of an older engine.
    pub before: String,
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
            before: one.before.to_owned(),
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
    let mut table = report::row("", ["before", "at most", "now", "growth"].map(str::to_owned));
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
            format!("{} {}", one.before, one.unit),
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
