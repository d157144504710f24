use super::*;
use crate::retained::Retained;

struct Kept;

impl Data for Kept {
    fn measured(&self, binary: &str) -> Result<Measured, String> {
        match binary {
            "signals" => Ok(Measured::default()),
            _ => Err(format!("no {binary}")),
        }
    }

    fn retained(&self) -> Result<Vec<Retained>, String> {
        Ok(Vec::new())
    }

    fn isolation(&self) -> Result<Vec<isolation::Answer>, String> {
        Err("no such data".to_owned())
    }
}

#[test]
fn only_what_is_between_the_marks_changes() {
    let page = format!("a\n<!-- measured: retained -->\nold\n\nold\n{END}\nb\n");
    let new = renewed(&page, &Kept).expect("written");
    assert!(new.starts_with("a\n<!-- measured: retained -->\n\n|"), "{new}");
    assert!(
        new.ends_with(&format!("|\n\n{END}\nb\n")) && !new.contains("old"),
        "{new}"
    );
    assert_eq!(renewed(&new, &Kept).expect("written"), new, "twice is once");
}

#[test]
fn a_page_that_cannot_be_written_says_why() {
    let problem = |page: &str| renewed(page, &Kept).unwrap_err();
    assert!(problem("a\n").contains("<!-- measured: "));
    assert!(problem("<!-- measured: goals signals -->\n|\n").contains("no end"));
    assert!(problem(&format!("<!-- measured: gaols signals -->\n{END}\n")).contains("`gaols signals` is not a mark"));
    assert!(problem(&format!("<!-- measured: goals json -->\n{END}\n")).contains("no json"));
}

/// A page with one sentence, and the sources of its figures.
fn page_with(sentence: &str, sources: &str) -> String {
    format!("{sentence}\n\n<!-- figures:\n{sources}-->\n\n```\n7 ns in code\n```\n")
}

struct Two;

impl Data for Two {
    fn measured(&self, _: &str) -> Result<Measured, String> {
        let medians = [("ours", 2.0), ("theirs", 2.9)].map(|(name, median)| (name.to_owned(), median));
        let column = |payload: &str, factor: f64| report::Column {
            payload: payload.to_owned(),
            medians: medians
                .iter()
                .map(|(name, median)| (name.clone(), median * factor))
                .collect(),
        };
        Ok(Measured {
            workloads: vec![report::Outcome {
                name: "pair".to_owned(),
                title: String::new(),
                unit: "ns".to_owned(),
                contenders: Vec::new(),
                columns: vec![column("16 B", 1.0), column("64 B", 10.0)],
            }],
        })
    }

    fn retained(&self) -> Result<Vec<Retained>, String> {
        Ok(Vec::new())
    }

    fn isolation(&self) -> Result<Vec<isolation::Answer>, String> {
        Ok(vec![isolation::Answer {
            name: "ring".to_owned(),
            title: String::new(),
            unit: "ns".to_owned(),
            cases: vec![isolation::Figure {
                name: "ours".to_owned(),
                median: 3.0,
                limit: isolation::Limit::None,
            }],
        }])
    }
}

#[test]
fn figures_in_sentences_are_those_of_the_data() {
    for (sentence, source) in [
        (
            "It is 1.4 times faster.",
            "\"1.4 times faster\" = table pair 16 B: theirs / ours\n",
        ),
        (
            "It is 40 % faster.",
            "\"40 % faster\" = table pair 16 B: theirs / ours\n",
        ),
        (
            "It takes 30 % less\ntime.",
            "\"30 % less time\" = table pair 16 B: theirs / ours\n",
        ),
        (
            "2.0 to 20.0 ns",
            "\"2.0 to 20.0 ns\" = table pair 16 B: ours; table pair 64 B: ours\n",
        ),
        ("29 ns", "\"29 ns\" = table pair 64 B: theirs\n"),
        ("3 ns", "\"3 ns\" = isolation ring: ours\n"),
        ("It takes 12 µs.", "\"12 µs\" = by hand: cargo test\n"),
        ("It takes 12 ms.", ""),
        ("It takes 5 s.", "\"5 s\" = by hand: cargo build\n"),
        ("It grows by 65 to 99 KB.", "\"65 to 99 KB\" = by hand: cargo build\n"),
        (
            "It takes 46 instructions.",
            "\"46 instructions\" = by hand: ci/instructions.sh\n",
        ),
        ("A page has 4 KiB.", ""),
    ] {
        assert_eq!(prose::check(&page_with(sentence, source), &Two), Ok(()), "{sentence}");
    }
}

#[test]
fn a_figure_that_was_changed_by_hand_is_found() {
    let problem = |sentence: &str, source: &str| prose::check(&page_with(sentence, source), &Two).unwrap_err();
    let said = problem(
        "It is 1.6 times faster.",
        "\"1.6 times faster\" = table pair 16 B: theirs / ours\n",
    );
    assert!(said.contains("1.6 is 1.45"), "{said}");
    let said = problem(
        "2.0 to 29 ns",
        "\"2.0 to 29 ns\" = table pair 16 B: ours; table pair 64 B: ours\n",
    );
    assert!(said.contains("29 is 20.00"), "{said}");
    let said = problem(
        "It is 1.4 times faster.",
        "\"1.3 times faster\" = table pair 16 B: theirs / ours\n",
    );
    assert!(said.contains("no `1.3 times faster`"), "{said}");
    let said = problem("It takes (7 ns).", "");
    assert!(said.contains("no source: (7 ns)"), "{said}");
    for figure in ["5 s", "(2.5 MB)", "65 KB", "1,670 instructions", "**12 µs**"] {
        let said = problem(&format!("It takes {figure}, or so."), "");
        assert!(said.contains(&format!("no source: {figure}")), "{said}");
    }
    let said = problem("7 ns", "\"7 ns\" = table pair 8 B: ours\n");
    assert!(said.contains("no ours with 8 B"), "{said}");
    let said = problem("7 ns", "\"7 ns\" = isolation ring: theirs\n");
    assert!(said.contains("ring has no theirs"), "{said}");
    assert!(problem("7 ns", "7 ns = table\n").contains("is not a"));
    assert!(problem("7 ns", "\"7 ns\" = by hand: \n").contains("no command"));
}
