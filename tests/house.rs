//! Holds the files of the crates to one-way imports between folders. `tests/house.txt` lists the folders from the lowest layer up, each
//! layer on a line. A file uses files of its own layer and of lower ones.
//!
//! 1. Every file is in a folder of the list, and every folder has files.
//! 2. A path does not lead to a file in a higher layer, also through re-exports. A file that declares others, as `mod.rs` does, may
//!    re-export anything.
//! 3. No file has more than 500 lines of code.
//! 4. An exception that is no longer needed fails: `knot FROM -> TO: Name` allows the file `FROM` that name of the file `TO`.
//!
//! Tests are left out, in modules as in files (`tests.rs`, `models.rs` and the like), and paths to other crates, which
//! `tests/crate_edges.rs` checks. `ACEDIA_HOUSE=print cargo test -p acedia-tests --test house -- --nocapture` prints all names that
//! files have from each other.

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

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use list::{Knot, List};
use sources::{relative, root, rust_files, text};

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
    let list = List::read(&text(&root().join("tests/house.txt")));
    let files = files(&list);
    let (edges, wrong) = rule::check(&files, &list);
    if std::env::var("ACEDIA_HOUSE").is_ok_and(|wish| wish == "print") {
        for (Knot { from, to, name }, line) in &edges {
            println!("{from}:{line} -> {to}: {name}");
        }
    }
    assert!(!edges.is_empty(), "no import was seen");
    assert!(wrong.is_empty(), "{} mistakes\n{}", wrong.len(), wrong.join("\n"));
}

/// The source files of the workspace's crates: all in a folder `src` or `examples`, without tests.
fn files(list: &List) -> BTreeMap<String, String> {
    let roots: BTreeSet<_> = list.paths().filter_map(crate_folder).collect();
    let folders = roots.into_iter().map(|folder| root().join(folder));
    let files = folders.flat_map(|folder| rust_files(&folder));
    files
        .filter(|file| !is_test(file))
        .map(|file| (relative(&file), text(&file)))
        .collect()
}

/// `actors/src` of `actors/src/value`.
fn crate_folder(path: &str) -> Option<&str> {
    let end = path
        .find("/src")
        .map(|at| at + 4)
        .or_else(|| path.rfind("examples").map(|_| path.len()))?;
    path.get(..end)
}

fn is_test(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| TESTS.iter().any(|test| name == *test))
}
