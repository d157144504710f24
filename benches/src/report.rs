//! The results of a workload: as markdown, as JSON, and read back from it.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    fs,
    path::Path,
};

use serde::{Deserialize, Serialize};

use crate::{
    measure::{Effort, measure, median},
    workload::{Against, Goal, Workload},
};

/// The measurements of a binary, which it saves with `--save`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// One for each workload.
    pub workloads: Vec<Outcome>,
}

/// A measured workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The name in the command line.
    pub name: String,
    /// The operation in words.
    pub title: String,
    /// The unit of the medians.
    pub unit: String,
    /// Every contender of any column, in order of appearance.
    pub contenders: Vec<String>,
    /// One for each payload.
    pub columns: Vec<Column>,
}

/// One payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub payload: String,
    /// Of each contender that can do it.
    pub medians: BTreeMap<String, f64>,
}

impl Measured {
    /// Reads the measurements saved in that file.
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
        outcome
    }

    /// The median of a contender with a payload, if there is one.
    pub(crate) fn value(&self, payload: &str, contender: &str) -> Option<f64> {
        let column = self.columns.iter().find(|column| column.payload == payload)?;
        column.medians.get(contender).copied()
    }

    /// The same as it is printed: `–` if there is none.
    #[must_use]
    pub fn median(&self, payload: &str, contender: &str) -> String {
        self.value(payload, contender).map_or_else(|| "–".to_owned(), short)
    }

    /// The printed ratio of a goal with a payload, with the name of the best of several. Empty if a side was not measured.
    fn ratio(&self, payload: &str, goal: &Goal) -> String {
        let value = |name: &str| self.value(payload, name);
        let reached = value(goal.ours).and_then(|ours| match goal.against {
            Against::Value(limit) => Some(format!("{:.2}", ours / limit)),
            Against::Peer(peer) => Some(format!("{:.2}", ours / value(peer)?)),
            Against::Best { among, .. } => {
                let measured = among.iter().filter_map(|name| Some((value(name)?, name)));
                let (best, name) = measured.min_by(|one, other| one.0.total_cmp(&other.0))?;
                let name = name.strip_prefix("Box, ").unwrap_or(name);
                Some(format!("{:.2} {}", ours / best, markdown(name)))
            }
        });
        reached.unwrap_or_default()
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

/// The table of contenders.
impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "## {}\n\n{}", self.heading(), self.table())
    }
}

/// The ratios of several workloads: those with a limit, or those without. Each run has a column, under its heading, and
/// a ratio that no run has is left out. Empty if there are none.
#[must_use]
pub fn ratios<'a>(
    workloads: impl IntoIterator<Item = &'a Workload>,
    runs: &[(String, Measured)],
    kind: Ratios,
) -> String {
    let limit = (kind == Ratios::Limited).then_some(("at most", "--:"));
    let cells = |fixed: [&str; 2], limit: Option<&str>, runs: Vec<String>| {
        let fixed = fixed.into_iter().chain(limit).map(str::to_owned);
        fixed.chain(runs).collect::<Vec<_>>()
    };
    let headings = runs.iter().map(|(heading, _)| heading.clone()).collect();
    let lines = runs.iter().map(|_| "--:".to_owned()).collect();
    let mut table = row(
        "workload",
        cells(["ours / theirs", "payload"], limit.map(|it| it.0), headings),
    ) + &row("---", cells(["---", "---"], limit.map(|it| it.1), lines));
    let before = table.len();
    for workload in workloads {
        for goal in workload.goals {
            for (column, at_most) in workload.columns.iter().zip(goal.at_most) {
                let wanted = |at_most: &f64| match kind {
                    Ratios::Limited => at_most.is_finite(),
                    Ratios::Unlimited => at_most.is_infinite(),
                };
                let Some(at_most) = at_most.filter(wanted) else {
                    continue;
                };
                let ratio = |(_, run): &(String, Measured)| {
                    let outcome = run.workload(workload.name);
                    outcome.map_or_else(|_| String::new(), |outcome| outcome.ratio(column.label, goal))
                };
                let at_most = limit.is_some().then(|| format!("{at_most:.2}"));
                let ratios: Vec<_> = runs.iter().map(ratio).collect();
                if ratios.iter().all(String::is_empty) {
                    continue;
                }
                let who = words(goal, workload.unit);
                table += &row(workload.name, cells([&who, column.label], at_most.as_deref(), ratios));
            }
        }
    }
    if table.len() == before { String::new() } else { table }
}

/// The two sides of a goal. A number has the unit of the workload.
fn words(goal: &Goal, unit: &str) -> String {
    let words = match goal.against {
        Against::Value(limit) => format!("{} / {limit} {unit}", goal.ours),
        Against::Peer(peer) => format!("{} / {peer}", goal.ours),
        Against::Best { of, .. } => format!("{} / best {of}", goal.ours),
    };
    markdown(&words)
}

/// A choice of ratios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ratios {
    /// Those with a limit, which stands beside them.
    Limited,
    /// Those without one.
    Unlimited,
}

/// Reads the JSON saved in that file.
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
pub(crate) fn short(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests;
