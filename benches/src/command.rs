//! What the binaries do that measure a list of workloads.

use std::{env, fs, process::ExitCode};

use crate::{
    options::{Options, Request},
    report::{Measured, Outcome},
    workloads::Workload,
};

/// Does what the command line says with the workloads of `all`. `help` is what `--help` prints, and `prepare` runs before
/// anything is measured.
#[must_use]
pub fn run(help: &str, all: &'static [Workload], prepare: impl FnOnce(&Options)) -> ExitCode {
    match obey(help, all, prepare) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn obey(help: &str, all: &'static [Workload], prepare: impl FnOnce(&Options)) -> Result<(), String> {
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
    let chosen = options.workloads.iter().map(|name| named(all, name));
    let mut workloads = chosen.collect::<Result<Vec<_>, _>>()?;
    if workloads.is_empty() {
        workloads.extend(all);
    }
    prepare(&options);
    let mut measured = Measured::default();
    for workload in workloads {
        let outcome = Outcome::measure(workload, options.effort);
        if !options.json {
            println!("{outcome}");
        }
        measured.workloads.push(outcome);
    }
    let measured = serde_json::to_string_pretty(&measured).expect("numbers and names");
    if options.json {
        println!("{measured}");
    }
    if let Some(file) = &options.save {
        let saved = fs::write(file, measured + "\n");
        saved.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(())
}

/// The workload of that name among `all`.
///
/// # Errors
///
/// A sentence for the user, if there is none.
pub fn named(all: &'static [Workload], name: &str) -> Result<&'static Workload, String> {
    let found = all.iter().find(|workload| workload.name == name);
    found.ok_or_else(|| format!("no workload is called {name}; --list names them"))
}
