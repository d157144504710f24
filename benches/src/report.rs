//! Results: as tables, and saved.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use serde::{Deserialize, Serialize};

use crate::measure::{ACEDIA, BARE, Row, Series};

/// The figures of one processor.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Saved {
    /// Its name.
    pub processor: String,
    /// The results by the name of their group.
    pub groups: BTreeMap<String, Vec<Outcome>>,
}

/// The results of one row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// The row.
    pub row: String,
    /// The contenders, ours first.
    pub cases: Vec<Figure>,
}

/// The result of one contender in one row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Figure {
    /// The contender.
    pub name: String,
    /// The median of the rounds, in nanoseconds for each operation or in the unit that the row names.
    pub ns: f64,
    /// Our time divided by the time of this contender: the median of the rounds' ratios.
    pub ratio: f64,
}

impl Outcome {
    /// The results of a row that was measured in several processes.
    #[must_use]
    pub fn of(processes: &[Series]) -> Self {
        let rounds = |case: usize| {
            processes
                .iter()
                .flat_map(move |series| series.cases[case].1.iter().copied())
        };
        let names = processes[0].cases.iter().map(|(name, _)| name.clone());
        let figure = |(case, name)| Figure {
            name,
            ns: median(rounds(case)),
            ratio: median(rounds(0).zip(rounds(case)).map(|(ours, theirs)| ours / theirs)),
        };
        Self {
            row: processes[0].row.clone(),
            cases: names.enumerate().map(figure).collect(),
        }
    }

    /// The figure of a contender.
    pub(crate) fn figure(&self, name: &str) -> Option<&Figure> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// The fastest peer. Neither the bare loop nor another case of acedia is a peer.
    pub(crate) fn best(&self) -> Option<&Figure> {
        let is_peer = |case: &&Figure| !case.name.starts_with(ACEDIA) && case.name != BARE;
        let peers = self.cases.iter().filter(is_peer);
        peers.max_by(|one, other| one.ratio.total_cmp(&other.ratio))
    }

    /// Ratios that exceed the row's limits.
    #[must_use]
    pub fn excesses(&self, row: &Row) -> Vec<String> {
        let over = |(peer, limit): &(&str, f64)| {
            let ratio = self.figure(peer)?.ratio;
            (ratio > *limit).then(|| format!("{}: {ratio:.2} of the time of {peer}, at most {limit}", self.row))
        };
        row.limits.iter().filter_map(over).collect()
    }
}

/// A table with a line for each row: our time, the times of the others from fast to slow, and our time divided by that of the
/// fastest peer. This ratio is bold if it is above 1.05.
#[must_use]
pub fn table(rows: &[Outcome]) -> String {
    let mut out = String::from("| ns | acedia | others | acedia / fastest |\n| --- | --: | --- | --: |\n");
    for row in rows {
        let mut others: Vec<_> = row.cases[1..].iter().collect();
        others.sort_by(|one, other| one.ns.total_cmp(&other.ns));
        let others: Vec<_> = others
            .iter()
            .map(|it| format!("{} {}", markdown(&it.name), short(it.ns)))
            .collect();
        let best = row.best().map_or_else(|| "–".to_owned(), |best| emphasized(best.ratio));
        let ours = short(row.cases[0].ns);
        let _ = writeln!(out, "| {} | {ours} | {} | {best} |", row.row, others.join(", "));
    }
    out
}

fn emphasized(ratio: f64) -> String {
    let mark = if ratio > 1.05 { "**" } else { "" };
    format!("{mark}{ratio:.2}{mark}")
}

/// A table with a column for each row, and a line for each contender.
pub(crate) fn matrix(rows: &[&Outcome]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for case in rows.iter().flat_map(|row| &row.cases) {
        if case.name != BARE && !names.contains(&case.name.as_str()) {
            names.push(&case.name);
        }
    }
    let headings: Vec<_> = rows.iter().map(|row| row.row.as_str()).collect();
    let mut out = format!(
        "| ns | {} |\n| --- |{}\n",
        headings.join(" | "),
        " --: |".repeat(rows.len())
    );
    for name in names {
        let cell = |row: &&Outcome| row.figure(name).map_or_else(|| "–".to_owned(), |it| short(it.ns));
        let cells: Vec<_> = rows.iter().map(cell).collect();
        let _ = writeln!(out, "| {} | {} |", markdown(name), cells.join(" | "));
    }
    out
}

impl Saved {
    /// Reads what [`save`](Self::save) wrote.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has other content.
    pub fn load(file: &Path) -> Result<Self, String> {
        let text = fs::read(file).map_err(|error| error.to_string());
        let saved = text.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()));
        saved.map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Writes a line for each row.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    ///
    /// # Panics
    ///
    /// Never: numbers and names can be printed.
    pub fn save(&self, file: &Path) -> Result<(), String> {
        let line = |row: &Outcome| serde_json::to_string(row).expect("numbers and names");
        let group = |(name, rows): (&String, &Vec<Outcome>)| {
            let rows: Vec<_> = rows.iter().map(line).collect();
            format!("\"{name}\": [\n{}\n]", rows.join(",\n"))
        };
        let groups: Vec<_> = self.groups.iter().map(group).collect();
        let text = format!(
            "{{\"processor\": {:?}, \"groups\": {{\n{}\n}}}}\n",
            self.processor,
            groups.join(",\n")
        );
        fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// The result of a row.
    pub(crate) fn row(&self, group: &str, row: &str) -> Result<&Outcome, String> {
        let found = self
            .groups
            .get(group)
            .and_then(|rows| rows.iter().find(|it| it.row == row));
        found.ok_or_else(|| format!("{group} has no row `{row}`"))
    }
}

/// The processor's name, as Linux reports it.
#[must_use]
pub fn processor() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = about
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "unknown".to_owned(), |(_, name)| name.to_owned())
}

/// The middle value, with three decimals; of an even number of values, the upper middle one.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.get(values.len() / 2).copied().unwrap_or(f64::NAN);
    (middle * 1000.0).round() / 1000.0
}

/// A name that markdown shows unchanged: `Vec<T>` is not a tag.
fn markdown(name: &str) -> String {
    name.replace('<', "\\<")
}

/// Two or three digits.
fn short(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_each_round_in_all_processes() {
        let series = |ours: &[f64], theirs: &[f64]| Series {
            row: "pair".to_owned(),
            cases: vec![(ACEDIA.to_owned(), ours.to_vec()), (BARE.to_owned(), theirs.to_vec())],
        };
        // A slow moment of the machine hits both contenders of a round.
        let outcome = Outcome::of(&[series(&[2.0, 20.0], &[1.0, 10.0]), series(&[3.0], &[1.5])]);
        let [ours, bare] = &outcome.cases[..] else {
            panic!("two cases")
        };
        assert_eq!((ours.ns, ours.ratio, bare.ns, bare.ratio), (3.0, 1.0, 1.5, 2.0));
        assert!(outcome.best().is_none(), "the bare loop is no peer");
        let row = |limits| crate::measure::limited("pair", Vec::new, limits);
        assert_eq!(outcome.excesses(&row(&[(BARE, 2.1)])), Vec::<String>::new());
        assert_eq!(
            outcome.excesses(&row(&[(BARE, 1.9)])),
            ["pair: 2.00 of the time of bare loop, at most 1.9"]
        );
    }
}
