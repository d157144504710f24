//! [`Book`]: who has had a static constructor, who is having one, and who waits for it.
//!
//! It says nothing of classes, so that loom's models can keep books of their own. No user code runs under its lock.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{ptr, thread};

use crate::sync::{AtomicBool, Condvar, Mutex, Ordering, bug, const_fn, thread_token};

/// Whether a static constructor has run, and was not undone since: all that the hot path looks at.
pub(crate) struct Constructed(AtomicBool);

impl Constructed {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self(AtomicBool::new(false))
        }
    }

    #[inline]
    pub(crate) fn get(&self) -> bool {
        // Acquire pairs with `set` (Release): who skips the static constructor sees what it did.
        self.0.load(if bug("relaxed_is_constructed") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        })
    }

    /// Only under the lock of the book.
    fn set(&self, constructed: bool) {
        let order = if bug("relaxed_set_constructed") {
            Ordering::Relaxed
        } else {
            // Release pairs with `get` (Acquire).
            Ordering::Release
        };
        self.0.store(constructed, order);
    }
}

/// What a book is kept of.
pub(super) trait Entry: 'static {
    fn constructed(&self) -> &Constructed;
}

/// Constructs entries, each once, and finalizes them in reverse order.
pub(super) struct Book<T: Entry> {
    page: Mutex<Page<T>>,
    /// A static constructor is over.
    over: Condvar,
}

struct Page<T: Entry> {
    /// Static constructors that run, and on which thread.
    running: Vec<(&'static T, usize)>,
    /// Threads that wait for one.
    waiting: Vec<(usize, &'static T)>,
    /// Entries whose static constructor has run, in the order in which they finished.
    constructed: Vec<&'static T>,
    /// Somebody finalizes them.
    closing: bool,
}

impl<T: Entry> Page<T> {
    /// The thread that runs the static constructor of `entry`.
    fn runner(&self, entry: &T) -> Option<usize> {
        self.running
            .iter()
            .find(|(running, _)| ptr::eq(*running, entry))
            .map(|&(_, thread)| thread)
    }

    /// Whether `thread` is `other`, or waits for it, directly or through others. Never a circle: nobody closes one.
    fn waits_for(&self, mut thread: usize, other: usize) -> bool {
        while thread != other {
            let wanted = self.waiting.iter().find(|&&(waiting, _)| waiting == thread);
            match wanted.and_then(|(_, entry)| self.runner(entry)) {
                None => return false,
                Some(_) if bug("circle_unseen") => return false,
                Some(runner) if bug("long_circle_unseen") => return runner == other,
                Some(runner) => thread = runner,
            }
        }
        true
    }
}

impl<T: Entry> Book<T> {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                page: Mutex::new(Page {
                    running: Vec::new(),
                    waiting: Vec::new(),
                    constructed: Vec::new(),
                    closing: false,
                }),
                over: Condvar::new(),
            }
        }
    }

    /// Runs `constructor` unless `entry` is constructed, waiting for a thread that is at it.
    ///
    /// Returns before `entry` is constructed only to the thread that constructs it, and to one that it waits for. A panic
    /// of `constructor` goes through, and `entry` counts as not constructed.
    pub(super) fn construct(&self, entry: &'static T, constructor: impl FnOnce()) {
        let me = thread_token();
        let mut page = self.page.lock();
        loop {
            if entry.constructed().get() {
                return;
            }
            match page.runner(entry) {
                None => break,
                Some(runner) if page.waits_for(runner, me) => return,
                Some(_) if bug("constructor_not_awaited") => break,
                Some(_) => {
                    page.waiting.push((me, entry));
                    self.over.wait(&mut page);
                    page.waiting.retain(|&(thread, _)| thread != me);
                }
            }
        }
        page.running.push((entry, me));
        if bug("constructed_early") {
            entry.constructed().set(true);
        }
        drop(page);
        let result = catch_unwind(AssertUnwindSafe(constructor));
        let mut page = self.page.lock();
        if result.is_ok() || !bug("panicked_runs_on") {
            page.running.retain(|&(running, _)| !ptr::eq(running, entry));
        }
        if result.is_ok() {
            page.constructed.push(entry);
            entry.constructed().set(true);
        }
        drop(page);
        if !bug("waiting_not_woken") {
            self.over.notify_all();
        }
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }

    /// Begins to finalize what is constructed, unless somebody is at it.
    pub(super) fn close(&self) -> Option<Closing<'_, T>> {
        let mut page = self.page.lock();
        if page.closing && !bug("closed_by_two") {
            return None;
        }
        page.closing = true;
        Some(Closing {
            book: self,
            taken: Vec::new(),
        })
    }
}

/// How often one closing finalizes one entry that others bring back.
const MOST_ROUNDS: usize = 2;

