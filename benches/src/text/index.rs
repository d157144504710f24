//! Looking up a code point.

use std::hint::black_box;

use acedia_text::Text;

use crate::{
    case::{Case, nanoseconds},
    workload::ACEDIA,
};

/// The way of a `str`.
pub(super) const NTH: &str = "chars().nth";

pub(super) fn cyrillic() -> Vec<Case> {
    cases::<1024>('а', 32)
}

pub(super) fn emoji() -> Vec<Case> {
    cases::<1024>('😀', 64)
}

/// The longest ASCII without an index.
pub(super) fn short() -> Vec<Case> {
    cases::<64>('a', 26)
}

fn cases<const LEN: usize>(first: char, count: usize) -> Vec<Case> {
    let string: String = (first..).take(count).cycle().take(LEN).collect();
    let list: Vec<char> = string.chars().collect();
    let text = Text::from(&string);
    vec![
        case::<LEN>(ACEDIA, move |index| text.char_at(index)),
        case::<LEN>(NTH, move |index| string.chars().nth(index)),
        case::<LEN>("Vec<char>", move |index| list.get(index).copied()),
    ]
}

fn case<const LEN: usize>(name: &'static str, look: impl Fn(usize) -> Option<char> + 'static) -> Case {
    Case::new(name, move |n| {
        nanoseconds(|| {
            let mut place = 1usize;
            for _ in 0..n {
                place = place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (place >> 29);
                black_box(look(black_box(place % LEN)));
            }
        })
    })
}
