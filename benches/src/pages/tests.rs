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
    assert!(
        new.starts_with("a\n<!-- measured: retained -->\n\n|  | payload | peak"),
        "{new}"
    );
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
    assert!(problem(&format!("<!-- measured: gaols signals -->\n{END}\n")).contains("`gaols signals` is no mark"));
    assert!(problem(&format!("<!-- measured: goals json -->\n{END}\n")).contains("no json"));
}
