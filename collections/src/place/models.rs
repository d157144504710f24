//! Models of threads that would close a cycle together. Each explores all interleavings in two modes.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use loom::sync::atomic::{AtomicU8, Ordering, fence};
use loom::thread;

use super::{Mark, Node, Place};
use crate::error::Reason;

/// An atomic of loom. In the first mode, loads may return values that are no longer the newest. In the second mode, each load
/// is a compare-exchange that cannot succeed: it reads the newest value, and loom explores more orders of compare-exchanges.
#[derive(Default)]
struct Word(AtomicU8);

impl Mark for Word {
    fn store(&self, value: bool, ordering: Ordering) {
        if !Bug::NoMark.is_planted() {
            self.0.store(value.into(), ordering);
        }
    }

    fn load(&self, ordering: Ordering) -> bool {
        // A number that is never stored.
        let never = u8::MAX;
        let value = if NEWEST.get() {
            let seen = self.0.compare_exchange(never, never, ordering, ordering);
            seen.unwrap_or_else(|value| value)
        } else {
            self.0.load(ordering)
        };
        value != 0 && !Bug::NoLook.is_planted()
    }

    fn fence(ordering: Ordering) {
        if !Bug::NoFence.is_planted() {
            fence(ordering);
        }
    }
}

/// A collection that owns only collections.
struct Shell {
    place: Place<Word>,
    /// 0, the number of readers, or [`WRITER`]. Not a lock of loom, because no thread of a model would ever find one locked.
    lock: AtomicU8,
    inner: Mutex<Vec<Arc<Self>>>,
}

/// A thread is changing the collection.
const WRITER: u8 = u8::MAX;

impl Shell {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            place: Place::default(),
            lock: AtomicU8::new(0),
            inner: Mutex::default(),
        })
    }

    /// The steps of the writers of lists and tables.
    fn put(&self, child: &Arc<Self>) -> &'static str {
        while !self.lock_from(0, WRITER) {
            thread::yield_now();
        }
        let outcome = match self.place.admit(child) {
            Ok(()) => {
                self.inner.lock().expect("nobody panics here").push(Arc::clone(child));
                "put"
            }
            Err(Reason::Busy) => "busy",
            Err(Reason::Cycle) => "circle",
            Err(Reason::Beyond | Reason::NoKey) => unreachable!("`admit` looks at no index and no key"),
        };
        self.lock.store(0, Ordering::Release);
        outcome
    }

    fn lock_from(&self, old: u8, new: u8) -> bool {
        let done = self
            .lock
            .compare_exchange(old, new, Ordering::Acquire, Ordering::Relaxed);
        done.is_ok()
    }
}

impl Node for Arc<Shell> {
    type Mark = Word;

    fn place(&self) -> Option<&Place<Word>> {
        Some(&self.place)
    }

    fn owned(&self, visit: &mut dyn FnMut(&Self)) -> Option<()> {
        let readers = self.lock.load(Ordering::Relaxed);
        if readers == WRITER || !self.lock_from(readers, readers + 1) {
            return Bug::LockedIsEmpty.is_planted().then_some(());
        }
        self.inner.lock().expect("nobody panics here").iter().for_each(visit);
        self.lock.fetch_sub(1, Ordering::Release);
        Some(())
    }
}

/// Bugs to plant into the code of [`Place`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    NoMark,
    NoLook,
    NoFence,
    /// A locked collection is taken to own nothing.
    LockedIsEmpty,
}

std::thread_local! {
    static PLANTED: Cell<Option<Bug>> = const { Cell::new(None) };
    static NEWEST: Cell<bool> = const { Cell::new(false) };
}

impl Bug {
    fn is_planted(self) -> bool {
        PLANTED.get() == Some(self)
    }
}

/// Explores `body` in both modes. The set of all outcomes must be `expected`.
fn outcomes<const N: usize>(
    expected: &[[&'static str; N]],
    body: impl Fn() -> [&'static str; N] + Copy + Send + Sync + 'static,
) {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    for newest in [false, true] {
        NEWEST.set(newest);
        let note = Arc::clone(&seen);
        let mut explorer = loom::model::Builder::new();
        explorer.preemption_bound = Some(3);
        explorer.check(move || {
            let outcome = body();
            assert!(outcome.contains(&"busy") || outcome.contains(&"circle"), "{outcome:?}");
            note.lock().expect("nobody panics here").insert(outcome);
        });
    }
    let seen = seen.lock().expect("nobody panics here");
    assert_eq!(*seen, expected.iter().copied().collect());
}

/// All outcomes of two threads: one or both find a lock, or one finds the cycle.
const ALL_OF_TWO: [[&str; 2]; 5] = [
    ["busy", "busy"],
    ["busy", "put"],
    ["circle", "put"],
    ["put", "busy"],
    ["put", "circle"],
];

/// Each of two collections is put into the other.
#[test]
fn two_threads_close_no_circle() {
    outcomes(&ALL_OF_TWO, || {
        let (a, b) = (Shell::new(), Shell::new());
        let (other, child) = (Arc::clone(&b), Arc::clone(&a));
        let thread = thread::spawn(move || other.put(&child));
        let ours = a.put(&b);
        [ours, thread.join().expect("no panic")]
    });
}

/// The way back goes through a third collection, which the second one owns already.
#[test]
fn no_circle_is_closed_through_a_third() {
    outcomes(&ALL_OF_TWO, || {
        let (a, b, c) = (Shell::new(), Shell::new(), Shell::new());
        assert_eq!(b.put(&c), "put");
        let child = Arc::clone(&a);
        let thread = thread::spawn(move || c.put(&child));
        let ours = a.put(&b);
        [ours, thread.join().expect("no panic")]
    });
}

/// Three threads, each of which puts the next collection into its own.
#[test]
fn three_threads_close_no_circle() {
    let expected = [
        ["busy", "busy", "busy"],
        ["busy", "busy", "put"],
        ["busy", "put", "busy"],
        ["busy", "put", "put"],
        ["circle", "put", "put"],
        ["put", "busy", "busy"],
        ["put", "busy", "put"],
        ["put", "circle", "put"],
        ["put", "put", "busy"],
        ["put", "put", "circle"],
    ];
    outcomes(&expected, || {
        let (a, b, c) = (Shell::new(), Shell::new(), Shell::new());
        let second = {
            let (home, child) = (Arc::clone(&b), Arc::clone(&c));
            thread::spawn(move || home.put(&child))
        };
        let third = {
            let (home, child) = (c, Arc::clone(&a));
            thread::spawn(move || home.put(&child))
        };
        let first = a.put(&b);
        let [second, third] = [second, third].map(|thread| thread.join().expect("no panic"));
        [first, second, third]
    });
}

#[test]
fn no_bug_gets_past_the_models() {
    let caught = |bug: Bug, model: fn()| {
        // On a thread of its own, because loom runs all of a model on the calling thread.
        let run = std::thread::spawn(move || {
            PLANTED.set(Some(bug));
            model();
        });
        assert!(run.join().is_err(), "{bug:?} is not caught");
    };
    caught(Bug::NoMark, two_threads_close_no_circle);
    caught(Bug::NoLook, two_threads_close_no_circle);
    caught(Bug::NoFence, two_threads_close_no_circle);
    caught(Bug::LockedIsEmpty, two_threads_close_no_circle);
    caught(Bug::LockedIsEmpty, no_circle_is_closed_through_a_third);
}
