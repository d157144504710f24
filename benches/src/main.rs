//! The command line.

use std::{
    env,
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};

use acedia_benches::{
    GROUPS,
    measure::{Effort, Row, Series, measure},
    pages, process,
    report::{Outcome, Saved, processor, table},
};

/// All contenders except jemalloc allocate from mimalloc, so only their own work differs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
Measures acedia against its peers, and prints tables.

Usage: acedia-benches GROUP [PART-OF-A-NAME…] [OPTIONS]
       acedia-benches pages [--check]

GROUP is pool, values, json, actors, process or all. With parts of names, only rows
whose names contain one of them are measured. `pages` writes the saved figures
into the documentation; with --check, it only compares.

  --list         print the names of the rows
  --quick        one process with few short rounds; do not quote the figures
  --cycles       one process with many very short rounds; print cycles of the
                 fastest ones; only for work on one thread
  --processes N  measure in N processes, one after another (default: 3)
  --check        fail if a row exceeds its limits in each of three tries
  --save FILE    also save the figures; those of other groups stay in the file";

struct Options {
    effort: Effort,
    processes: usize,
    check: bool,
    list: bool,
    /// Prints all rounds as JSON, for the process that started this one.
    child: bool,
    save: Option<PathBuf>,
    parts: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        [] | ["--help" | "-h", ..] => {
            println!("{HELP}");
            Ok(())
        }
        // One figure of the group `process`, for the process that started this one.
        ["alone", row, name] => process::alone(row, name)
            .map(|figure| println!("{figure}"))
            .ok_or_else(|| format!("no figure {row} of {name}")),
        ["pages"] => pages::run(false),
        ["pages", "--check"] => pages::run(true),
        [group, ref options @ ..] => parse(options).and_then(|options| run(group, &options)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        effort: Effort::FULL,
        processes: 3,
        check: false,
        list: false,
        child: false,
        save: None,
        parts: Vec::new(),
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match *argument {
            "--list" => options.list = true,
            "--quick" => (options.effort, options.processes) = (Effort::QUICK, 1),
            "--cycles" => (options.effort, options.processes) = (Effort::CYCLES, 1),
            "--check" => options.check = true,
            "--child" => options.child = true,
            "--save" => options.save = Some(arguments.next().ok_or("--save needs a file")?.into()),
            "--processes" => {
                let number = arguments.next().and_then(|number| number.parse().ok());
                options.processes = number.filter(|it| *it > 0).ok_or("--processes needs a number")?;
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}; --help lists them")),
            part => options.parts.push(part.to_owned()),
        }
    }
    Ok(options)
}

fn run(group: &str, options: &Options) -> Result<(), String> {
    let groups = || GROUPS.iter().filter(|(name, _)| group == "all" || group == *name);
    if groups().next().is_none() {
        return Err(format!("{group} is no group; --help lists them"));
    }
    let matches = |row: &Row, part: &String| {
        if options.child {
            row.name == part
        } else {
            row.name.contains(part)
        }
    };
    let wanted = |row: &&Row| options.parts.is_empty() || options.parts.iter().any(|part| matches(row, part));
    let mut excesses = Vec::new();
    let mut saved = match &options.save {
        Some(file) if file.exists() => Saved::load(file)?,
        _ => Saved::default(),
    };
    saved.processor = processor();
    for (name, rows) in groups() {
        let rows: Vec<&Row> = rows.iter().filter(wanted).collect();
        if options.list {
            for row in rows {
                println!("{name}: {}", row.name);
            }
            continue;
        }
        if options.child {
            let series: Vec<Series> = rows.iter().map(|row| measure(row, options.effort)).collect();
            println!("{}", serde_json::to_string(&series).expect("numbers and names"));
            continue;
        }
        if rows.is_empty() {
            continue;
        }
        let outcomes = outcomes(name, &rows, options)?;
        println!("## {name}\n\n{}", table(&outcomes));
        for (row, outcome) in rows.iter().zip(&outcomes).filter(|_| options.check) {
            let mut over = outcome.excesses(row);
            for _ in 0..2 {
                if !over.is_empty() {
                    over = self::outcomes(name, &[row], options)?[0].excesses(row);
                }
            }
            excesses.extend(over);
        }
        saved.groups.insert((*name).to_owned(), outcomes);
    }
    if !excesses.is_empty() {
        return Err(excesses.join("\n"));
    }
    match &options.save {
        Some(_) if !options.parts.is_empty() => Err("only whole groups can be saved".to_owned()),
        Some(file) => saved.save(file),
        None => Ok(()),
    }
}

/// Measures the rows in several processes, one after another, because addresses differ.
fn outcomes(group: &str, rows: &[&Row], options: &Options) -> Result<Vec<Outcome>, String> {
    let processes: Result<Vec<_>, String> = (0..options.processes)
        .map(|_| elsewhere(group, rows, options))
        .collect();
    let mut processes: Vec<_> = processes?.into_iter().map(Vec::into_iter).collect();
    let each = |_: &&Row| {
        let row: Option<Vec<Series>> = processes.iter_mut().map(Iterator::next).collect();
        row.map(|row| Outcome::of(&row))
            .ok_or_else(|| "a process measured other rows".to_owned())
    };
    rows.iter().map(each).collect()
}

/// Measures in another process.
fn elsewhere(group: &str, rows: &[&Row], options: &Options) -> Result<Vec<Series>, String> {
    let effort = match options.effort {
        Effort::QUICK => Some("--quick"),
        Effort::CYCLES => Some("--cycles"),
        _ => None,
    };
    let output = env::current_exe().and_then(|program| {
        let mut child = Command::new(program);
        child
            .args([group, "--child"])
            .args(effort)
            .args(rows.iter().map(|row| row.name));
        child.stderr(Stdio::inherit()).output()
    });
    let output = output.map_err(|error| format!("cannot measure in another process: {error}"))?;
    if !output.status.success() {
        return Err(format!("{group}: {}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{group}: {error}"))
}
