//! The pool engine and its peers, measured in one process under the same workloads.
//!
//! * A *contender* (`contenders/`, one file each) is a way to make and free objects, and perhaps to read them by handle.
//! * A *payload* (`payload.rs`) is what an object holds.
//! * A *workload* (`workload.rs`; `workloads/`, one file each) turns contenders into [`Case`]s: something that can be run `n`
//!   times.
//! * [`measure`](measure::measure) runs the cases of a workload in turns; [`report`] prints or saves the results; [`pages`] shows saved
//!   results.
//!
//! The binaries and the criterion benches choose workloads and print; they measure nothing of their own.
//! A new rival is one file in `contenders/` and one line in its `mod.rs`.

pub mod actors;
pub mod boxes;
mod case;
mod children;
pub mod collections;
pub mod command;
mod contender;
mod contenders;
mod heap;
mod isolated;
pub mod json;
mod lane;
pub mod measure;
pub mod options;
pub mod pages;
mod payload;
mod place;
mod places;
mod readers;
pub mod report;
mod resident;
mod shuffle;
#[cfg(test)]
mod tests;
pub mod text;
pub mod workload;
pub mod workloads;

pub use case::Case;
pub use children::serve;
pub use readers::{among_guards, readers};
