//! Compares the workspace with the drawing in ARCHITECTURE.md: which crate may import which, where `unsafe` is allowed,
//! where atomics come from, and that enums can grow.

#[path = "support/sources.rs"]
mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use sources::{code_only, has_word, lines_with, relative, root, rust_files, text};

/// Each crate and the crates of ours that it may import, in any kind of dependency.
const DRAWING: &[(&str, &[&str])] = &[
    ("acedia-macros", &[]),
    ("acedia", &["acedia-macros"]),
    // For the models only.
    ("acedia-lock", &["acedia"]),
    ("acedia-text", &["acedia", "acedia-lock"]),
    ("acedia-boxes", &["acedia", "acedia-lock"]),
    ("acedia-actors", &["acedia"]),
    ("acedia-inspect", &["acedia"]),
    ("acedia-signals", &["acedia"]),
    // And JSON, for examples and tests only.
    (
        "acedia-collections",
        &["acedia", "acedia-lock", "acedia-text", "acedia-boxes", "acedia-json"],
    ),
    (
        "acedia-json",
        &["acedia", "acedia-text", "acedia-boxes", "acedia-collections"],
    ),
];

/// Crates that no other crate imports, and whether they import the library crates themselves.
const LEAVES: &[(&str, bool)] = &[
    ("acedia-benches", true),
    ("acedia-examples", true),
    ("acedia-fuzz", true),
    ("acedia-instructions", true),
    ("acedia-integrations", true),
    ("acedia-modelled", true),
    ("acedia-tests", true),
];

/// The only folder of the library crates with `unsafe` in it.
const UNSAFE_HOME: &str = "allocator/src/pool/";

/// The only file of the allocator that names `std::sync::atomic`, so that loom's atomics can replace it.
const ATOMICS_HOME: &str = "allocator/src/sync.rs";

struct Package {
    name: String,
    folder: PathBuf,
    /// The crates of ours that its manifest names.
    imports: Vec<String>,
}

