//! Destroying actors that objects refer to.

use std::{cell::RefCell, hint::black_box, rc::Rc};

use acedia::Owned;
use acedia_actors::{ActorRef, NativeActorRef};

use super::{
    ours::{Idle, Level},
    world::World,
};
use crate::case::{Case, nanoseconds};

pub(super) const ONE: &str = "1 reference";
pub(super) const MANY: &str = "10,000 references";

/// How many references there are to each actor, in the worse case.
const REFERENCES: usize = 10_000;
/// How many actors are destroyed in a row, so that looking at the clock is no part of it.
const ACTORS: usize = 16;
/// How many rows there are in a run. One is over in less time than a cache miss too many would take.
const ROWS: usize = if cfg!(test) { 1 } else { 8 };

/// Both cases take turns in one level with the same references, so that no memory is one's alone.
pub(super) fn cases() -> Vec<Case> {
    let scene = Rc::new(RefCell::new(Scene::new()));
    [(ONE, 1), (MANY, REFERENCES)]
        .into_iter()
        .map(|(name, references)| {
            let scene = scene.clone();
            Case::fixed(name, (ROWS * ACTORS) as u64, move || {
                let mut scene = scene.borrow_mut();
                (0..ROWS).map(|_| scene.row(references)).sum()
            })
        })
        .collect()
}

struct Scene {
    world: Level<Idle>,
    /// The actor that the surplus references lead to.
    stays: ActorRef<Idle>,
    all: Vec<Owned<NativeActorRef>>,
}

impl Scene {
    fn new() -> Self {
        let mut world = Level::<Idle>::new();
        let stays = world.spawn();
        let all = (0..ACTORS * REFERENCES)
            .map(|_| NativeActorRef::new(&mut world.level, None))
            .collect();
        Self { world, stays, all }
    }

    /// How long it takes to destroy actors to which so many references lead each. The same number is set either way.
    fn row(&mut self, references: usize) -> f64 {
        let Self { world, stays, all } = self;
        let actors: Vec<ActorRef<Idle>> = (0..ACTORS).map(|_| world.spawn()).collect();
        for (set, actor) in all.chunks(REFERENCES).zip(&actors) {
            for (place, reference) in set.iter().enumerate() {
                let target = if place < references { *actor } else { *stays };
                reference.set(&mut world.level, Some(target.any()));
            }
        }
        // Setting has driven actors from the caches, each case others.
        for actor in &actors {
            all[0].set(&mut world.level, Some(actor.any()));
        }
        all[0].set(&mut world.level, Some(actors[0].any()));
        let total = nanoseconds(|| {
            for &actor in &actors {
                world.destroy(black_box(actor));
            }
        });
        let empty = all.iter().filter(|reference| reference.is_none()).count();
        assert_eq!(empty, ACTORS * references);
        total
    }
}
