//! The threads that make guards in a pool: none, one, or many.
//!
//! Only a slot's readers word shows a guard, and checking it in time takes a fence. So each pool has a word that
//! records which threads make guards, and each thread's magazines have a copy of that word:
//!
//! ```text
//!         first time             another thread
//!   NONE ───────────► a thread ─────────────────► CHANGING ──► MANY
//! ```
//!
//! A thread that changes the word executes a fence on every running thread, through the operating system, before it
//! continues. A thread that freed by the old value has the end of the life in memory by then, and every later check
//! sees the new value. Other threads trust `MANY` without a fence of their own, so it is stored after the fence. Until
//! then the word is `CHANGING`, under which no thread may skip a check. The word only rises. Where there is no such
//! fence, it is `MANY` from the start.

use crate::pool::reading::barrier;
use crate::pool::reading::who::value;
use crate::sync::{AtomicU64, Ordering};

/// The threads that make guards in a pool: see the [module](self). The word is one of [`value`].
#[derive(Debug)]
pub(in crate::pool) struct Census(AtomicU64);

impl Census {
    /// For a new pool: no thread, or many where the fence is not available.
    pub(in crate::pool) fn new() -> Self {
        let nobody = if barrier::is_available() {
            value::NONE
        } else {
            value::MANY
        };
        Self(AtomicU64::new(nobody))
    }

    /// The word, to be copied. The caller holds the pool's lock.
    pub(in crate::pool) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Changes the word, or a copy of it. The caller holds the pool's lock.
    pub(in crate::pool) fn set(&self, value: u64) {
        // Release pairs with `is_many` (Acquire).
        self.0.store(value, Ordering::Release);
    }

    /// Whether no thread has made a guard so far.
    #[inline]
    pub(in crate::pool) fn is_nobody(&self) -> bool {
        // Relaxed: a thread that makes a guard later sees everything that this thread did before this load.
        self.0.load(Ordering::Relaxed) == value::NONE
    }

    /// Whether the thread with that identity makes guards, and no other thread does.
    #[inline]
    pub(in crate::pool) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads.
        self.0.load(Ordering::Relaxed) == id
    }

    /// Whether several threads may make guards.
    #[inline]
    pub(in crate::pool) fn is_many(&self) -> bool {
        self.0.load(trusting()) == value::MANY
    }
}

/// For the load of a thread that relies on `MANY`. Acquire pairs with [`Census::set`] (Release): the fence on all threads came
/// before that store.
#[inline]
fn trusting() -> Ordering {
    Ordering::Acquire
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;

#[cfg(all(test, acedia_loom))]
mod models;
