//! Actors against `bevy_ecs`, slotmap and `Vec<Box<dyn>>`. A thing holds 64 bytes of data in every contender, or 80 where bevy
//! needs several components.
//!
//! A bevy observer is the closest equivalent of an event handler, but bevy defers its structural changes to the world, and has no
//! owners, states or vetoes.

use std::hint::black_box;

use acedia_actors::{Actor, ActorRef, ClassBuilder, EventSink, Function, Level, Rules, Spawn, Stage as _, Step, actor};
use bevy_ecs::prelude::*;
use slotmap::{DefaultKey, SlotMap};

use crate::measure::{ACEDIA, BARE, Case, Row, nanoseconds, row, shuffled};

/// All rows.
pub static ROWS: &[Row] = &[
    row("spawn and destroy with 11 handlers, in turns", || with_handlers(1)),
    row("spawn and destroy with 11 handlers, 10,000 in random order", || {
        with_handlers(10_000)
    }),
    row("spawn and destroy, in turns", || without_handlers(1)),
    row("spawn and destroy, 10,000 in random order", || without_handlers(10_000)),
    row("spawn and destroy, 1,000,000 in random order", || {
        without_handlers(1_000_000)
    }),
    row("read one of 100,000 in random order", read),
    row("call a function of one of 100,000 in random order", call),
    row("visit 10,000, a field of each", visit),
    row("tick 100,000 of one class", || tick(&vec![0; COUNT])),
    row("tick 100,000 of eight classes, mixed", || tick(&shuffled(COUNT))),
];

const COUNT: usize = 100_000;
const BEVY: &str = "bevy_ecs";
const DYN: &str = "Vec<Box<dyn>>";

/// The data of one thing.
type Words = [u64; 8];

/// Has no handlers.
#[derive(Default)]
struct Idle {
    words: Words,
}

impl Actor for Idle {
    actor!(Idle, "Benches.Idle");
}

/// Handles every event that a lone actor receives: nine when it is spawned, two when it is destroyed. Each handler increments a
/// word of the actor. A handler that overrides a default body calls that body.
#[derive(Default)]
struct Busy {
    words: Words,
}

impl Actor for Busy {
    actor!(Busy, "Benches.Busy");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class
            .init_physics(|cx| cx.words[0] += 1)
            .native_spawned(|cx| cx.words[1] += 1)
            .pre_begin_play(|cx| {
                cx.inherited().pre_begin_play();
                cx.words[2] += 1;
            })
            .begin_play(|cx| cx.words[3] += 1)
            .post_begin_play(|cx| cx.words[4] += 1)
            .native_post_begin_play(|cx| cx.words[5] += 1)
            .set_initial_state(|cx| {
                cx.inherited().set_initial_state();
                cx.words[6] += 1;
            })
            .post_net_begin_play(|cx| cx.words[7] += 1)
            .destroyed(|cx| cx.words[0] += 1);
        class
            .state("Awake")
            .auto()
            .begin_state(|cx, _| cx.words[1] += 1)
            .end_state(|cx, _| cx.words[2] += 1);
    }
}

/// A level in play.
fn level() -> Level {
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    level
}

fn spawn<T: Actor>(level: &mut Level) -> ActorRef<T> {
    level.spawn(black_box(Spawn::new())).expect("nothing stands in its way")
}

/// The component of all entities, unless observers need several.
#[derive(Component, Default)]
struct Own(Words);

/// `count` things are spawned, then destroyed in random order, again and again in the same world.
fn lives<W: 'static, I: Copy + 'static>(
    name: &'static str,
    mut world: W,
    count: usize,
    spawn: impl Fn(&mut W) -> I + 'static,
    destroy: impl Fn(&mut W, I) + 'static,
) -> Case {
    let order = shuffled(count);
    let mut things = Vec::with_capacity(count);
    let mut wave = move || {
        things.extend((0..count).map(|_| spawn(&mut world)));
        order
            .iter()
            .for_each(|place| destroy(&mut world, black_box(things[*place])));
        things.clear();
    };
    if count < 1_000_000 {
        return Case::batches(name, count, wave);
    }
    Case::fixed(name, count, move || nanoseconds(&mut wave))
}

fn in_level<T: Actor>(count: usize) -> Case {
    lives(ACEDIA, level(), count, spawn::<T>, |level, actor| {
        assert!(level.destroy(actor));
    })
}

