//! The `tracing` events and spans of the crates and of a program: `cargo run --example logs -- warn` shows only warnings.
//!
//! The table of targets and levels is in `integrations/README.md`.
#![forbid(unsafe_code)]

use std::env;
use std::error::Error;

use acedia::{Reclaimed, collect_garbage};
use acedia_actors::{Actor, ActorRef, ClassBuilder, Level, Rules, Spawn, Stage, actor};
use acedia_collections::{Item, Nested};
use acedia_json as json;
use tracing::{debug, debug_span, field, info_span};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Follows an actor, without checking that it is alive.
#[derive(Debug, Default)]
struct Missile {
    target: Option<ActorRef<Target>>,
}

impl Actor for Missile {
    actor!(Missile, "Logs.Missile");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.tick(|cx, _seconds| {
            if let Some(target) = cx.target {
                cx.others.value_or_null(target, |it: &Target| it.armor);
            }
        });
    }
}

#[derive(Debug, Default)]
struct Target {
    armor: i32,
}

impl Actor for Target {
    actor!(Target, "Logs.Target");
}

fn main() -> Result<(), Box<dyn Error>> {
    let level = env::args().nth(1).unwrap_or_else(|| "trace".into());
    let level: LevelFilter = level.parse()?;
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_span_events(FmtSpan::CLOSE)
        .with_ansi(false)
        .without_time()
        .init();
    let settings = parsed(r#"{"targets": [{"armor": 10}]}"#)?;
    let armor = settings.get_by("/targets/0/armor").as_int();
    drop(settings);
    play(armor.unwrap_or_default());
    let reclaimed = collected();
    debug!(bytes = reclaimed.bytes, "given back");
    Ok(())
}

/// A frame with a target and one without.
fn play(armor: i32) {
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    let target = level.spawn::<Target>(Spawn::new());
    let missile = level.spawn::<Missile>(Spawn::new());
    if let (Some(missile), Some(target)) = (missile, target) {
        level.change_or_null(target, |it| it.armor = armor);
        level.change_or_null(missile, |it| it.target = Some(target));
        level.tick(0.1);
        level.destroy(target);
        level.tick(0.1); // warns
        level.goto_state(missile, "Flying"); // warns
    }
    // Both fail and warn.
    let _ = level.spawn_by_name("Logs.Missiles", Spawn::new());
    let _ = level.spawn_by_name("Engine.LevelInfo", Spawn::new());
}

/// The program itself reports the times of documents and collections, because only it knows which are large.
fn parsed(document: &str) -> Result<Item, Box<dyn Error>> {
    let _span = debug_span!("parse", bytes = document.len()).entered();
    Ok(json::parse(document)?)
}

fn collected() -> Reclaimed {
    let span = info_span!("collect_garbage", objects = field::Empty).entered();
    let reclaimed = collect_garbage();
    span.record("objects", reclaimed.objects);
    reclaimed
}
