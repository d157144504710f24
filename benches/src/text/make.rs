//! Making, cloning and dropping.

use std::{hint::black_box, sync::Arc};

use acedia::Owned;
use acedia_text::Text;
use arcstr::ArcStr;
use compact_str::CompactString;
use ecow::EcoString;
use smol_str::SmolStr;
use ustr::{Ustr, ustr};

use super::letters::{letters, place};
use crate::{
    case::{Case, nanoseconds},
    workload::ACEDIA,
};

/// Texts that are alive at a time: more than the system's allocator keeps at hand for a thread.
const LIVE: usize = 64;

/// Each contender with a function that takes its name, the first letter, the length, and how it is made from a `&str`.
macro_rules! contenders {
    ($case:ident, $first:literal, $len:ident) => {
        vec![
            $case::<Owned<Text>>(ACEDIA, $first, $len, |text| Text::from(text)),
            $case::<String>("String", $first, $len, |text| String::from(text)),
            $case::<Arc<str>>("Arc<str>", $first, $len, |text| Arc::from(text)),
            $case::<ArcStr>("arcstr", $first, $len, |text| ArcStr::from(text)),
            $case::<CompactString>("compact_str", $first, $len, |text| CompactString::from(text)),
            $case::<SmolStr>("smol_str", $first, $len, |text| SmolStr::from(text)),
            $case::<EcoString>("ecow", $first, $len, |text| EcoString::from(text)),
            $case::<Ustr>("ustr, known", $first, $len, |text| ustr(text)),
        ]
    };
}

pub(super) fn create<const LEN: usize>() -> Vec<Case> {
    contenders!(created, 'a', LEN)
}

/// Like [`create`], but with `LEN` Cyrillic letters, which have two bytes each.
pub(super) fn create_cyrillic<const LEN: usize>() -> Vec<Case> {
    contenders!(created, 'а', LEN)
}

/// Texts are made in the places of random ones of 20,000.
pub(super) fn replace<const LEN: usize>() -> Vec<Case> {
    replacements('a', LEN)
}

/// Like [`replace`], but with `LEN` Cyrillic letters, which have two bytes each.
pub(super) fn replace_cyrillic<const LEN: usize>() -> Vec<Case> {
    replacements('а', LEN)
}

fn replacements(first: char, len: usize) -> Vec<Case> {
    vec![
        replaced::<Owned<Text>>(ACEDIA, first, len, |text| Text::from(text)),
        replaced::<String>("String", first, len, |text| String::from(text)),
    ]
}

fn replaced<T: 'static>(name: &'static str, first: char, len: usize, make: impl Fn(&str) -> T + 'static) -> Case {
    const MANY: usize = 20_000;
    let source = letters(first, len, 0);
    let mut live: Vec<T> = (0..MANY).map(|_| make(&source)).collect();
    let mut random = 1_u64;
    Case::new(name, move |n| {
        nanoseconds(|| {
            for _ in 0..n {
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                live[place(random >> 33, MANY)] = make(black_box(&source));
            }
            black_box(&live);
        })
    })
}

pub(super) fn clone<const LEN: usize>() -> Vec<Case> {
    contenders!(cloned, 'a', LEN)
}

fn sources(first: char, len: usize) -> Vec<String> {
    (0..LIVE).map(|seed| letters(first, len, seed)).collect()
}

fn created<T: 'static>(name: &'static str, first: char, len: usize, make: impl Fn(&str) -> T + 'static) -> Case {
    let sources = sources(first, len);
    let mut live: Vec<T> = sources.iter().map(|source| make(source)).collect();
    Case::new(name, move |n| {
        nanoseconds(|| {
            for turn in 0..n {
                let place = place(turn, LIVE);
                live[place] = make(black_box(&sources[place]));
            }
            black_box(&live);
        })
    })
}

fn cloned<T: Clone + 'static>(name: &'static str, first: char, len: usize, make: impl Fn(&str) -> T + 'static) -> Case {
    let live: Vec<T> = sources(first, len).iter().map(|source| make(source)).collect();
    Case::new(name, move |n| {
        nanoseconds(|| {
            for turn in 0..n {
                drop(black_box(live[place(turn, LIVE)].clone()));
            }
        })
    })
}
