//! Places with an object each, read in random order, and filled anew: by one thread, or by one beside one that reads.

use crate::{
    case::{Case, nanoseconds},
    place::{PLACES, Places},
    places::{Atoms, InDash, InPapaya, Pointers, Pooled},
};
use std::{
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// The case of each contender.
macro_rules! every {
    ($run:expr) => {
        vec![
            case::<Pooled>($run),
            case::<Pointers>($run),
            case::<Atoms>($run),
            case::<InPapaya>($run),
            case::<InDash>($run),
        ]
    };
}

/// Each read under a pin of its own, on one thread.
pub(super) fn reads() -> Vec<Case> {
    every!(|places, n| alone(|| read(places, n, 1)))
}

/// Many reads under each pin, while another thread replaces.
pub(super) fn reads_beside() -> Vec<Case> {
    every!(|places, n| beside(|| replace(places, PART), |n| read(places, n, SERIES), n))
}

/// Replaced by one thread.
pub(super) fn replacements() -> Vec<Case> {
    every!(|places, n| alone(|| replace(places, n)))
}

/// Replaced while another thread reads.
pub(super) fn replacements_beside() -> Vec<Case> {
    every!(|places, n| beside(|| read(places, PART, SERIES), |n| replace(places, n), n))
}

/// The number of reads under one pin, where there are many.
const SERIES: u64 = 64;

/// The other thread's operations before it looks whether it is done, and this one's before it is measured.
const PART: u64 = 2 * PLACES;

fn case<P: Places>(run: fn(&'static P, u64) -> (f64, bool)) -> Case {
    let places: &'static P = Box::leak(Box::new(P::new()));
    Case::new(P::NAME, move |n| {
        let (total, right) = run(places, n);
        assert!(right, "{} read the object of another place", P::NAME);
        total
    })
}

/// Reads `n` times, at most `series` times under each pin. Whether each object was one of its place.
fn read<P: Places>(places: &'static P, n: u64, series: u64) -> bool {
    let (mut wrong, mut done) = (0, 0);
    while done < n {
        let end = n.min(done + series);
        let pin = places.pin();
        let read = places.reader(&pin);
        for step in done..end {
            wrong |= (read(place(step)) ^ place(step)) % PLACES;
        }
        done = end;
    }
    wrong == 0
}

/// Replaces `n` times.
fn replace<P: Places>(places: &'static P, n: u64) -> bool {
    for step in 0..n {
        places.replace(place(step), 1 + step);
    }
    true
}

/// The places in an order that no prefetcher follows, each about as often as any other.
fn place(step: u64) -> u64 {
    step.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES.ilog2())
}

fn alone(work: impl FnOnce() -> bool) -> (f64, bool) {
    let mut right = false;
    let total = nanoseconds(|| right = work());
    (total, right)
}

/// `n` operations of `work`, while another thread does `other` again and again.
fn beside(other: impl Fn() -> bool + Sync, work: impl Fn(u64) -> bool, n: u64) -> (f64, bool) {
    let (gate, done) = (Barrier::new(2), AtomicBool::new(false));
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut right = other();
            gate.wait();
            while !done.load(Ordering::Relaxed) {
                right &= other();
            }
            right
        });
        let mut right = work(PART);
        gate.wait();
        let total = nanoseconds(|| right &= work(n));
        done.store(true, Ordering::Relaxed);
        (total, right & other.join().expect("it does not panic"))
    })
}
