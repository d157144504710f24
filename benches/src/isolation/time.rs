//! Replacing objects in random order, and configuring.

#![allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]

use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::{Acedia, Boxed, Kept},
    payload::{Payload, Words},
    shuffle::shuffled,
};
use acedia::{Config, PoolPolicy, configure as apply};
use mimalloc::MiMalloc;

/// The nanoseconds of one replacement, of `count` objects.
fn replaced<C: Contender>(count: usize) -> f64 {
    let mut contender = C::new();
    let mut owners: Vec<_> = (0..count as u64).map(|seed| Some(contender.allocate(seed))).collect();
    let order = shuffled(count);
    let mut pass = || {
        for &place in &order {
            if let Some(owner) = owners[place].take() {
                contender.free(owner);
            }
            owners[place] = Some(contender.allocate(place as u64));
        }
    };
    // Twice for the order of an aged program.
    pass();
    pass();
    nanoseconds(pass) / count as f64
}

fn against_mimalloc<P: Payload>(count: usize) -> Vec<Case> {
    vec![
        Case::once("mimalloc", move || replaced::<Boxed<P, MiMalloc>>(count)),
        Case::once("acedia", move || replaced::<Acedia<P, Kept, true>>(count)),
    ]
}

pub(super) fn some_small() -> Vec<Case> {
    against_mimalloc::<Words<2>>(100_000)
}

pub(super) fn some_large() -> Vec<Case> {
    against_mimalloc::<Words<8>>(100_000)
}

pub(super) fn many_small() -> Vec<Case> {
    against_mimalloc::<Words<2>>(1_000_000)
}

pub(super) fn many_large() -> Vec<Case> {
    against_mimalloc::<Words<8>>(1_000_000)
}

pub(super) fn configure() -> Vec<Case> {
    let with = |count: usize| {
        move || {
            let entry = |config: Config, at| config.with(format!("Nowhere.Class{at}"), PoolPolicy::KeepNone);
            let config = (0..count).fold(Config::new(), entry);
            nanoseconds(|| assert_eq!(apply(&config).len(), count)) / 1e6
        }
    };
    vec![
        Case::once("4,000 limits for unknown classes", with(4000)),
        Case::once("16,000 limits for unknown classes", with(16_000)),
    ]
}
