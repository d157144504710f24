//! Measures boxes, refs and arrays against the standard library, and prints the tables of `benches/boxes.md`.

use acedia_benches::{boxes, measure::Effort, readers, report::Outcome};
use std::{env, process::ExitCode};

/// For both sides: what the standard library's types allocate comes from here, and so do arrays of ours.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut effort = Effort::FULL;
    for argument in env::args().skip(1) {
        if argument != "--quick" {
            eprintln!("unknown argument {argument}\n\nUsage: boxes [--quick]");
            return ExitCode::FAILURE;
        }
        effort = Effort::QUICK;
    }
    readers();
    for workload in boxes::ALL {
        println!("{}", Outcome::measure(workload, effort));
    }
    ExitCode::SUCCESS
}
