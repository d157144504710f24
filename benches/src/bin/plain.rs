//! Measures plain data whose readers copy the value, and prints the tables of `benches/plain.md`.

use acedia_benches::{command, plain::ALL, readers};
use std::process::ExitCode;

/// For all sides: tables and boxes.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run("plain", "Measures plain data whose readers copy the value", ALL, |_| {
        readers();
    })
}
