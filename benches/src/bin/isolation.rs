//! Measures the costs that one part of a program causes in another, and prints markdown.

use std::{env, fs, process::ExitCode};

use acedia_benches::{
    isolation::{measure, table},
    serve,
};

const HELP: &str = "\
Measures the costs that one part of a program causes in another, each case in processes of its own, and prints markdown.

Usage: isolation [WORD | --save FILE]

  WORD          measure only the costs whose names contain WORD, such as `late`
  --save FILE   also write JSON to FILE, for the program `pages`";

const ROUNDS: usize = 5;

fn main() -> ExitCode {
    serve();
    let arguments: Vec<_> = env::args().skip(1).collect();
    let (word, file) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => ("", None),
        ["--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["--save", file] => ("", Some(file)),
        [word] if !word.starts_with('-') => (word, None),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::FAILURE;
        }
    };
    let answers: Vec<_> = measure(word, ROUNDS).collect();
    print!("{}", table(&answers));
    if let Some(file) = file {
        let saved = serde_json::to_string_pretty(&answers).expect("numbers and names");
        if let Err(error) = fs::write(file, saved + "\n") {
            eprintln!("cannot write {file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
