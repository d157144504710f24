//! Holds `allocator/orderings.md` to the sources: every file that names a memory ordering has a section, every function that does
//! has a row, and the row names the same orderings. The models and tests in its last column exist.

#[path = "support/sources.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sources::{code_only, relative, root, rust_files, text};

const ORDERINGS: [&str; 5] = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

const CRATES: [&str; 9] = [
    "actors",
    "allocator",
    "boxes",
    "collections",
    "json",
    "lock",
    "plain",
    "signals",
    "text",
];

/// The orderings that each function names.
type Uses = BTreeMap<String, BTreeSet<&'static str>>;

#[test]
fn every_memory_ordering_is_in_the_list() {
    let document = text(&root().join("allocator/orderings.md"));
    let (documented, found) = (documented(&document), found());
    assert!(found.len() > 10, "this test looks in the wrong place");
    let mut wrong = Vec::new();
    for (file, uses) in &found {
        match documented.get(file) {
            None => wrong.push(format!("{file} has no section; orderings are in {uses:?}")),
            Some(rows) => wrong.extend(differences(rows, uses).iter().map(|what| format!("{file}: {what}"))),
        }
    }
    let gone = documented.keys().filter(|file| !found.contains_key(*file));
    wrong.extend(gone.map(|file| format!("{file} has no memory orderings any more")));
    assert!(wrong.is_empty(), "allocator/orderings.md: {}", wrong.join("\n"));
}

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

#[test]
fn every_check_in_the_list_exists() {
    let documents = ["allocator/orderings.md", "docs/memory-model.md"].map(|file| text(&root().join(file)));
    let mut functions = BTreeSet::new();
    for folder in CRATES.into_iter().chain(["tests"]) {
        for file in rust_files(&root().join(folder)) {
            functions.extend(code_only(&text(&file)).lines().filter_map(function).map(str::to_owned));
        }
    }
    let lines = documents.iter().flat_map(|document| document.lines());
    let rows = lines.filter(|line| line.starts_with("| "));
    let checks: BTreeSet<&str> = rows
        .filter_map(|row| row.trim_end_matches('|').rsplit('|').next())
        .flat_map(names)
        .collect();
    assert!(checks.len() > 20, "this test looks in the wrong column");
    let missing: Vec<_> = checks.iter().filter(|check| !functions.contains(**check)).collect();
    assert!(missing.is_empty(), "no such model or test: {missing:?}");
}

/// A row: its functions, and the orderings of their accesses.
type Row = (BTreeSet<String>, BTreeSet<&'static str>);

/// The rows of each section.
fn documented(document: &str) -> BTreeMap<String, Vec<Row>> {
    let sections = document.split("\n### `").skip(1);
    let read = |section: &str| {
        let (file, body) = section.split_once("`\n").expect("a heading is a file");
        let body = body.split("\n## ").next().unwrap_or(body);
        let rows = body.lines().filter(|line| line.starts_with("| `"));
        let rows = rows.map(|row| {
            let mut cells = row.split('|').skip(1);
            let [functions, access] = [(); 2].map(|()| cells.next().unwrap_or_default());
            (
                names(functions).map(str::to_owned).collect(),
                orderings(access).collect(),
            )
        });
        (file.to_owned(), rows.collect())
    };
    sections.map(read).collect()
}

/// What the rows of a file say of orderings, and its functions do not do, and the other way round.
fn differences(rows: &[Row], uses: &Uses) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut said = Uses::new();
    for (functions, orderings) in rows {
        for function in functions {
            said.entry(function.clone()).or_default().extend(orderings);
        }
        let done: BTreeSet<_> = functions.iter().filter_map(|it| uses.get(it)).flatten().collect();
        if let Some(more) = orderings.iter().find(|ordering| !done.contains(ordering)) {
            wrong.push(format!(
                "the row of {functions:?} names {more}, which the code does not"
            ));
        }
    }
    for (function, orderings) in uses {
        match said.remove(function) {
            None => wrong.push(format!("no row for `{function}`, which has {orderings:?}")),
            Some(said) if !said.is_superset(orderings) => {
                wrong.push(format!("`{function}` has {orderings:?}, and its rows {said:?}"));
            }
            Some(_) => {}
        }
    }
    wrong.extend(said.keys().map(|function| format!("`{function}` names no ordering")));
    wrong
}

