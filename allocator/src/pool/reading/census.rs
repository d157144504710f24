//! Who makes guards in a pool: no thread, one thread, or many.
//!
//! Only a slot's reader word tells of a guard, and looking there in time takes a fence. So each pool has a word that says who
//! makes guards, and each thread's magazines have a copy of it:
//!
//! ```text
//!         first time             another thread
//!   NONE ───────────► a thread ─────────────────► CHANGING ──► MANY
//! ```
//!
//! A thread that changes the word asks the operating system for a fence on every running thread before it goes on. A thread that
//! freed by the old value has the end of the life in memory by then, and every later look sees the new value. Other threads trust
//! `MANY` without a fence of their own, so it is stored after the fence; meanwhile the word is `CHANGING`, which allows nobody
//! anything. The word only rises. Where there is no such fence, it is `MANY` from the start.

use crate::pool::reading::barrier;
use crate::pool::reading::flags::value;
use crate::sync::{AtomicU64, Ordering};

/// Who makes guards in a pool: see the [module](self). One of [`value`].
#[derive(Debug)]
pub(in crate::pool) struct Census(AtomicU64);

impl Census {
    /// For a new pool: nobody, as far as it can be told.
    pub(in crate::pool) fn new() -> Self {
        let nobody = if barrier::is_available() {
            value::NONE
        } else {
            value::MANY
        };
        Self(AtomicU64::new(nobody))
    }

    /// The word, for a copy. The caller holds the pool's lock.
    pub(in crate::pool) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Changes the word, or a copy of it. The caller holds the pool's lock.
    pub(in crate::pool) fn set(&self, value: u64) {
        // Release pairs with `is_many` (Acquire).
        self.0.store(value, Ordering::Release);
    }

    /// Whether no thread has so far.
    #[inline]
    pub(in crate::pool) fn is_nobody(&self) -> bool {
        // Relaxed: who comes later has everything in sight that this thread did before the look.
        self.0.load(Ordering::Relaxed) == value::NONE
    }

    /// Whether the thread of that identity does, and no other.
    #[inline]
    pub(in crate::pool) fn is_only(&self, id: u64) -> bool {
        // Acquire: what this thread does then comes after the look.
        self.0.load(Ordering::Acquire) == id
    }

    /// Whether several threads may.
    #[inline]
    pub(in crate::pool) fn is_many(&self) -> bool {
        // Acquire pairs with `enter` (Release): who finds `MANY` relies on a fence that came before it.
        self.0.load(Ordering::Acquire) == value::MANY
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
