//! Writes all that is made of the measurements in `benches/data/`: the tables of the pages.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use acedia_benches::{
    pages::{Data, GUIDE, INTEGRATIONS, PAGES, prose, renewed},
    report::Measured,
};

const HELP: &str = "\
Reads benches/data/, writes the tables of the documentation, and checks the numbers in its sentences.

Usage: pages [--check]

  --check   write nothing, and fail if a table or number differs from the data";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["--check"] => true,
        _ => {
            eprintln!("{HELP}");
            return ExitCode::FAILURE;
        }
    };
    match made()
        .and_then(|files| put(&files, check))
        .and_then(|()| check_figures())
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of this crate, in the workspace.
fn benches() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The root of the workspace.
fn root() -> &'static Path {
    benches().parent().expect("it stands in a workspace")
}

/// Every file that is made of the data, and what should be in it.
fn made() -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = Vec::new();
    for page in PAGES {
        let file = root().join(page);
        let now = fs::read_to_string(&file).map_err(|error| format!("{page}: {error}"))?;
        let new = renewed(&now, &Saved).map_err(|problem| format!("{page}: {problem}"))?;
        files.push((file, new));
    }
    Ok(files)
}

/// Compares the figures in the sentences of all pages with the data. Reports every page that has a wrong one.
fn check_figures() -> Result<(), String> {
    let chapters = fs::read_dir(root().join(GUIDE)).map_err(|error| format!("{GUIDE}: {error}"))?;
    let chapters = chapters.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let chapters = chapters.filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "md"));
    let chapters = chapters.map(|name| format!("{GUIDE}/{name}"));
    let others = PAGES.into_iter().chain([INTEGRATIONS]).map(str::to_owned);
    let mut pages: Vec<_> = chapters.chain(others).collect();
    pages.sort();
    pages.dedup();
    let problems = pages.iter().filter_map(|page| {
        let text = fs::read_to_string(root().join(page)).map_err(|error| error.to_string());
        let problem = text.and_then(|text| prose::check(&text, &Saved)).err()?;
        Some(format!("{page}: {problem}"))
    });
    let problems: Vec<_> = problems.collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// Writes the files that have changed, or fails if one has.
fn put(files: &[(PathBuf, String)], check: bool) -> Result<(), String> {
    for (file, new) in files {
        let name = file.display();
        if fs::read_to_string(file).is_ok_and(|now| now == *new) {
            continue;
        }
        if check {
            return Err(format!(
                "{name} differs from benches/data/; `cargo run -p acedia-benches --bin pages` updates it"
            ));
        }
        fs::write(file, new).map_err(|error| format!("{name}: {error}"))?;
        println!("{name}");
    }
    Ok(())
}

/// The measurements in `benches/data/`.
struct Saved;

impl Data for Saved {
    fn measured(&self, binary: &str) -> Result<Measured, String> {
        Measured::load(&benches().join("data").join(binary).with_extension("json"))
    }
}
