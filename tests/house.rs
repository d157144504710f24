//! Holds every crate to one-way imports between its files. `tests/house.txt` lists them from the lowest floor up, with the
//! floors as headings; a file uses only files of earlier lines.
//!
//! 1. Every file is listed once, and every line is a file.
//! 2. A path leads only to files that are listed earlier, also through re-exports. A file that declares others, as `mod.rs`
//!    does, may re-export anything.
//! 3. A function of a type is not called if only later files define it: `impl` blocks elsewhere hide that from imports.
//! 4. No file has more than 500 lines of code.
//! 5. An exception that is no longer needed fails.
//!
//! Exceptions are of three kinds. `knot FROM -> TO: Name, function()` allows `FROM` these names of the later file `TO`.
//! `std name` excuses calls of a function that types of `std` have too, and `long PATH` a file of more than 500 lines.
//!
//! Tests are left out, in modules as in files (`tests.rs`, `models.rs` and the like), and paths to other crates, which
//! `tests/crate_edges.rs` checks. `ACEDIA_HOUSE=print cargo test --test house -- --nocapture` prints the `knot` lines that
//! today's order needs, and all names that files have from each other.

#[path = "house/list.rs"]
mod list;
#[path = "house/names.rs"]
mod names;
#[path = "house/planted.rs"]
mod planted;
#[path = "house/rule.rs"]
mod rule;
#[path = "house/source.rs"]
mod source;
#[path = "support/sources.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod sources;

use std::collections::BTreeMap;
use std::path::Path;

use list::{Knot, List};
use rule::Edges;
use sources::{relative, root, rust_files, text};

/// The folders whose files the list holds.
const FOLDERS: &[&str] = &[
    "actors/src",
    "allocator/src",
    "lock/src",
    "benches/instructions/src",
    "benches/src",
    "boxes/src",
    "collections/src",
    "examples/arena",
    "examples/board",
    "examples/json_tree",
    "examples/skirmish",
    "fuzz/src",
    "inspect/src",
    "integrations/examples",
    "integrations/modelled/src",
    "integrations/src",
    "json/src",
    "macros/src",
    "signals/src",
    "tests/src",
    "text/src",
];

/// Files of tests beside what they test.
const TESTS: [&str; 5] = [
    "compile_fail.rs",
    "litmus.rs",
    "loom_models.rs",
    "models.rs",
    "tests.rs",
];

#[test]
fn files_import_only_what_stands_below_them() {
    let files = files();
    let list = List::read(&text(&root().join("tests/house.txt")));
    let found = rule::check(&files, &list);
    if std::env::var("ACEDIA_HOUSE").is_ok_and(|wish| wish == "print") {
        print(&found.edges, &list);
    }
    let wrong = found.mistakes;
    assert!(wrong.is_empty(), "{} mistakes\n{}", wrong.len(), wrong.join("\n"));
}

fn files() -> BTreeMap<String, String> {
    let folders = FOLDERS.iter().map(|folder| root().join(folder));
    let files = folders.flat_map(|folder| rust_files(&folder));
    files
        .filter(|file| !is_test(file))
        .map(|file| (relative(&file), text(&file)))
        .collect()
}

fn is_test(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| TESTS.iter().any(|test| name == *test))
}

fn print(edges: &Edges, list: &List) {
    let upward = edges.keys().filter(|knot| rule::is_upward(knot, list));
    for Knot { from, to, name } in upward {
        println!("knot {from} -> {to}: {name}");
    }
    for (Knot { from, to, name }, line) in edges {
        println!("{from}:{line} -> {to}: {name}");
    }
}
