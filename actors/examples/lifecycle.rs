//! The life of an actor, step by step, in one generation of the engine or in all three side by side.
//!
//!     cargo run --release --example lifecycle -- --rules ue2
//!     cargo run --release --example lifecycle            # all three

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use acedia_actors::world::{BoxZones, CylinderGrid};
use acedia_actors::{
    Aabb, Actor, ActorRef, ClassBuilder, Function, GameInfo, Level, Mutator, Pawn, PhysicsVolume, Recorder, Repeat,
    Rules, Spawn, Stage, Trace, Vector, ZoneInfo, actor,
};
use lexopt::prelude::*;

const HELP: &str = "\
The life of an actor, step by step.

    lifecycle [--rules ue1|ue2|ue3]

      --rules ue1|ue2|ue3  the rules of one version of Unreal Engine [default: all three, side by side]
  -h, --help               print this

The letter and number at the start of a line name the step of the sequence: see the table \"Steps\" in the documentation of the
crate acedia-actors. The exit status is 2 after an error.
";

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
    // Its own frame only: other actors tick, too.
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

/// Lines of several lists beside each other: a line of one stands beside the same line of the others, as far as they
/// come in the same order.
fn side_by_side(columns: &[Vec<String>]) -> Vec<Vec<&str>> {
    let mut at = vec![0; columns.len()];
    let mut rows = Vec::new();
    while let Some(next) = next_line(columns, &at) {
        let mut row = Vec::new();
        for (column, at) in columns.iter().zip(&mut at) {
            let same = column.get(*at).is_some_and(|line| line == next);
            row.push(if same { next } else { "" });
            *at += usize::from(same);
        }
        rows.push(row);
    }
    rows
}

/// The line that stands first in a column and soonest in the others.
fn next_line<'a>(columns: &'a [Vec<String>], at: &[usize]) -> Option<&'a str> {
    let rest = || columns.iter().zip(at).map(|(column, at)| &column[*at..]);
    let ahead = |line: &&String| -> usize {
        rest()
            .map(|lines| lines.iter().position(|it| it == *line).unwrap_or(0))
            .sum()
    };
    rest()
        .filter_map(<[String]>::first)
        .min_by_key(ahead)
        .map(String::as_str)
}

fn main() -> ExitCode {
    let Err(error) = show() else { return ExitCode::SUCCESS };
    let io = error.downcast_ref::<io::Error>();
    if io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe) {
        // The reader has closed the pipe, which is no error.
        return ExitCode::SUCCESS;
    }
    let hint = if error.is::<lexopt::Error>() {
        "; try --help"
    } else {
        ""
    };
    eprintln!("lifecycle: {error}{hint}");
    ExitCode::from(2)
}

fn show() -> Result<(), Box<dyn Error>> {
    let mut wanted = Vec::new();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("rules") => {
                wanted.push(match arguments.value()?.string()?.as_str() {
                    "ue1" => Rules::ue1(),
                    "ue2" => Rules::ue2(),
                    "ue3" => Rules::ue3(),
                    other => {
                        return Err(lexopt::Error::from(format!("--rules: {other} is none of ue1, ue2, ue3")).into());
                    }
                });
            }
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(());
            }
            other => return Err(other.unexpected().into()),
        }
    }
    if wanted.is_empty() {
        wanted = vec![Rules::ue1(), Rules::ue2(), Rules::ue3()];
    }
    let mut out = io::stdout().lock();
    let mut columns = Vec::new();
    for rules in &wanted {
        columns.push(life(rules.clone())?.iter().map(line).collect::<Vec<_>>());
    }
    let width = columns.iter().flatten().map(String::len).max().unwrap_or(0);
    let headings: Vec<_> = wanted.iter().map(|rules| rules.generation.to_string()).collect();
    let headings = headings.iter().map(String::as_str).collect();
    for row in [headings].into_iter().chain(side_by_side(&columns)) {
        let cells: Vec<_> = row.iter().map(|cell| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
