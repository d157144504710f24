//! Vectors in memory from pools have the same contents as others.

#[path = "../../tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_example_finds_both_equal() {
    let output = example::run("blocks", &[], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).starts_with("the same after 20000 steps"),
        "{}",
        stdout(&output)
    );
}
