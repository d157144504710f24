//! Measures collections and their peers, and prints the tables of `benches/collections.md`.

use acedia_benches::{
    collections::{self, ALL},
    options::Request,
    report::Outcome,
};
use std::{env, process::ExitCode};

const HELP: &str = "\
Measures collections and their peers, and prints markdown.

Usage: collections [WORKLOAD…] [--quick] [--json] [--list]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let options = match Request::parse(env::args().skip(1))? {
        Request::Help => {
            println!("{HELP}");
            return Ok(());
        }
        Request::List => {
            for workload in ALL {
                println!("{:<8} {}", workload.name, workload.title);
            }
            return Ok(());
        }
        Request::Measure(options) => options,
    };
    let chosen = options.workloads.iter().map(|name| collections::named(name));
    let mut workloads = chosen.collect::<Result<Vec<_>, _>>()?;
    if workloads.is_empty() {
        workloads.extend(ALL);
    }
    for workload in workloads {
        let outcome = Outcome::measure(workload, options.effort);
        if options.json {
            println!("{}", outcome.to_json());
        } else {
            println!("{outcome}");
        }
    }
    Ok(())
}
