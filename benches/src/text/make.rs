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

/// As [`create`], of `LEN` Cyrillic letters, which have two bytes each.
pub(super) fn create_cyrillic<const LEN: usize>() -> Vec<Case> {
    contenders!(created, 'а', LEN)
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
