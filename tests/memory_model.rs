//! Holds `docs/memory-model.md` to the sources: every file that names a memory ordering has a section, and every function that does
//! has a row. The models and tests in its last column exist.

#[path = "support/sources.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sources::{code_only, relative, root, rust_files, text};

const ORDERINGS: [&str; 5] = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

const CRATES: [&str; 8] = [
    "actors",
    "allocator",
    "boxes",
    "collections",
    "json",
    "lock",
    "signals",
    "text",
];

#[test]
fn every_memory_ordering_is_in_the_document() {
    let document = text(&root().join("docs/memory-model.md"));
    let (documented, found) = (documented(&document), found());
    assert!(found.len() > 10, "this test looks in the wrong place");
    let mut wrong = Vec::new();
    for (file, uses) in &found {
        match documented.get(file) {
            None => wrong.push(format!("{file} has no section; orderings are in {uses:?}")),
            Some(said) if said != uses => {
                wrong.push(format!("{file} has orderings in {uses:?}\nbut rows for {said:?}"));
            }
            Some(_) => {}
        }
    }
    let gone = documented.keys().filter(|file| !found.contains_key(*file));
    wrong.extend(gone.map(|file| format!("{file} has no memory orderings any more")));
    assert!(wrong.is_empty(), "docs/memory-model.md: {}", wrong.join("\n"));
}

#[test]
fn every_check_in_the_document_exists() {
    let document = text(&root().join("docs/memory-model.md"));
    let mut functions = BTreeSet::new();
    for folder in CRATES.into_iter().chain(["tests"]) {
        for file in rust_files(&root().join(folder)) {
            functions.extend(code_only(&text(&file)).lines().filter_map(function).map(str::to_owned));
        }
    }
    let rows = document.lines().filter(|line| line.starts_with("| "));
    let checks: BTreeSet<&str> = rows
        .filter_map(|row| row.trim_end_matches('|').rsplit('|').next())
        .flat_map(names)
        .collect();
    assert!(checks.len() > 20, "this test looks in the wrong column");
    let missing: Vec<_> = checks.iter().filter(|check| !functions.contains(**check)).collect();
    assert!(missing.is_empty(), "no such model or test: {missing:?}");
}

/// The sections of the document.
fn documented(document: &str) -> BTreeMap<String, BTreeSet<String>> {
    let sections = document.split("\n### `").skip(1);
    let read = |section: &str| {
        let (file, body) = section.split_once("`\n").expect("a heading is a file");
        let body = body.split("\n## ").next().unwrap_or(body);
        let rows = body.lines().filter(|line| line.starts_with("| `"));
        let firsts = rows.filter_map(|row| row.split('|').nth(1));
        let uses = firsts.flat_map(names).map(str::to_owned).collect();
        (file.to_owned(), uses)
    };
    sections.map(read).collect()
}

/// The functions of each source file that name an ordering, without tests.
fn found() -> BTreeMap<String, BTreeSet<String>> {
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
fn uses(code: &str) -> BTreeSet<String> {
    let mut uses = BTreeSet::new();
    let mut inside = "";
    let mut above = "";
    for line in code.lines().map(str::trim) {
        let tests = above.starts_with("#[cfg(test)]") || above.starts_with("#[cfg(all(test");
        if tests && line.starts_with("mod ") && line.ends_with('{') {
            break;
        }
        inside = function(line).unwrap_or(inside);
        if !line.starts_with("use ") {
            for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
                if ORDERINGS.contains(&word) {
                    uses.insert(inside.to_owned());
                }
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

/// The text between backquotes.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn uses_are_found_outside_of_imports_and_tests() {
    let code = "use std::Ordering::{self, Relaxed};\nfn get(&self) {\n a.load(Ordering::Acquire)\n}\n\
                pub(super) fn set() {\n a.store(1, Release); b.store(2, Release)\n}\n\
                #[cfg(all(test, x))]\nmod tests {\n fn t() { a.load(Acquire) }\n}";
    let functions = ["get", "set"].map(str::to_owned).into();
    assert_eq!(uses(code), functions);
}
