//! Reading things by what refers to them.

use std::hint::black_box;

use acedia_actors::Stage;

use super::{
    bevy,
    ours::{Idle, Level},
    slots,
    world::World,
};
use crate::{case::Case, shuffle::shuffled};

/// How many things there are.
const COUNT: usize = 100_000;

/// A world whose things can be read.
trait Readable: World {
    fn read(&self, id: Self::Id) -> Option<u64>;
}

impl Readable for Level<Idle> {
    fn read(&self, id: Self::Id) -> Option<u64> {
        self.level.get(id).map(|it| it.words[0])
    }
}

impl Readable for bevy::Ecs<bevy::Plain> {
    fn read(&self, id: Self::Id) -> Option<u64> {
        self.world.get::<bevy::Own>(id).map(|it| it.0[0])
    }
}

impl Readable for slots::Slots {
    fn read(&self, id: Self::Id) -> Option<u64> {
        self.0.get(id).map(|it| it[0])
    }
}

pub(super) fn in_order() -> Vec<Case> {
    cases(&(0..COUNT).collect::<Vec<_>>())
}

pub(super) fn in_random_order() -> Vec<Case> {
    cases(&shuffled(COUNT))
}

fn cases(order: &[usize]) -> Vec<Case> {
    vec![
        case::<Level<Idle>>(order),
        case::<bevy::Ecs<bevy::Plain>>(order),
        case::<slots::Slots>(order),
    ]
}

fn case<W: Readable>(order: &[usize]) -> Case {
    let mut world = W::new();
    let made: Vec<W::Id> = (0..COUNT).map(|_| world.spawn()).collect();
    let ids: Vec<W::Id> = order.iter().map(|place| made[*place]).collect();
    Case::batches(W::NAME, COUNT, move || {
        let mut sum = 0;
        for id in black_box(&ids) {
            sum += world.read(*id).expect("nobody is gone");
        }
        black_box(sum);
    })
}
