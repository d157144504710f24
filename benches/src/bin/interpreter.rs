//! Measures a small interpreter whose values are objects, and prints the tables of `benches/interpreter.md`.

use acedia_benches::{command, interpreter::ALL, readers};
use std::process::ExitCode;

/// For all sides: the counted pointers, and the memory of a slot map.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run(
        "interpreter",
        "Measures a small interpreter whose values are objects",
        ALL,
        |_| readers(),
    )
}
