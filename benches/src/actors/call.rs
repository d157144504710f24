//! Calling a function of things, by what refers to them.

use std::hint::black_box;

use acedia_actors::{Actor, ClassBuilder, Function, Stage, actor};
use bevy_ecs::prelude::*;

use super::{
    bevy,
    ours::Level,
    world::{Words, World},
};
use crate::{case::Case, shuffle::shuffled, workload::ACEDIA};

/// The number of things.
const COUNT: usize = 100_000;
/// The peer: a virtual call without a reference that can be stale.
pub(super) const DYN: &str = "Box<dyn Trait>";

pub(super) fn in_order() -> Vec<Case> {
    cases(&(0..COUNT).collect::<Vec<_>>())
}

pub(super) fn in_random_order() -> Vec<Case> {
    cases(&shuffled(COUNT))
}

fn cases(order: &[usize]) -> Vec<Case> {
    vec![ours(order), virtual_calls(order), observers(order)]
}

/// In each contender, the function adds the damage to a word of the thing and returns the sum.
static TAKE_DAMAGE: Function<Target, u64, u64> = Function::new("TakeDamage");

#[derive(Default)]
struct Target {
    words: Words,
}

impl Actor for Target {
    actor!(Target, "Benches.Target");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.function(&TAKE_DAMAGE, |cx, damage| {
            cx.words[0] += damage;
            cx.words[0]
        });
    }
}

fn ours(order: &[usize]) -> Case {
    let mut world = Level::<Target>::new();
    let made: Vec<_> = (0..COUNT).map(|_| world.spawn()).collect();
    let targets: Vec<_> = order.iter().map(|&place| made[place]).collect();
    Case::batches(ACEDIA, COUNT, move || {
        for &target in black_box(&targets) {
            black_box(world.level.call(target, &TAKE_DAMAGE, black_box(1)));
        }
    })
}

trait TakeDamage {
    fn take_damage(&mut self, damage: u64) -> u64;
}

impl TakeDamage for Target {
    fn take_damage(&mut self, damage: u64) -> u64 {
        self.words[0] += damage;
        self.words[0]
    }
}

fn virtual_calls(order: &[usize]) -> Case {
    let mut targets: Vec<Box<dyn TakeDamage>> = Vec::new();
    targets.resize_with(COUNT, || Box::new(black_box(Target::default())));
    let order = order.to_vec();
    Case::batches(DYN, COUNT, move || {
        for &place in black_box(&order) {
            black_box(targets[place].take_damage(black_box(1)));
        }
    })
}

#[derive(EntityEvent)]
struct Damage {
    entity: Entity,
    amount: u64,
}

fn observers(order: &[usize]) -> Case {
    let mut ecs = bevy::Ecs::<bevy::Plain>::new();
    ecs.world
        .add_observer(|on: On<Damage>, mut things: Query<&mut bevy::Own>| {
            if let Ok(mut own) = things.get_mut(on.entity) {
                own.0[0] += on.amount;
            }
        });
    let made: Vec<_> = (0..COUNT).map(|_| ecs.spawn()).collect();
    let entities: Vec<_> = order.iter().map(|&place| made[place]).collect();
    Case::batches(bevy::ENTITY_EVENTS, COUNT, move || {
        for &entity in black_box(&entities) {
            let amount = black_box(1);
            ecs.world.trigger(Damage { entity, amount });
        }
    })
}
