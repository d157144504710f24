//! Measures signals against what one writes without them, and prints markdown.

use acedia_benches::{measure::Effort, readers, report::Outcome, signals};
use std::{env, process::ExitCode};

/// For both sides: what handlers own, and lists.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut effort = Effort::FULL;
    for argument in env::args().skip(1) {
        if argument != "--quick" {
            eprintln!("unknown argument {argument}\n\nUsage: signals [--quick]");
            return ExitCode::FAILURE;
        }
        effort = Effort::QUICK;
    }
    readers();
    for workload in signals::ALL {
        println!("{}", Outcome::measure(workload, effort));
    }
    ExitCode::SUCCESS
}
