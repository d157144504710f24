//! Measures texts against similar libraries, and prints the tables of `benches/text.md`.

use acedia_benches::{command, text::ALL};
use std::process::ExitCode;

#[cfg(feature = "process-mimalloc")]
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run("text", "Measures texts against similar libraries", ALL, |_| {})
}
