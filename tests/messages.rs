//! The compiler's messages for common mistakes. Each program in `messages/` does not compile. Its first line has a limit for the
//! lines of the compiler's output, and a text that names the fix and that the output must contain. The limit leaves four lines for
//! compilers other than 1.95.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The program's name, the source, the limit and the sentence.
fn programs() -> Vec<(String, String, usize, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let program = |path: std::path::PathBuf| {
        let source = fs::read_to_string(&path).unwrap();
        let first = source.lines().next().and_then(|line| line.strip_prefix("// at most "));
        let (limit, sentence) = first.and_then(|line| line.split_once(" lines: ")).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        (
            name.to_owned(),
            path.display().to_string(),
            limit.parse().unwrap(),
            sentence.to_owned(),
        )
    };
    files.map(program).collect()
}

#[test]
fn messages_name_the_mend() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    fs::create_dir_all(&package).unwrap();
    let mut manifest =
        "[package]\nname = \"messages\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n".to_owned();
    for (name, folder) in [
        ("acedia", "allocator"),
        ("acedia-actors", "actors"),
        ("acedia-collections", "collections"),
        ("acedia-plain", "plain"),
        ("acedia-signals", "signals"),
        ("acedia-text", "text"),
    ] {
        let path = root.join(folder);
        writeln!(manifest, "{name} = {{ path = {path:?} }}").unwrap();
    }
    let programs = programs();
    for (name, path, ..) in &programs {
        writeln!(manifest, "\n[[bin]]\nname = {name:?}\npath = {path:?}").unwrap();
    }
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();

    let mut wrong = String::new();
    for (name, _, limit, sentence) in &programs {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([
            "check",
            "--quiet",
            "--offline",
            "--color=never",
            "--target-dir",
            "target",
            "--bin",
            name,
        ]);
        let output = cargo.current_dir(&package).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let message = text.split("\nFor more information").next().unwrap();
        let lines = message.lines().filter(|line| !line.is_empty()).count();
        if output.status.success() || lines > *limit || !message.contains(sentence) {
            writeln!(
                wrong,
                "{name}: {lines} lines, at most {limit}, with \"{sentence}\":\n{message}"
            )
            .unwrap();
        }
    }
    assert!(programs.len() > 9 && wrong.is_empty(), "{wrong}");
}
