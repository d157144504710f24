use proptest::prelude::*;

use super::*;
use crate::short::MOST;

fn buffer(chars: &[char]) -> Buffer {
    let mut buffer = Buffer::default();
    for c in chars {
        buffer.push(*c);
    }
    buffer
}

#[test]
fn short_until_it_does_not_fit() {
    let (fits, one_more) = ("a".repeat(MOST), "a".repeat(MOST + 1));
    for (text, short) in [("", true), ("a", true), (&fits, true), (&one_more, false), ("é", false)] {
        let [mut pushed, mut recycled] = [Buffer::default(), Buffer::from_string(one_more.clone())];
        pushed.push_str(text);
        recycled.recycle();
        recycled.push_str(text);
        for buffer in [pushed, recycled, Buffer::from_string(text.to_owned())] {
            assert_eq!(buffer.short.is_here(), short, "{text:?}");
            assert_eq!(buffer.units().chars().collect::<String>(), text);
            assert_eq!(buffer.into_string(), text);
        }
    }
}

#[test]
fn long_memory_outlasts_short_lives() {
    let address_of = |buffer: &Buffer| buffer.units().bytes().as_ptr();
    let long = "é".repeat(MOST);
    let mut buffer = Buffer::default();
    buffer.push_str(&long);
    let address = address_of(&buffer);
    buffer.recycle();
    assert!(buffer.refill("short") && !buffer.refill(&long) && buffer.units().len() == 5);
    buffer.recycle();
    buffer.push_str(&long);
    assert_eq!(address_of(&buffer), address);
    assert!(!buffer.refill("short"), "the long text is still there");
    buffer.clear();
    buffer.push('a');
    assert_eq!(address_of(&buffer), address);
}

#[test]
fn taking_a_string_copies_nothing_that_is_long() {
    let text = "a".repeat(MOST + 1);
    let address = text.as_ptr();
    let buffer = Buffer::from_string(text);
    assert_eq!(buffer.units().bytes().as_ptr(), address);
    let text = buffer.into_string();
    assert_eq!(text.as_ptr(), address);
}

fn chars() -> impl Strategy<Value = Vec<char>> {
    let c = |ascii| {
        prop_oneof![
            ascii => proptest::char::range('\0', '\u{7f}'),
            1 => proptest::char::range('\u{80}', '\u{ffff}'),
            1 => proptest::char::range('\u{1_0000}', char::MAX),
        ]
    };
    // A few characters, and about as many as fit a short text.
    let vec = proptest::collection::vec;
    prop_oneof![vec(c(4), 0..9), vec(c(100), MOST - 6..MOST + 6)]
}

proptest! {
    /// Replaces a part of one text by a part of another. The result equals that of a list, and a new buffer of it.
    #[test]
    fn as_a_list(mut model in chars(), other in chars(), [a, b, c, d] in [0..80usize, 0..80, 0..80, 0..80]) {
        let within = |len: usize, a: usize, b: usize| {
            let (a, b) = (a % (len + 1), b % (len + 1));
            a.min(b)..a.max(b)
        };
        let (range, part) = (within(model.len(), a, b), within(other.len(), c, d));
        let mut changed = buffer(&model);
        changed.replace(range.clone(), buffer(&other).units().slice(part.clone()));
        model.splice(range, other[part].iter().copied());
        prop_assert_eq!(&changed, &buffer(&model));
        prop_assert_eq!(&changed, &Buffer::from_string(model.iter().collect()));
        prop_assert_eq!(changed.len(), model.len());
        for (index, c) in model.iter().enumerate() {
            prop_assert_eq!(changed.units().get(index), Some(*c));
        }
        prop_assert_eq!(changed.units().get(model.len()), None);
        prop_assert_eq!(changed.into_string(), model.into_iter().collect::<String>());
    }
}
