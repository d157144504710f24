//! The allocator's atomics come from one file, and tests that documents name exist.

#[path = "support/sources.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod sources;

use std::collections::BTreeSet;

use sources::{code_only, relative, root, rust_files, text};

/// A model checker replaces the atomics of `sync.rs`, and would not see others.
#[test]
fn the_allocator_takes_its_atomics_from_one_file() {
    let files = rust_files(&root().join("allocator/src"));
    let (home, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| relative(file) == "allocator/src/sync.rs");
    let names_std = |file: &&&std::path::PathBuf| code_only(&text(file)).contains("std::sync::atomic");
    assert_eq!(
        home.iter().filter(names_std).count(),
        1,
        "this test looks in the wrong place"
    );
    let astray: Vec<_> = others.iter().filter(names_std).collect();
    assert!(astray.is_empty(), "atomics of the standard library: {astray:?}");
}

/// The models and tests in the last column of the table of invariants exist.
#[test]
fn every_check_of_the_memory_model_exists() {
    let functions = functions(&["allocator", "tests"]);
    let document = text(&root().join("docs/memory-model.md"));
    let (_, table) = document.split_once("\n| Invariant |").expect("the table of invariants");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let checks: BTreeSet<&str> = rows
        .filter_map(|row| row.trim_end_matches('|').rsplit('|').next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    assert!(checks.len() > 15, "this test looks in the wrong column");
    let missing: Vec<_> = checks.iter().filter(|check| !functions.contains(**check)).collect();
    assert!(missing.is_empty(), "no such model or test: {missing:?}");
}

/// In the tables of a crate's tests, a word with two underscores or more is the name of a test.
#[test]
fn every_test_in_the_tables_of_tests_exists() {
    let crates = ["actors", "collections", "json", "signals"];
    let functions = functions(&crates);
    let mut missing = Vec::new();
    for folder in ["actors", "collections", "signals"] {
        let document = text(&root().join(folder).join("tests/README.md"));
        let rows = document.lines().filter(|line| line.starts_with("| "));
        let words = rows.flat_map(|row| row.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let tests: BTreeSet<_> = words
            .filter(|word| word.matches('_').count() > 1)
            .map(str::to_owned)
            .collect();
        assert!(tests.len() > 5, "{folder}: this test looks in the wrong place");
        missing.extend(tests.difference(&functions).cloned());
    }
    assert!(missing.is_empty(), "no such test: {missing:?}");
}

fn functions(folders: &[&str]) -> BTreeSet<String> {
    let files = folders.iter().flat_map(|folder| rust_files(&root().join(folder)));
    files
        .flat_map(|file| {
            code_only(&text(&file))
                .lines()
                .filter_map(function)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The function that `line` begins.
fn function(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_word = before.is_empty() || before.ends_with(' ');
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_word && !name.is_empty()).then_some(name)
}
