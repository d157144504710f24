//! Measures actors and their peers, and prints the tables of `benches/actors.md`.

use acedia_benches::{actors::ALL, command};
use std::process::ExitCode;

const HELP: &str = "\
Measures actors and their peers, and prints markdown.

Usage: actors [WORKLOAD…] [--quick] [--json] [--save FILE] [--list]";

fn main() -> ExitCode {
    command::run(HELP, ALL, |_| {})
}
