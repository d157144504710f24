//! Measures the pool engine and its peers, and prints the tables of `benches/README.md`.

use acedia_benches::{
    among_guards,
    options::{HELP, Options, Request},
    readers,
    report::Outcome,
    serve,
    workloads::{self, Workload},
};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    serve();
    let done = Request::parse(env::args().skip(1)).and_then(|request| match request {
        Request::Help => {
            println!("{HELP}");
            Ok(())
        }
        Request::List => {
            for workload in workloads::ALL {
                println!("{:<8} {}", workload.name, workload.title);
            }
            Ok(())
        }
        Request::Measure(options) => measure(&options),
    });
    if let Err(problem) = done {
        eprintln!("{problem}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Measures and prints, each workload as soon as it is done.
fn measure(options: &Options) -> Result<(), String> {
    let workloads: Vec<&'static Workload> = if options.workloads.is_empty() {
        workloads::ALL.iter().collect()
    } else {
        options
            .workloads
            .iter()
            .map(|name| workloads::named(name))
            .collect::<Result<_, _>>()?
    };
    readers();
    if options.guards {
        among_guards();
    }
    let outcomes = workloads
        .into_iter()
        .map(|workload| Outcome::measure(workload, options.effort));
    if options.json {
        let outcomes: Vec<_> = outcomes.map(|outcome| outcome.to_json()).collect();
        println!("{}", serde_json::json!({ "workloads": outcomes }));
    } else {
        outcomes.for_each(|outcome| println!("{outcome}"));
    }
    Ok(())
}
