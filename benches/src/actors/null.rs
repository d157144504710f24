//! Destroying actors that objects refer to.

use std::hint::black_box;

use acedia_actors::{ActorRef, NativeActorRef};
use acedia_allocator::Owned;

use super::{
    life::World,
    ours::{Idle, Level},
};
use crate::{Case, case::nanoseconds};

pub(super) const ONE: &str = "1 reference";
pub(super) const MANY: &str = "10,000 references";

/// How many references there are to each actor, in the worse case.
const REFERENCES: usize = 10_000;
/// How many actors are destroyed in a row, so that looking at the clock is no part of it.
const ACTORS: usize = 16;

pub(super) fn cases() -> Vec<Case> {
    vec![case(ONE, 1), case(MANY, REFERENCES)]
}

/// The same number of references is set either way: those that are too many refer to an actor that stays.
fn case(name: &'static str, references: usize) -> Case {
    let mut world = Level::<Idle>::new();
    let stays = world.spawn();
    let all: Vec<Owned<NativeActorRef>> = (0..ACTORS * REFERENCES)
        .map(|_| NativeActorRef::new(&mut world.level, None))
        .collect();
    Case::fixed(name, ACTORS as u64, move || {
        let actors: Vec<ActorRef<Idle>> = (0..ACTORS).map(|_| world.spawn()).collect();
        for (set, actor) in all.chunks(REFERENCES).zip(&actors) {
            for (place, reference) in set.iter().enumerate().rev() {
                let target = if place < references { *actor } else { stays };
                reference.set(&mut world.level, Some(target.any()));
            }
        }
        let total = nanoseconds(|| {
            for &actor in &actors {
                world.destroy(black_box(actor));
            }
        });
        let empty = all.iter().filter(|reference| reference.is_none()).count();
        assert_eq!(empty, ACTORS * references);
        total
    })
}
