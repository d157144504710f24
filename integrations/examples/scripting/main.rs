//! rhai scripts that read and write lists, tables and actors. `--help` says how.
#![forbid(unsafe_code)]

mod actors;
mod collection;
mod list;
mod table;
mod turret;
mod value;
mod world;

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lexopt::prelude::*;
use rhai::Engine;

use world::World;

/// Printed by `--help`.
const HELP: &str = "\
Runs a rhai script that plays with lists, tables and actors.

Usage: cargo run --example scripting -- [--script FILE]

      --script FILE  the script, or - for standard input [default: arena.rhai, built into the program]
  -h, --help         print this

Lists and tables:

  list([1, \"two\"])   table(#{a: 1})   a new list or table, which the script owns
  it[i]  it[\"key\"]  it.key            reads or sets an item; a missing item is ()
  it.len                              the number of items
  it.push(x)  it.find(x)  it.contains(key)  it.remove(index or key)
  it.watch()                          makes a reference without ownership
  it.free()                           the script is no longer an owner; without other owners, the object is freed
  for item in list   for key in table

Actors:

  spawn_actor(\"Arena.Turret\")   all_actors(\"Arena.Rocket\")   tick(0.1)   actor.destroy()
  actor.is_alive  actor.class  actor.name  actor.state  actor.location  turret.rockets  turret.log

Using a freed or destroyed object is an error in the script, reported with its line. Exit status: 0 if the script
ended; 1 if it failed; 2 if it can't be read or is not a valid script, or if the options are wrong.
";

/// An endless script is stopped.
const MOST_OPERATIONS: u64 = 10_000_000;

fn main() -> ExitCode {
    match run() {
        Ok(status) => status,
        Err(error) => {
            let hint = if error.is::<lexopt::Error>() {
                "; try --help"
            } else {
                ""
            };
            eprintln!("scripting: {error}{hint}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = lexopt::Parser::from_env();
    let mut file: Option<PathBuf> = None;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("script") => file = Some(arguments.value()?.into()),
            Short('h') | Long("help") => {
                print!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    let (name, script) = script(file.as_deref())?;
    let mut engine = Engine::new();
    engine.set_max_operations(MOST_OPERATIONS);
    let world = World::new();
    list::register(&mut engine, &world);
    table::register(&mut engine, &world);
    actors::register(&mut engine, &world);
    turret::register(&mut engine);
    let script = engine.compile(script).map_err(|error| format!("{name}: {error}"))?;
    Ok(match engine.run_ast(&script) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scripting: {name}: {error}");
            ExitCode::from(1)
        }
    })
}

/// The script and its name.
fn script(file: Option<&Path>) -> Result<(String, String), Box<dyn Error>> {
    let Some(file) = file else {
        let script = include_str!("../scripts/arena.rhai");
        return Ok(("arena.rhai".into(), script.into()));
    };
    let name = file.display().to_string();
    let script = if name == "-" {
        let mut script = String::new();
        io::stdin().read_to_string(&mut script).map(|_| script)
    } else {
        fs::read_to_string(file)
    };
    let script = script.map_err(|error| format!("{name}: {error}"))?;
    Ok((name, script))
}
