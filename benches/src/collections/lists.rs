//! Lists against `Vec`.

use std::{hint::black_box, sync::Arc};

use acedia_collections::{ArrayList, Item};
use acedia_text::Text;

use super::keys;
use crate::case::Case;

pub(super) const OURS: &str = "acedia";
pub(super) const VEC: &str = "Vec<i32>";
pub(super) const DOUBLES: &str = "Vec<f64>";
pub(super) const STRINGS: &str = "Vec<String>";
pub(super) const ARCS: &str = "Vec<Arc<str>>";

/// Numbers that are pushed and then read by index; the list is dropped.
pub(super) fn ints<const COUNT: usize>() -> Vec<Case> {
    let end = || i32::try_from(black_box(COUNT)).unwrap_or(i32::MAX);
    vec![
        Case::batches(OURS, COUNT, move || {
            let list = ArrayList::new();
            let mut items = list.write();
            for i in 0..end() {
                items.push(i);
            }
            let sum = (0..black_box(COUNT))
                .filter_map(|i| items[i].as_int())
                .fold(0, i32::wrapping_add);
            black_box(sum);
        }),
        Case::batches(VEC, COUNT, move || {
            let mut items = Vec::new();
            for i in 0..end() {
                items.push(i);
            }
            let items = black_box(&items);
            let sum = (0..black_box(COUNT))
                .filter_map(|i| items.get(i))
                .fold(0, |sum: i32, i| sum.wrapping_add(*i));
            black_box(sum);
        }),
        Case::batches("Vec<Item>", COUNT, move || {
            let mut items: Vec<Item> = Vec::new();
            for i in 0..end() {
                items.push(i.into());
            }
            let items = black_box(&items);
            let sum = (0..black_box(COUNT))
                .filter_map(|i| items[i].as_int())
                .fold(0, i32::wrapping_add);
            black_box(sum);
        }),
    ]
}

/// The sum of all doubles of a list.
pub(super) fn doubles() -> Vec<Case> {
    const COUNT: usize = 10_000;
    let doubles = || (0..10_000).map(|i| f64::from(i) * 0.1);
    let list = ArrayList::from(doubles());
    let vec: Vec<f64> = doubles().collect();
    vec![
        Case::batches(OURS, COUNT, move || {
            black_box(list.read().iter().filter_map(Item::as_double).sum::<f64>());
        }),
        Case::batches(DOUBLES, COUNT, move || {
            black_box(black_box(&vec).iter().sum::<f64>());
        }),
    ]
}

/// The sum of the last bytes of all texts of a list.
pub(super) fn walked() -> Vec<Case> {
    const COUNT: usize = 10_000;
    let strings = keys::short(COUNT, 0);
    let list = ArrayList::from(strings.iter().map(Text::from));
    let tail = |text: &str| text.bytes().next_back().map_or(0, usize::from);
    vec![
        Case::batches(OURS, COUNT, move || {
            let items = list.read();
            let tails = items
                .iter()
                .filter_map(|item| item.with_text(|text| tail(text.as_str())));
            black_box(tails.sum::<usize>());
        }),
        Case::batches(STRINGS, COUNT, move || {
            black_box(black_box(&strings).iter().map(|text| tail(text)).sum::<usize>());
        }),
    ]
}

/// Texts of 24 bytes that are made, pushed and dropped.
pub(super) fn texts<const COUNT: usize>() -> Vec<Case> {
    let sources: Vec<String> = keys::ordinary(COUNT)
        .into_iter()
        .map(|key| key[..24].to_owned())
        .collect();
    let same = sources.clone();
    vec![
        Case::batches(OURS, COUNT, move || {
            let list = ArrayList::new();
            let mut items = list.write();
            for text in &sources {
                items.push(Text::from(text));
            }
            black_box(items.len());
        }),
        Case::batches(ARCS, COUNT, move || {
            let mut items: Vec<Arc<str>> = Vec::new();
            for text in &same {
                items.push(Arc::from(text.as_str()));
            }
            black_box(&items);
        }),
    ]
}
