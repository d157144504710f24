//! The common part of the binaries that measure a list of workloads.

use std::{
    env,
    fmt::Display,
    fs,
    process::{Command, ExitCode, Stdio},
};

use crate::{
    options::{Options, Request, help},
    report::{Measured, Outcome, Ratios, ratios},
    workload::Workload,
};

/// Executes the command line of `binary` with the workloads of `all`. `about` is the first sentence of `--help`, and `prepare` runs
/// before the measurements.
#[must_use]
pub fn run(binary: &str, about: &str, all: &'static [Workload], prepare: impl FnOnce(&Options)) -> ExitCode {
    match obey(binary, about, all, prepare) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn obey(binary: &str, about: &str, all: &'static [Workload], prepare: impl FnOnce(&Options)) -> Result<(), String> {
    let options = match Request::parse(env::args().skip(1))? {
        Request::Help => {
            println!("{}", help(binary, about));
            return Ok(());
        }
        Request::List => {
            for workload in all {
                println!("{:<14} {}", workload.name, workload.title);
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
    let show = |outcome: Outcome| {
        if !options.json {
            println!("{outcome}");
        }
        outcome
    };
    let measured = if options.processes > 1 {
        let runs: Result<Vec<_>, _> = (0..options.processes).map(|_| in_a_process(&options)).collect();
        Measured::of_many(&runs?).into_iter().map(show).collect()
    } else {
        prepare(&options);
        let outcomes = workloads
            .iter()
            .map(|workload| Outcome::measure(workload, options.effort));
        outcomes.map(show).collect()
    };
    let measured = [("ratio".to_owned(), Measured { workloads: measured })];
    if !options.json {
        for kind in [Ratios::Limited, Ratios::Unlimited] {
            println!("{}", ratios(workloads.iter().copied(), &measured, kind));
        }
    }
    let [(_, measured)] = measured;
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

/// The measurements of another process of this program.
fn in_a_process(options: &Options) -> Result<Measured, String> {
    let cannot = |problem: &dyn Display| format!("cannot measure in another process: {problem}");
    let program = env::current_exe().map_err(|error| cannot(&error))?;
    let output = Command::new(program)
        .args(options.of_one_process())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot(&error))?;
    if !output.status.success() {
        return Err(cannot(&output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| cannot(&error))
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
