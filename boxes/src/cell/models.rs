//! Models of a cell in an atomic: all interleavings of two threads.

use std::cell::Cell as Plain;
use std::convert::identity;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use loom::sync::atomic::{AtomicI32, Ordering};
use loom::thread;

use super::{Cell, atomic};

/// loom's word, of which every load and store is a read-modify-write: loom explores next to nothing of a load before a
/// compare-exchange, and doesn't put a plain store in order with one.
#[derive(Default)]
struct Word(AtomicI32);

impl Word {
    fn new(value: i32) -> Self {
        Self(AtomicI32::new(value))
    }

    fn load(&self, ordering: Ordering) -> i32 {
        // Nobody stores this number.
        let never = i32::MIN;
        let ordering = Bug::RelaxedLoad.or(ordering);
        self.0
            .compare_exchange(never, never, ordering, ordering)
            .unwrap_or_else(identity)
    }

    fn store(&self, value: i32, ordering: Ordering) {
        self.0.swap(value, Bug::RelaxedStore.or(ordering));
    }

    fn swap(&self, value: i32, ordering: Ordering) -> i32 {
        self.0.swap(value, Bug::RelaxedSwap.or(ordering))
    }

    fn compare_exchange(&self, old: i32, new: i32, done: Ordering, failed: Ordering) -> Result<i32, i32> {
        if Bug::NoExchange.is_planted() {
            self.0.store(new, done);
            return Ok(old);
        }
        let (done, failed) = (Bug::RelaxedExchange.or(done), Bug::RelaxedRetry.or(failed));
        self.0.compare_exchange(old, new, done, failed)
    }
}

/// What could be wrong with the code of the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    RelaxedLoad,
    RelaxedStore,
    RelaxedSwap,
    RelaxedExchange,
    RelaxedRetry,
    /// An update that stores, whatever is there meanwhile.
    NoExchange,
}

std::thread_local! {
    static PLANTED: Plain<Option<Bug>> = const { Plain::new(None) };
}

impl Bug {
    fn is_planted(self) -> bool {
        PLANTED.get() == Some(self)
    }

    fn or(self, ordering: Ordering) -> Ordering {
        if self.is_planted() { Ordering::Relaxed } else { ordering }
    }
}

// The code of the real cells.
atomic!(i32 in Word, identity, identity);

/// Explores `body`; checks that its outcomes are these, all of them and no others. In order.
fn outcomes<T: Ord + Debug + Send + 'static>(expected: &[T], body: impl Fn() -> T + Send + Sync + 'static) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&seen);
    loom::model(move || {
        let outcome = body();
        note.lock().expect("nobody panics here").push(outcome);
    });
    let mut seen = seen.lock().expect("nobody panics here");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(*seen, expected);
}

/// Runs `other` on a thread of its own while `own` runs; what is in the cell in the end, and what both gave.
fn both<A, B: 'static>(
    start: i32,
    own: impl Fn(&Word) -> A,
    other: impl Fn(&Word) -> B + Send + 'static,
) -> (i32, A, B) {
    let cell = Arc::new(Word::holding(start));
    let theirs = Arc::clone(&cell);
    let thread = thread::spawn(move || other(&theirs));
    let ours = own(&cell);
    let theirs = thread.join().expect("no panic");
    (cell.get(), ours, theirs)
}

/// Changes the value; how often that had to be tried.
fn tries(cell: &Word, change: impl Fn(&mut i32)) -> u8 {
    let mut tries = 0;
    cell.update(|value| {
        tries += 1;
        change(value);
    });
    tries
}

#[test]
fn no_update_is_lost() {
    // In one order it is (1 + 1) * 5, in the other 1 * 5 + 1. Whoever is late tries again, and only once.
    let expected = [(6, 1, 1), (6, 2, 1), (10, 1, 1), (10, 1, 2)];
    outcomes(&expected, || {
        both(
            1,
            |cell| tries(cell, |value| *value += 1),
            |cell| tries(cell, |value| *value *= 5),
        )
    });
}

#[test]
fn an_update_is_before_or_after_another_change() {
    // Before `set` it is overwritten, and after it what it adds is there.
    outcomes(&[(10, 1, ()), (11, 1, ()), (11, 2, ())], || {
        both(1, |cell| tries(cell, |value| *value += 1), |cell| cell.set(10))
    });
    // `replace` says which: it takes away what the update has left, or what was there before it.
    outcomes(&[(10, 1, 2), (11, 1, 1), (11, 2, 1)], || {
        both(1, |cell| tries(cell, |value| *value += 1), |cell| cell.replace(10))
    });
}

/// Reads a cell and a flag, in that order.
type Read = fn(&Word, &AtomicI32) -> (i32, i32);

/// Whoever sees a value sees what its writer did before, by whatever call it was written and is read.
#[test]
fn a_value_announces_what_was_done_before() {
    const WRITERS: [fn(&Word); 3] = [
        |cell| cell.set(1),
        |cell| {
            cell.replace(1);
        },
        |cell| cell.update(|value| *value = 1),
    ];
    const READERS: [Read; 5] = [
        |cell, done| (cell.get(), done.load(Ordering::Relaxed)),
        |cell, done| cell.with(|value| (value, done.load(Ordering::Relaxed))),
        |cell, done| (cell.replace(2), done.load(Ordering::Relaxed)),
        |cell, done| cell.update(|value| (*value, done.load(Ordering::Relaxed))),
        |cell, done| (cell.update(|value| *value), done.load(Ordering::Relaxed)),
    ];
    for write in WRITERS {
        for read in READERS {
            let expected = [(0, 0), (0, 7), (1, 7)];
            outcomes(&expected, move || {
                let done = Arc::new(AtomicI32::new(0));
                let theirs = Arc::clone(&done);
                let announce = move |cell: &Word| {
                    theirs.store(7, Ordering::Relaxed);
                    write(cell);
                };
                let (_, seen, ()) = both(0, |cell| read(cell, &done), announce);
                seen
            });
        }
    }
}

/// The models fail on each bug.
#[test]
fn no_bug_gets_past_the_models() {
    let caught = |bug: Bug, model: fn()| {
        // A thread of its own, because loom runs all of a model on the thread that asks for it.
        let run = std::thread::spawn(move || {
            PLANTED.set(Some(bug));
            model();
        });
        assert!(run.join().is_err(), "{bug:?} is not caught");
    };
    caught(Bug::RelaxedLoad, a_value_announces_what_was_done_before);
    caught(Bug::RelaxedStore, a_value_announces_what_was_done_before);
    caught(Bug::RelaxedSwap, a_value_announces_what_was_done_before);
    caught(Bug::RelaxedExchange, a_value_announces_what_was_done_before);
    caught(Bug::RelaxedRetry, a_value_announces_what_was_done_before);
    caught(Bug::NoExchange, no_update_is_lost);
    caught(Bug::NoExchange, an_update_is_before_or_after_another_change);
}
