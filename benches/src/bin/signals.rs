//! Measures signals against what one writes without them, and prints the tables of `benches/signals.md`.

use acedia_benches::{command, readers, signals::ALL};
use std::process::ExitCode;

/// For both sides: what handlers own, and lists.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures signals against what one writes without them, and prints markdown.

Usage: signals [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| readers())
}
