//! What came of a workload, as markdown or JSON.

use crate::{
    measure::{Effort, Series, measure},
    workloads::{Against, Workload},
};
use serde_json::{Value, json};
use std::fmt::{self, Display};

/// A measured workload.
#[derive(Debug)]
pub struct Outcome {
    workload: &'static Workload,
    columns: Vec<Vec<Series>>,
}

/// A goal, one column of it, and what was reached.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Verdict {
    column: &'static str,
    ours: (&'static str, f64),
    against: (Option<&'static str>, f64),
    ratio: f64,
    at_most: f64,
}

impl Verdict {
    fn is_met(&self) -> bool {
        self.ratio <= self.at_most
    }
}

impl Outcome {
    /// Measures a workload, one column after another.
    #[must_use]
    pub fn measure(workload: &'static Workload, effort: Effort) -> Self {
        let effort = Effort {
            rounds: effort.rounds.min(workload.rounds),
            ..effort
        };
        let columns = workload
            .columns
            .iter()
            .map(|column| measure(&mut (column.cases)(), effort))
            .collect();
        Self { workload, columns }
    }

    /// Every contender of any column, in order of appearance.
    fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for series in self.columns.iter().flatten() {
            if !names.contains(&series.name) {
                names.push(series.name);
            }
        }
        names
    }

    /// Every goal in every column where both sides were measured.
    fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for goal in self.workload.goals {
            let columns = self.workload.columns.iter().zip(&self.columns);
            for ((column, series), at_most) in columns.zip(goal.at_most) {
                let (Some(at_most), Some(ours)) = (*at_most, find(series, goal.ours)) else {
                    continue;
                };
                let (against, ratio) = match goal.against {
                    Against::Value(value) => ((None, value), ours.median() / value),
                    Against::Peer(peer) => match find(series, peer) {
                        Some(peer) => ((Some(peer.name), peer.median()), ours.ratio_to(peer)),
                        None => continue,
                    },
                };
                let ours = (goal.ours, ours.median());
                verdicts.push(Verdict {
                    column: column.label,
                    ours,
                    against,
                    ratio,
                    at_most,
                });
            }
        }
        verdicts
    }

    /// The outcome as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let columns: Vec<Value> = self
            .workload
            .columns
            .iter()
            .zip(&self.columns)
            .map(|(column, series)| {
                let medians: serde_json::Map<_, _> = series
                    .iter()
                    .map(|one| (one.name.into(), one.median().into()))
                    .collect();
                json!({ "payload": column.label, "medians": medians })
            })
            .collect();
        let goals: Vec<Value> = self
            .verdicts()
            .into_iter()
            .map(|verdict| {
                json!({
                    "payload": verdict.column,
                    "ours": verdict.ours.0,
                    "peer": verdict.against.0,
                    "ratio": verdict.ratio,
                    "at_most": verdict.at_most,
                    "met": verdict.is_met(),
                })
            })
            .collect();
        json!({
            "name": self.workload.name,
            "title": self.workload.title,
            "unit": self.workload.unit,
            "columns": columns,
            "goals": goals,
        })
    }
}

/// The table of contenders, then the table of goals.
impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Workload {
            title,
            name,
            unit,
            columns,
            ..
        } = self.workload;
        writeln!(f, "## {title} (`{name}`, {unit})\n")?;
        row(f, "", columns.iter().map(|column| column.label.to_owned()))?;
        row(f, "---", columns.iter().map(|_| "--:".to_owned()))?;
        for name in self.names() {
            let value = |series| find(series, name).map_or("–".to_owned(), |s| short(s.median()));
            row(f, name, self.columns.iter().map(|series| value(series)))?;
        }
        let verdicts = self.verdicts();
        if verdicts.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n| goal | payload | ours | theirs | ratio | at most | |")?;
        writeln!(f, "|---|---|--:|--:|--:|--:|---|")?;
        for verdict in verdicts {
            let peer = verdict.against.0.unwrap_or("the limit");
            writeln!(
                f,
                "| {} / {peer} | {} | {} | {} | {:.2} | {:.2} | {} |",
                verdict.ours.0,
                verdict.column,
                short(verdict.ours.1),
                short(verdict.against.1),
                verdict.ratio,
                verdict.at_most,
                if verdict.is_met() { "met" } else { "**missed**" },
            )?;
        }
        Ok(())
    }
}

/// One row of a markdown table.
fn row(f: &mut fmt::Formatter<'_>, head: &str, cells: impl Iterator<Item = String>) -> fmt::Result {
    write!(f, "| {head} |")?;
    for cell in cells {
        write!(f, " {cell} |")?;
    }
    writeln!(f)
}

/// The contender of that name.
fn find<'s>(series: &'s [Series], name: &str) -> Option<&'s Series> {
    series.iter().find(|series| series.name == name)
}

/// Two digits or so.
fn short(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
