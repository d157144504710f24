//! First uses on two threads, and shutdown among them.

use loom::cell::Cell;
use loom::thread;

use super::{Book, Constructed, Entry, catch_unwind, resume_unwind, thread_token};
use crate::models::{self, saw};
use crate::sync::process_static;

/// An entry in place of a class. loom checks the cells for races.
struct Model {
    constructed: Constructed,
    /// Static constructors begun.
    runs: Cell<u32>,
    /// Static constructors that have ended, minus those that were undone.
    depth: Cell<u32>,
    /// The thread that ran the last static constructor.
    runner: Cell<usize>,
}

impl Entry for Model {
    fn constructed(&self) -> &Constructed {
        &self.constructed
    }
}

process_static! { static BOOK: Book<Model> = Book::new(); }
process_static! { static HEN: Model = Model::new(); }
process_static! { static EGG: Model = Model::new(); }
process_static! { static CHICK: Model = Model::new(); }

impl Model {
    fn new() -> Self {
        Self {
            constructed: Constructed::new(),
            runs: Cell::new(0),
            depth: Cell::new(0),
            runner: Cell::new(0),
        }
    }

    /// The first step of an allocation.
    fn prepare(&'static self, constructor: impl FnOnce()) {
        if self.constructed.get() {
            saw("ready");
            return;
        }
        BOOK.construct(self, || {
            self.runs.set(self.runs.get() + 1);
            self.runner.set(thread_token());
            if !BOOK.page.lock().waiting.is_empty() {
                saw("awaited");
            }
            constructor();
            self.depth.set(self.depth.get() + 1);
        });
    }

    /// Panics in the first constructor only.
    fn fail_once(&self) {
        if self.runs.get() == 1 {
            resume_unwind(Box::new("too early")); // without the hook's message
        }
    }

    fn finalize(&self) {
        assert_eq!(self.depth.replace(0), 1, "finalized as often as constructed");
    }

    /// Holds on every thread after `prepare`, except in a constructor.
    fn check(&self) {
        assert!(self.constructed.get(), "a thread went on before the constructor's end");
        assert_eq!(self.depth.get(), 1);
    }

    fn note_runner(&self) {
        let here = self.runner.get() == thread_token();
        saw(if here { "constructed here" } else { "constructed there" });
    }
}

/// Explores `body`; the statics are made before threads race for them.
fn model(outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
    models::model(outcomes, move || {
        let _ = (&*BOOK, &*HEN, &*EGG, &*CHICK);
        body();
    });
}

/// Runs two closures at the same time, and checks that the book has no open entries after them.
fn both<A, B: 'static>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + 'static) -> (A, B) {
    let there = thread::spawn(there);
    let results = (here(), there.join().unwrap());
    let page = BOOK.page.lock();
    assert!(page.running.is_empty() && page.waiting.is_empty() && !page.closing);
    results
}

/// Two threads use a class for the first time.
fn first_use(constructor: fn()) {
    model(
        &["constructed here", "constructed there", "awaited", "ready"],
        move || {
            let allocate = move || {
                HEN.prepare(constructor);
                HEN.check();
            };
            both(allocate, allocate);
            HEN.note_runner();
            assert_eq!(HEN.runs.get(), 1);
        },
    );
}

#[test]
fn first_allocation() {
    first_use(|| ());
}

#[test]
fn constructor_that_needs_itself() {
    first_use(|| HEN.prepare(|| unreachable!("it is being constructed")));
}

#[test]
fn constructor_that_panics() {
    model(&["panicked here", "panicked there", "awaited"], || {
        let allocate = || {
            let panicked = catch_unwind(|| HEN.prepare(|| HEN.fail_once())).is_err();
            if !panicked {
                HEN.check();
            }
            panicked
        };
        note_panic(both(allocate, allocate));
        HEN.check();
        assert_eq!(HEN.runs.get(), 2);
    });
}

fn note_panic(panicked: (bool, bool)) {
    saw(match panicked {
        (true, false) => "panicked here",
        (false, true) => "panicked there",
        _ => panic!("one of the two has run into it: {panicked:?}"),
    });
}

