//! [`Book`]: which classes are constructed, which threads run static constructors, and which threads wait for them.
//!
//! It is generic, so that each loom model has a book of its own entries. No user code runs under its lock.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{ptr, thread};

use crate::sync::{AtomicBool, Condvar, Mutex, Ordering, const_fn, thread_token};

/// Whether a static constructor has run, and its static finalizer has not run since. The hot path reads only this word.
pub(crate) struct Constructed(AtomicBool);

impl Constructed {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self(AtomicBool::new(false))
        }
    }

    #[inline]
    pub(crate) fn get(&self) -> bool {
        // Acquire pairs with `set` (Release): a thread that skips the static constructor sees its effects.
        self.0.load(Ordering::Acquire)
    }

    /// The caller holds the lock of the book.
    fn set(&self, constructed: bool) {
        // Release pairs with `get` (Acquire).
        self.0.store(constructed, Ordering::Release);
    }
}

/// An entry of a book: a class.
pub(super) trait Entry: 'static {
    fn constructed(&self) -> &Constructed;
}

/// Constructs entries, each once, and finalizes them in reverse order.
pub(super) struct Book<T: Entry> {
    page: Mutex<Page<T>>,
    /// Notified when a static constructor has ended.
    over: Condvar,
}

struct Page<T: Entry> {
    /// Entries whose static constructor is running, each with its thread.
    running: Vec<(&'static T, usize)>,
    /// Waiting threads, each with the entry it waits for.
    waiting: Vec<(usize, &'static T)>,
    /// Entries whose static constructor has run, in the order in which they finished.
    constructed: Vec<&'static T>,
    /// A thread is finalizing the entries.
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

    /// Whether `thread` is `other`, or waits for it, directly or through other threads. The loop ends, because no wait ever
    /// closes a cycle.
    fn waits_for(&self, mut thread: usize, other: usize) -> bool {
        while thread != other {
            let wanted = self.waiting.iter().find(|&&(waiting, _)| waiting == thread);
            match wanted.and_then(|(_, entry)| self.runner(entry)) {
                None => return false,
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

    /// Runs `constructor` unless `entry` is constructed. Waits if another thread is running it.
    ///
    /// Returns before `entry` is constructed only on the thread that constructs it, and on a thread for which the constructing
    /// thread waits. A panic of `constructor` is passed on, and `entry` counts as not constructed.
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
                Some(_) => {
                    page.waiting.push((me, entry));
                    page = self.over.wait(page);
                    page.waiting.retain(|&(thread, _)| thread != me);
                }
            }
        }
        page.running.push((entry, me));
        drop(page);
        let result = catch_unwind(AssertUnwindSafe(constructor));
        let mut page = self.page.lock();
        page.running.retain(|&(running, _)| !ptr::eq(running, entry));
        if result.is_ok() {
            page.constructed.push(entry);
            entry.constructed().set(true);
        }
        drop(page);
        self.over.notify_all();
        if let Err(panic) = result {
            resume_unwind(panic);
        }
    }

    /// Begins to finalize the constructed entries. `None` if another call is doing so.
    pub(super) fn close(&self) -> Option<Closing<'_, T>> {
        let mut page = self.page.lock();
        if page.closing {
            return None;
        }
        page.closing = true;
        Some(Closing {
            book: self,
            taken: Vec::new(),
        })
    }
}

/// The most times that one shutdown finalizes an entry.
const MOST_ROUNDS: usize = 2;

/// Finalizes the entries of a book, which has one `Closing` at a time.
pub(super) struct Closing<'a, T: Entry> {
    book: &'a Book<T>,
    taken: Vec<&'static T>,
}

impl<T: Entry> Closing<'_, T> {
    /// Takes the entry that was constructed last. It counts as constructed until [`finalize`](Self::finalize) has run.
    pub(super) fn take_last(&mut self) -> Option<&'static T> {
        let rounds = |entry: &T| self.taken.iter().filter(|&&taken| ptr::eq(taken, entry)).count();
        let mut page = self.book.page.lock();
        let last = page.constructed.iter().rposition(|entry| rounds(entry) < MOST_ROUNDS)?;
        let entry = page.constructed.remove(last);
        self.taken.push(entry);
        Some(entry)
    }

    /// Runs `finalizer`. Afterwards, even after a panic, `entry` can be constructed again.
    pub(super) fn finalize(&self, entry: &'static T, finalizer: impl FnOnce()) -> thread::Result<()> {
        let result = catch_unwind(AssertUnwindSafe(finalizer));
        let _page = self.book.page.lock();
        entry.constructed().set(false);
        result
    }
}

impl<T: Entry> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.book.page.lock().closing = false;
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
