//! What came of a workload: as markdown, as JSON, and read back from it.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    fs,
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    measure::{Effort, Series, measure, median},
    workload::{Against, Goal, Workload},
};

/// What a binary measured: what it saves with `--save`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// One for each workload.
    pub workloads: Vec<Outcome>,
}

/// A measured workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What the command line calls it.
    pub name: String,
    /// What is done.
    pub title: String,
    /// In what the medians are.
    pub unit: String,
    /// Every contender of any column, in order of appearance.
    pub contenders: Vec<String>,
    /// One for each payload.
    pub columns: Vec<Column>,
    /// Every goal in every column where both sides were measured.
    pub goals: Vec<Verdict>,
}

/// One payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub payload: String,
    /// Of each contender that can do it.
    pub medians: BTreeMap<String, f64>,
}

/// A goal, one column of it, and what was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The column.
    pub payload: String,
    /// Who has the goal.
    pub ours: String,
    /// Against whom; against a number if there is none.
    pub peer: Option<String>,
    /// What was reached.
    pub ratio: f64,
    /// What the ratio should be.
    pub at_most: f64,
    /// Whether it is.
    pub met: bool,
}

impl Measured {
    /// What is saved in that file.
    ///
    /// # Errors
    ///
    /// A sentence, if it can't be read or isn't what the binaries save.
    pub fn load(file: &Path) -> Result<Self, String> {
        read(file)
    }

    /// The medians of several runs of the same workloads.
    pub(crate) fn of_many(runs: &[Self]) -> Vec<Outcome> {
        let mut merged = runs.first().map_or_else(Vec::new, |first| first.workloads.clone());
        for (at, outcome) in merged.iter_mut().enumerate() {
            let again = || runs.iter().map(|run| &run.workloads[at]);
            for (at, column) in outcome.columns.iter_mut().enumerate() {
                for (name, value) in &mut column.medians {
                    *value = median(again().map(|one| one.columns[at].medians[name]).collect());
                }
            }
            for (at, goal) in outcome.goals.iter_mut().enumerate() {
                goal.ratio = median(again().map(|one| one.goals[at].ratio).collect());
                goal.met = goal.ratio <= goal.at_most;
            }
        }
        merged
    }

    /// The workload of that name.
    ///
    /// # Errors
    ///
    /// A sentence, if it was not measured.
    pub fn workload(&self, name: &str) -> Result<&Outcome, String> {
        let found = self.workloads.iter().find(|one| one.name == name);
        found.ok_or_else(|| format!("no workload is called {name}"))
    }
}

impl Outcome {
    /// Measures a workload, one column after another.
    #[must_use]
    pub fn measure(workload: &Workload, effort: Effort) -> Self {
        let cycles = effort.cycles && workload.unit == "ns";
        let effort = Effort {
            rounds: effort.rounds.min(workload.rounds),
            cycles,
            ..effort
        };
        let mut outcome = Self {
            name: workload.name.to_owned(),
            title: workload.title.to_owned(),
            unit: if cycles { "cycles" } else { workload.unit }.to_owned(),
            contenders: Vec::new(),
            columns: Vec::new(),
            goals: Vec::new(),
        };
        let columns = workload
            .columns
            .iter()
            .map(|column| measure(&mut (column.cases)(), effort));
        let columns: Vec<_> = columns.collect();
        for (column, series) in workload.columns.iter().zip(&columns) {
            for one in series {
                if !outcome.contenders.iter().any(|name| name == one.name) {
                    outcome.contenders.push(one.name.to_owned());
                }
            }
            outcome.columns.push(Column {
                payload: column.label.to_owned(),
                medians: series.iter().map(|one| (one.name.to_owned(), one.median())).collect(),
            });
        }
        for goal in workload.goals {
            let columns = workload.columns.iter().zip(&columns).zip(goal.at_most);
            let verdicts =
                columns.filter_map(|((column, series), at_most)| verdict(goal, column.label, series, (*at_most)?));
            outcome.goals.extend(verdicts);
        }
        outcome
    }

    /// The median of a contender with a payload, as it is printed: `–` if there is none.
    #[must_use]
    pub fn median(&self, payload: &str, contender: &str) -> String {
        let column = self.columns.iter().find(|column| column.payload == payload);
        let median = column.and_then(|column| column.medians.get(contender));
        median.map_or_else(|| "–".to_owned(), |median| short(*median))
    }

