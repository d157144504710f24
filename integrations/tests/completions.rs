//! Completions of `io_uring` find their own reader or none.

#[path = "../../examples/tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn a_late_completion_finds_no_stranger() {
    for seed in ["1", "2", "3"] {
        let output = example::run("completions", &["--rounds", "3000", "--seed", seed], "");
        let (said, problem) = (stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{said}{problem}");
        if problem.starts_with("SKIPPED") {
            eprintln!("{problem}");
            return;
        }
        assert!(
            said.starts_with("3000 reads: ") && said.ends_with("strangers 0\n"),
            "{said}"
        );
        // It saw what it is about: slots that were reused before the completion of their last reader, and forged numbers.
        let number = |before: &str| {
            let (_, rest) = said.split_once(before).expect("the report names it");
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<u64>().expect("a number")
        };
        assert!(number("of which ") > 100 && number("forged numbers ") > 100, "{said}");
    }
}
