//! The two forms of the map of focus handles agree.

#[path = "../../examples/tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn both_forms_agree() {
    let output = example::run("focus", &["--frames", "2"], "");
    let said = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{said}{}", stderr(&output));
    assert!(said.starts_with("by hand ") && said.contains(" on a pool "), "{said}");
    assert_eq!(example::run("focus", &["--farmes"], "").status.code(), Some(2));
}
