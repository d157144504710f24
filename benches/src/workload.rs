//! One table of measurements, as data: what is measured, and the ratios to reach.

use crate::case::Case;

/// The name of ours in a table where nothing else of ours has it.
pub(crate) const ACEDIA: &str = "acedia";

/// One table: contenders down, payloads across.
#[derive(Debug)]
pub struct Workload {
    /// The name on the command line.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The unit of one operation.
    pub unit: &'static str,
    /// The payloads.
    pub columns: &'static [Column],
    /// The ratios to reach.
    pub goals: &'static [Goal],
    /// More rounds than this tell nothing new.
    pub rounds: usize,
}

/// One payload of a workload.
#[derive(Debug)]
pub struct Column {
    /// The heading.
    pub label: &'static str,
    /// Builds the cases; some hold a million objects, so only one column should be there at a time.
    pub cases: fn() -> Vec<Case>,
}

impl Column {
    pub(crate) const fn new(label: &'static str, cases: fn() -> Vec<Case>) -> Self {
        Self { label, cases }
    }
}

/// The reference that a value is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Against {
    /// Another contender.
    Peer(&'static str),
    /// The best of several, on each processor and with each payload another.
    Best {
        /// The name of their kind: "best" is put before it.
        of: &'static str,
        /// Their names. A contender that was not measured is left out.
        among: &'static [&'static str],
    },
    /// A number in the workload's unit.
    Value(f64),
}

/// "Ours takes at most so many times what the other takes."
#[derive(Debug)]
pub struct Goal {
    /// The contender of ours.
    pub ours: &'static str,
    /// The other.
    pub against: Against,
    /// The limit for each column: [`SHOWN`] if the ratio is shown without one, `None` if it isn't shown. Columns beyond the last
    /// have none.
    pub at_most: &'static [Option<f64>],
}

/// No limit.
pub const SHOWN: Option<f64> = Some(f64::INFINITY);
