//! Measures signals against callbacks written by hand, and prints the tables of `benches/signals.md`.

use acedia_benches::{command, readers, signals::ALL};
use std::process::ExitCode;

/// For both sides: what handlers own, and lists.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    command::run(
        "signals",
        "Measures signals against callbacks written by hand",
        ALL,
        |_| readers(),
    )
}
