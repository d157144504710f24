//! Measures the memory that stays resident after a million objects were freed and collected. Exit status 1 if ours keeps too much.

use std::{env, fs, process::ExitCode};

use acedia_benches::{
    retained::{measure, table},
    serve,
};

const HELP: &str = "\
Measures how much memory stays resident after a million objects were freed and collected, and prints markdown. Fails if
acedia keeps too much.

Usage: retained [--save FILE]

  --save FILE   also write JSON to FILE, for the program `pages`";

fn main() -> ExitCode {
    serve();
    let arguments: Vec<_> = env::args().skip(1).collect();
    let file = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        ["--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["--save", file] => Some(file),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::FAILURE;
        }
    };
    let measured: Vec<_> = measure().collect();
    print!("{}", table(&measured));
    if let Some(file) = file {
        let saved = serde_json::to_string_pretty(&measured).expect("numbers and names");
        if let Err(error) = fs::write(file, saved + "\n") {
            eprintln!("cannot write {file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    if measured.iter().all(|one| one.is_met() != Some(false)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
