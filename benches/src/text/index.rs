//! Looking up a code point.

use std::hint::black_box;

use acedia_text::Text;

use crate::{
    case::{Case, nanoseconds},
    workload::ACEDIA,
};

const LEN: usize = 1024;
/// The way of a `str`.
pub(super) const NTH: &str = "chars().nth";

pub(super) fn cyrillic() -> Vec<Case> {
    cases('а', 32)
}

pub(super) fn emoji() -> Vec<Case> {
    cases('😀', 64)
}

fn cases(first: char, count: usize) -> Vec<Case> {
    let string: String = (first..).take(count).cycle().take(LEN).collect();
    let list: Vec<char> = string.chars().collect();
    let text = Text::from(&string);
    vec![
        case(ACEDIA, move |index| text.char_at(index)),
        case(NTH, move |index| string.chars().nth(index)),
        case("Vec<char>", move |index| list.get(index).copied()),
    ]
}

fn case(name: &'static str, look: impl Fn(usize) -> Option<char> + 'static) -> Case {
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
