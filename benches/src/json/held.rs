//! The memory of documents that were parsed, and the time of a document after others. Each figure is that of a fresh process.

use std::{hint::black_box, mem};

use acedia_collections::Item;
use acedia_json as json;
use serde_json::Value;

use super::kinds::{
    deep, dictionary, escapes, forty, left_out, new_keys, places, rows, scripts, settings, short_strings, wide,
};
use super::peers::SERDE;
use crate::{
    case::{Case, nanoseconds},
    isolated::{self, Task},
    measure::median,
    resident,
    workload::ACEDIA,
};

pub(super) const AT_FIRST: &str = "acedia, at first";
pub(super) const AFTER: &str = "acedia, after other documents";

/// A task with one figure.
const fn task(name: &'static str, cases: fn() -> Vec<Case>) -> Task {
    Task { name, cases, size: 1 }
}

/// The tasks of children.
pub(crate) static TASKS: [Task; 6] = [
    task("json-short-strings", || held(&short_strings())),
    task("json-wide", || held(&wide())),
    task("json-dictionary", || held(&dictionary())),
    task("json-settings", || held(&settings())),
    task("json-again-wide", || again(wide())),
    task("json-again-settings", || again(settings())),
];

/// The cases of a task, by its number.
pub(super) fn cases<const TASK: usize>() -> Vec<Case> {
    isolated::cases(&TASKS[TASK])
}

/// The resident bytes of a parsed document, for each byte of its text. Many are parsed, so that pages and chunks that are not full
/// count little.
fn held(document: &str) -> Vec<Case> {
    let [ours, theirs] = [(); 2].map(|()| document.to_owned());
    vec![
        Case::once(ACEDIA, move || {
            resident_of(&ours, |text| json::parse(text).expect("JSON"), Item::NONE)
        }),
        Case::once(SERDE, move || {
            resident_of(&theirs, |text| serde_json::from_str(text).expect("JSON"), Value::Null)
        }),
    ]
}

fn resident_of<T: Clone>(document: &str, parse: impl Fn(&str) -> T, empty: T) -> f64 {
    const BYTES: usize = 1 << 24;
    let copies = BYTES.div_ceil(document.len());
    let mut trees = vec![empty; copies];
    // Memory that one document needs while it is parsed does not count.
    drop(parse(document));
    let before = resident::bytes();
    for tree in &mut trees {
        *tree = parse(document);
    }
    let bytes = resident::bytes() - before;
    mem::forget(black_box(trees));
    let parsed = u32::try_from(copies * document.len()).expect("some megabytes");
    bytes / f64::from(parsed)
}

/// The nanoseconds for each byte of a document that is parsed again and again, alone and after documents of the other kinds.
fn again(document: String) -> Vec<Case> {
    const TIMES: usize = 41;
    let time = |document: &str| {
        let parse = || drop(json::parse(black_box(document)).expect("JSON"));
        parse();
        let times = (0..TIMES).map(|_| nanoseconds(parse)).collect();
        median(times) / f64::from(u32::try_from(document.len()).expect("some kilobytes"))
    };
    let same = document.clone();
    vec![
        Case::once(AT_FIRST, move || time(&document)),
        Case::once(AFTER, move || {
            for other in [
                new_keys, left_out, forty, dictionary, scripts, escapes, deep, places, rows,
            ] {
                drop(json::parse(other()).expect("JSON"));
            }
            time(&same)
        }),
    ]
}