fn in_bevy<B: Bundle + Default>(world: World, count: usize) -> Case {
    let spawn = |world: &mut World| world.spawn(black_box(B::default())).id();
    lives(BEVY, world, count, spawn, |world, entity| {
        assert!(world.despawn(entity));
    })
}

fn in_slotmap(count: usize) -> Case {
    let insert = |map: &mut SlotMap<DefaultKey, Words>| map.insert(black_box(Words::default()));
    lives("slotmap", SlotMap::new(), count, insert, |map, key| {
        assert!(map.remove(key).is_some());
    })
}

fn without_handlers(count: usize) -> Vec<Case> {
    vec![
        in_level::<Idle>(count),
        in_bevy::<Own>(World::new(), count),
        in_slotmap(count),
    ]
}

/// Each entity of bevy has eleven observers of its components: five of `Add`, one of `Insert` and five of `Remove`.
fn with_handlers(count: usize) -> Vec<Case> {
    let mut world = World::new();
    observe::<0>(&mut world);
    observe::<1>(&mut world);
    observe::<2>(&mut world);
    observe::<3>(&mut world);
    observe::<4>(&mut world);
    world.add_observer(|on: On<Insert<Part<0>>>, mut parts: Query<&mut Part<0>>| tell(on.entity, &mut parts));
    vec![in_level::<Busy>(count), in_bevy::<Parts>(world, count)]
}

type Parts = (Part<0>, Part<1>, Part<2>, Part<3>, Part<4>);

#[derive(Component, Default)]
struct Part<const N: usize>([u64; 2]);

fn observe<const N: usize>(world: &mut World) {
    world.add_observer(|on: On<Add<Part<N>>>, mut parts: Query<&mut Part<N>>| tell(on.entity, &mut parts));
    world.add_observer(|on: On<Remove<Part<N>>>, mut parts: Query<&mut Part<N>>| tell(on.entity, &mut parts));
}

fn tell<const N: usize>(entity: Entity, parts: &mut Query<&mut Part<N>>) {
    if let Ok(mut part) = parts.get_mut(entity) {
        part.0[0] += 1;
    }
}

/// Calls `work` with each thing, in random order, and adds up the results.
fn with_each<I: Copy + 'static>(name: &'static str, things: &[I], mut work: impl FnMut(I) -> u64 + 'static) -> Case {
    let order: Vec<I> = shuffled(COUNT).into_iter().map(|place| things[place]).collect();
    Case::batches(name, COUNT, move || {
        black_box(&order).iter().map(|id| work(*id)).fold(0, u64::wrapping_add)
    })
}

fn many<I>(make: impl FnMut() -> I) -> Vec<I> {
    std::iter::repeat_with(make).take(COUNT).collect()
}

fn read() -> Vec<Case> {
    let (mut level, mut world, mut map) = (level(), World::new(), SlotMap::new());
    let actors: Vec<ActorRef<Idle>> = many(|| spawn(&mut level));
    let entities: Vec<Entity> = many(|| world.spawn(Own::default()).id());
    let keys: Vec<DefaultKey> = many(|| map.insert(Words::default()));
    vec![
        with_each(ACEDIA, &actors, move |actor| {
            level.get(actor).map_or(1, |it| it.words[0])
        }),
        with_each(BEVY, &entities, move |entity| {
            world.get::<Own>(entity).map_or(1, |it| it.0[0])
        }),
        with_each("slotmap", &keys, move |key| map.get(key).map_or(1, |it: &Words| it[0])),
    ]
}

/// Adds up a field of all actors, in the order of the level.
fn visit() -> Vec<Case> {
    const ACTORS: usize = 10_000;
    let (mut level, mut changing, mut world) = (level(), level(), World::new());
    for _ in 0..ACTORS {
        spawn::<Idle>(&mut level);
        spawn::<Idle>(&mut changing);
        world.spawn(Own::default());
    }
    let mut things = world.query::<&Own>();
    vec![
        Case::batches(ACEDIA, ACTORS, move || {
            black_box(&level)
                .values::<Idle>()
                .map(|(_, it)| it.words[0])
                .sum::<u64>()
        }),
        Case::batches("acedia with a cursor", ACTORS, move || {
            let (mut actors, mut sum) = (changing.all::<Idle>(), 0);
            while let Some(actor) = actors.next(&changing) {
                sum += changing.get(actor).map_or(1, |it| it.words[0]);
            }
            sum
        }),
        Case::batches(BEVY, ACTORS, move || things.iter(&world).map(|it| it.0[0]).sum::<u64>()),
    ]
}

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

