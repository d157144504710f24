//! acedia and its peers, measured in one process under the same workloads.
//!
//! * A *case* is one contender that does one job any number of times (`measure.rs`).
//! * A *row* is one job and a case for each contender. The rows are in `pool/`, `values.rs`, `json.rs` and `actors.rs`.
//! * [`report`] prints and saves the results, and [`pages`] writes the saved ones into the documentation.

#![allow(clippy::needless_for_each, reason = "the rows are lists of one-line loops")]

pub mod actors;
mod contenders;
pub mod json;
pub mod measure;
pub mod pages;
pub mod pool;
pub mod process;
pub mod report;
pub mod values;

use measure::Row;

/// The rows by the name of their subcommand, in the order in which they are measured.
pub const GROUPS: [(&str, &[Row]); 5] = [
    ("pool", pool::ROWS),
    ("values", values::ROWS),
    ("json", json::ROWS),
    ("actors", actors::ROWS),
    ("process", process::ROWS),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest rows take seconds to build without optimization, and are the same code as smaller ones.
    #[test]
    fn every_case_runs_and_limits_name_contenders() {
        let small = |row: &&Row| !row.name.contains("1,000,000");
        for row in GROUPS.iter().flat_map(|(_, rows)| *rows).filter(small) {
            let mut cases = (row.cases)();
            for case in &mut cases {
                assert!(!case.run(1).is_zero(), "{} in {}", case.name(), row.name);
            }
            assert_eq!(cases[0].name(), measure::ACEDIA, "{}", row.name);
            for (peer, _) in row.limits {
                assert!(cases.iter().any(|case| case.name() == *peer), "{peer} in {}", row.name);
            }
        }
    }
}
