//! Measures collections and their peers, and prints the tables of `benches/collections.md`.

use acedia_benches::{collections::ALL, command};
use std::process::ExitCode;

#[cfg(feature = "process-mimalloc")]
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures collections and their peers, and prints markdown.

Usage: collections [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| {})
}
