//! Measures plain data that is read as a copy, and prints the tables of `benches/plain.md`.

use acedia_benches::{command, plain::ALL, readers};
use std::process::ExitCode;

/// For all sides: tables and boxes.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures plain data that is read as a copy, and prints markdown.

Usage: plain [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| readers())
}
