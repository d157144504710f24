//! Measures boxes, refs and arrays against the standard library, and prints the tables of `benches/boxes.md`.

use acedia_benches::{boxes::ALL, command, readers};
use std::process::ExitCode;

/// For both sides: what the standard library's types allocate comes from here, and so do arrays of ours.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures boxes, refs and arrays against the standard library, and prints markdown.

Usage: boxes [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| readers())
}
