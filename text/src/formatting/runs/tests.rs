use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Color;

const PLAIN: Format = Format::PLAIN;
const RED: Format = Format::colored(Color::rgb(255, 0, 0));
const BLUE: Format = Format::colored(Color::rgb(0, 0, 255));
const FAINT: Format = Format::colored(Color::rgba(0, 0, 255, 9));

/// The formatting of each character, as runs.
fn runs(formats: &[Format]) -> Runs {
    let mut runs = Runs::new();
    for (at, format) in formats.iter().enumerate() {
        runs.push(at, 1, *format);
    }
    runs
}

fn capacity(runs: &Runs) -> usize {
    runs.list.as_ref().map_or(0, |list| list.first.runs.capacity())
}

#[test]
fn plain_text_needs_no_memory() {
    let mut runs = Runs::new();
    runs.push(0, 1000, PLAIN);
    runs.append(1000, &Runs::new(), 0..50, PLAIN);
    runs.replace(1050, 3..3, 7, &Runs::new());
    runs.replace(1057, 5..1057, 0, &Runs::new());
    runs.set(5, 0..5, PLAIN);
    assert!(runs.is_plain());
    assert_eq!(capacity(&runs), 0);
    assert_eq!(runs.at(4), PLAIN);
    assert_eq!(runs.spans(1..5).collect::<Vec<_>>(), [(1..5, PLAIN)]);
}

#[test]
fn what_becomes_plain_again_is_equal_to_what_always_was() {
    let mut runs = runs(&[PLAIN, RED, RED, BLUE]);
    runs.set(4, 1..3, PLAIN);
    assert_eq!(runs.spans(0..4).collect::<Vec<_>>(), [(0..3, PLAIN), (3..4, BLUE)]);
    runs.replace(4, 3..4, 0, &Runs::new());
    assert_eq!(runs, Runs::new());
}

#[test]
fn memory_is_kept_unless_it_is_much() {
    let mut short = runs(&[RED, BLUE]);
    let kept = capacity(&short);
    short.recycle();
    assert!(short.is_plain());
    assert_eq!(capacity(&short), kept);

    let mut long = runs(&[RED, BLUE].repeat(KEPT));
    long.recycle();
    assert!(long.is_plain());
    assert_eq!(capacity(&long), 0);
}

fn format() -> impl Strategy<Value = Format> {
    prop_oneof![Just(PLAIN), Just(PLAIN), Just(RED), Just(BLUE), Just(FAINT)]
}

fn formats() -> impl Strategy<Value = Vec<Format>> {
    vec(format(), 0..24)
}

/// A range inside `len`, out of any two numbers.
fn within(len: usize, a: usize, b: usize) -> Range<usize> {
    let (a, b) = (a % (len + 1), b % (len + 1));
    a.min(b)..a.max(b)
}

proptest! {
    /// Compares changes with a list of each character's format.
    #[test]
    fn as_a_list_of_formats(
        mut model in formats(),
        changes in vec((0..5, (0..99usize, 0..99usize, 0..99usize, 0..99usize), formats(), format()), 1..12),
    ) {
        let mut changed = runs(&model);
        for (kind, (a, b, c, d), other, default) in changes {
            let len = model.len();
            let range = within(len, a, b);
            let other_range = within(other.len(), c, d);
            match kind {
                // The default may be plain.
                0 | 1 => {
                    changed.append(len, &runs(&other), other_range.clone(), default);
                    model.extend(other[other_range].iter().map(|format| format.or(default)));
                }
                2 => {
                    changed.replace(len, range.clone(), other.len(), &runs(&other));
                    model.splice(range, other);
                }
                3 => {
                    changed.set(len, range.clone(), default);
                    model[range].fill(default);
                }
                _ => {
                    changed.set_default(len, default);
                    for format in &mut model {
                        *format = format.or(default);
                    }
                }
            }
            prop_assert_eq!(&changed, &runs(&model), "in normal form");
            for (index, format) in model.iter().enumerate() {
                prop_assert_eq!(changed.at(index), *format);
            }
            // No change moves more than the runs of a chunk.
            prop_assert!(changed.list.iter().all(|list| list.first.runs.len() <= MOST));
            let list = changed.list.iter().flat_map(|list| &list.rest);
            prop_assert!(list.clone().all(|chunk| chunk.runs.len() <= MOST));
            prop_assert!(list.clone().all(|chunk| chunk.runs[0].shifted(chunk.shift).start == chunk.start));
            prop_assert!(!changed.is_plain() || list.count() == 0);
        }
    }
}
