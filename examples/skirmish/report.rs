//! [`Report`]: the report at the end, as a table or as JSON.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use crate::census::Census;
use crate::level;
use crate::options::Options;
use crate::round::Outcome;

/// The match, and the baseline if it was asked for.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) options: &'a Options,
    pub(crate) pools: Outcome,
    pub(crate) classes: Vec<Census>,
    pub(crate) heap: Option<Outcome>,
}

impl Report<'_> {
    /// Stale handles that were refused.
    fn stale_refused(&self) -> u64 {
        self.pools.all_seen().refused
    }

    /// Handles that led to an object after theirs was freed, be it another object or even the same one. Must be 0.
    pub(crate) fn stale_resolved(&self) -> u64 {
        let seen = self.pools.all_seen();
        seen.wrong + seen.lingering
    }

    /// Objects that were not freed, or not properly. Must be 0.
    pub(crate) fn leaked(&self) -> u64 {
        self.classes.iter().map(|class| class.leaked).sum::<u64>() + self.pools.level.leaked
    }

    /// Whether the level was restored as it was saved. Must be.
    pub(crate) fn is_restored(&self) -> bool {
        self.pools.level.restored_equal
    }

    /// The report as one JSON object.
    pub(crate) fn to_json(&self) -> Value {
        let class = |class: &Census| {
            json!({
                "name": class.name,
                "lives": class.lives,
                "fresh": class.fresh,
                "reused": class.reused,
                "peak_live": class.peak,
                "retained_bytes": class.bytes,
                "stale_refused": class.refused,
                "finalizers": class.finalizers,
                "leaked": class.leaked,
            })
        };
        let mut report = json!({
            "ticks_planned": self.options.ticks_in_all(),
            "ticks_played": self.pools.ticks,
            "ended_early": self.pools.ended_early,
            "ticks": self.options.ticks,
            "threads": self.options.threads,
            "seed": self.options.seed,
            "seconds": self.pools.seconds,
            "allocations": self.pools.allocations,
            "chat_heard": self.pools.talk.heard,
            "chat_lost": self.pools.talk.lost,
            "level": level(&self.pools.level),
            "classes": self.classes.iter().map(class).collect::<Vec<_>>(),
            "reads": self.pools.all_seen().alive,
            "stale_refused": self.stale_refused(),
            "stale_resolved": self.stale_resolved(),
            "leaked": self.leaked(),
        });
        if let Some(heap) = &self.heap {
            let seen = heap.all_seen();
            report["baseline"] = json!({
                "seconds": heap.seconds,
                "allocations": heap.allocations,
                "reads": seen.alive,
                "stale_refused": seen.refused,
                "stale_lingering": seen.lingering,
                "time_ratio": ratio(self.pools.seconds, heap.seconds),
                "allocations_ratio": ratio(float(self.pools.allocations), float(heap.allocations)),
            });
        }
        report
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.pools.seconds;
        write!(f, "{} ", grouped(self.pools.ticks))?;
        if self.pools.ended_early {
            write!(f, "of {} ", grouped(self.options.ticks_in_all()))?;
        }
        writeln!(
            f,
            "ticks on {} threads in {seconds:.2} s; {} chat lines heard{}\n",
            self.options.threads,
            grouped(self.pools.talk.heard),
            if self.pools.ended_early { "; ended early" } else { "" },
        )?;
        write_table(f, &self.table())?;
        writeln!(
            f,
            "\n{} reads of living objects, {} stale reads refused, {} resolved, {} objects leaked",
            grouped(self.pools.all_seen().alive),
            grouped(self.stale_refused()),
            grouped(self.stale_resolved()),
            grouped(self.leaked()),
        )?;
        let level::Outcome { ticks, scores, .. } = self.pools.level;
        writeln!(
            f,
            "the level, {} ticks: {} soldiers, {} shots, {} hits, {} deaths; {} pickups taken, {} replaced; {} vaults opened",
            grouped(ticks),
            grouped(scores.soldiers.0),
            grouped(scores.shots.0),
            grouped(scores.hits.0),
            grouped(scores.deaths.0),
            grouped(scores.pickups.0),
            grouped(scores.replaced.0),
            grouped(scores.opened.0),
        )?;
        writeln!(
            f,
            "saved as {} bytes of JSON and restored: {}",
            grouped(self.pools.level.saved.len() as u64),
            if self.is_restored() { "equal" } else { "NOT EQUAL" },
        )?;
        let Some(heap) = &self.heap else { return Ok(()) };
        let allocations = [self.pools.allocations, heap.allocations];
        writeln!(f)?;
        write_table(
            f,
            &[
                ["", "pools", "Arc, Weak, Mutex", "ratio"].map(String::from),
                [
                    "seconds".to_owned(),
                    format!("{seconds:.2}"),
                    format!("{:.2}", heap.seconds),
                    format!("{:.3}", ratio(seconds, heap.seconds)),
                ],
                [
                    "allocations of memory".to_owned(),
                    grouped(allocations[0]),
                    grouped(allocations[1]),
                    format!("{:.6}", ratio(float(allocations[0]), float(allocations[1]))),
                ],
                [
                    "reached after it was freed".to_owned(),
                    grouped(self.stale_resolved()),
                    grouped(heap.all_seen().lingering),
                    String::new(),
                ],
            ],
        )
    }
}

impl Report<'_> {
    /// A row of titles, and one for each class.
    fn table(&self) -> Vec<[String; 9]> {
        let titles = [
            "class",
            "lives",
            "fresh",
            "reused",
            "peak",
            "bytes kept",
            "stale refused",
            "finalizers",
            "leaked",
        ];
        let row = |class: &Census| {
            [
                class.name.to_owned(),
                grouped(class.lives),
                grouped(class.fresh),
                grouped(class.reused),
                grouped(class.peak),
                grouped(class.bytes),
                grouped(class.refused),
                class.finalizers.map_or_else(|| "none".to_owned(), grouped),
                grouped(class.leaked),
            ]
        };
        let mut rows = vec![titles.map(String::from)];
        rows.extend(self.classes.iter().map(row));
        rows
    }
}

/// The level's part of the report.
fn level(level: &level::Outcome) -> Value {
    let scores = level.scores;
    json!({
        "ticks": level.ticks,
        "soldiers": scores.soldiers,
        "deaths": scores.deaths,
        "shots": scores.shots,
        "hits": scores.hits,
        "pickups": scores.pickups,
        "replaced": scores.replaced,
        "vaults_opened": scores.opened,
        "lines": scores.lines,
        "scenes": level.scenes,
        "actors_at_the_end": level.alive,
        "warnings": level.warnings,
        "saved_bytes": level.saved.len(),
        "restored_equal": level.restored_equal,
        "leaked": level.leaked,
    })
}

/// Writes a table: the first column to the left, the others to the right.
fn write_table<const N: usize>(f: &mut fmt::Formatter<'_>, rows: &[[String; N]]) -> fmt::Result {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    for row in rows {
        let mut line = format!("{:<1$}", row[0], width(0));
        for (column, cell) in row.iter().enumerate().skip(1) {
            write!(line, "  {cell:>0$}", width(column))?;
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The ratio of `part` to `whole`; 0 if `whole` is 0.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "for ratios of three digits")]
fn float(number: u64) -> f64 {
    number as f64
}
