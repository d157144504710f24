//! Measures boxes, refs and arrays against the standard library, and prints the tables of `benches/boxes.md`.

use acedia_benches::{boxes::ALL, command, readers};
use std::process::ExitCode;

/// For both sides: what the standard library's types allocate comes from here, and so do arrays of ours.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run(
        "boxes",
        "Measures boxes, refs and arrays against the standard library",
        ALL,
        |_| readers(),
    )
}
