//! The mode of reading in a domain: which threads read under pins. A freeing thread decides by it whether to look for
//! readers.
//!
//! While at most one thread reads, that thread knows whether it is reading, and neither its pins nor its frees need a
//! fence. [`Threads`] describes the word and how it rises.
//!
//! ```text
//!          first pin              pin of another thread
//!   NONE ───────────► one thread ──────────────────────► MANY
//! ```
//!
//! It never falls: a thread that has read once may read again, and would have to raise it again.
//!
//! Guards are handled separately: see [`guarding`](crate::pool::depot::guarding).

use crate::pool::reading::barrier;
use crate::pool::reading::threads::Threads;
use crate::pool::reading::who;
use crate::sync::{Mutex, const_fn};

/// The mode of one domain. See the [module](self).
pub(in crate::pool) struct Mode {
    readers: Threads,
    /// Serialises changes.
    rising: Mutex<()>,
}

impl Mode {
    const_fn! {
        /// Of a domain in which no thread has pinned.
        pub(in crate::pool) const fn new(readers: Threads) -> Self {
            Self {
                readers,
                rising: Mutex::new(()),
            }
        }
    }

    /// Whether this thread may reuse at once an object that it frees: no other thread can be reading, and this one is not
    /// reading either. `solo` is the word of this thread's record.
    #[inline]
    pub(in crate::pool) fn is_solo(&self, solo: impl FnOnce() -> u64) -> bool {
        // The life ended before the load in program order. This is the light side of the fence in `Threads::raise`.
        barrier::here();
        self.readers.is_none_but(solo)
    }

    /// As [`Threads::prepare`], before the first object is freed.
    pub(in crate::pool) fn prepare(&self) {
        self.readers.prepare();
    }

    /// Makes the mode include this thread, whose flag is up and which has fenced since, before it reads.
    #[inline]
    pub(in crate::pool) fn include(&self) {
        if !self.readers.includes(who::id()) {
            self.announce();
        }
    }

    #[cold]
    fn announce(&self) {
        let _rising = self.rising.lock();
        let id = who::id();
        if self.readers.includes(id) {
            return;
        }
        self.readers.raise(id, |_| ());
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
