//! Models of a cell in an atomic: all interleavings of two threads.

use std::cell::Cell as Plain;
use std::convert::identity;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use loom::sync::atomic::{AtomicI32, Ordering};
use loom::thread;

use super::{Cell, atomic};

/// An atomic of loom whose loads and stores are read-modify-writes: loom explores few interleavings of a load before a
/// compare-exchange, and does not order a plain store with a compare-exchange.
#[derive(Default)]
struct Word(AtomicI32);

impl Word {
    fn new(value: i32) -> Self {
        Self(AtomicI32::new(value))
    }

    fn load(&self, ordering: Ordering) -> i32 {
        // This number is never stored.
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

/// A bug planted in the code of the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    RelaxedLoad,
    RelaxedStore,
    RelaxedSwap,
    RelaxedExchange,
    RelaxedRetry,
    /// An update that stores without comparing.
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

/// Explores `body`, and checks that its outcomes are exactly these. `expected` must be sorted.
fn outcomes<T: Ord + Debug + Send + 'static>(expected: &[T], body: impl Fn() -> T + Send + Sync + 'static) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&seen);
    loom::model(move || {
        let outcome = body();
        note.lock().expect("no thread panics here").push(outcome);
    });
    let mut seen = seen.lock().expect("no thread panics here");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(*seen, expected);
}

/// Runs `other` on a second thread while `own` runs. Returns the final value of the cell, and both results.
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

/// Changes the value, and returns the number of attempts.
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
    // (1 + 1) * 5 in one order, 1 * 5 + 1 in the other. The later thread retries at most once.
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
    // An update before `set` is overwritten, and one after it adds to the new value.
    outcomes(&[(10, 1, ()), (11, 1, ()), (11, 2, ())], || {
        both(1, |cell| tries(cell, |value| *value += 1), |cell| cell.set(10))
    });
    // `replace` tells the order: it returns the value after the update, or the one before it.
    outcomes(&[(10, 1, 2), (11, 1, 1), (11, 2, 1)], || {
        both(1, |cell| tries(cell, |value| *value += 1), |cell| cell.replace(10))
    });
}

/// Reads a cell and a flag, in that order.
type Read = fn(&Word, &AtomicI32) -> (i32, i32);

/// A thread that reads a value also sees everything that its writer did before, for every pair of writing and reading
/// calls.
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
        // In a new thread, because loom runs a whole model on the thread that starts it.
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