trait TakeDamage {
    fn take_damage(&mut self, damage: u64) -> u64;
}

impl TakeDamage for Target {
    fn take_damage(&mut self, damage: u64) -> u64 {
        self.words[0] += damage;
        self.words[0]
    }
}

#[derive(EntityEvent)]
struct Damage {
    entity: Entity,
    amount: u64,
}

/// Compares a function, a bevy event with one observer, and a virtual call, which checks no reference.
fn call() -> Vec<Case> {
    let (mut level, mut world) = (level(), World::new());
    world.add_observer(|on: On<Damage>, mut things: Query<&mut Own>| {
        if let Ok(mut own) = things.get_mut(on.entity) {
            own.0[0] += on.amount;
        }
    });
    let actors: Vec<ActorRef<Target>> = many(|| spawn(&mut level));
    let entities: Vec<Entity> = many(|| world.spawn(Own::default()).id());
    let mut boxes: Vec<Box<dyn TakeDamage>> = many(|| Box::new(Target::default()) as Box<dyn TakeDamage>);
    vec![
        with_each(ACEDIA, &actors, move |actor| level.call(actor, &TAKE_DAMAGE, 1)),
        with_each(BEVY, &entities, move |entity| {
            world.trigger(Damage { entity, amount: 1 });
            1
        }),
        with_each(DYN, &(0..COUNT).collect::<Vec<_>>(), move |place| {
            boxes[place].take_damage(1)
        }),
    ]
}

trait Tick {
    fn tick(&mut self, seconds: f32);
}

/// Classes that differ only in their names.
macro_rules! classes {
    ($($nth:literal $class:ident $name:literal;)+) => {
        $(
            #[derive(Default)]
            struct $class {
                words: Words,
            }

            impl Actor for $class {
                actor!($class, $name);

                fn describe(class: &mut ClassBuilder<'_, Self>) {
                    class.tick(|cx, seconds| _ = black_box((cx, seconds, $nth)));
                }
            }

            impl Tick for $class {
                fn tick(&mut self, seconds: f32) {
                    black_box((&self.words, seconds, $nth));
                }
            }
        )+

        const BOXES: [fn() -> Box<dyn Tick>; 8] = [$(|| Box::<$class>::default()),+];
        const SPAWNS: [fn(&mut Level); 8] = [$(|level| _ = spawn::<$class>(level)),+];
    };
}

classes! {
    0 Ticker0 "Benches.Ticker0";
    1 Ticker1 "Benches.Ticker1";
    2 Ticker2 "Benches.Ticker2";
    3 Ticker3 "Benches.Ticker3";
    4 Ticker4 "Benches.Ticker4";
    5 Ticker5 "Benches.Ticker5";
    6 Ticker6 "Benches.Ticker6";
    7 Ticker7 "Benches.Ticker7";
}

struct NoSteps;

impl EventSink for NoSteps {
    fn record(&mut self, step: &Step<'_>) {
        black_box(step);
    }
}

/// Ticks of things of these classes, with an empty handler.
fn tick(kinds: &[usize]) -> Vec<Case> {
    let (mut level, mut recorded) = (level(), level());
    for kind in kinds {
        SPAWNS[kind % 8](&mut level);
        SPAWNS[kind % 8](&mut recorded);
    }
    recorded.set_sink(NoSteps);
    let mut boxes: Vec<_> = kinds.iter().map(|kind| BOXES[kind % 8]()).collect();
    let mut plain = vec![Words::default(); kinds.len()];
    vec![
        Case::batches(ACEDIA, kinds.len(), move || level.tick(black_box(0.1))),
        Case::batches("acedia with a sink", kinds.len(), move || recorded.tick(black_box(0.1))),
        Case::batches(DYN, kinds.len(), move || {
            let seconds = black_box(0.1);
            boxes.iter_mut().for_each(|it| it.tick(seconds));
        }),
        Case::batches(BARE, kinds.len(), move || {
            let seconds = black_box(0.1_f32);
            black_box(&mut plain)
                .iter_mut()
                .for_each(|it| _ = black_box((it, seconds)));
        }),
    ]
}
