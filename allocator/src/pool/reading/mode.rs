//! The mode of reading in a domain: which threads read under pins. A freeing thread decides by it whether to look for
//! readers.
//!
//! While at most one thread reads, that thread knows whether it is reading, and neither its pins nor its frees need a
//! fence. [`Threads`] describes the word and how it rises.
//!
//! ```text
//!          first pin              pin of another thread
//!   NONE ───────────► one thread ──────────────────────► MANY
//!     ▲                    │                               │
//!     └────── quieten: CHANGING; FENCE; every flag 0 ──────┘
//! ```
//!
//! *Down*: occasionally a freeing thread that finds no pin sets the mode to `CHANGING`, fences, and scans again. Either
//! it sees the flag of a pin, and the mode stays; or that pin sees `CHANGING`, and waits for the lock to raise the
//! mode. Raising costs about as much as 16 µs of other work, so a pause separates each rise from the next fall.
//!
//! Guards are handled separately: see [`guarding`](crate::pool::depot::guarding).

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::pool::reading::barrier;
use crate::pool::reading::flags::{self, Flags};
use crate::pool::reading::threads::Threads;
use crate::pool::reading::who;
use crate::sync::{Mutex, const_fn};

std::thread_local! {
    /// Objects that this thread freed since it last tried to make a mode fall. It only paces the attempts, so all domains
    /// share it.
    static CALM: Cell<u32> = const { Cell::new(0) };
}

/// The mode of one domain. See the [module](self).
pub(in crate::pool) struct Mode {
    readers: Threads,
    /// Serialises changes, and records the last rise.
    rose: Mutex<Option<Instant>>,
}

/// The minimum time from a rise of the mode to its fall. Zero in models, which have no clock.
const PAUSE: Duration = Duration::from_millis(if cfg!(acedia_loom) { 0 } else { 100 });

impl Mode {
    const_fn! {
        /// Of a domain in which no thread has pinned.
        pub(in crate::pool) const fn new(readers: Threads) -> Self {
            Self {
                readers,
                rose: Mutex::new(None),
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
        let mut rose = self.rose.lock();
        let id = who::id();
        if self.readers.includes(id) {
            return;
        }
        *rose = Some(Instant::now());
        self.readers.raise(id, |_| ());
    }

    /// Called when this thread has found that no thread is pinned. `frees` is the number of objects freed before that scan.
    /// Occasionally this makes the mode fall.
    #[inline]
    pub(in crate::pool) fn note_calm(&self, flags: &Flags, frees: u32) {
        /// Frees between two attempts of one thread.
        const FREES: u32 = if cfg!(acedia_loom) { 1 } else { 1024 };
        let calm = CALM.get() + frees;
        CALM.set(if calm < FREES { calm } else { 0 });
        if calm >= FREES {
            self.quieten(flags);
        }
    }

    /// Makes the mode fall if no thread is pinned and the mode did not rise recently. See the module's documentation.
    #[cold]
    fn quieten(&self, flags: &Flags) {
        // Without the fence, the mode could not be raised again.
        if !barrier::is_available() {
            return;
        }
        let Some(rose) = self.rose.try_lock() else { return };
        if self.readers.is_none() || rose.is_some_and(|rose| rose.elapsed() < PAUSE) {
            return;
        }
        self.readers.fall(|| {
            flags::fence_before_look();
            flags.oldest() == u64::MAX
        });
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
