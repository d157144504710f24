//! A pool and its first object, in a fresh process with one thread.

use std::{hint::black_box, mem::forget};

use crate::{
    case::{Case, nanoseconds},
    contender::Contender,
    contenders::roomy,
    isolated::{self, Task},
    payload::Words,
};

/// The task of children.
pub(crate) static TASK: Task = Task {
    name: "start",
    cases: || roomy!(first, Words<2>),
    size: 1,
};

/// The time until the first object is there.
pub(super) fn cases() -> Vec<Case> {
    isolated::cases(&TASK)
}

fn first<C: Contender>() -> Case {
    Case::once(C::NAME, || {
        nanoseconds(|| {
            let mut contender = C::new();
            let owner = contender.allocate(black_box(1));
            black_box(&owner);
            forget((contender, owner));
        })
    })
}
