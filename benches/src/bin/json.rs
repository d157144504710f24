//! Measures JSON against similar libraries, and prints the tables of `benches/json.md`.

use acedia_benches::{command, json::ALL, serve};
use std::process::ExitCode;

/// For both sides: strings and vectors; ours has pools besides.
#[cfg(not(feature = "process-glibc"))]
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    serve();
    command::run("json", "Measures JSON against similar libraries", ALL, |_| {})
}
