//! Plays the match as a user would.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skirmish"));
    command.args(arguments).output().expect("it runs")
}

/// The number before these words.
fn number(output: &str, words: &str) -> u64 {
    let before = output
        .split(words)
        .next()
        .and_then(|before| before.split_whitespace().last());
    let number = before.and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no number before `{words}`:\n{output}"))
}

#[test]
fn objects_are_recycled_and_stale_handles_are_refused() {
    let output = run(&["--threads", "3"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.lines().take(20).any(|line| line.contains('A')), "{text}");
    for class in ["Ship", "Missile", "Spark"] {
        let (_, row) = text.split_once(&format!("Skirmish.{class} in ")).expect("a row");
        let (lives, objects) = (
            number(&text, &format!(" lives of Skirmish.{class}")),
            number(row, " objects"),
        );
        assert!(lives > objects && objects > 0, "{text}");
    }
    assert!(number(&text, " reads of living targets") > 0, "{text}");
    assert!(number(&text, " reads of targets that had been destroyed") > 0, "{text}");
    assert_eq!(number(&text, " reads that found another ship"), 0, "{text}");
}

#[test]
fn wrong_options_are_named() {
    for (arguments, message) in [
        (&["--threads", "1"][..], "--threads: expected a number from 2 to 64"),
        (&["--seconds", "x"], "--seconds: expected a number from 0 to 3600"),
        (&["--seconds"], "--seconds: expected a number from 0 to 3600"),
        (&["--leak"], "unknown option `--leak`"),
    ] {
        let output = run(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains(message), "{text}");
    }
}
