//! Runs the test suites of other libraries, taken from their packages, over shims in safe code. The tests and examples that fail
//! are listed here, with the reason.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The sources of a package that Cargo has unpacked, because this crate depends on it.
fn package(name: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = all["packages"].as_array().expect("a list");
    let found = packages.iter().find(|one| one["name"] == name).expect("a dependency");
    Path::new(found["manifest_path"].as_str().expect("a path"))
        .parent()
        .expect("a folder")
        .to_path_buf()
}

/// The examples in the documentation of a source: a name from the item and the example's number in it, and the code.
fn examples(source: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut block, mut waiting) = (None, Vec::new());
    for line in source.lines().map(str::trim_start) {
        let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        match (doc, &mut block) {
            (Some(doc), Some(code)) if doc.trim() == "```" => {
                waiting.push(std::mem::take(code));
                block = None;
            }
            (Some(doc), Some(code)) => {
                let _: &mut String = code;
                code.push_str(doc.strip_prefix(' ').unwrap_or(doc));
                code.push('\n');
            }
            (Some(doc), None) if doc.trim().starts_with("```") => block = Some(format!("{}\n", doc.trim())),
            (None, _) if ["pub ", "impl", "fn "].iter().any(|item| line.starts_with(item)) => {
                let words = line.split(['(', '<', ' ', '{', ';']);
                let name = words
                    .skip_while(|word| !["fn", "struct"].contains(word))
                    .nth(1)
                    .unwrap_or("module");
                for code in waiting.drain(..) {
                    let same =
                        |(known, _): &&(String, String)| known.rsplit_once('_').is_some_and(|(known, _)| known == name);
                    let n = found.iter().filter(same).count();
                    found.push((format!("{name}_{n}"), code));
                }
            }
            _ => {}
        }
    }
    found
}

/// A library whose tests run over a shim.
#[derive(Default)]
struct Suite<'a> {
    name: &'a str,
    shim: &'a str,
    /// Lines of the manifest. The versions come from our lock file.
    dependencies: &'a str,
    /// Unit tests, which see the items of the shim.
    tests: &'a str,
    /// Integration tests: the name and the source of each file.
    files: &'a [(String, String)],
    examples: &'a [(String, String)],
}

