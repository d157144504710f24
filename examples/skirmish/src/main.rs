//! Fleets that shoot at each other, each on a thread of its own, while the main thread draws all of them.
//!
//! ```text
//! cargo run --release -p skirmish
//! cargo run --release -p skirmish -- --seconds 60 --threads 6
//! ```
//!
//! A missile refers to its target by a handle, although another thread may destroy the target at any time. Read `objects`, the classes;
//! `fleet`, which allocates, frees, and reads what others may free; `picture`, which reads everything.

mod fleet;
mod objects;
mod picture;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use acedia::{Class, Object, classes};

use crate::fleet::{Fleet, Tally};
use crate::objects::{Missile, Ship, Spark};
use crate::picture::{LINES, picture};

const HELP: &str = "\
Fleets of several threads shoot at each other's ships. A missile finds its target through a handle,
which is stale once the ship's thread has destroyed the ship. On a terminal you watch the match,
then it is played once more at full speed for two seconds, and counted.

Options of `cargo run --release -p skirmish --`:
      --seconds N  how long to watch, 0 to 3600 [default: 10]
      --threads N  fleets, 2 to 64 [default: one per core, at least 2]
  -h, --help       print this
";

fn main() -> ExitCode {
    match options() {
        Ok(Some((seconds, threads))) => play(seconds, threads).unwrap_or_else(|error| fail(&error.to_string())),
        Ok(None) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(message) => fail(&format!("{message}; try --help")),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("skirmish: {message}");
    ExitCode::from(2)
}

/// The seconds and the threads. `None` for the help.
fn options() -> Result<Option<(u64, usize)>, String> {
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let (mut seconds, mut threads) = (10, cores.clamp(2, 64) as u64);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let (number, range) = match argument.as_str() {
            "--seconds" => (&mut seconds, 0..=3_600),
            "--threads" => (&mut threads, 2..=64),
            "-h" | "--help" => return Ok(None),
            other => return Err(format!("unknown option `{other}`")),
        };
        let value = arguments.next().and_then(|value| value.parse().ok());
        let value = value.filter(|value| range.contains(value));
        *number = value.ok_or_else(|| {
            format!(
                "{argument}: expected a number from {} to {}",
                range.start(),
                range.end()
            )
        })?;
    }
    Ok(Some((seconds, usize::try_from(threads).expect("at most 64"))))
}

fn play(seconds: u64, threads: usize) -> io::Result<ExitCode> {
    if io::stdout().is_terminal() {
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut out = io::stdout();
        round(threads, Duration::from_millis(20), || {
            write!(out, "{}", picture(true))?;
            let classes = [Ship::class(), Missile::class(), Spark::class()].map(|class| class.stats().live);
            writeln!(
                out,
                "{} ships, {} missiles, {} sparks\x1b[K",
                classes[0], classes[1], classes[2]
            )?;
            out.flush()?;
            thread::sleep(Duration::from_millis(40));
            let goes_on = Instant::now() < end;
            if goes_on {
                write!(out, "\x1b[{}A", LINES + 1)?;
            }
            Ok(goes_on)
        })?;
    }
    let started = Instant::now();
    let mut last = String::new();
    let tally = round(threads, Duration::ZERO, || {
        thread::sleep(Duration::from_millis(20));
        last = picture(false);
        Ok(started.elapsed() < Duration::from_secs(2))
    })?;
    if !io::stdout().is_terminal() {
        print!("{last}");
    }
    // All objects are freed. Finalizes those that waited for a reader, and keeps all for reuse.
    classes().into_iter().for_each(Class::settle);
    println!("\nAt full speed, in two seconds, on {threads} threads:\n");
    let classes: [&Class; 3] = [Ship::class(), Missile::class(), Spark::class()];
    let mut leaked = 0;
    for (class, lives) in classes.into_iter().zip(tally.lives) {
        let stats = class.stats();
        leaked += stats.live;
        println!("{lives:>12} lives of {} in {} objects", class.name(), stats.kept);
    }
    println!("{:>12} reads of living targets", tally.found);
    println!(
        "{:>12} reads of targets that had been destroyed: each got `None`",
        tally.stale
    );
    println!(
        "{:>12} reads that found another ship; {leaked} objects leaked",
        tally.wrong
    );
    Ok(ExitCode::from(u8::from(tally.wrong + leaked > 0)))
}

/// Plays on `threads` threads until `watch`, which is called again and again, returns `false`. Each tick takes at least `pace`.
fn round(threads: usize, pace: Duration, mut watch: impl FnMut() -> io::Result<bool>) -> io::Result<Tally> {
    let stop = &AtomicBool::new(false);
    thread::scope(|scope| {
        let fleets = (0..threads).map(|number| {
            scope.spawn(move || {
                let mut fleet = Fleet::new(number);
                while !stop.load(Relaxed) {
                    fleet.tick();
                    if !pace.is_zero() {
                        thread::sleep(pace);
                    }
                }
                fleet.tally
            })
        });
        let fleets: Vec<_> = fleets.collect();
        let watched = loop {
            match watch() {
                Ok(true) => {}
                ended => break ended,
            }
        };
        stop.store(true, Relaxed);
        let mut sum = Tally::default();
        for fleet in fleets {
            // Joined explicitly: the scope may not wait until a thread has returned its free objects.
            let tally = fleet.join().expect("no fleet panics");
            (0..3).for_each(|class| sum.lives[class] += tally.lives[class]);
            (sum.found, sum.stale, sum.wrong) = (
                sum.found + tally.found,
                sum.stale + tally.stale,
                sum.wrong + tally.wrong,
            );
        }
        watched.map(|_| sum)
    })
}
