//! The engine's hot paths beside bare loops of the same shape, interleaved in one run.
//!
//! Instruction counts do not show a chain of loads that wait for each other. A ratio of times in one run does, on any processor.
//!
//! `latency` prints a table; `latency --check` fails if a path/loop ratio exceeds its limit in each of three tries.

mod bare;
mod paths;
mod rounds;

use std::process::ExitCode;

use rounds::Row;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures hot paths of pools, and bare loops of the same shape for comparison, and prints a table.

Usage: latency [--check]

  --check   fail if a path takes too long in each of three tries. Its limit is
            a multiple of the time of its bare loop";

fn main() -> ExitCode {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [flag] if flag == "--help" || flag == "-h" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [flag] if flag == "--check" => true,
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    for left in (0..3).rev() {
        let rows = rounds::measure(paths::all());
        Row::print(&rows);
        if !check || !rows.iter().any(Row::is_too_slow) {
            return ExitCode::SUCCESS;
        }
        eprintln!("over a limit; tries left: {left}");
    }
    ExitCode::FAILURE
}
