//! The rule on small trees that are made up, each with one mistake.

use std::collections::BTreeMap;

use crate::list::List;
use crate::rule::{MOST_LINES, check};

const LIB: &str = "mod low;\nmod high;\npub use high::High;\n";

/// The mistakes in `files`, each a path and its text, in the order of `list`.
fn mistakes(files: &[(&str, &str)], list: &str) -> Vec<String> {
    let files: BTreeMap<_, _> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    check(&files, &List::read(list)).1
}

/// The mistakes in a crate of two files.
fn of_two(low: &str, high: &str, exceptions: &str) -> Vec<String> {
    let files = [("a/src/lib.rs", LIB), ("a/src/low.rs", low), ("a/src/high.rs", high)];
    let list = format!("# a\na/src/low.rs\na/src/high.rs\na/src\n{exceptions}");
    mistakes(&files, &list)
}

#[track_caller]
fn assert_one(mistakes: &[String], parts: &[&str]) {
    let [mistake] = mistakes else { panic!("{mistakes:#?}") };
    for part in parts {
        assert!(mistake.contains(part), "`{part}` is not in: {mistake}");
    }
}

const HIGH: &str = "pub struct High;";

#[test]
fn downward_imports_are_fine() {
    let high = "use super::low::Low;\npub struct High(Low);\nfn new() -> High { High(Low::new()) }";
    let low = "pub struct Low;\nimpl Low { pub fn new() -> Self { Low } }";
    assert_eq!(of_two(low, high, ""), [""; 0]);
}

#[test]
fn an_upward_import_is_refused_with_file_line_name_and_layers() {
    let parts = [
        "a/src/low.rs:2:",
        "`High`",
        "a/src/high.rs",
        "(a/src/high.rs)",
        "knot a/src/low.rs -> a/src/high.rs: High",
    ];
    for import in [
        "use super::high::High;",
        "use crate::{high::{self, High}};",
        "use crate::High;",
        "use super::{High as Renamed};",
        "use crate::high::High::*;",
        "fn f(_: &crate::high::High) {}",
        "fn f() { let _ = super::High; }",
        "fn f() { use super::High; }",
        "fn f() { println!(\"{:?}\", super::high::High); }",
        "macro_rules! m { () => { $crate::High }; }",
        "impl From<super::High> for u32 { fn from(_: super::High) -> u32 { 1 } }",
        "mod inside { use super::super::High; }",
    ] {
        assert_one(&of_two(&format!("\n{import}"), HIGH, ""), &parts);
    }
}

#[test]
fn tests_and_comments_may_name_anything() {
    let low = "//! [`High`](super::High)\n\
        /// [`super::high::High`]\n#[cfg(test)] use super::High;\n\
        #[cfg(all(test, unix))] mod tests { use super::super::High; }\n\
        impl Low { #[cfg(test)] fn f(_: super::High) {} }\n\
        pub struct Low;";
    assert_eq!(of_two(low, HIGH, ""), [""; 0]);
}

#[test]
fn a_circle_is_refused_in_any_order() {
    let low = "use crate::high::High;\npub struct Low(Box<High>);";
    let high = "use crate::low::Low;\npub struct High(Box<Low>);";
    assert_one(&of_two(low, high, ""), &["a/src/low.rs:1:", "`High`"]);
    let files = [("a/src/lib.rs", LIB), ("a/src/low.rs", low), ("a/src/high.rs", high)];
    let turned = mistakes(&files, "a/src/high.rs\na/src/low.rs\na/src/lib.rs\n");
    assert_one(&turned, &["a/src/high.rs:1:", "`Low`"]);
}

