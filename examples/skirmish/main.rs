//! A headless match, as a game server would run it: a level of actors on one thread, and several threads that spawn and
//! free objects as fast as they can, and read each other's objects through keys and handles that may be stale.
//!
//! ```text
//! cargo run --release --example skirmish
//! cargo run --release --example skirmish -- --baseline
//! cargo run --release --example skirmish -- --save match.json
//! cargo run --release --example skirmish -- --restore match.json
//! ```
//!
//! To learn the library, read in this order:
//!
//! 1. `objects`: plain data with a pool, and how a type becomes a class with a pool;
//! 2. `pools`: allocate, make a key or a handle, set, read; beside it `heap`, the same without the library;
//! 3. `gunner`, `player`, `chat`: what one does with that (free by dropping, set what others read, refer to what others
//!    may free, read many objects under one pin, hand an owner to another thread);
//! 4. `level`: pawns, projectiles, pickups, a mutator, triggers and a chat, as actors; saved and restored as JSON;
//! 5. this file: limits from a configuration, and numbers at the end.
//!
//! The rest is the match around it: `fighter` is one thread's part and `round` the whole; `arena` is the data shared by
//! the threads; `sight` checks every look; `tally` counts; `watch`, `screen` and `terminal` show the classes during the
//! match.

mod arena;
mod census;
mod chat;
mod fighter;
mod gunner;
mod heap;
mod interrupt;
mod level;
mod objects;
mod options;
mod player;
mod pools;
mod progress;
mod random;
mod report;
mod round;
mod screen;
mod script;
mod sight;
mod tally;
mod terminal;
mod watch;
mod world;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use acedia::{Config, PlainObject, Pools as KeepOrDrop, collect_garbage, configure};
use acedia_inspect::Inspector;

use crate::census::Census;
use crate::heap::Heap;
use crate::objects::Projectile;
use crate::options::{HELP, Options};
use crate::pools::Pools;
use crate::report::Report;
use crate::script::Script;

/// Something leaked, a stale handle led to an object, or the level was not restored as it was saved.
const UNSOUND: u8 = 1;
/// The match could not be played.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    run().unwrap_or_else(|message| {
        eprintln!("skirmish: {message}");
        ExitCode::from(TROUBLE)
    })
}

fn run() -> Result<ExitCode, String> {
    interrupt::listen().map_err(|error| format!("cannot handle Ctrl-C: {error}"))?;
    let options = Options::from_arguments().map_err(|error| format!("{error}; try --help"))?;
    let Some(options) = options else {
        print(HELP)?;
        return Ok(ExitCode::SUCCESS);
    };
    let script = Script::read(&options.input)?;
    if let Some(file) = &options.config {
        set_limits(file)?;
    }

    let _inspector = options.inspect.then(inspect).transpose()?;
    let pools = round::play::<Pools>(&options, &script, "pools")?;
    if options.leak {
        std::mem::forget(Projectile::default().insert());
    }
    // All objects have been freed. This finishes those that waited for readers, and keeps the free objects.
    collect_garbage(KeepOrDrop::Keep);
    let classes = Census::of_all(&pools);
    // A match that was ended early cannot be compared with one of full length.
    let heap = (options.baseline && !pools.ended_early).then(|| round::play::<Heap>(&options, &script, "baseline"));

    if let Some(file) = &options.save {
        let written = fs::write(file, &pools.level.saved);
        written.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    let report = Report {
        options: &options,
        pools,
        classes,
        heap: heap.transpose()?.filter(|heap| !heap.ended_early),
    };
    print(&if options.json {
        format!("{}\n", report.to_json())
    } else {
        report.to_string()
    })?;
    if report.leaked() == 0 && report.stale_resolved() == 0 && report.is_restored() {
        let is_interrupted = interrupt::is_wanted();
        Ok(ExitCode::from(if is_interrupted { interrupt::STATUS } else { 0 }))
    } else {
        eprintln!(
            "skirmish: {} objects leaked, {} stale handles resolved, level restored as saved: {}",
            report.leaked(),
            report.stale_resolved(),
            report.is_restored()
        );
        Ok(ExitCode::from(UNSOUND))
    }
}

/// Serves the pools while the result exists. Says where on standard error, so that the report can be redirected.
fn inspect() -> Result<Inspector, String> {
    let inspector = Inspector::start().map_err(|error| format!("--inspect: {error}"))?;
    eprintln!("pools: {}", inspector.url());
    Ok(inspector)
}

/// Limits the pools as a configuration file says.
fn set_limits(file: &Path) -> Result<(), String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let config = Config::from_ini(&text).map_err(|error| format!("{name}: {error}"))?;
    for unknown in configure(&config) {
        eprintln!("skirmish: {name}: {unknown}");
    }
    Ok(())
}

/// Prints to standard output. A closed pipe is no error.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot print: {error}")),
        _ => Ok(()),
    }
}
