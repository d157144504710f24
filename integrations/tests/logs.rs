//! The events and spans of the crates are those listed in `README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_example_shows_spans_and_warnings_in_order() {
    let output = example::run("logs", &[], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    // The number of bytes that a collection frees does not matter here. It is 0 if all objects were on the first pages of their
    // chunks, which stay.
    let (said, bytes) = said.trim_end().rsplit_once('=').expect("the last line");
    assert!(bytes.parse::<u64>().is_ok(), "{bytes}");
    assert_eq!(
        said.lines().map(str::trim).collect::<Vec<_>>(),
        [
            "DEBUG parse{bytes=28}: logs: close",
            "DEBUG begin_play{actors=2}: acedia_actors: close",
            "TRACE tick{seconds=0.10000000149011612 actors=4}: acedia_actors: close",
            "WARN tick{seconds=0.10000000149011612 actors=3}: acedia_actors: \
             Accessed None: the reference resolves to no living actor; check it with `is_alive`",
            "TRACE tick{seconds=0.10000000149011612 actors=3}: acedia_actors: close",
            "WARN acedia_actors: class Logs.Missile has no state Flying",
            "WARN acedia_actors: spawn failed: no class of actors is named `Logs.Missiles` (did you mean `Logs.Missile`?)",
            "WARN acedia_actors: class Engine.LevelInfo is static or no-delete; make its actors with `Level::place`",
            "INFO collect_garbage{objects=5}: logs: close",
            "DEBUG logs: given back bytes",
        ]
    );
}

#[test]
fn a_level_leaves_out_what_is_below_it() {
    let output = example::run("logs", &["warn"], "");
    let said = stdout(&output);
    assert_eq!(said.lines().filter(|line| line.trim().starts_with("WARN ")).count(), 4);
    assert_eq!(said.lines().count(), 4);
    assert_eq!(stdout(&example::run("logs", &["off"], "")), "");
    let output = example::run("logs", &["loud"], "");
    assert_eq!(
        stderr(&output),
        "logs: `loud` is not a level: off, error, warn, info, debug, trace; try --help\n"
    );
    assert_eq!(output.status.code(), Some(2));
    for (arguments, reason) in [
        (&["--nonsense"][..], "'--nonsense'; try --help"),
        (&["warn", "off"], "off"),
    ] {
        let output = example::run("logs", arguments, "");
        assert!(stderr(&output).contains(reason), "{output:?}");
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    }
    let help = example::run("logs", &["--help"], "");
    assert!(stdout(&help).contains("[LEVEL]") && help.status.code() == Some(0));
}

/// Target, level, event or span, name: of each place in the sources of the libraries, and of each row of the README.
#[test]
fn the_readme_names_every_target_level_and_span() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut told = BTreeSet::new();
    for file in library_files(root) {
        let source = fs::read_to_string(&file).expect("UTF-8");
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: String = source.lines().filter(is_code).collect();
        for call in code.split("tracing::").skip(1) {
            told.insert(row_of_call(call).unwrap_or_else(|| panic!("{}: {call:.80}", file.display())));
        }
    }
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("UTF-8");
    let rows = readme.lines().filter(|line| line.starts_with("| `acedia"));
    let said: BTreeSet<_> = rows
        .map(|row| {
            let cells: Vec<_> = row.trim_matches('|').split('|').collect();
            let cells = cells[..4].iter().map(|cell| cell.trim().trim_matches('`').to_owned());
            cells.collect::<Vec<_>>()
        })
        .collect();
    assert!(
        !told.is_empty(),
        "no use of tracing was seen: this test looks in the wrong place"
    );
    assert_eq!(told, said, "what the sources tell, and what the README says");
}

/// `warn!(target: "acedia_actors", …` is a row. Spans have names, events have none.
fn row_of_call(call: &str) -> Option<Vec<String>> {
    let (macro_name, arguments) = call.split_once("!(")?;
    let mut strings = arguments.split('"').skip(1).step_by(2);
    let target = arguments
        .trim_start()
        .starts_with("target: \"")
        .then(|| strings.next())??;
    let row = match macro_name.strip_suffix("_span") {
        Some(level) => [target, level, "span", strings.next()?],
        None => [target, macro_name, "event", ""],
    };
    Some(row.map(ToOwned::to_owned).to_vec())
}

/// The sources of the crates that users get.
fn library_files(root: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(root)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path());
    let others = ["benches", "examples", "fuzz", "integrations", "tests"];
    let libraries = folders
        .filter(|folder| folder.join("Cargo.toml").exists() && !others.iter().any(|other| folder.ends_with(other)));
    libraries.flat_map(|folder| rust_files(&folder.join("src"))).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
