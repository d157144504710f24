//! Two cores that read one and the same object, each under one pin where there are pins.

use super::threads;
use crate::{
    case::Case,
    contender::{Readable, Shared},
    contenders::{Guarded, checked_on_any_thread},
    payload::Words,
};
use std::hint::black_box;

/// The contenders.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = checked_on_any_thread!(case, Words<2>);
    cases.push(case::<Guarded<Words<2>>>());
    cases
}

fn case<C: Readable + Shared>() -> Case
where
    C::Key: Sync,
{
    let mut contender = C::new();
    let owner = contender.allocate(7);
    let key = contender.key(&owner);
    Case::new(C::NAME, move |n| {
        black_box(&owner);
        let (contender, key) = (&contender, &key);
        threads::both(
            || contender,
            |contender| read(*contender, key, threads::WARM_UP),
            |contender| read(*contender, key, n),
        )
    })
}

/// `n` reads under one pin.
fn read<C: Readable>(contender: &C, key: &C::Key, n: u64) {
    let pin = contender.pin();
    let read = contender.reader(&pin);
    let mut sum = 0;
    for _ in 0..n {
        sum += read(black_box(key)).expect("the hot object lives");
    }
    assert_eq!(sum, 7 * n, "{} read something else", C::NAME);
}
