//! The costs that one part of a program causes in another: pins, guards, many pools, partly living memory.
//!
//! Each case runs in a process of its own and prints one number.

use serde::{Deserialize, Serialize};

use crate::{
    case::Case,
    isolated::{self, Task},
    measure::median,
    report,
};
use std::path::Path;

use self::Limit::{AtMost, Exactly, TimesFirst};

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

/// A measurement with the limits of its cases.
struct Question {
    title: &'static str,
    unit: &'static str,
    /// One for each case.
    limits: &'static [Limit],
    task: Task,
}

/// The allowed values of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Limit {
    /// Any.
    None,
    /// That.
    Exactly(f64),
    /// At most that.
    AtMost(f64),
    /// At most so many times the figure of the first case.
    TimesFirst(f64),
}

const fn question(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    limits: &'static [Limit],
    cases: fn() -> Vec<Case>,
) -> Question {
    let task = Task { name, cases, size: 1 };
    Question {
        title,
        unit,
        limits,
        task,
    }
}

static QUESTIONS: [Question; 22] = [
    question("late", "Late finalizers", "%", &[Exactly(0.0)], readers::late),
    question(
        "pinned",
        "Late finalizers, while another thread holds a pin",
        "%",
        &[Limit::None, Exactly(0.0), Exactly(0.0)],
        readers::pinned,
    ),
    question("nested", "Late finalizers", "%", &[Exactly(0.0)], readers::nested),
    question(
        "unpin",
        "Take a pin and end it",
        "ns",
        &[Limit::None, TimesFirst(2.0)],
        readers::unpin,
    ),
    question(
        "guarded",
        "Allocate an object",
        "ns",
        &[Limit::None, TimesFirst(3.0)],
        readers::guarded,
    ),
    question(
        "ring",
        "Free and allocate, while another thread takes pins without a pause",
        "ns",
        &[Limit::None, TimesFirst(2.0), TimesFirst(2.0), TimesFirst(2.0)],
        readers::ring,
    ),
    question(
        "exclusive",
        "Reads that return `None`",
        "%",
        &[Exactly(0.0)],
        readers::exclusive,
    ),
    question(
        "first",
        "Create a pool and its first object",
        "µs",
        &[Limit::None, TimesFirst(0.5)],
        memory::first,
    ),
    question(
        "pools",
        "Pools with one object each",
        "% created",
        &[Exactly(100.0)],
        memory::pools,
    ),
    question(
        "objects",
        "Objects of 16 bytes in one pool",
        "% created",
        &[Exactly(100.0)],
        memory::objects,
    ),
    question(
        "configure",
        "Call `configure`",
        "ms",
        &[Limit::None, TimesFirst(4.5)],
        time::configure,
    ),
    question(
        "collect",
        "Call `collect`",
        "ms",
        &[Limit::None, TimesFirst(4.5)],
        memory::collect,
    ),
    question(
        "dropped",
        "Memory that stays",
        "% of the peak",
        &[AtMost(5.0)],
        memory::dropped,
    ),
    question(
        "partly",
        "Memory that stays",
        "% of the peak",
        &[AtMost(60.0), AtMost(20.0)],
        memory::partly,
    ),
    question(
        "fewer",
        "Memory that stays",
        "% of the peak",
        &[Limit::None, Limit::None],
        memory::fewer,
    ),
    question(
        "replaced-some-small",
        "Replace one of 100,000 objects of 16 bytes",
        "ns",
        &[Limit::None, TimesFirst(1.2)],
        time::some_small,
    ),
    question(
        "replaced-some-large",
        "Replace one of 100,000 objects of 64 bytes",
        "ns",
        &[Limit::None, TimesFirst(1.2)],
        time::some_large,
    ),
    question(
        "replaced-many-small",
        "Replace one of 1,000,000 objects of 16 bytes",
        "ns",
        &[Limit::None, TimesFirst(1.2)],
        time::many_small,
    ),
    question(
        "replaced-many-large",
        "Replace one of 1,000,000 objects of 64 bytes",
        "ns",
        &[Limit::None, TimesFirst(1.2)],
        time::many_large,
    ),
    question(
        "membarrier",
        "Free and allocate, without a finalizer",
        "ns",
        &[Limit::None, Limit::None],
        readers::membarrier,
    ),
    question(
        "membarrier-end",
        "Free and allocate, with a finalizer",
        "ns",
        &[Limit::None, TimesFirst(2.0)],
        readers::membarrier_end,
    ),
    question(
        "forbidden",
        "Aborted processes",
        "%",
        &[Exactly(100.0), Exactly(0.0)],
        forbidden::read,
    ),
];

