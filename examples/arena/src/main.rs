//! A small game on actors, as a tutorial: one hero against thirty goblins, turn by turn, in the terminal. Play it with
//! `cargo run -p arena`, or without a terminal: `cargo run -p arena -- --script llllbhhh....`
//!
//! Read `body`, a class with functions of its own; `barrel`, a class below it, with a timer; `hero`, whose states change its
//! functions; `goblin` and `ogre`, whose states have code; `waves`, the rules; `play`, the level from outside, with save and
//! load. The chapter `docs/actors.md` explains these parts.

mod barrel;
mod body;
mod goblin;
mod hero;
mod ogre;
mod play;
mod view;
mod waves;

use std::error::Error;
use std::process::ExitCode;

use lexopt::prelude::*;

use crate::play::Play;

const HELP: &str = "h j k l or arrows: walk and hit; b: place a barrel; s: raise the shield; `.`: wait
S: save; L: load; q or Ctrl-C: quit. On the map, b explodes when hit, and z wakes up.
";

const OPTIONS: &str = "
Options of `cargo run -p arena --`:
      --seed N       seed of the random field [default: 1]
      --file FILE    where the game is saved [default: arena.json]
      --script KEYS  play these keys, without a terminal
  -h, --help         print this; the exit status is 2 after an error
";

fn main() -> ExitCode {
    let Err(error) = run() else { return ExitCode::SUCCESS };
    let hint = if error.is::<lexopt::Error>() {
        "; try --help"
    } else {
        ""
    };
    eprintln!("arena: {error}{hint}");
    ExitCode::from(2)
}

/// Plays, and prints the last picture.
fn run() -> Result<(), Box<dyn Error>> {
    let (mut seed, mut file, mut script) = (1, "arena.json".into(), None);
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("seed") => {
                let number = arguments.value()?.parse();
                seed = number.map_err(|error| lexopt::Error::from(format!("--seed: {error}")))?;
            }
            Long("file") => file = arguments.value()?.into(),
            Long("script") => script = Some(arguments.value()?.string()?),
            Long("help") | Short('h') => {
                print!("{HELP}{OPTIONS}");
                return Ok(());
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    let mut play = Play::new(seed, file);
    match script {
        Some(keys) => keys.chars().try_for_each(|key| play.press(key))?,
        None => view::show(&mut play, HELP)?,
    }
    print!("{}", play.picture());
    Ok(())
}
