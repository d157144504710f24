//! One round: the whole match, on threads, in one world.

use std::fs;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::Arena;
use crate::chat::Talk;
use crate::fighter::Fighter;
use crate::level::{self, Battle};
use crate::options::Options;
use crate::progress::Progress;
use crate::script::Script;
use crate::sight::Sightings;
use crate::tally::{self, PerClass};
use crate::world::World;

/// The outcome of a round.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The time from the start until the last thread was done.
    pub(crate) seconds: f64,
    /// Ticks of all threads together.
    pub(crate) ticks: u64,
    /// Whether the user ended it.
    pub(crate) ended_early: bool,
    /// Memory allocations by the threads.
    pub(crate) allocations: u64,
    pub(crate) seen: PerClass<Sightings>,
    pub(crate) talk: Talk,
    /// The outcome of the level.
    pub(crate) level: level::Outcome,
}

impl Outcome {
    /// The sightings of all classes.
    pub(crate) fn all_seen(&self) -> Sightings {
        let mut all = Sightings::default();
        self.seen.iter().for_each(|seen| all += *seen);
        all
    }
}

/// Plays the match in the world `W`. When this returns, the threads are gone and every object has been freed.
///
/// It is an error if the system cannot start a thread, the terminal cannot be used, or the saved level cannot be
/// restored.
pub(crate) fn play<W: World>(options: &Options, script: &Script, title: &'static str) -> Result<Outcome, String> {
    let battle = begin(options)?;
    let arena = &Arena::<W>::new(options.threads);
    let ticks_done = &AtomicU64::new(0);
    let stop = &AtomicBool::new(false);
    let go_on = |_: &u64| !stop.load(Relaxed);
    let mut progress = Progress::new(title, options)?;
    let allocations_before = tally::allocations();
    let started = Instant::now();

    let mut outcome = Outcome::default();
    let mut trouble = None;
    thread::scope(|scope| {
        // The level is no part of the comparison: both worlds run it beside them, and the times do not include it.
        let battle = move || {
            let mut battle = battle;
            for tick in (0..options.ticks.div_ceil(level::PACE)).take_while(go_on) {
                battle.tick(script.line(usize::try_from(tick).unwrap_or(usize::MAX)));
            }
            battle.finish()
        };
        let level = thread::Builder::new()
            .name("level".to_owned())
            .spawn_scoped(scope, battle);
        let level = level.map_err(|error| format!("cannot start the level's thread: {error}"))?;
        let mut threads = Vec::new();
        for number in 0..options.threads {
            let part = move || {
                let _stop = StopIfPanicking(stop);
                tally::join();
                let mut fighter = Fighter::new(number, options.seed, arena, script);
                for tick in (0..options.ticks).take_while(go_on) {
                    fighter.tick(tick);
                    ticks_done.fetch_add(1, Relaxed);
                }
                (fighter.finish(), started.elapsed())
            };
            let builder = thread::Builder::new().name(format!("fighter {number}"));
            let thread = builder.spawn_scoped(scope, part);
            threads.push(thread.map_err(|error| format!("cannot start thread {}: {error}", number + 1))?);
        }
        while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
            if !stop.load(Relaxed) {
                let shown = progress.show(ticks_done.load(Relaxed));
                stop.store(shown != Ok(true), Relaxed);
                trouble = shown.err();
            }
            thread::sleep(Duration::from_millis(20));
        }
        // Joined by hand: the end of a scope does not wait for the destructors of thread-locals, in which the library
        // returns a thread's free objects to the shared pool.
        for thread in threads {
            let ((seen, talk), time) = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            for (sum, seen) in outcome.seen.iter_mut().zip(seen) {
                *sum += seen;
            }
            outcome.talk.heard += talk.heard;
            outcome.talk.lost += talk.lost;
            outcome.seconds = outcome.seconds.max(time.as_secs_f64());
        }
        outcome.level = level.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok::<_, String>(())
    })?;
    outcome.allocations = tally::allocations() - allocations_before;
    outcome.ticks = ticks_done.load(Relaxed);
    outcome.ended_early = stop.load(Relaxed);
    match trouble {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// Ends the match for all threads if its own thread panics, so that the panic is reported early.
struct StopIfPanicking<'a>(&'a AtomicBool);

impl Drop for StopIfPanicking<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(thread::panicking(), Relaxed);
    }
}

/// The level, from its beginning or from where it was saved.
fn begin(options: &Options) -> Result<Battle, String> {
    let Some(file) = &options.restore else {
        return Ok(Battle::new(options.seed));
    };
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    Battle::restore(&text).map_err(|error| format!("{name}: {error}"))
}
