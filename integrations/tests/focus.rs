//! The keyboard focus behaves alike as a map and as a class.

#[path = "../../tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_example_finds_both_equal() {
    let output = example::run("focus", &["--quick"], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).starts_with("the same after each of 2000 steps"),
        "{}",
        stdout(&output)
    );
}
