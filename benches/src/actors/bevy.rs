//! `bevy_ecs`: entities in tables, and its three kinds of callbacks when one comes or goes.
//!
//! The nearest to the events of actors, and not the same: what such a callback changes in the world's structure is done
//! later, and there are no owners, states or vetoes.

use std::{hint::black_box, marker::PhantomData};

use bevy_ecs::{lifecycle::HookContext, prelude::*, world::DeferredWorld};

use super::world::Words;

pub(super) const PLAIN: &str = "bevy_ecs";
pub(super) const OBSERVERS: &str = "bevy_ecs, observers";
pub(super) const ENTITY_EVENTS: &str = "bevy_ecs, entity events";
const HOOKS: &str = "bevy_ecs, hooks";

/// The component of all entities, unless callbacks need several.
#[derive(Component, Default)]
pub(super) struct Own(pub(super) Words);

/// The components of an entity, and the callbacks when it comes and goes.
pub(super) trait Kind: 'static {
    const NAME: &'static str;
    type Bundle: Bundle + Default;

    fn prepare(_: &mut bevy_ecs::world::World) {}
    fn spawned(_: &mut bevy_ecs::world::World, _: Entity) {}
    fn leaving(_: &mut bevy_ecs::world::World, _: Entity) {}
}

/// A world of one kind of entity.
pub(super) struct Ecs<K> {
    pub(super) world: bevy_ecs::world::World,
    kind: PhantomData<K>,
}

impl<K: Kind> super::world::World for Ecs<K> {
    const NAME: &'static str = K::NAME;
    type Id = Entity;

    fn new() -> Self {
        let mut world = bevy_ecs::world::World::new();
        K::prepare(&mut world);
        Self {
            world,
            kind: PhantomData,
        }
    }

    fn spawn(&mut self) -> Entity {
        let entity = self.world.spawn(black_box(K::Bundle::default())).id();
        K::spawned(&mut self.world, entity);
        entity
    }

    fn destroy(&mut self, entity: Entity) {
        K::leaving(&mut self.world, entity);
        assert!(self.world.despawn(entity), "it was alive");
    }
}

/// No callbacks.
pub(super) struct Plain;

impl Kind for Plain {
    const NAME: &'static str = PLAIN;
    type Bundle = Own;
}

/// Eleven observers of what happens to components: five are added, one is inserted, five are removed. Each counts in its
/// component.
pub(super) struct Observers;

#[derive(Component, Default)]
pub(super) struct Part<const N: usize>([u64; 2]);

impl Kind for Observers {
    const NAME: &'static str = OBSERVERS;
    type Bundle = (Part<0>, Part<1>, Part<2>, Part<3>, Part<4>);

    fn prepare(world: &mut bevy_ecs::world::World) {
        fn both<const N: usize>(world: &mut bevy_ecs::world::World) {
            world.add_observer(|on: On<Add<Part<N>>>, mut parts: Query<&mut Part<N>>| count(on.entity, &mut parts));
            world.add_observer(|on: On<Remove<Part<N>>>, mut parts: Query<&mut Part<N>>| count(on.entity, &mut parts));
        }
        both::<0>(world);
        both::<1>(world);
        both::<2>(world);
        both::<3>(world);
        both::<4>(world);
        world.add_observer(|on: On<Insert<Part<0>>>, mut parts: Query<&mut Part<0>>| count(on.entity, &mut parts));
    }
}

fn count<const N: usize>(entity: Entity, parts: &mut Query<&mut Part<N>>) {
    if let Ok(mut part) = parts.get_mut(entity) {
        part.0[0] += 1;
    }
}

/// Eleven events that are sent to the entity, nine after it is made and two before it is destroyed, each with an observer
/// that counts in the entity.
pub(super) struct EntityEvents;

#[derive(EntityEvent)]
struct Step<const N: usize> {
    entity: Entity,
}

impl Kind for EntityEvents {
    const NAME: &'static str = ENTITY_EVENTS;
    type Bundle = Own;

    fn prepare(world: &mut bevy_ecs::world::World) {
        fn observe<const N: usize>(world: &mut bevy_ecs::world::World) {
            world.add_observer(|on: On<Step<N>>, mut things: Query<&mut Own>| {
                if let Ok(mut own) = things.get_mut(on.entity) {
                    own.0[N % 8] += 1;
                }
            });
        }
        observe::<0>(world);
        observe::<1>(world);
        observe::<2>(world);
        observe::<3>(world);
        observe::<4>(world);
        observe::<5>(world);
        observe::<6>(world);
        observe::<7>(world);
        observe::<8>(world);
        observe::<9>(world);
        observe::<10>(world);
    }

    fn spawned(world: &mut bevy_ecs::world::World, entity: Entity) {
        world.trigger(Step::<0> { entity });
        world.trigger(Step::<1> { entity });
        world.trigger(Step::<2> { entity });
        world.trigger(Step::<3> { entity });
        world.trigger(Step::<4> { entity });
        world.trigger(Step::<5> { entity });
        world.trigger(Step::<6> { entity });
        world.trigger(Step::<7> { entity });
        world.trigger(Step::<8> { entity });
    }

    fn leaving(world: &mut bevy_ecs::world::World, entity: Entity) {
        world.trigger(Step::<9> { entity });
        world.trigger(Step::<10> { entity });
    }
}

/// The same eleven as [`Observers`], as hooks: one function for each component and happening, and no more can be added.
pub(super) struct Hooks;

#[derive(Component, Default)]
#[component(on_add = count_hook::<N>, on_remove = count_hook::<N>)]
pub(super) struct Hooked<const N: usize>([u64; 2]);

#[derive(Component, Default)]
#[component(on_add = count_first, on_insert = count_first, on_remove = count_first)]
pub(super) struct HookedFirst([u64; 2]);

fn count_hook<const N: usize>(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut part) = world.get_mut::<Hooked<N>>(context.entity) {
        part.0[0] += 1;
    }
}

fn count_first(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut part) = world.get_mut::<HookedFirst>(context.entity) {
        part.0[0] += 1;
    }
}

impl Kind for Hooks {
    const NAME: &'static str = HOOKS;
    type Bundle = (HookedFirst, Hooked<1>, Hooked<2>, Hooked<3>, Hooked<4>);
}
