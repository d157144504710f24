//! Measures JSON against its peers, and prints markdown.

use acedia_benches::{json, measure::Effort, report::Outcome};
use std::{env, process::ExitCode};

/// For both sides: strings and vectors; ours has pools besides.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut effort = Effort::FULL;
    for argument in env::args().skip(1) {
        if argument != "--quick" {
            eprintln!("unknown argument {argument}\n\nUsage: json [--quick]");
            return ExitCode::FAILURE;
        }
        effort = Effort::QUICK;
    }
    for workload in json::ALL {
        println!("{}", Outcome::measure(workload, effort));
    }
    ExitCode::SUCCESS
}
