//! Measures texts and their peers, and prints the tables of `benches/text.md`.

use acedia_benches::{command, text::ALL};
use std::process::ExitCode;

#[cfg(feature = "process-mimalloc")]
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures texts and their peers, and prints markdown.

Usage: text [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| {})
}
