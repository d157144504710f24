//! What the binaries do that measure a list of workloads and nothing else.

use std::{env, process::ExitCode};

use crate::{options::Request, report::Outcome, workloads::Workload};

/// Does what the command line says with the workloads of `all`. `help` is what `--help` prints.
#[must_use]
pub fn run(help: &str, all: &'static [Workload]) -> ExitCode {
    match measure(help, all) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn measure(help: &str, all: &'static [Workload]) -> Result<(), String> {
    let options = match Request::parse(env::args().skip(1))? {
        Request::Help => {
            println!("{help}");
            return Ok(());
        }
        Request::List => {
            for workload in all {
                println!("{:<8} {}", workload.name, workload.title);
            }
            return Ok(());
        }
        Request::Measure(options) => options,
    };
    let chosen = options.workloads.iter().map(|name| {
        let found = all.iter().find(|workload| workload.name == name);
        found.ok_or_else(|| format!("no workload is called {name}; --list names them"))
    });
    let mut workloads = chosen.collect::<Result<Vec<_>, _>>()?;
    if workloads.is_empty() {
        workloads.extend(all);
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