#[test]
fn constructors_that_need_each_other() {
    fn hen() {
        HEN.prepare(egg);
    }
    fn egg() {
        EGG.prepare(hen);
    }
    model(&["by one thread", "by two threads", "awaited"], || {
        both(
            || {
                hen();
                HEN.check();
            },
            || {
                egg();
                EGG.check();
            },
        );
        note_threads();
        assert_eq!((HEN.runs.get(), EGG.runs.get()), (1, 1));
    });
}

#[test]
fn constructors_that_need_each_other_and_panic() {
    fn hen() {
        HEN.prepare(egg);
    }
    fn egg() {
        EGG.prepare(|| {
            hen();
            EGG.fail_once();
        });
    }
    let outcomes = [
        "panicked here",
        "panicked there",
        "by one thread",
        "by two threads",
        "awaited",
    ];
    model(&outcomes, || {
        note_panic(both(|| catch_unwind(hen).is_err(), || catch_unwind(egg).is_err()));
        egg(); // if the hen did not wait for the egg, no thread has retried the egg yet
        note_threads();
        assert_eq!(EGG.runs.get(), 2);
    });
}

fn note_threads() {
    HEN.check();
    EGG.check();
    let one = HEN.runner.get() == EGG.runner.get();
    saw(if one { "by one thread" } else { "by two threads" });
}

#[test]
fn constructors_in_a_ring() {
    fn hen() {
        HEN.prepare(egg);
    }
    fn egg() {
        EGG.prepare(chick);
    }
    fn chick() {
        CHICK.prepare(hen);
    }
    model(&["by three threads", "by fewer", "awaited"], || {
        let third = thread::spawn(|| {
            chick();
            CHICK.check();
        });
        both(
            || {
                hen();
                HEN.check();
                third.join().unwrap();
            },
            || {
                egg();
                EGG.check();
            },
        );
        let [a, b, c] = [&*HEN, &*EGG, &*CHICK].map(|entry| {
            entry.check();
            assert_eq!(entry.runs.get(), 1);
            entry.runner.get()
        });
        let three = a != b && b != c && c != a;
        saw(if three { "by three threads" } else { "by fewer" });
    });
}

/// As `shutdown` does.
fn shut_down(finalizer: impl Fn(&'static Model)) -> bool {
    let Some(mut closing) = BOOK.close() else {
        return false;
    };
    while let Some(entry) = closing.take_last() {
        closing.finalize(entry, || finalizer(entry)).unwrap();
    }
    true
}

#[test]
fn shutdown_against_a_first_allocation() {
    model(&["before", "during", "between", "after"], || {
        let constructing = || !BOOK.page.lock().running.is_empty();
        both(
            || {
                HEN.prepare(|| ());
                HEN.prepare(|| ());
            },
            move || {
                let during = constructing();
                assert!(shut_down(Model::finalize));
                if during && constructing() {
                    saw("during");
                }
            },
        );
        let constructed = HEN.constructed.get();
        assert_eq!(HEN.depth.get(), u32::from(constructed));
        assert_eq!(BOOK.page.lock().constructed.len(), usize::from(constructed));
        saw(match (HEN.runs.get(), constructed) {
            (_, false) => "after",
            (1, true) => "before",
            (_, true) => "between",
        });
    });
}

#[test]
fn shutdown_on_two_threads() {
    model(&["at once", "one after the other"], || {
        HEN.prepare(|| EGG.prepare(|| ()));
        let shut_down = || {
            shut_down(|entry| {
                assert_eq!(EGG.depth.get(), 1, "constructed first, finalized last");
                entry.finalize();
            })
        };
        saw(match both(shut_down, shut_down) {
            (true, true) => "one after the other",
            (false, false) => panic!("no thread finalized"),
            _ => "at once",
        });
        assert!(!HEN.constructed.get() && !EGG.constructed.get());
        assert_eq!((HEN.depth.get(), EGG.depth.get()), (0, 0));
    });
}