/// Finalizes the entries of a book; nobody else does until this is dropped.
pub(super) struct Closing<'a, T: Entry> {
    book: &'a Book<T>,
    taken: Vec<&'static T>,
}

impl<T: Entry> Closing<'_, T> {
    /// The entry that was constructed last, to be [finalized](Self::finalize). It counts as constructed until then.
    pub(super) fn take_last(&mut self) -> Option<&'static T> {
        let rounds = |entry: &T| self.taken.iter().filter(|&&taken| ptr::eq(taken, entry)).count();
        let mut page = self.book.page.lock();
        let last = page.constructed.iter().rposition(|entry| rounds(entry) < MOST_ROUNDS)?;
        let entry = page.constructed.remove(last);
        self.taken.push(entry);
        Some(entry)
    }

    /// Runs `finalizer`; after it, whether or not it panicked, `entry` can be constructed again.
    pub(super) fn finalize(&self, entry: &'static T, finalizer: impl FnOnce()) -> thread::Result<()> {
        let unset = || {
            let _page = self.book.page.lock();
            entry.constructed().set(false);
        };
        if bug("unset_early") {
            unset();
        }
        let result = catch_unwind(AssertUnwindSafe(finalizer));
        if !bug("unset_forgotten") {
            unset();
        }
        result
    }
}

impl<T: Entry> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.book.page.lock().closing = false;
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! First uses on two threads, and shutdown among them.

    use loom::cell::Cell;
    use loom::thread;

    use super::{Book, Constructed, Entry, catch_unwind, resume_unwind, thread_token};
    use crate::models::{self, saw};
    use crate::sync::process_static;

    /// What a class is to the book. loom checks the cells for races.
    struct Model {
        constructed: Constructed,
        /// Static constructors begun.
        runs: Cell<u32>,
        /// Static constructors that came to their end, without those that were undone.
        depth: Cell<u32>,
        /// The thread that ran the last.
        runner: Cell<usize>,
    }

    impl Entry for Model {
        fn constructed(&self) -> &Constructed {
            &self.constructed
        }
    }

    process_static! {
        static BOOK: Book<Model> = Book::new();
    }
    process_static! {
        static HEN: Model = Model::new();
    }
    process_static! {
        static EGG: Model = Model::new();
    }
    process_static! {
        static CHICK: Model = Model::new();
    }

    impl Model {
        fn new() -> Self {
            Self {
                constructed: Constructed::new(),
                runs: Cell::new(0),
                depth: Cell::new(0),
                runner: Cell::new(0),
            }
        }

        /// What an allocation does first.
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

        /// A constructor's end, but for the first.
        fn fail_once(&self) {
            if self.runs.get() == 1 {
                resume_unwind(Box::new("too early")); // without the hook's message
            }
        }

        fn finalize(&self) {
            assert_eq!(self.depth.replace(0), 1, "finalized as often as constructed");
        }

        /// What a thread relies on that was let through and is not a constructor itself.
        fn check(&self) {
            assert!(self.constructed.get(), "nobody comes before it is done");
            assert_eq!(self.depth.get(), 1);
        }

        fn note_runner(&self) {
            let here = self.runner.get() == thread_token();
            saw(if here { "constructed here" } else { "constructed there" });
        }
    }

    /// Explores `body`; the statics are there before anybody races for them.
    fn model(outcomes: &[&'static str], body: impl Fn() + Send + Sync + 'static) {
        models::model(outcomes, move || {
            let _ = (&*BOOK, &*HEN, &*EGG, &*CHICK);
            body();
        });
    }

    /// Runs two things at the same time; the book has nothing open after them.
    fn both<A, B: 'static>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + 'static) -> (A, B) {
        let there = thread::spawn(there);
        let results = (here(), there.join().unwrap());
        let page = BOOK.page.lock();
        assert!(page.running.is_empty() && page.waiting.is_empty() && !page.closing);
        results
    }

    #[test]
    fn first_allocation() {
        model(&["constructed here", "constructed there", "awaited", "ready"], || {
            let allocate = || {
                HEN.prepare(|| ());
                HEN.check();
            };
            both(allocate, allocate);
            HEN.note_runner();
            assert_eq!(HEN.runs.get(), 1);
        });
    }

    #[test]
    fn constructor_that_needs_itself() {
        model(&["constructed here", "constructed there", "awaited", "ready"], || {
            let allocate = || {
                HEN.prepare(|| HEN.prepare(|| unreachable!("it is being constructed")));
                HEN.check();
            };
            both(allocate, allocate);
            HEN.note_runner();
            assert_eq!(HEN.runs.get(), 1);
        });
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
            egg(); // nobody has tried again if the hen went on with half an egg
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
                (false, false) => panic!("nobody finalized"),
                _ => "at once",
            });
            assert!(!HEN.constructed.get() && !EGG.constructed.get());
            assert_eq!((HEN.depth.get(), EGG.depth.get()), (0, 0));
        });
    }
}
