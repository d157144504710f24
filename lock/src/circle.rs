//! [`Waiting`]: the threads that wait for a lock while holding others, and whether a wait would close a cycle.
//!
//! Threads wait in a cycle if each of them holds a lock that the next one wants. A single thread can form a cycle, too. Every
//! thread of a cycle waits while it holds a lock. So a thread that holds a lock and has to wait for another one enters itself
//! into a book, and checks in the same step whether its entry closes a cycle:
//!
//! ```text
//!      thread 1 ── holds ──► a          the book, when thread 2 looks:
//!         ▲                  │             thread 1 holds a, wants b
//!       wants              wanted       thread 2 holds b, wants a:
//!         │                  ▼             a is held by thread 1, which wants b, which thread 2 itself holds
//!         b ◄── holds ── thread 2
//! ```
//!
//! The last thread of a cycle finds all others in the book, and only the last thread panics. There are no false alarms: a
//! thread in the book holds the locks of its entry until it has left the book, so no thread that those locks exclude has got
//! the lock it waits for.

use std::collections::BTreeMap;

use crate::notes::{self, Access, Held};
use crate::sync::{Mutex, process_static, thread_token};

/// Why waiting would deadlock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Circle {
    /// The thread holds the lock itself.
    Own,
    /// Other threads wait for this thread, directly or through others.
    Others,
}

/// A waiting thread, and the locks that it holds meanwhile.
#[derive(Debug)]
struct Waiter {
    thread: usize,
    wanted: Access,
    held: Vec<Access>,
}

#[derive(Debug)]
struct Book {
    waiters: Vec<Waiter>,
    /// The addresses where guards were forgotten, each with the time of the last discovery ([`notes::count_forgotten`]).
    /// The notes of these guards stay on their threads, and are older than this time. The notes of later locks at the
    /// same address are not.
    forgotten: BTreeMap<usize, usize>,
}

process_static! {
    static BOOK: Mutex<Book> = Mutex::new(Book { waiters: Vec::new(), forgotten: BTreeMap::new() });
}

impl Waiter {
    /// Whether a thread that wants this lock has to wait for this waiter.
    fn blocks(&self, wanted: Access) -> bool {
        self.held.iter().any(|held| held.excludes(wanted))
    }

    /// Whether this waiter would wait for itself, directly or through `others`.
    fn circle(&self, others: &[Self]) -> Option<Circle> {
        if self.blocks(self.wanted) {
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
                    wanted.push(other.wanted);
                }
            }
        }
        None
    }
}

/// The entry of this thread in the book, until it is dropped.
#[derive(Debug)]
pub(crate) struct Waiting {
    thread: usize,
}

impl Waiting {
    /// Enters this thread, which wants a lock, into the book. `None` if it holds no lock, so that no thread can wait for it.
    ///
    /// # Errors
    ///
    /// If waiting would deadlock.
    pub(crate) fn begin(wanted: Access) -> Result<Option<Self>, Circle> {
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
        book.waiters.push(waiter);
        Ok(Some(Self { thread }))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        BOOK.lock().waiters.retain(|waiter| waiter.thread != self.thread);
    }
}

/// Voids all notes of the lock at this address, whose guards were forgotten. Called by the only thread that has the lock.
#[cold]
pub(crate) fn forget(address: usize) {
    let mut book = BOOK.lock();
    book.forgotten.insert(address, notes::count_forgotten());
    for waiter in &mut book.waiters {
        waiter.held.retain(|held| held.address() != address);
    }
}