/// Runs a package with the shim, the tests and the examples. Returns the names that passed, and those that failed.
fn run(suite: &Suite<'_>) -> (Vec<String>, Vec<String>) {
    let Suite { name, shim, tests, .. } = suite;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for part in ["src", "tests"] {
        fs::create_dir_all(folder.join(part)).expect("a folder");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let manifest = format!(
        "[workspace]\n[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\nacedia = {{ path = \"{}\" }}\n{}",
        root.join("allocator").display(),
        suite.dependencies
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a file");
    let mut source = format!(
        "{shim}\n#[cfg(test)]\nmod suite {{\nuse super::*;\n{tests}\n}}\n/// As in the package.\npub mod examples {{\n"
    );
    for (name, code) in suite.examples {
        source.extend(["#[doc = r####\"", code, "```\"####]\npub fn ", name, "() {}\n"]);
    }
    source.push_str("}\n");
    fs::write(folder.join("src/lib.rs"), source).expect("a file");
    for (name, source) in suite.files {
        fs::write(folder.join("tests").join(name), source).expect("a file");
    }
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--no-fail-fast", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
        .current_dir(&folder)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let ended = |with: &str| -> Vec<String> {
        let lines = said
            .lines()
            .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(with));
        let mut names: Vec<_> = lines
            .map(|line| {
                line.trim_start_matches("src/lib.rs - ")
                    .split(' ')
                    .next()
                    .expect("a name")
                    .to_owned()
            })
            .collect();
        names.sort();
        names
    };
    let (passed, failed) = (ended(" ... ok"), ended(" ... FAILED"));
    assert!(!passed.is_empty(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    (passed, failed)
}

/// By Orson Peters, under the licence Zlib. The tests of all its maps, and all examples in its documentation.
#[test]
fn slotmap() {
    let folder = package("slotmap").join("src");
    let (mut tests, mut all) = (String::new(), Vec::new());
    for file in ["lib", "basic", "hop", "dense", "secondary", "sparse_secondary"] {
        let source = fs::read_to_string(folder.join(format!("{file}.rs"))).expect("its sources");
        let (_, own) = source.split_once("mod tests {").expect("its tests");
        let own = own.trim_end().strip_suffix('}').expect("the end of the module");
        let own = match file {
            // Excluded: the order of slotmap's own versions.
            "lib" => without(
                own,
                "#[test]\n    fn check_is_older_version",
                "#[test]\n    fn iters_cloneable",
            ),
            // `CountDrop` borrows, and a pool's values are `Send`, `Sync` and `'static`.
            "basic" | "hop" | "dense" => without(
                own,
                "#[derive(Clone)]\n    struct CountDrop",
                "#[test]\n    fn disjoint",
            ),
            // A side map has no hasher.
            "sparse_secondary" => without(own, "#[test]\n    fn custom_hasher", "#[test]\n    fn disjoint"),
            _ => own.to_owned(),
        };
        let own = own.replace("use quickcheck::quickcheck;", QUICKCHECK);
        tests.extend(["mod ", file, " {\n", &own, "}\n"]);
        all.extend(
            examples(&source)
                .into_iter()
                .map(|(name, code)| (format!("{file}_{name}"), code)),
        );
    }
    let (passed, failed) = run(&Suite {
        name: "slotmap",
        shim: concat!(include_str!("slotmap.rs"), include_str!("slotmap_side.rs")),
        tests: &tests,
        examples: &all,
        ..Suite::default()
    });
    println!("slotmap: {} passed, {} failed", passed.len(), failed.len());
    // Reading without a check is unsafe.
    let unchecked = ["basic", "dense", "hop", "secondary", "sparse_secondary"]
        .into_iter()
        .flat_map(|file| {
            ["get_disjoint_unchecked_mut", "get_unchecked", "get_unchecked_mut"].map(|name| format!("{file}_{name}"))
        });
    let others = [
        // An ended life does not come back under its key.
        "basic_detach",
        "basic_reattach",
        "dense_detach",
        "dense_reattach",
        // Objects are not in one slice.
        "dense_as_mut_slices",
        "dense_as_slices",
        "dense_keys_as_slice",
        "dense_values_as_mut_slice",
        "dense_values_as_slice",
        // As for `custom_hasher`.
        "sparse_secondary_with_capacity_and_hasher",
        "sparse_secondary_with_hasher",
    ];
    let mut without: Vec<_> = unchecked
        .chain(others.map(str::to_owned))
        .map(|name| format!("examples::{name}_0"))
        .collect();
    without.sort();
    assert_eq!(failed, without);
    let counts = ["examples::", "suite::"].map(|kind| passed.iter().filter(|name| name.starts_with(kind)).count());
    assert_eq!(counts, [155, 12], "{passed:?}");
}

/// The text without what is between `from` and the next `to`.
fn without(text: &str, from: &str, to: &str) -> String {
    let start = text.find(from).expect("there");
    let end = start + text[start..].find(to).expect("there");
    format!("{}{}", &text[..start], &text[end..])
}

/// By Eliza Weisman, under the licence MIT. The tests of `Slab` and of `Pool`, and the examples in their documentation.
#[cfg(target_pointer_width = "64")]
#[test]
fn sharded_slab() {
    let folder = package("sharded-slab").join("src");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("its sources");
    // Excluded: the limit of guards and the pages of a slab, which only sharded-slab has.
    let models = without(
        &read("tests/loom_slab.rs"),
        "#[test]\nfn max_refs",
        "#[test]\nfn vacant_entry()",
    );
    // Excluded: the check of its own bits.
    let sizes = read("cfg.rs");
    let (_, sizes) = sizes.split_once("mod tests {").expect("its tests");
    let sizes = sizes.trim_end().strip_suffix('}').expect("the end of the module");
    let sizes = without(
        sizes,
        "#[test]\n    #[cfg_attr(loom, ignore)]\n    #[should_panic]",
        "#[test]\n    #[cfg_attr(loom, ignore)]\n    fn big",
    );
    let tests: String = [
        ("loom_slab", models),
        ("sizes", sizes),
        ("loom_pool", read("tests/loom_pool.rs")),
        ("custom_config", read("tests/custom_config.rs")),
        ("properties", read("tests/properties.rs").replace("//!", "//")),
    ]
    .map(|(name, source)| format!("mod {name} {{\n{}\n}}\n", source.replace("loom::", "crate::loom::")))
    .concat();
    let of_pool = examples(&read("pool.rs"))
        .into_iter()
        .map(|(name, code)| (format!("pool_{name}"), code))
        .collect();
    let (passed, failed) = run(&Suite {
        name: "sharded-slab",
        shim: include_str!("sharded_slab.rs"),
        dependencies: "indexmap = \"2\"\nproptest = { version = \"1\", default-features = false, features = [\"std\"] }\n",
        tests: &tests,
        examples: &[examples(&read("lib.rs")), of_pool].concat(),
        ..Suite::default()
    });
    println!("sharded-slab: {} passed, {} failed", passed.len(), failed.len());
    // It needs a key of 40 bits.
    assert_eq!(failed, ["suite::properties::custom_config"]);
    let counts = ["examples::", "suite::"].map(|kind| passed.iter().filter(|name| name.starts_with(kind)).count());
    assert_eq!(counts, [46, 45], "{passed:?}");
}

/// By Evan Almloff, under the licences MIT and Apache 2.0. All its tests, and the examples in its documentation.
#[test]
fn generational_box() {
    let folder = package("generational-box");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("its sources");
    let files: Vec<_> = ["basic", "errors", "reference_counting", "reused", "sync"]
        .map(|name| (format!("{name}.rs"), read(&format!("tests/{name}.rs"))))
        .into();
    let readme = format!("//! {}", read("README.md").replace('\n', "\n//! "));
    let (passed, failed) = run(&Suite {
        name: "generational-box",
        shim: include_str!("generational_box.rs"),
        dependencies: "rand = \"0.9\"\n",
        files: &files,
        examples: &examples(&format!("{readme}\npub mod readme;\n{}", read("src/references.rs"))),
        ..Suite::default()
    });
    println!("generational-box: {} passed, {} failed", passed.len(), failed.len());
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(passed.len(), 26, "{passed:?}");
}

/// The macro of the crate `quickcheck`, for the one shape of property that the suite has: random operations, and no shrinking.
const QUICKCHECK: &str = "macro_rules! quickcheck {
    (fn $name:ident($operations:ident: Vec<(u8, u32)>) -> bool $body:block) => {
        #[test]
        fn $name() {
            let property = |$operations: Vec<(u8, u32)>| -> bool { $body };
            let mut random = 0x9E37_79B9_7F4A_7C15_u64;
            let mut next = || {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                random
            };
            for round in 0..200 {
                let operations = (0..round).map(|_| ((next() >> 8) as u8, (next() >> 16) as u32)).collect();
                assert!(property(operations));
            }
        }
    };
}
";
