//! A million objects of 16 bytes in a fresh process: how long they take to build, and how much memory they hold.

use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::roomy,
    isolated::{self, Task},
    payload::Words,
    resident,
};
use std::hint::black_box;

/// How many objects.
pub(crate) const MILLION: u64 = 1_000_000;

/// The tasks of children.
pub(crate) static TASKS: [Task; 2] = [
    Task {
        name: "build",
        cases: || roomy!(built, Words<2>),
        size: MILLION,
    },
    Task {
        name: "memory",
        cases: || roomy!(held, Words<2>),
        size: MILLION,
    },
];

/// How long they take to build.
pub(super) fn build() -> Vec<Case> {
    isolated::cases(&TASKS[0])
}

/// How many bytes each of them keeps resident.
pub(super) fn memory() -> Vec<Case> {
    isolated::cases(&TASKS[1])
}

fn built<C: Contender>() -> Case {
    case::<C>(|contender, owners| {
        nanoseconds(|| owners.extend((0..MILLION).map(|seed| contender.allocate(black_box(seed)))))
    })
}

fn held<C: Contender>() -> Case {
    case::<C>(|contender, owners| {
        let before = resident::bytes();
        owners.extend((0..MILLION).map(|seed| contender.allocate(black_box(seed))));
        resident::bytes() - before
    })
}

/// Builds with room for the owners made and touched beforehand.
fn case<C: Contender>(build: fn(&mut C, &mut Vec<C::Owner>) -> f64) -> Case {
    Case::fixed(C::NAME, MILLION, move || {
        let mut contender = C::new();
        let mut owners = resident::room(MILLION);
        let total = build(&mut contender, &mut owners);
        black_box(&owners);
        // The process ends here; taking a million objects apart is another workload.
        std::mem::forget(owners);
        total
    })
}

/// How many bytes each takes by the contender's layout, where that is known.
pub(super) fn layout() -> Vec<Case> {
    roomy!(by_layout, Words<2>).into_iter().flatten().collect()
}

fn by_layout<C: Contender>() -> Option<Case> {
    let bytes = u32::try_from(C::LAYOUT_BYTES?).ok()?;
    Some(Case::fixed(C::NAME, 1, move || f64::from(bytes)))
}