#[test]
fn an_import_through_a_folder_is_one_of_the_defining_file() {
    let files = [
        ("a/src/lib.rs", "mod hall; mod low;"),
        ("a/src/low.rs", "use crate::hall::High;"),
        ("a/src/hall/mod.rs", "mod high; pub(crate) use high::*;"),
        ("a/src/hall/high.rs", "pub(crate) struct High;"),
    ];
    // The folder's list of names may stand first: it has no code.
    let list = "a/src/lib.rs\na/src/hall/mod.rs\na/src/low.rs\na/src/hall/high.rs\n";
    assert_one(&mistakes(&files, list), &["a/src/low.rs:1:", "a/src/hall/high.rs"]);
}

#[test]
fn names_of_other_crates_are_free() {
    let lib = "mod low; pub use outer::*; pub use other::Named; fn f() {}";
    let low = "use crate::{Named, Unnamed};\nuse outer::Third;\nfn f(all: Vec<u8>) { std::mem::drop(all) }";
    let files = [("a/src/lib.rs", lib), ("a/src/low.rs", low)];
    assert_eq!(mistakes(&files, "a/src/low.rs\na/src/lib.rs\n"), [""; 0]);
}

#[test]
fn code_beside_declarations_counts() {
    let lib = "mod high; pub use high::High; fn f() -> high::High { High }";
    let files = [("a/src/lib.rs", lib), ("a/src/high.rs", HIGH)];
    let wrong = mistakes(&files, "a/src/lib.rs\na/src/high.rs\n");
    assert_one(&wrong, &["a/src/lib.rs:1:", "`High`"]);
}

#[test]
fn a_long_file_is_refused() {
    let lines = |count| "fn f() {}\n/// Not code.\n\n".repeat(count) + "#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(of_two("", &(HIGH.to_owned() + &lines(MOST_LINES)), ""), [""; 0]);
    let long = format!("{HIGH}\n{}", lines(MOST_LINES));
    assert_one(&of_two("", &long, ""), &["a/src/high.rs: 501 lines of code"]);
}

#[test]
fn an_exception_that_is_no_longer_needed_is_refused() {
    let knot = "knot a/src/low.rs -> a/src/high.rs: High";
    assert_eq!(of_two("use super::High;", HIGH, knot), [""; 0]);
    assert_one(&of_two("", HIGH, knot), &["`knot", "no longer needed"]);
    let two = format!("{knot}, Higher");
    assert_one(
        &of_two("use super::High;", HIGH, &two),
        &["Higher` is no longer needed"],
    );
    let downward = "knot a/src/high.rs -> a/src/low.rs: Low";
    let wrong = of_two("pub struct Low;", "use super::low::Low;\npub struct High;", downward);
    assert_one(&wrong, &["no longer needed"]);
}

#[test]
fn files_of_one_layer_import_each_other() {
    let low = "use crate::high::High;\npub struct Low(Box<High>);";
    let high = "use crate::low::Low;\npub struct High(Box<Low>);";
    let files = [("a/src/lib.rs", LIB), ("a/src/low.rs", low), ("a/src/high.rs", high)];
    assert_eq!(mistakes(&files, "a/src"), [""; 0]);
    assert_eq!(mistakes(&files, "a/src/low.rs a/src/high.rs\na/src"), [""; 0]);
}

#[test]
fn every_file_is_in_a_folder_and_every_folder_has_files() {
    let files = [("a/src/lib.rs", "mod low;"), ("a/src/low.rs", "")];
    let parts = ["a/src/low.rs: in no folder of tests/house.txt"];
    assert_one(&mistakes(&files, "a/src/lib.rs"), &parts);
    assert_eq!(mistakes(&files, "a/src"), [""; 0]);
    let wrong = mistakes(&files, "a/src\na/src/gone");
    assert_one(&wrong, &["house.txt: `a/src/gone` has no source file"]);
    let wrong = mistakes(&files, "a/src\na/src/low.rs\na/src");
    assert_one(&wrong, &["house.txt:3:", "twice"]);
    let wrong = mistakes(&files, "a/src\nknot a/src/lib.rs");
    assert_one(&wrong, &["house.txt:2:", "expected `knot"]);
}