/// The tasks of children.
pub(crate) fn tasks() -> impl Iterator<Item = &'static Task> {
    QUESTIONS.iter().map(|one| &one.task).chain([&forbidden::INNER])
}

/// A question with the figure of each case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The word for the command line.
    pub name: String,
    /// The question.
    pub title: String,
    /// The unit of the figures.
    pub unit: String,
    /// The cases.
    pub cases: Vec<Figure>,
}

/// The figure of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The name of the case.
    pub name: String,
    /// The median.
    pub median: f64,
    /// The limit of the median.
    pub limit: Limit,
}

/// Measures each question whose name contains `word`, `rounds` times.
pub fn measure(word: &str, rounds: usize) -> impl Iterator<Item = Answer> {
    let chosen = QUESTIONS.iter().filter(move |one| one.task.name.contains(word));
    chosen.map(move |one| {
        let mut cases = isolated::cases(&one.task);
        let mut runs = vec![Vec::new(); cases.len()];
        for _ in 0..rounds {
            let turn = cases.iter_mut().zip(&mut runs);
            turn.for_each(|(case, runs)| runs.push(case.run(1)));
        }
        let cases = cases.iter().zip(runs).zip(one.limits);
        Answer {
            name: one.task.name.to_owned(),
            title: one.title.to_owned(),
            unit: one.unit.to_owned(),
            cases: cases
                .map(|((case, runs), &limit)| Figure {
                    name: case.name().to_owned(),
                    median: median(runs),
                    limit,
                })
                .collect(),
        }
    })
}

impl Answer {
    /// The median of a case.
    pub(crate) fn median(&self, case: &str) -> Option<f64> {
        let found = self.cases.iter().find(|one| one.name == case);
        found.map(|one| one.median)
    }

    /// One row for each case. The title stands in the first of them.
    fn rows(&self) -> String {
        let first = self.cases.first().map_or(0.0, |case| case.median);
        let figure = |value: f64| format!("{} {}", report::short(value), self.unit);
        let mut title = self.title.as_str();
        let rows = self.cases.iter().map(|case| {
            let (limit, is_met) = match case.limit {
                Limit::None => (String::new(), true),
                Exactly(wanted) => (format!("{wanted} {}", self.unit), (case.median - wanted).abs() < 1e-6),
                AtMost(most) => (format!("≤ {most} {}", self.unit), case.median <= most),
                TimesFirst(times) => (format!("≤ {times} × {}", figure(first)), case.median <= times * first),
            };
            let missed = if is_met { "" } else { ", missed" };
            let cells = [case.name.clone(), figure(case.median) + missed, limit];
            report::row(std::mem::take(&mut title), cells)
        });
        rows.collect()
    }
}

/// The answers as a table.
#[must_use]
pub fn table<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> String {
    let heading = report::row("", ["case", "measured", "required"].map(str::to_owned));
    let line = report::row("---", ["---", "--:", "--:"].map(str::to_owned));
    let rows: String = answers.into_iter().map(Answer::rows).collect();
    heading + &line + &rows
}

/// The table of the questions with those names.
///
/// # Errors
///
/// A sentence, if one of them was not measured.
pub fn table_of(names: &[&str], answers: &[Answer]) -> Result<String, String> {
    let chosen: Result<Vec<_>, _> = names.iter().map(|name| find(name, answers)).collect();
    Ok(table(chosen?))
}

/// The answer of that name.
pub(crate) fn find<'a>(name: &str, answers: &'a [Answer]) -> Result<&'a Answer, String> {
    let found = answers.iter().find(|one| one.name == name);
    found.ok_or_else(|| format!("isolation has no question `{name}`"))
}

/// Reads the answers saved in that file.
///
/// # Errors
///
/// A sentence, if it can't be read or isn't what the binary saves.
pub fn load(file: &Path) -> Result<Vec<Answer>, String> {
    report::read(file)
}

#[cfg(test)]
mod tests;
