//! Measures the engine against similar libraries, and prints the tables of `benches/README.md`.

use acedia_benches::{among_guards, command, serve, workloads::ALL};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve();
    command::run(
        "table",
        "Measures the engine against similar libraries",
        ALL,
        |options| {
            if options.guards {
                among_guards();
            }
        },
    )
}