    /// The title, with the name and the unit behind it.
    #[must_use]
    pub fn heading(&self) -> String {
        format!("{} (`{}`, {})", self.title, self.name, self.unit)
    }

    /// The table of contenders.
    #[must_use]
    pub fn table(&self) -> String {
        let payloads = || self.columns.iter().map(|column| column.payload.clone());
        let mut table = row("", payloads()) + &row("---", payloads().map(|_| "--:".to_owned()));
        for name in &self.contenders {
            let medians = payloads().map(|payload| self.median(&payload, name));
            table += &row(&markdown(name), medians);
        }
        table
    }
}

impl Verdict {
    /// The goal in words: who against whom.
    #[must_use]
    pub fn goal(&self) -> String {
        let peer = self.peer.as_deref().unwrap_or("the limit");
        markdown(&format!("{} / {peer}", self.ours))
    }

    /// What was reached, in bold if that is not enough.
    #[must_use]
    pub fn reached(&self) -> String {
        if self.met {
            format!("{:.2}", self.ratio)
        } else {
            format!("**{:.2}**", self.ratio)
        }
    }
}

/// How a goal was met in one column, if both sides were measured there.
fn verdict(goal: &Goal, payload: &str, series: &[Series], at_most: f64) -> Option<Verdict> {
    let find = |name| series.iter().find(|one| one.name == name);
    let ours = find(goal.ours)?;
    let (peer, ratio) = match goal.against {
        Against::Value(value) => (None, ours.median() / value),
        Against::Peer(peer) => (Some(peer.to_owned()), ours.ratio_to(find(peer)?)),
    };
    Some(Verdict {
        payload: payload.to_owned(),
        ours: goal.ours.to_owned(),
        peer,
        ratio,
        at_most,
        met: ratio <= at_most,
    })
}

/// The table of contenders, then the table of goals.
impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "## {}\n\n{}", self.heading(), self.table())?;
        if !self.goals.is_empty() {
            write!(f, "\n{}", goals(std::slice::from_ref(self), &[]))?;
        }
        Ok(())
    }
}

/// The goals of several workloads. What other runs of the same reached has a column each, under its heading.
#[must_use]
pub fn goals(workloads: &[Outcome], others: &[(String, Measured)]) -> String {
    let headings = ["ours / theirs", "payload", "at most", "ratio"].map(str::to_owned);
    let lines = ["---", "---", "--:", "--:"].map(str::to_owned);
    let more = others.iter().map(|(heading, _)| heading.clone());
    let mut table = row("workload", headings.into_iter().chain(more))
        + &row("---", lines.into_iter().chain(others.iter().map(|_| "--:".to_owned())));
    for workload in workloads {
        for goal in &workload.goals {
            let again = others.iter().map(|(_, other)| {
                let same = other.workloads.iter().find(|one| one.name == workload.name);
                let mut goals = same.into_iter().flat_map(|one| &one.goals);
                let of_the_same =
                    |one: &&Verdict| (&one.ours, &one.peer, &one.payload) == (&goal.ours, &goal.peer, &goal.payload);
                goals.find(of_the_same).map(Verdict::reached).unwrap_or_default()
            });
            let cells = [
                goal.goal(),
                goal.payload.clone(),
                format!("{:.2}", goal.at_most),
                goal.reached(),
            ];
            table += &row(&workload.name, cells.into_iter().chain(again));
        }
    }
    table
}

/// What was saved as JSON in that file.
pub(crate) fn read<T: for<'de> Deserialize<'de>>(file: &Path) -> Result<T, String> {
    let cannot = |problem: &dyn Display| format!("{}: {problem}", file.display());
    let saved = fs::read(file).map_err(|error| cannot(&error))?;
    serde_json::from_slice(&saved).map_err(|error| cannot(&error))
}

/// One row of a markdown table.
pub(crate) fn row(head: &str, cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {head} | {} |\n", cells.join(" | "))
}

/// A name as markdown shows it unchanged: `Vec<T>` is no tag.
pub(crate) fn markdown(name: &str) -> String {
    name.replace('<', "\\<")
}

/// Two digits or so.
fn short(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests;
