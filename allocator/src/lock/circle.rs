//! [`Waiting`]: who waits for a lock while holding others, and whether that would have an end.
//!
//! Threads wait in a circle if each of them holds what the next one wants. A thread alone can do it, too. In a circle
//! everybody waits while holding something. So whoever holds a lock and is about to wait for another one writes so into a
//! book, in one step with looking whether that closes a circle:
//!
//! ```text
//!      thread 1 ── holds ──► a          the book, when thread 2 looks:
//!         ▲                  │             thread 1 holds a, wants b
//!       wants              wanted       thread 2 holds b, wants a:
//!         │                  ▼             a is held by thread 1, who wants b, which thread 2 holds itself
//!         b ◄── holds ── thread 2
//! ```
//!
//! The last one of a circle finds all others in the book, and only the last one is told. Nobody is told in vain: who is in the
//! book holds what stands there until it has left it, and so nobody whom that excludes has got what it waits for.

use std::collections::BTreeMap;

use super::notes::{self, Access, Held};
use crate::sync::plain::{AtomicUsize, Ordering::Relaxed};
use crate::sync::{Mutex, bug, process_static, thread_token};

/// Why waiting would have no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Circle {
    /// The thread has the lock itself.
    Own,
    /// Others who wait, directly or through others, for this thread.
    Others,
}

/// A thread that waits, and what it holds meanwhile.
#[derive(Debug)]
struct Waiter {
    thread: usize,
    wanted: Access,
    held: Vec<Access>,
}

#[derive(Debug)]
struct Book {
    waiters: Vec<Waiter>,
    /// The addresses where guards were forgotten, with how often that had been found by then, this time included. Their notes
    /// stay, and say nothing of the locks that are there later; notes of those are younger.
    forgotten: BTreeMap<usize, usize>,
}

process_static! {
    static BOOK: Mutex<Book> = Mutex::new(Book { waiters: Vec::new(), forgotten: BTreeMap::new() });
}

/// How often guards were found forgotten: a clock that hardly ever ticks.
static TIMES_FORGOTTEN: AtomicUsize = AtomicUsize::new(0);

impl Waiter {
    /// Whether somebody who wants this has to wait for this thread.
    fn blocks(&self, wanted: Access) -> bool {
        self.held.iter().any(|held| held.excludes(wanted))
    }

    /// Whether it would wait for itself, directly or through `others`.
    fn circle(&self, others: &[Self]) -> Option<Circle> {
        if self.blocks(self.wanted) && !bug("own_lock_unseen") {
            return Some(Circle::Own);
        }
        let mut seen = vec![false; others.len()];
        let mut wanted = vec![self.wanted];
        while let Some(next) = wanted.pop() {
            for (other, seen) in others.iter().zip(&mut seen) {
                if !*seen && other.blocks(next) {
                    if self.blocks(other.wanted) {
                        return Some(Circle::Others);
                    }
                    *seen = true;
                    if !bug("others_not_followed") {
                        wanted.push(other.wanted);
                    }
                }
            }
        }
        None
    }
}

/// That this thread stands in the book, until it is dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    thread: usize,
}

impl Waiting {
    /// Enters this thread, which wants something, into the book; `None` if it holds nothing, so that nobody can wait for it.
    ///
    /// # Errors
    ///
    /// If waiting would have no end.
    pub(super) fn begin(wanted: Access) -> Result<Option<Self>, Circle> {
        let notes = notes::held();
        if notes.is_empty() {
            return Ok(None);
        }
        let mut book = BOOK.lock();
        let is_void = |note: &Held| {
            let since = book.forgotten.get(&note.access.address());
            since.is_some_and(|since| note.since < *since)
        };
        let held = notes
            .into_iter()
            .filter(|note| !is_void(note))
            .map(|note| note.access)
            .collect();
        let thread = thread_token();
        let waiter = Waiter { thread, wanted, held };
        if let Some(circle) = waiter.circle(&book.waiters) {
            return Err(circle);
        }
        if bug("circle_checked_apart") {
            drop(book);
            book = BOOK.lock();
        }
        if !bug("waiter_not_entered") {
            book.waiters.push(waiter);
        }
        Ok(Some(Self { thread }))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !bug("waiter_not_removed") {
            BOOK.lock().waiters.retain(|waiter| waiter.thread != self.thread);
        }
    }
}

/// The time, for a new note.
#[inline]
pub(super) fn times_forgotten() -> usize {
    // Pairs with the addition in `forget`, and needs no order of its own: that runs for the only one who has the lock, so
    // after all that was done with it until then, and before all that is done with another lock in its place.
    TIMES_FORGOTTEN.load(Relaxed)
}

/// The notes that were left until now of the lock at this address say nothing any more. Nobody else has the lock.
#[cold]
pub(super) fn forget(address: usize) {
    if bug("forgotten_note_believed") {
        return;
    }
    let mut book = BOOK.lock();
    // Pairs with the load in `times_forgotten`.
    let now = TIMES_FORGOTTEN.fetch_add(1, Relaxed) + 1;
    book.forgotten.insert(address, now);
    for waiter in &mut book.waiters {
        waiter.held.retain(|held| held.address() != address);
    }
}
