//! A frame of a game: each of 200,000 units moves and ages, and one in 200 is replaced.

use std::hint::black_box;

use acedia::pool::{Key, Pool};
use bevy_ecs::prelude::{Component, Entity, World};
use slotmap::{DefaultKey, SlotMap};

use crate::case::Case;

/// How many units.
const SIZE: usize = 200_000;
/// The frames that a unit lives.
const LIVES: u32 = 200;

/// 64 bytes.
#[derive(Clone, Copy, Default, Component)]
struct Unit {
    place: [f32; 3],
    speed: [f32; 3],
    age: u32,
    rest: [u32; 9],
}

impl Unit {
    /// The units have all ages.
    fn new(nth: u32) -> Self {
        Self {
            speed: [1.0, 2.0, 3.0],
            age: nth % LIVES,
            ..Self::default()
        }
    }

    /// Whether it is still alive.
    fn tick(&mut self) -> bool {
        for (place, speed) in self.place.iter_mut().zip(self.speed) {
            *place += speed * 0.016;
        }
        self.age += 1;
        black_box(self.rest[0]);
        self.age < LIVES
    }
}

fn units() -> impl Iterator<Item = Unit> {
    (0..).take(SIZE).map(Unit::new)
}

/// The ways to store them.
pub(super) fn cases() -> Vec<Case> {
    vec![owners(), walked(), slots(), entities()]
}

fn owners() -> Case {
    let pool: &'static Pool<Unit> = Box::leak(Box::new(Pool::new()));
    let allocate = |unit| pool.allocate_with(|place| *place = unit);
    let mut owners: Vec<_> = units().map(allocate).collect();
    Case::batches("acedia, Vec of owners", SIZE, move || {
        for owner in &mut owners {
            if !owner.get_mut().expect("no key was made").tick() {
                *owner = allocate(Unit::new(0));
            }
        }
    })
}

fn walked() -> Case {
    let mut pool = Pool::values();
    let mut dead: Vec<Key> = Vec::new();
    for unit in units() {
        let _ = pool.add(unit);
    }
    Case::batches("acedia, Values", SIZE, move || {
        dead.extend(pool.iter_mut().filter_map(|(key, unit)| (!unit.tick()).then_some(key)));
        for key in dead.drain(..) {
            pool.remove(key).expect("alive");
            let _ = pool.add(Unit::new(0));
        }
    })
}

fn slots() -> Case {
    let mut map = SlotMap::new();
    let mut dead: Vec<DefaultKey> = Vec::new();
    for unit in units() {
        map.insert(unit);
    }
    Case::batches("slotmap", SIZE, move || {
        dead.extend(map.iter_mut().filter_map(|(key, unit)| (!unit.tick()).then_some(key)));
        for key in dead.drain(..) {
            map.remove(key).expect("alive");
            map.insert(Unit::new(0));
        }
    })
}

fn entities() -> Case {
    let mut world = World::new();
    let mut dead: Vec<Entity> = Vec::new();
    for unit in units() {
        world.spawn(unit);
    }
    let mut query = world.query::<(Entity, &mut Unit)>();
    Case::batches("bevy_ecs", SIZE, move || {
        let all = query.iter_mut(&mut world);
        dead.extend(all.filter_map(|(entity, mut unit)| (!unit.tick()).then_some(entity)));
        for entity in dead.drain(..) {
            world.despawn(entity);
            world.spawn(Unit::new(0));
        }
    })
}
