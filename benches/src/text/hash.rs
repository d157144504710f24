//! Hashing.

use std::{hash::BuildHasher, hint::black_box, rc::Rc};

use acedia_text::{BaseText, key_hash};
use foldhash::quality;
use rapidhash::v3::rapidhash_v3;
use xxhash_rust::xxh3::xxh3_64;

use super::letters::{letters, place};
use crate::{
    case::{Case, nanoseconds},
    workload::ACEDIA,
};

/// DJB2 as it is written down, over numbers of four bytes.
pub(super) const SERIAL: &str = "serial loop";
/// A sum of words, which is what memory allows.
pub(super) const READING: &str = "reading";

/// The input of a contender.
struct Input {
    text: BaseText,
    string: String,
    codes: Vec<u32>,
}

type Hash = fn(&Input) -> u64;

const CONTENDERS: [(&str, Hash); 8] = [
    (ACEDIA, |input| u64::from(input.text.hash_code().cast_unsigned())),
    (SERIAL, |input| u64::from(serial(input.codes.iter().copied()))),
    ("serial loop over bytes", |input| {
        u64::from(serial(input.string.bytes().map(u32::from)))
    }),
    ("acedia, keyed", |input| key_hash(&input.text)),
    ("foldhash", |input| {
        quality::FixedState::with_seed(1).hash_one(&input.string)
    }),
    ("rapidhash", |input| rapidhash_v3(input.string.as_bytes())),
    ("xxh3", |input| xxh3_64(input.string.as_bytes())),
    (READING, |input| sum(input.string.as_bytes())),
];

pub(super) fn ascii<const LEN: usize>() -> Vec<Case> {
    // As many as fit a second-level cache, so that short ones can't be learnt by heart.
    let count = (65_536 / LEN).clamp(1, 64);
    let inputs: Rc<[Input]> = (0..count).map(|seed| input(&letters('a', LEN, seed))).collect();
    let case = |(name, hash): (&'static str, Hash)| {
        let inputs = Rc::clone(&inputs);
        Case::new(name, move |n| {
            nanoseconds(|| {
                for turn in 0..n {
                    black_box(hash(black_box(&inputs[place(turn, count)])));
                }
            })
        })
    };
    CONTENDERS.into_iter().map(case).collect()
}

pub(super) fn chained<const LEN: usize>() -> Vec<Case> {
    const COUNT: usize = 64;
    let inputs: Rc<[Input]> = (0..COUNT).map(|seed| input(&letters('a', LEN, seed))).collect();
    let case = |(name, hash): (&'static str, Hash)| {
        let inputs = Rc::clone(&inputs);
        Case::new(name, move |n| {
            nanoseconds(|| {
                let mut next = 0;
                for _ in 0..n {
                    next = place(hash(&inputs[next]), COUNT);
                }
                black_box(next);
            })
        })
    };
    CONTENDERS.into_iter().map(case).collect()
}

pub(super) fn two() -> Vec<Case> {
    wide('а', |list| {
        let units: Vec<u16> = list.iter().map(|c| *c as u16).collect();
        Box::new(move || serial(black_box(&units).iter().copied().map(u32::from)))
    })
}

pub(super) fn four() -> Vec<Case> {
    wide('😀', |list| {
        let units: Vec<u32> = list.iter().map(|c| *c as u32).collect();
        Box::new(move || serial(black_box(&units).iter().copied()))
    })
}

fn wide(first: char, serial: impl Fn(&[char]) -> Box<dyn Fn() -> u32>) -> Vec<Case> {
    let list: Vec<char> = (first..).step_by(3).take(20).cycle().take(4096).collect();
    let text: BaseText = list.iter().collect();
    let serial = serial(&list);
    let case = |name, hash: Box<dyn Fn() -> u32>| {
        Case::new(name, move |n| {
            nanoseconds(|| {
                for _ in 0..n {
                    black_box(hash());
                }
            })
        })
    };
    vec![
        case(ACEDIA, Box::new(move || black_box(&text).hash_code().cast_unsigned())),
        case(SERIAL, serial),
    ]
}

fn input(string: &str) -> Input {
    Input {
        text: BaseText::from(string),
        string: string.to_owned(),
        codes: string.chars().map(u32::from).collect(),
    }
}

fn serial(codes: impl Iterator<Item = u32>) -> u32 {
    codes.fold(5381, |hash, code| hash.wrapping_mul(33).wrapping_add(code))
}

/// Every word of it, four sums side by side.
fn sum(bytes: &[u8]) -> u64 {
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (mut sums, blocks) = ([0u64; 8], bytes.chunks_exact(64));
    let rest = blocks.remainder().iter().map(|byte| u64::from(*byte));
    let rest = rest.fold(0, u64::wrapping_add);
    for block in blocks {
        for (sum, bytes) in sums.iter_mut().zip(block.chunks_exact(8)) {
            *sum = sum.wrapping_add(word(bytes));
        }
    }
    sums.into_iter().fold(rest, u64::wrapping_add)
}
