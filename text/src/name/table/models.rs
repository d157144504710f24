//! Models of the last owner of a name that is dropped while other threads intern the same text. Each explores all interleavings.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use loom::sync::Mutex;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use super::{Share, leave};

/// An owner that is counted as the pool counts: by a relaxed load, which may return an old count.
struct Counted {
    owners: Arc<AtomicUsize>,
    /// How many entries of the text live, for the check.
    living: Arc<AtomicU32>,
    number: u32,
}

impl Share for Counted {
    fn owners(&self) -> usize {
        self.owners.load(Ordering::Relaxed)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        self.owners.fetch_add(1, Ordering::Relaxed);
        Self {
            owners: Arc::clone(&self.owners),
            living: Arc::clone(&self.living),
            number: self.number,
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if self.owners.fetch_sub(1, Ordering::Release) == 1 {
            self.owners.load(Ordering::Acquire);
            self.living.fetch_sub(1, SeqCst);
        }
    }
}

/// A part of the table with one text.
#[derive(Default)]
struct Table {
    kept: Mutex<Option<Counted>>,
    living: Arc<AtomicU32>,
    made: AtomicU32,
}

impl Table {
    fn intern(&self) -> Counted {
        let mut kept = self.kept.lock().expect("nobody panics here");
        if let Some(known) = &*kept {
            saw("found");
            return known.clone();
        }
        saw("made");
        // Without a planted bug the life before has ended.
        assert_eq!(self.living.fetch_add(1, SeqCst), 0, "two names of one text");
        let made = Counted {
            owners: Arc::new(AtomicUsize::new(1)),
            living: Arc::clone(&self.living),
            number: self.made.fetch_add(1, SeqCst),
        };
        *kept = Some(made.clone());
        made
    }

    fn release(&self, owner: Counted) {
        match PLANTED.get() {
            None => {
                let mut kept = self.kept.lock().expect("nobody panics here");
                leave(owner, |_| kept.take());
            }
            Some(Bug::CountedEarly) => {
                let is_last = owner.owners() == 2;
                let mut kept = self.kept.lock().expect("nobody panics here");
                if is_last {
                    drop(kept.take());
                }
                drop(owner);
            }
            Some(Bug::DroppedLate) => {
                let mut kept = self.kept.lock().expect("nobody panics here");
                if owner.owners() == 2 {
                    drop(kept.take());
                }
                drop(kept);
                drop(owner);
            }
            Some(Bug::DroppedWithoutTheLock) => {
                if owner.owners() > 2 {
                    return drop(owner);
                }
                let mut kept = self.kept.lock().expect("nobody panics here");
                leave(owner, |_| kept.take());
            }
        }
    }

    /// At the end nothing is kept for users who have left.
    fn is_empty(&self) -> bool {
        self.kept.lock().expect("nobody panics here").is_none() && self.living.load(SeqCst) == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    /// The count is read before the lock is taken.
    CountedEarly,
    /// The owner is dropped after the lock is released.
    DroppedLate,
    /// An owner that is not the last one is dropped without the lock.
    DroppedWithoutTheLock,
}

std::thread_local! {
    // loom runs all threads of a model on the calling thread.
    static PLANTED: Cell<Option<Bug>> = const { Cell::new(None) };
    static SEEN: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
}

fn saw(outcome: &'static str) {
    SEEN.with_borrow_mut(|seen| seen.insert(outcome));
}

fn explore(outcomes: &[&'static str], body: fn()) {
    let mut explorer = loom::model::Builder::new();
    explorer.preemption_bound = Some(3);
    explorer.check(body);
    let seen = SEEN.take();
    assert!(outcomes.iter().all(|outcome| seen.contains(outcome)), "{seen:?}");
}

/// Two threads intern the text and leave.
#[test]
fn the_last_owner_leaves_while_another_thread_interns() {
    explore(&["found", "made", "the same", "another"], || {
        let table = Arc::new(Table::default());
        let here = Arc::clone(&table);
        let other = thread::spawn(move || {
            let name = here.intern();
            let number = name.number;
            here.release(name);
            number
        });
        let name = table.intern();
        let number = name.number;
        table.release(name);
        let same = number == other.join().expect("no panic");
        saw(if same { "the same" } else { "another" });
        assert!(table.is_empty());
    });
}

/// Two owners that were cloned without the lock leave at the same time, and a third thread interns.
#[test]
fn clones_leave_while_another_thread_interns() {
    explore(&["found", "made"], || {
        let table = Arc::new(Table::default());
        let first = table.intern();
        let second = first.clone();
        let here = Arc::clone(&table);
        let leaving = thread::spawn(move || {
            let third = second.clone();
            here.release(second);
            here.release(third);
        });
        let here = Arc::clone(&table);
        let interning = thread::spawn(move || here.release(here.intern()));
        table.release(first);
        leaving.join().expect("no panic");
        interning.join().expect("no panic");
        assert!(table.is_empty());
    });
}

/// The models fail on each bug.
#[test]
fn no_bug_gets_past_the_models() {
    for bug in [Bug::CountedEarly, Bug::DroppedLate, Bug::DroppedWithoutTheLock] {
        let fails = |model: fn()| {
            // On a thread of its own, because loom runs all of a model on the calling thread.
            let run = std::thread::spawn(move || {
                PLANTED.set(Some(bug));
                model();
            });
            run.join().is_err()
        };
        let models: [fn(); 2] = [
            the_last_owner_leaves_while_another_thread_interns,
            clones_leave_while_another_thread_interns,
        ];
        assert!(models.map(fails).contains(&true), "{bug:?} is not caught");
    }
}
