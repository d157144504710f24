//! Measures texts and their peers, and prints the tables of `benches/text.md`.

use acedia_benches::{
    options::Request,
    report::Outcome,
    text::{self, ALL},
};
use std::{env, process::ExitCode};

const HELP: &str = "\
Measures texts and their peers, and prints markdown.

Usage: text [WORKLOAD…] [--quick] [--json] [--list]";

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
    let chosen = options.workloads.iter().map(|name| text::named(name));
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
