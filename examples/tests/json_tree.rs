//! Runs `examples/json_tree` as a user would: its answers and output, its errors, and its exit status.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

#[path = "support/example.rs"]
mod example;

use example::{stderr, stdout};

const DOCUMENT: &str = r#"{"players": [{"name": "Bob", "lives": 3}, {"name": "Än\n"}], "speed": 0.25}"#;

#[test]
fn pointers_are_answered_in_order() {
    let output = json_tree(
        &["-", "/players/0/name", "/players/1", "/speed", "/players/0/lives"],
        DOCUMENT,
    );
    assert_eq!(stdout(&output), "\"Bob\"\n{\"name\":\"Än\\n\"}\n0.25\n3\n");
    assert_eq!(output.status.code(), Some(0));
    let output = json_tree(&["-", "/nobody", "/speed"], DOCUMENT);
    assert_eq!(stdout(&output), "0.25\n");
    assert_eq!(stderr(&output), "json_tree: /nobody refers to no item\n");
    assert_eq!(output.status.code(), Some(1), "one refers to no item");
    let output = json_tree(&["-", "/nothing"], r#"{"nothing": null}"#);
    assert_eq!((stdout(&output), stderr(&output)), ("null\n", ""));
    assert_eq!(output.status.code(), Some(0), "a null is there");
}

#[test]
fn edits_are_made_in_order_and_printed() {
    let output = json_tree(
        &[
            "--set",
            "/players/0/lives=[1,2]",
            "--set",
            "/players/0/lives/2=\"a=b\"",
            "--remove",
            "/players/1",
            "--remove",
            "/speed",
            "--remove",
            "/players/0/name",
        ],
        DOCUMENT,
    );
    assert_eq!(stdout(&output), "{\"players\":[{\"lives\":[1,2,\"a=b\"]},null]}\n");
    assert_eq!(output.status.code(), Some(0));
    let output = json_tree(&["--set", "={\"a\":1}", "--pretty", "-", "--print", "/a"], "[]");
    assert_eq!(stdout(&output), "1\n{\n  \"a\": 1\n}\n");
    let output = json_tree(&[], "[9007199254740993.0]");
    assert_eq!(stdout(&output), "[9007199254740992.0]\n");
}

/// A configuration goes through the program, and one line of it changes.
#[test]
fn patches_change_one_line() {
    let config = "{\n  \"name\": \"Eve\",\n  \"id\": 18446744073709551615,\n  \"price\": 19.99,\n  \"tags\": []\n}\n";
    let (patch, merge) = (tmp("json-tree-patch.json"), tmp("json-tree-merge.json"));
    fs::write(&patch, r#"[{"op": "replace", "path": "/price", "value": 20.5}]"#).expect("a file");
    fs::write(&merge, r#"{"price": 20.5}"#).expect("a file");
    for (option, path) in [("--patch", &patch), ("--merge", &merge)] {
        let output = json_tree(&["--pretty", option, path.to_str().expect("a path in UTF-8")], config);
        assert_eq!(stdout(&output), config.replace("19.99", "20.5"), "{output:?}");
    }
    let output = json_tree(&["--patch", patch.to_str().expect("a path in UTF-8")], "{}");
    assert!(
        stderr(&output).contains("--patch: operation 0: /price refers to no item"),
        "{output:?}"
    );
    fs::write(&merge, config.replace("19.99", "20.5")).expect("a file");
    let output = json_tree(&["--diff", merge.to_str().expect("a path in UTF-8")], config);
    assert_eq!(
        stdout(&output),
        "[{\"op\":\"replace\",\"path\":\"/price\",\"value\":20.5}]\n"
    );
    for path in [patch, merge] {
        fs::remove_file(path).expect("the file is there");
    }
    let output = json_tree(&["--sorted"], r#"{"b":1,"a":2}"#);
    assert_eq!(stdout(&output), "{\"a\":2,\"b\":1}\n");
}

#[test]
fn colors_change_nothing_but_colors() {
    let plain = json_tree(&["--pretty", "-", "/players"], DOCUMENT);
    let colored = json_tree(&["--pretty", "--color", "-", "/players"], DOCUMENT);
    let (plain, colored) = (stdout(&plain), stdout(&colored));
    let parts = colored.split("\x1b[").enumerate();
    let without: String = parts
        .map(|(index, part)| {
            if index == 0 {
                part
            } else {
                part.split_once('m').expect("a code").1
            }
        })
        .collect();
    assert_eq!(without, plain);
    assert_ne!(colored, plain);
}

#[test]
fn files_are_read_and_large_ones_too() {
    let path = large("json-tree-large.json");
    let file = path.to_str().expect("a path in UTF-8");
    let output = json_tree(&[file, "/400000", "/399999/8"], "");
    fs::remove_file(&path).expect("the file is there");
    assert_eq!(stdout(&output), "\"end\"\n9\n");
    assert!(output.stderr.is_empty(), "no progress in a pipe: {output:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_large_file_shows_how_far_it_is() {
    let (large, small) = (large("json-tree-shown.json"), tmp("json-tree-small.json"));
    fs::write(&small, "[1]").expect("a file");
    for (path, pointer, answer, is_shown) in [(&large, "/400000", "\"end\"", true), (&small, "/0", "1", false)] {
        // `script` gives the program a terminal. It is part of util-linux, which a small system may lack.
        let command = format!(
            "stty rows 24 cols 100; exec '{}' '{}' {pointer}",
            example::binary("json_tree").display(),
            path.display()
        );
        let output = Command::new("sh")
            .args(["-c", "script -qec \"$0\" /dev/null < /dev/null", &command])
            .output()
            .expect("a shell");
        fs::remove_file(path).expect("the file is there");
        if stderr(&output).contains("not found") {
            eprintln!("SKIPPED: no `script`");
            continue;
        }
        let seen = stdout(&output);
        assert_eq!(seen.contains("reading") && seen.contains('%'), is_shown, "{seen}");
        assert!(seen.contains(answer) && output.status.success(), "{output:?}");
    }
}

fn tmp(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file of more than ten megabytes.
fn large(name: &str) -> PathBuf {
    let path = tmp(name);
    let items = "[1, 2, 3, 4, 5, 6, 7, 8, 9],\n".repeat(400_000);
    fs::write(&path, format!("[{items}\"end\"]")).expect("a file");
    path
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (arguments, document, message) in [
        (&[][..], "[1,\n 2 3]", "<stdin>:2:4: expected `,` or `]`"),
        (
            &[],
            &*"[".repeat(1 << 20),
            "<stdin>:1:131073: lists and tables are nested deeper than 131072",
        ),
        (
            &["--exact"],
            "[0.10000000000000000001]",
            "this number would change as a double",
        ),
        (
            &["--depth", "1"],
            "[[]]",
            "<stdin>:1:2: lists and tables are nested deeper than 1",
        ),
        (&["--set", "/a/b=1"], "{}", "/a/b: "),
        (&["--set", "/a"], "{}", "--set needs POINTER=JSON"),
        (&["--set", "/a=x"], "{}", "--set /a:1:1: expected a value"),
        (&["--remove", "/a/b"], "{}", "--remove: /a/b refers to no item"),
        (&[], "{\"a\": 1,\n}", "<stdin>:2:1: a trailing comma"),
        (&["/no/such/file"], "", "/no/such/file: "),
        (&["--nonsense"], "", "nonsense"),
        (&["--depth", "many"], "", "many"),
    ] {
        let output = json_tree(arguments, document);
        let error = stderr(&output);
        // A place in a document stands first, where editors look for it.
        let is_placed = ["<stdin>", "--set /a:"].iter().any(|file| error.starts_with(file));
        assert!(
            is_placed != error.starts_with("json_tree: ") && error.contains(message),
            "{arguments:?}: {error}"
        );
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    }
    let help = json_tree(&["--help"], "");
    assert!(stdout(&help).contains("--remove POINTER") && help.status.code() == Some(0));
}

fn json_tree(arguments: &[&str], input: &str) -> Output {
    example::run("json_tree", arguments, input)
}
