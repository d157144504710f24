//! Runs an example as a user would.

use std::env::{self, consts::EXE_SUFFIX};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Once;

/// Runs the example `name` with `input` on its standard input.
pub(crate) fn run(name: &str, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(binary(name));
    command.args(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the example runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The example may end without reading its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the example ends")
}

/// The example next to this test: target/PROFILE/examples/NAME. `cargo test` builds it before any test runs;
/// `cargo test --test NAME` does not, so it is built here if missing.
pub(crate) fn binary(name: &str) -> PathBuf {
    static BUILD: Once = Once::new();
    let this = env::current_exe().expect("a path");
    let profile = this.ancestors().nth(2).expect("target/PROFILE/deps/this");
    let binary = profile.join("examples").join(format!("{name}{EXE_SUFFIX}"));
    BUILD.call_once(|| {
        if !binary.exists() {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--example", name, "--manifest-path"]);
            build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
            if profile.ends_with("release") {
                build.arg("--release");
            }
            assert!(
                build.status().expect("cargo runs").success(),
                "the example does not build"
            );
        }
    });
    assert!(
        binary.exists(),
        "no {}: run `cargo test`, which builds it",
        binary.display()
    );
    binary
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}
