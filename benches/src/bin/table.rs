//! Measures the pool engine and its peers, and prints the tables of `benches/README.md`.

use acedia_benches::{among_guards, command, serve, workloads::ALL};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve();
    command::run("table", "Measures the pool engine and its peers", ALL, |options| {
        if options.guards {
            among_guards();
        }
    })
}