/// The functions of each source file that name an ordering, without tests.
fn found() -> BTreeMap<String, Uses> {
    let mut found = BTreeMap::new();
    for folder in CRATES {
        for file in rust_files(&root().join(folder).join("src")) {
            let uses = uses(&code_only(&text(&file)));
            if !is_test(&file) && !uses.is_empty() {
                found.insert(relative(&file), uses);
            }
        }
    }
    found
}

fn is_test(file: &Path) -> bool {
    ["models.rs", "litmus.rs", "tests.rs"]
        .iter()
        .any(|name| file.ends_with(name))
}

/// The functions that name an ordering.
fn uses(code: &str) -> Uses {
    let mut uses = Uses::new();
    let mut inside = "";
    let mut above = "";
    for line in code.lines().map(str::trim) {
        let tests = above.starts_with("#[cfg(test)]") || above.starts_with("#[cfg(all(test");
        if tests && line.starts_with("mod ") && line.ends_with('{') {
            break;
        }
        inside = function(line).unwrap_or(inside);
        if !line.starts_with("use ") {
            for ordering in orderings(line) {
                uses.entry(inside.to_owned()).or_default().insert(ordering);
            }
        }
        above = line;
    }
    uses
}

/// The function that `line` begins.
fn function(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_word = before.is_empty() || before.ends_with(' ');
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_word && !name.is_empty()).then_some(name)
}

/// The orderings that a line names.
fn orderings(line: &str) -> impl Iterator<Item = &'static str> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter_map(|word| ORDERINGS.into_iter().find(|ordering| *ordering == word))
}

/// The text between backquotes.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn uses_are_found_outside_of_imports_and_tests() {
    let code = "use std::Ordering::{self, Relaxed};\nfn get(&self) {\n a.load(Ordering::Acquire)\n}\n\
                pub(super) fn set() {\n a.store(1, Release); b.store(2, Release)\n}\n\
                #[cfg(all(test, x))]\nmod tests {\n fn t() { a.load(Acquire) }\n}";
    let expected = [("get", "Acquire"), ("set", "Release")];
    let expected: Uses = expected
        .map(|(function, ordering)| (function.to_owned(), [ordering].into()))
        .into();
    assert_eq!(uses(code), expected);
}

#[test]
fn a_row_that_differs_from_the_code_is_found() {
    let uses = uses("fn get() {\n a.load(Acquire)\n}\nfn set() {\n a.store(1, Release)\n}");
    let wrong = |rows: &str| {
        let document = format!("\n### `a.rs`\n\n| In | Access |\n|---|---|\n{rows}\n\n## End\n");
        differences(&documented(&document)["a.rs"], &uses)
    };
    let none: [&str; 0] = [];
    assert_eq!(wrong("| `get` | load Acquire |\n| `set` | store Release |"), none);
    assert_eq!(wrong("| `get`, `set` | load Acquire, store Release |"), none);
    assert_eq!(wrong("| `get` | load Relaxed |\n| `set` | store Release |").len(), 2);
    assert_eq!(
        wrong("| `get` | load Acquire |\n| `set` | store |"),
        [r#"`set` has {"Release"}, and its rows {}"#]
    );
    assert_eq!(
        wrong("| `get` | load Acquire |"),
        [r#"no row for `set`, which has {"Release"}"#]
    );
    assert_eq!(
        wrong("| `get` | load Acquire |\n| `set`, `put` | store Release |"),
        ["`put` names no ordering"]
    );
}
