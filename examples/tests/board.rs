//! Runs `examples/board` as a user would.

#[path = "support/example.rs"]
mod example;

use example::{run, stderr, stdout};

#[test]
fn no_copy_is_wrong() {
    let options = ["--instruments", "1000", "--sets", "300000", "--readers", "2"];
    let output = run("board", &options, "");
    let said = stdout(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.starts_with("1000 instruments, 300000 sets by one thread beside "),
        "{said}"
    );
    assert!(said.contains(" 0 copies were wrong"), "{said}");
}

#[test]
fn wrong_usage_is_named() {
    for (options, error) in [
        (&["--sets", "many"][..], "board: --sets: cannot parse argument \"many\""),
        (
            &["--instruments", "0"][..],
            "board: --instruments: at least one; try --help",
        ),
        (&["--fast"][..], "board: invalid option '--fast'; try --help"),
    ] {
        let output = run("board", options, "");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).starts_with(error), "{}", stderr(&output));
    }
}
