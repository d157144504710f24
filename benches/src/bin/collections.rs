//! Measures collections against similar libraries, and prints the tables of `benches/collections.md`.

use acedia_benches::{collections::ALL, command};
use std::process::ExitCode;

#[cfg(feature = "process-mimalloc")]
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run(
        "collections",
        "Measures collections against similar libraries",
        ALL,
        |_| {},
    )
}
