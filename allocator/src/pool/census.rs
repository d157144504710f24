//! Who does something in a pool: nobody, one thread, or many.
//!
//! What only one thread does needs no locked instruction and no fence; what many do needs one each time. So a pool has a
//! word for each such thing, with copies where the hot paths have them at hand, in every chunk or every thread's magazines:
//!
//! ```text
//!         first time             another thread
//!   NONE ───────────► a thread ─────────────────► CHANGING ──► MANY
//! ```
//!
//! Whoever changes the word asks the operating system for a fence on every running thread before it goes on. A thread that
//! acted by the old value has all that it wrote before in memory by then, and every later look sees the new value. Others
//! trust `MANY` without a fence of their own, so it is stored when that one is through; meanwhile the word allows nobody
//! anything. It only rises. Where there is no such fence, it is `MANY` from the start.
//!
//! The uses: `guarding` (who makes guards) and `counting` (who counts owners).

use super::barrier;
use super::depot::Depot;
use super::pin::{self, who};
use super::thread::ThreadState;
use crate::sync::plain::{AtomicU64, Ordering};

/// Who does something in a pool: see the [module](self). One of [`who`].
#[derive(Debug)]
pub(super) struct Census(AtomicU64);

impl Census {
    /// For a new pool: nobody, as far as it can be told.
    pub(super) fn new() -> Self {
        let nobody = if barrier::is_available() { who::NONE } else { who::MANY };
        Self(AtomicU64::new(nobody))
    }

    /// The word, for a copy. The caller holds the pool's lock.
    pub(super) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Changes the word, or a copy of it. The caller holds the pool's lock.
    pub(super) fn set(&self, value: u64) {
        // Release pairs with `is_many` (Acquire).
        self.0.store(value, Ordering::Release);
    }

    /// Whether nobody does it so far.
    #[inline]
    pub(super) fn is_nobody(&self) -> bool {
        // Relaxed: who comes later has everything in sight that this thread did before the look.
        self.0.load(Ordering::Relaxed) == who::NONE
    }

    /// Whether this thread does it, and no other.
    #[inline]
    pub(super) fn is_only(&self, thread: &ThreadState) -> bool {
        // Acquire: what this thread does then comes after the look.
        self.0.load(Ordering::Acquire) == thread.id.get()
    }

    /// Whether several threads may do it.
    #[inline]
    pub(super) fn is_many(&self) -> bool {
        // Acquire pairs with `enter` (Release): who finds `MANY` relies on a fence that came before it.
        self.0.load(Ordering::Acquire) == who::MANY
    }
}

impl Depot {
    /// Raises the pool's census of guards, and each thread's copy of it, so that it allows for this thread.
    #[cold]
    pub(super) fn enter(&self, thread: &ThreadState) {
        let own = &self.guarding;
        pin::register_reader(thread);
        // The lock keeps others from changing the word, and copies from being added.
        let cold = self.cold.lock();
        if own.is_many() || own.is_only(thread) {
            return;
        }
        let everywhere = |value| {
            cold.locals.iter().for_each(|local| local.guarding.set(value));
            own.set(value);
        };
        if own.is_nobody() {
            everywhere(thread.id.get());
            barrier::everywhere();
        } else {
            everywhere(who::CHANGING);
            barrier::everywhere();
            everywhere(who::MANY);
        }
    }
}
