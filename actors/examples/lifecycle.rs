//! The life of an actor, step by step, in one generation of the engine or in all three, one after the other.
//!
//!     cargo run --release --example lifecycle -- ue2
//!     cargo run --release --example lifecycle         # all three
//!
//! The letter and number at the start of a line name the step of the sequence: see the table "Steps" in the documentation of the
//! crate.

use std::env;
use std::error::Error;

use acedia_actors::world::{BoxZones, CylinderGrid};
use acedia_actors::{
    Aabb, Actor, ActorRef, ClassBuilder, Function, GameInfo, Level, Mutator, Pawn, PhysicsVolume, Recorder, Repeat,
    Rules, Spawn, Stage, Trace, Vector, ZoneInfo, actor,
};

/// `function int TakeDamage(int Amount)`: the health that is left.
static TAKE_DAMAGE: Function<Barrel, i32, i32> = Function::new("TakeDamage");
static HISS: Function<Barrel> = Function::new("Hiss");

#[derive(Default)]
struct Barrel {
    health: i32,
    smoke: Option<ActorRef<Smoke>>,
}

impl Actor for Barrel {
    actor!(Barrel, "Lifecycle.Barrel");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.defaults(|it| {
            it.collide_actors = true;
            it.collide_world = true;
            it.should_base_at_startup = true;
        });
        class.post_begin_play(|cx| {
            cx.health = 100;
            cx.smoke = cx.spawn::<Smoke>(Spawn::new().owned_by(cx.me()));
            cx.set_timer_of(&HISS, 0.25, Repeat::Looping); // third generation
            cx.set_timer(0.5, Repeat::Once);
        });
        class.timer(|cx| _ = cx.call(&TAKE_DAMAGE, 100));
        class.function(&HISS, |_, ()| ());
        class.function(&TAKE_DAMAGE, |cx, amount| {
            cx.health -= amount;
            if cx.health <= 0 {
                cx.destroy();
            }
            cx.health
        });
        class.destroyed(|cx| {
            if let Some(smoke) = cx.smoke {
                cx.others.destroy(smoke);
            }
        });
        class.state("Standing").auto();
    }
}

#[derive(Default)]
struct Smoke;

impl Actor for Smoke {
    actor!(Smoke, "Lifecycle.Smoke");
}

#[derive(Default)]
struct Trigger;

impl Actor for Trigger {
    actor!(Trigger, "Lifecycle.Trigger");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.defaults(|it| it.collide_actors = true);
    }
}

/// A barrel with an owner, a mutator that looks at it, a zone, a volume, something to touch and ground to stand on, is
/// spawned, and destroys itself when its timer has run out.
fn life(rules: Rules) -> Result<Vec<Trace>, Box<dyn Error>> {
    let mut level = Level::new(rules);
    let mut world = CylinderGrid::default();
    let ground = Aabb::new(Vector::new(-999.0, -999.0, -50.0), Vector::new(999.0, 999.0, 0.0));
    world.add_solid(ground);
    level.set_world(world);
    let zone = level.place::<ZoneInfo>(Spawn::new())?;
    let volume = level.place::<PhysicsVolume>(Spawn::new())?;
    let mut zones = BoxZones::default();
    let pool = Aabb::new(Vector::new(-50.0, -50.0, 0.0), Vector::new(50.0, 50.0, 99.0));
    zones.add_zone(zone, pool, 0).add_volume(volume, pool, 0);
    level.set_zones(zones);
    let game = level.try_spawn::<GameInfo>(Spawn::new())?;
    level.set_game(game);
    let mutator = level.try_spawn::<Mutator>(Spawn::new())?;
    level.add_mutator(mutator);
    let owner = level.place::<Pawn>(Spawn::new().at(Vector::new(500.0, 0.0, 40.0)))?;
    level.place::<Trigger>(Spawn::new().at(Vector::new(20.0, 0.0, 22.0)))?;
    level.start();

    let recorder = Recorder::default();
    level.set_sink(recorder.clone());
    let spawn = Spawn::new().at(Vector::new(0.0, 0.0, 22.0)).owned_by(owner);
    let barrel = level.try_spawn::<Barrel>(spawn)?;
    level.tick(0.5);
    assert!(!level.is_alive(barrel));
    // The barrel's ticks only: other actors tick, too.
    let others = |trace: &Trace| trace.row != "1.12" || trace.on.starts_with("Barrel");
    Ok(recorder.take().into_iter().filter(others).collect())
}

/// Names without the numbers, which differ from generation to generation.
fn line(trace: &Trace) -> String {
    let indent = "  ".repeat(trace.depth as usize);
    let text = trace.to_string();
    let (row, what) = text.split_once(' ').unwrap_or(("", &text));
    let what: String = what.chars().filter(|c| !c.is_ascii_digit()).collect();
    format!("{row:<5}{indent}{what}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = match env::args().nth(1).as_deref() {
        Some("ue1") => vec![Rules::ue1()],
        Some("ue2") => vec![Rules::ue2()],
        Some("ue3") => vec![Rules::ue3()],
        None => vec![Rules::ue1(), Rules::ue2(), Rules::ue3()],
        Some(other) => return Err(format!("{other} is none of ue1, ue2, ue3").into()),
    };
    for rules in wanted {
        println!("{}", rules.generation);
        for trace in life(rules)? {
            println!("{}", line(&trace));
        }
    }
    Ok(())
}
