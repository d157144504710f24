//! Builds `examples/ffi` as a library for C, and runs its example in Python and one in C. Prints SKIPPED without Python or a C
//! compiler.
#![cfg(unix)]

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The library, in target/PROFILE/examples. `cargo test` builds it before any test runs.
fn library() -> PathBuf {
    let this = std::env::current_exe().expect("a path");
    let profile = this.ancestors().nth(2).expect("target/PROFILE/deps/this");
    let library = profile.join(format!("examples/{DLL_PREFIX}ffi{DLL_SUFFIX}"));
    if !library.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--example", "ffi", "--manifest-path"]);
        build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(
            build.status().expect("cargo runs").success(),
            "the library does not build"
        );
    }
    library
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ffi").join(name)
}

/// The output of a program. `None`, with a message, if there is no such program.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            // Not by `println!`, whose output is hidden if the test passes.
            let _ = writeln!(
                io::stderr(),
                "SKIPPED: {}: {error}",
                command.get_program().to_string_lossy()
            );
            None
        }
    }
}

#[test]
fn python_gets_an_error_for_every_stale_handle() {
    let library = library();
    let Some(output) = run(Command::new("python3").arg(source("handles.py")).arg(library)) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        said,
        "Ffi.Buffer 515 bytes; Ffi.Number -42\nslot reused: True\nevery stale handle was an error\n"
    );
}

#[test]
fn the_header_is_that_of_the_library() {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ffi-in-c");
    let code = program.with_extension("c");
    fs::write(
        &code,
        r#"#include "acedia.h"
#include <stdio.h>

#define BYTES(text) (const uint8_t *)text, sizeof text - 1

int main(void) {
  uint8_t room[8] = "........";
  acedia_result made = acedia_allocate(BYTES("Ffi.Buffer"));
  acedia_write(made.value, BYTES("some bytes"));
  acedia_result whole = acedia_read(made.value, NULL, 0);
  acedia_result part = acedia_read(made.value, room, 4);
  acedia_result name = acedia_class(made.value, NULL, 0);
  acedia_result freed = acedia_free(made.value);
  acedia_result again = acedia_free(made.value);
  acedia_result none = acedia_write(0, NULL, 0);
  acedia_result empty = acedia_allocate(NULL, 0);
  printf("%d %d %d %.8s %d", made.status, (int)whole.value, (int)part.value, room, (int)name.value);
  printf(" %d %d %d %d\n", freed.status, again.status == ACEDIA_STALE, none.status == ACEDIA_STALE,
         empty.status == ACEDIA_UNKNOWN_CLASS);
  return 0;
}
"#,
    )
    .expect("written");
    let library = library();
    let folder = library.parent().expect("a folder");
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]);
    cc.arg(source("")).arg(&code).arg(&library).arg("-o").arg(&program);
    cc.arg(format!("-Wl,-rpath,{}", folder.display()));
    let Some(compiled) = run(&mut cc) else { return };
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new(&program).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0 10 10 some.... 10 0 1 1 1\n");
}
