//! Measures actors against similar libraries, and prints the tables of `benches/actors.md`.

use acedia_benches::{actors::ALL, command};
use std::process::ExitCode;

fn main() -> ExitCode {
    command::run("actors", "Measures actors against similar libraries", ALL, |_| {})
}
