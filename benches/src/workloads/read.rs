//! Reads through handles, in random order, on one thread.

use super::shuffle::shuffle;
use crate::{
    Case,
    contender::Readable,
    contenders::{Guarded, Many, Reference, checked},
    payload::Words,
};
use std::hint::black_box;

/// What is read: 16 bytes.
type Object = Words<2>;

/// Among a thousand objects, all alive.
pub(super) fn thousand() -> Vec<Case> {
    let mut cases = checked!(among_thousand, Object);
    cases.extend([
        among_thousand::<Many<Object>>(),
        among_thousand::<Guarded<Object>>(),
        among_thousand::<Reference<Object>>(),
    ]);
    cases
}

/// Among a million objects, all alive.
pub(super) fn million() -> Vec<Case> {
    let mut cases = checked!(among_million, Object);
    cases.extend([
        among_million::<Many<Object>>(),
        among_million::<Guarded<Object>>(),
        among_million::<Reference<Object>>(),
    ]);
    cases
}

/// By a thousand handles whose objects were freed and whose slots hold other objects by now.
pub(super) fn stale() -> Vec<Case> {
    let mut cases = checked!(of_the_dead, Object);
    cases.extend([of_the_dead::<Many<Object>>(), of_the_dead::<Guarded<Object>>()]);
    cases
}

fn among_thousand<C: Readable>() -> Case {
    live::<C>(1000)
}

fn among_million<C: Readable>() -> Case {
    live::<C>(1_000_000)
}

fn live<C: Readable>(size: usize) -> Case {
    let mut contender = C::new();
    let owners: Vec<C::Owner> = (0..size as u64).map(|seed| contender.allocate(seed)).collect();
    let keys = keys(&contender, &owners);
    let expected = (0..size as u64).sum();
    case(contender, owners, keys, (size, expected))
}

fn of_the_dead<C: Readable>() -> Case {
    const SIZE: usize = 1000;
    let mut contender = C::new();
    let dead: Vec<C::Owner> = (0..SIZE as u64).map(|seed| contender.allocate(seed)).collect();
    let keys = keys(&contender, &dead);
    for owner in dead {
        contender.free(owner);
    }
    let owners = (0..SIZE as u64).map(|seed| contender.allocate(seed)).collect();
    case(contender, owners, keys, (0, 0))
}

/// Reads all of `keys` under one pin, once per batch, and checks how many were alive and what they held together.
fn case<C: Readable>(contender: C, owners: Vec<C::Owner>, keys: Vec<C::Key>, expected: (usize, u64)) -> Case {
    Case::batches(C::NAME, keys.len(), move || {
        black_box(&owners);
        let found = contender.read_all(&contender.pin(), black_box(&keys));
        assert_eq!(found, expected, "{} read something else", C::NAME);
    })
}

/// The handles of all owners, in random order.
fn keys<C: Readable>(contender: &C, owners: &[C::Owner]) -> Vec<C::Key> {
    let mut keys: Vec<C::Key> = owners.iter().map(|owner| contender.key(owner)).collect();
    shuffle(&mut keys);
    keys
}
