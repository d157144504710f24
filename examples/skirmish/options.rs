//! [`Options`]: the command line.

use std::fmt::Display;
use std::path::PathBuf;
use std::thread;

use lexopt::prelude::*;

/// Printed by `--help`.
pub(crate) const HELP: &str = "\
A headless match on pooled objects: projectiles, items and chat lines, spawned and freed by several
threads and read by others through keys and handles that may be stale. A level of actors
runs at the same time.

Usage: cargo run --release --example skirmish -- [OPTIONS]

Options:
      --ticks N          how many ticks each thread plays [default: 400000]
      --threads N        how many threads play it, 1 to 1024 [default: one per core]
      --seed N           seed of the random numbers [default: 1]
      --input FILE       UTF-8 text whose lines become chat messages [default: the README]
      --config FILE.ini  limits for the pools, in the section [AcediaCore.AcediaObjectPool]:
                         poolSizeOverwrite=(objectClass=Skirmish.Item,maxPoolSize=500)
      --save FILE.json   save the level at the end of the match
      --restore FILE.json
                         begin with a saved level; you may edit the actors in FILE.json
      --json             print the report as one JSON object
      --baseline         play the match once more on Arc, Weak, Mutex and String, and compare
      --watch            show the classes on the terminal during the match; the key q ends the match
      --inspect          serve statistics as a web page; the address is printed
      --leak             leak one projectile, to show that the report finds it
  -h, --help             print this

Ctrl-C ends the match early in every mode and prints the report; a second Ctrl-C ends the process at once.

Exit status: 0 if all is well, even after q; 1 if an object leaked, a stale handle resolved to an object, or the
level was not restored as it was saved; 2 if the options are wrong or the match could not be played; 130
after Ctrl-C, if all is well.
";

const MOST_THREADS: usize = 1_024;
/// With this many ticks, the ids of a thread's objects, about 50 per tick, fit into 40 bits.
const MOST_TICKS: u64 = 1_000_000_000;

/// The settings of a match.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the command line, each by itself"
)]
pub(crate) struct Options {
    pub(crate) ticks: u64,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    pub(crate) input: PathBuf,
    pub(crate) config: Option<PathBuf>,
    pub(crate) save: Option<PathBuf>,
    pub(crate) restore: Option<PathBuf>,
    pub(crate) json: bool,
    pub(crate) baseline: bool,
    pub(crate) watch: bool,
    pub(crate) inspect: bool,
    pub(crate) leak: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ticks: 400_000,
            threads: thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS)),
            seed: 1,
            input: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")),
            config: None,
            save: None,
            restore: None,
            json: false,
            baseline: false,
            watch: false,
            inspect: false,
            leak: false,
        }
    }
}

impl Options {
    /// Reads the arguments of the process. `None` if they ask for help.
    pub(crate) fn from_arguments() -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self::default();
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("ticks") => {
                    options.ticks = arguments.value()?.parse().map_err(of("ticks"))?;
                    in_range("ticks", options.ticks, 1, MOST_TICKS)?;
                }
                Long("threads") => {
                    options.threads = arguments.value()?.parse().map_err(of("threads"))?;
                    in_range("threads", options.threads, 1, MOST_THREADS)?;
                }
                Long("seed") => options.seed = arguments.value()?.parse().map_err(of("seed"))?,
                Long("input") => options.input = arguments.value()?.into(),
                Long("config") => options.config = Some(arguments.value()?.into()),
                Long("save") => options.save = Some(arguments.value()?.into()),
                Long("restore") => options.restore = Some(arguments.value()?.into()),
                Long("json") => options.json = true,
                Long("baseline") => options.baseline = true,
                Long("watch") => options.watch = true,
                Long("inspect") => options.inspect = true,
                Long("leak") => options.leak = true,
                Long("help") | Short('h') => return Ok(None),
                _ => return Err(argument.unexpected()),
            }
        }
        Ok(Some(options))
    }

    /// The ticks of all threads together.
    pub(crate) fn ticks_in_all(&self) -> u64 {
        self.ticks * self.threads as u64
    }
}

/// Names the option whose number is wrong.
fn of(option: &str) -> impl Fn(lexopt::Error) -> lexopt::Error {
    move |error| format!("--{option}: {error}").into()
}

fn in_range<N: Copy + PartialOrd + Display>(option: &str, given: N, least: N, most: N) -> Result<(), lexopt::Error> {
    if given < least || given > most {
        return Err(format!("--{option} {given}: expected a number from {least} to {most}").into());
    }
    Ok(())
}
