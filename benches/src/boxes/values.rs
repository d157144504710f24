//! Single values: boxes against `Arc`, refs against atomics.

use crate::{
    case::{Case, nanoseconds},
    workload::ACEDIA,
};
use acedia::{Object, Owned};
use acedia_boxes::{IntBox, IntRef, StringBox};
use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
};

/// The bin that runs these has mimalloc as its global allocator.
const ARC: &str = "Arc, mimalloc";

const EXPOSED: &str = "acedia, with a handle";

const ATOMIC: &str = "AtomicI32";

/// A text that the compiler knows nothing of. A thin pointer is hidden from it: a fat one would be written in halves
/// and read as a whole, for which the processor waits.
fn text() -> &'static str {
    static TEXT: &str = "twenty-four bytes of it.";
    black_box::<&&str>(&TEXT)
}

pub(super) fn int_boxes() -> Vec<Case> {
    vec![
        create_and_drop(ACEDIA, || IntBox::new(black_box(7))),
        create_and_drop(EXPOSED, || exposed(IntBox::new(black_box(7)))),
        create_and_drop(ARC, || Arc::new(black_box(7))),
    ]
}

pub(super) fn string_boxes() -> Vec<Case> {
    vec![
        create_and_drop(ACEDIA, || StringBox::new(text())),
        create_and_drop(EXPOSED, || exposed(StringBox::new(text()))),
        create_and_drop(ARC, || Arc::<str>::from(text())),
    ]
}

/// Makes a handle, which `Arc` has no counterpart of, and which makes freeing dearer.
fn exposed<T: Object>(object: Owned<T>) -> Owned<T> {
    let _ = black_box(object.handle());
    object
}

/// One object after another, with a few that stay alive meanwhile, as in any program.
fn create_and_drop<T: 'static>(name: &'static str, make: impl Fn() -> T + 'static) -> Case {
    let company: Vec<T> = (0..10).map(|_| make()).collect();
    Case::new(name, move |n| {
        black_box(&company);
        nanoseconds(|| {
            for _ in 0..n {
                drop(black_box(make()));
            }
        })
    })
}

pub(super) fn get() -> Vec<Case> {
    let (ours, atomic) = (IntRef::new(7), Arc::new(AtomicI32::new(7)));
    vec![
        repeat(ACEDIA, move || ours.get()),
        repeat(ATOMIC, move || atomic.load(Ordering::Acquire)),
    ]
}

pub(super) fn set() -> Vec<Case> {
    let (ours, atomic) = (IntRef::new(7), Arc::new(AtomicI32::new(7)));
    vec![
        repeat(ACEDIA, move || {
            ours.set(black_box(8));
        }),
        repeat(ATOMIC, move || atomic.store(black_box(8), Ordering::Release)),
    ]
}

pub(super) fn add() -> Vec<Case> {
    let (ours, atomic) = (IntRef::new(7), Arc::new(AtomicI32::new(7)));
    vec![
        repeat(ACEDIA, move || ours.fetch_add(black_box(8))),
        repeat(ATOMIC, move || atomic.fetch_add(black_box(8), Ordering::AcqRel)),
    ]
}

fn repeat<R>(name: &'static str, work: impl Fn() -> R + 'static) -> Case {
    Case::new(name, move |n| {
        nanoseconds(|| {
            for _ in 0..n {
                black_box(work());
            }
        })
    })
}