#[test]
fn crates_import_only_what_the_drawing_allows() {
    let mut edges = 0;
    let mut wrong = Vec::new();
    for package in packages() {
        let Some(allowed) = allowed_imports(&package.name) else {
            wrong.push(format!("{} is not in the drawing", package.name));
            continue;
        };
        for import in &package.imports {
            edges += 1;
            if !allowed.contains(&import.as_str()) {
                wrong.push(format!("{} must not import {import}", package.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(edges > 0, "no edge between crates was seen");
}

#[test]
fn unsafe_stands_only_in_the_engine() {
    let mut at_home = 0;
    let mut astray = Vec::new();
    for package in packages().iter().filter(|package| is_library(&package.name)) {
        for file in rust_files(&package.folder.join("src")) {
            let lines = lines_with(&file, |line| has_word(line, "unsafe"));
            if relative(&file).starts_with(UNSAFE_HOME) {
                at_home += lines.len();
            } else {
                astray.extend(lines);
            }
        }
    }
    assert!(
        astray.is_empty(),
        "unsafe outside {UNSAFE_HOME}:\n{}",
        astray.join("\n")
    );
    assert!(
        at_home > 0,
        "no unsafe was seen at all: this test looks in the wrong place"
    );
}

/// The sentence of the guide that says how much there is to audit.
#[test]
fn the_guide_counts_unsafe_code() {
    let (mut blocks, mut impls, mut functions, mut traits) = (0, 0, 0, 0);
    let is_check = |file: &Path| {
        let file = relative(file);
        ["tests.rs", "models.rs", "litmus.rs"]
            .iter()
            .any(|check| file.ends_with(check))
    };
    let files = rust_files(&root().join(UNSAFE_HOME));
    for file in files.iter().filter(|file| !is_check(file)) {
        let code = code_only(&text(file));
        let words: Vec<_> = code.split_whitespace().collect();
        for pair in words.windows(2).filter(|pair| has_word(pair[0], "unsafe")) {
            *match pair[1] {
                block if block.starts_with('{') => &mut blocks,
                item if item.starts_with("impl") => &mut impls,
                "fn" | "extern" => &mut functions,
                pointer if pointer.starts_with("fn(") => continue,
                "trait" => &mut traits,
                other => panic!("{}: unsafe {other}", relative(file)),
            } += 1;
        }
    }
    let sentence = format!(
        "`{UNSAFE_HOME}` has {blocks} `unsafe` blocks, {impls} `unsafe` implementations, {functions} `unsafe` functions and {traits} \
         `unsafe` trait."
    );
    let page = text(&root().join("docs/trust.md"));
    let page: Vec<_> = page.split_whitespace().collect();
    assert!(page.join(" ").contains(&sentence), "docs/trust.md lacks: {sentence}");
}

/// An enum without `#[non_exhaustive]` gains no variant without breaking programs that match on it. So its rustdoc says `Exhaustive, because …`.
#[test]
fn public_enums_can_grow_or_say_why_not() {
    let (mut growing, mut wrong) = (0, Vec::new());
    for package in packages().iter().filter(|package| is_library(&package.name)) {
        for file in rust_files(&package.folder.join("src")) {
            // Comments, attributes and the line of the enum, without those of the item before it.
            let mut head = String::new();
            for line in text(&file).lines().map(str::trim) {
                if line.starts_with("pub enum ") && !line.ends_with("{}") {
                    let can_grow = head.contains("#[non_exhaustive]");
                    growing += usize::from(can_grow);
                    if !can_grow && !head.contains("/// Exhaustive, ") {
                        wrong.push(format!("{}: {line}", relative(&file)));
                    }
                }
                if line.is_empty() || line == "}" {
                    head.clear();
                }
                head.push_str(line);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "neither #[non_exhaustive] nor a reason:\n{}",
        wrong.join("\n")
    );
    assert!(growing > 0, "no enum was seen at all");
}

#[test]
fn atomics_come_through_one_file() {
    let mut at_home = 0;
    let mut astray = Vec::new();
    for file in rust_files(&root().join("allocator/src")) {
        let lines = lines_with(&file, |line| has_word(line, "atomic") && !has_word(line, "loom"));
        if relative(&file) == ATOMICS_HOME {
            at_home += lines.len();
        } else {
            astray.extend(lines);
        }
    }
    assert!(
        astray.is_empty(),
        "atomics not taken from {ATOMICS_HOME}:\n{}",
        astray.join("\n")
    );
    assert!(
        at_home > 0,
        "no atomic was seen at all: this test looks in the wrong place"
    );
}

#[test]
fn the_reader_of_sources_skips_comments_and_strings() {
    let source = "/* unsafe /* nested */ unsafe */ let a = 'x'; // unsafe\n\
                  let b: &'a str = \"unsafe \\\" unsafe\"; let c = '\\''; let d = '\"';\n\
                  let e = r#\"unsafe \" unsafe\"#; unsafe { f() }";
    let code = code_only(source);
    let lines: Vec<_> = code.lines().map(|line| has_word(line, "unsafe")).collect();
    assert_eq!(lines, [false, false, true], "{code}");
    assert!(code.ends_with("unsafe { f() }"), "{code}");
}

fn is_library(name: &str) -> bool {
    DRAWING.iter().any(|(library, _)| *library == name)
}

fn allowed_imports(name: &str) -> Option<Vec<&'static str>> {
    let library = DRAWING.iter().find(|(library, _)| *library == name);
    let leaf = LEAVES.iter().find(|(leaf, _)| *leaf == name);
    match (library, leaf) {
        (Some((_, imports)), _) => Some(imports.to_vec()),
        (None, Some((_, true))) => Some(DRAWING.iter().map(|(library, _)| *library).collect()),
        (None, Some((_, false))) => Some(Vec::new()),
        (None, None) => None,
    }
}

/// The packages of this workspace, and of the fuzz targets' one.
fn packages() -> Vec<Package> {
    let manifests = [root().join("Cargo.toml"), root().join("fuzz/Cargo.toml")];
    manifests
        .iter()
        .filter(|manifest| manifest.exists())
        .flat_map(|manifest| packages_of(manifest))
        .collect()
}

fn packages_of(manifest: &Path) -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages.iter().map(package).collect()
}

fn package(package: &Value) -> Package {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let dependencies = package["dependencies"].as_array().expect("a list of dependencies");
    let ours = |dependency: &&Value| dependency["path"].is_string() || text(&dependency["name"]).starts_with("acedia");
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    Package {
        name: text(&package["name"]),
        folder: manifest.parent().expect("a manifest has a folder").to_owned(),
        imports: dependencies
            .iter()
            .filter(ours)
            .map(|dependency| text(&dependency["name"]))
            // A crate may use itself with other features in its own tests.
            .filter(|name| *name != text(&package["name"]))
            .collect(),
    }
}
