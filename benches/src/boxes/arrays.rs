//! Arrays: refs against `Vec`, with the plainest code that does the same.

use crate::{case::Case, workload::ACEDIA};
use acedia_boxes::{ArrayRef, IntArrayRef, Primitive};
use std::{cmp::Ordering, hint::black_box};

/// About how many items are sorted before the first array comes again: the processor must not learn it by heart.
const VARIETY: usize = 100_000;

/// The item that searches look for, put at a chosen place among random items.
const WANTED: i32 = -1;

/// A positive item.
pub(super) fn int(random: u32) -> i32 {
    i32::try_from(random >> 1).unwrap_or_default()
}

/// A positive item.
pub(super) fn long(random: u32) -> i64 {
    i64::from(random) << 20
}

/// A positive item.
#[expect(clippy::cast_precision_loss, reason = "any number will do")]
pub(super) fn float(random: u32) -> f32 {
    random as f32 / 1000.0
}

/// A positive item.
pub(super) fn double(random: u32) -> f64 {
    f64::from(random) / 1000.0
}

/// A positive item.
pub(super) fn byte(random: u32) -> u8 {
    random.to_be_bytes()[0] | 1
}

/// Random items, the same in every run.
fn items<T>(count: usize, item: impl Fn(u32) -> T) -> Vec<T> {
    let mut state = 1_u64;
    let random = || {
        state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        u32::try_from(state >> 32).unwrap_or_default()
    };
    std::iter::repeat_with(random).take(count).map(item).collect()
}

pub(super) fn sort<T: Primitive + Copy + PartialOrd + radsort::Key>(count: usize, item: fn(u32) -> T) -> Vec<Case> {
    let all = items(VARIETY.max(count), item);
    let ours = ArrayRef::new([]);
    let order = |left: &T, right: &T| left.partial_cmp(right).unwrap_or(Ordering::Equal);
    vec![
        each(ACEDIA, count, &all, move |items| {
            ours.set(items).sort();
        }),
        on_vec("sort_unstable", count, &all, move |items| items.sort_unstable_by(order)),
        on_vec("sort", count, &all, move |items| items.sort_by(order)),
        on_vec("radsort", count, &all, |items| radsort::sort(items)),
    ]
}

pub(super) fn find<T>(count: usize, item: fn(u32) -> T) -> Vec<Case>
where
    T: for<'a> Primitive<Plain<'a> = T> + Copy + PartialEq,
{
    let theirs = items(count, item);
    let ours = ArrayRef::new(theirs.clone());
    let absent = T::default();
    vec![
        Case::batches(ACEDIA, count, move || {
            black_box(ours.find(black_box(absent)));
        }),
        Case::batches("iter().position", count, move || {
            let wanted = black_box(absent);
            black_box(theirs.iter().position(|item| *item == wanted));
        }),
    ]
}

const COUNT: usize = 100_000;

/// Items of which one in so many, at random, is what is looked for.
fn with_wanted(one_in: Option<u32>) -> Vec<i32> {
    items(COUNT, |random| match one_in {
        Some(one_in) if (random >> 8) % one_in == 0 => WANTED,
        _ => int(random),
    })
}

pub(super) fn replace(one_in: Option<u32>) -> Vec<Case> {
    let mut theirs = with_wanted(one_in);
    let ours = IntArrayRef::new(theirs.clone());
    let other = WANTED - 1;
    // There and back, so that there is always something to replace.
    vec![
        Case::batches(ACEDIA, 2 * COUNT, move || {
            black_box(ours.replace(black_box(WANTED), other));
            black_box(ours.replace(black_box(other), WANTED));
        }),
        Case::batches("if equal, store", 2 * COUNT, move || {
            for (old, new) in [(WANTED, other), (other, WANTED)] {
                let old = black_box(old);
                black_box(&mut theirs)
                    .iter_mut()
                    .filter(|item| **item == old)
                    .for_each(|item| *item = new);
            }
        }),
    ]
}

pub(super) fn remove(one_in: Option<u32>) -> Vec<Case> {
    let all = with_wanted(one_in);
    let ours = IntArrayRef::new([]);
    vec![
        each(ACEDIA, COUNT, &all, move |items| {
            black_box(ours.set(items).remove_all(black_box(WANTED)));
        }),
        on_vec("Vec::retain", COUNT, &all, |items| {
            let unwanted = black_box(WANTED);
            items.retain(|item| *item != unwanted);
        }),
    ]
}

/// A case that works on `count` of the items at a time.
fn each<T: Copy + 'static>(name: &'static str, count: usize, all: &[T], mut work: impl FnMut(&[T]) + 'static) -> Case {
    let all = all.to_vec();
    let mut at = 0;
    Case::batches(name, count, move || {
        at = if at + 2 * count > all.len() { 0 } else { at + count };
        work(black_box(&all[at..at + count]));
    })
}

/// Like [`each`], but on a copy in a `Vec` whose memory is kept.
fn on_vec<T: Copy + 'static>(
    name: &'static str,
    count: usize,
    all: &[T],
    mut work: impl FnMut(&mut Vec<T>) + 'static,
) -> Case {
    let mut copy = Vec::new();
    each(name, count, all, move |items| {
        copy.clear();
        copy.extend_from_slice(items);
        work(&mut copy);
        black_box(&copy);
    })
}
