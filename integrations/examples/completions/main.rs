//! A loop over `io_uring` whose `user_data` is a key.
//!
//! A read that is in flight has two objects. The *flight* owns the buffer, and is freed by its completion, so the kernel never writes into
//! memory of another owner, even if the future that asked for the read is dropped. The *waiter* belongs to the future. A dropped future
//! frees it at once, so the next read reuses its slot while the first one is still in flight. The completion of the first read then
//! finds no waiter, and never the stranger in its slot.
//!
//! ```sh
//! cargo run --release --example completions -- --rounds 100000
//! ```

#[cfg(target_os = "linux")]
mod ring;

use std::process::ExitCode;

const HELP: &str = "\
Reads from sockets by io_uring, cancels half of the reads, and checks that each completion finds its own reader or none.

Usage: cargo run --release --example completions -- [OPTIONS]

      --rounds N  how many reads are started (20,000)
      --seed N    another sequence (1)
  -h, --help      print this

Exit status: 0, also if the kernel refuses io_uring; 1 if a completion found a stranger; 2 for wrong usage.
";

fn main() -> ExitCode {
    match options() {
        Ok(Some((rounds, seed))) => run(rounds, seed),
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("completions: {error}; try --help");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Option<(u64, u64)>, lexopt::Error> {
    use lexopt::prelude::{Long, Short, ValueExt};
    let (mut rounds, mut seed) = (20_000, 1);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("rounds") => rounds = parser.value()?.parse()?,
            Long("seed") => seed = parser.value()?.parse()?,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some((rounds, seed)))
}

#[cfg(not(target_os = "linux"))]
fn run(_: u64, _: u64) -> ExitCode {
    eprintln!("SKIPPED: io_uring is part of Linux");
    ExitCode::SUCCESS
}

#[cfg(target_os = "linux")]
fn run(rounds: u64, seed: u64) -> ExitCode {
    let report = match ring::storm(rounds, seed) {
        Ok(report) => report,
        Err(error) => {
            eprintln!("SKIPPED: the kernel refuses io_uring: {error}");
            return ExitCode::SUCCESS;
        }
    };
    println!("{report}");
    if report.strangers == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
