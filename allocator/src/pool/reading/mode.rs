//! The mode of reading in a domain: how many threads read under pins. A freeing thread decides by it whether to look for
//! readers.
//!
//! While at most one thread reads, that thread knows whether it is reading, and neither its pins nor its frees need a
//! fence.
//!
//! ```text
//!          first pin              pin of another thread
//!   NONE ───────────► one thread ──────────────────────► MANY
//!     ▲                    │                               │
//!     └────── quieten: CHANGING; FENCE; every flag 0 ──────┘
//! ```
//!
//! *Up*: a pin loads the mode after its fence. If the mode does not include its thread, the thread changes the mode and
//! executes a fence on every running thread (`membarrier`) before it reads a life. A thread that decided by the old
//! mode has its store of the life in memory by then, and every later decision sees the new mode. Other threads trust
//! `MANY` without a fence of their own, so it is stored after the fence. Until then the mode is `CHANGING`: no thread
//! frees without a scan, and none reads.
//!
//! *Down*: occasionally a freeing thread that finds no pin sets the mode to `CHANGING`, fences, and scans again. Either
//! it sees the flag of a pin, and the mode stays; or that pin sees `CHANGING`, and waits for the lock to raise the
//! mode. Raising costs about as much as 16 µs of other work, so a pause separates each rise from the next fall.
//!
//! Guards are handled separately: see [`super::census`]. Where there is no such system call, the mode is `MANY` from
//! the start.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::hint::likely;
use crate::pool::reading::barrier;
use crate::pool::reading::flags::{self, Flags};
use crate::pool::reading::who::{self, value};
use crate::sync::{AtomicU64, Mutex, Ordering, bug, const_fn};

std::thread_local! {
    /// Objects that this thread freed since it last tried to make a mode fall. It only paces the attempts, so all domains
    /// share it.
    static CALM: Cell<u32> = const { Cell::new(0) };
}

/// The mode of one domain. See the [module](self).
pub(in crate::pool) struct Mode {
    /// The threads that may be reading: see [`value`].
    readers: AtomicU64,
    /// Serialises changes, and records the last rise.
    rose: Mutex<Option<Instant>>,
}

/// The minimum time from a rise of the mode to its fall. Zero in models, which have no clock.
const PAUSE: Duration = Duration::from_millis(if cfg!(acedia_loom) { 0 } else { 100 });

impl Mode {
    const_fn! {
        /// Of a domain in which no thread has pinned. `value` is `UNKNOWN`, or `NONE` if no thread ever pins in it.
        pub(in crate::pool) const fn new(value: u64) -> Self {
            Self {
                readers: AtomicU64::new(value),
                rose: Mutex::new(None),
            }
        }
    }

    /// Whether this thread may reuse at once an object that it frees: no other thread can be reading, and this one is not
    /// reading either. `solo` is the word of this thread's record.
    #[inline]
    pub(in crate::pool) fn is_solo(&self, solo: impl FnOnce() -> u64) -> bool {
        // The life ended before this load in program order. This is the light side of the fence in `raise`.
        barrier::here();
        // Acquire pairs with the fall of the mode in `quieten` (Release): the reads of threads that left happen before.
        let mode = self.readers.load(Ordering::Acquire);
        likely(mode == value::NONE) || mode == solo()
    }

    /// Determines, before the first object is freed, whether this system can distinguish one reading thread from several.
    pub(in crate::pool) fn prepare(&self) {
        let first = if barrier::is_available() {
            value::NONE
        } else {
            value::MANY
        };
        // Relaxed, both: every caller stores the same value.
        let _ = self
            .readers
            .compare_exchange(value::UNKNOWN, first, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Makes the mode include this thread, whose flag is up and which has fenced since, before it reads.
    #[inline]
    pub(in crate::pool) fn include(&self) {
        // Acquire pairs with `raise` (Release): a thread that reads `MANY` relies on a fence that came before the store.
        let mode = self.readers.load(Ordering::Acquire);
        if mode != value::MANY && mode != who::id() {
            self.announce();
        }
    }

    #[cold]
    fn announce(&self) {
        self.raise(&mut self.rose.lock());
    }

    /// Raises the mode so that it includes this thread.
    fn raise(&self, rose: &mut Option<Instant>) {
        let old = self.readers.load(Ordering::Relaxed);
        let alone = old == value::NONE;
        if old == value::MANY || old == who::id() {
            return;
        }
        if alone && rose.is_some() && bug("return_unannounced") {
            return;
        }
        if !alone && bug("second_reader_unnoticed") {
            return;
        }
        *rose = Some(Instant::now());
        // Only this thread trusts its own identity, and every thread trusts `MANY`: see the module's documentation.
        let meanwhile = if alone {
            who::id()
        } else if bug("many_before_the_fence") {
            value::MANY
        } else {
            value::CHANGING
        };
        self.readers.store(meanwhile, Ordering::Relaxed);
        barrier::everywhere();
        if !alone {
            // Release pairs with the load of the mode in `include` (Acquire).
            self.readers.store(value::MANY, Ordering::Release);
        }
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
        let old = self.readers.load(Ordering::Relaxed);
        if old == value::NONE {
            return;
        }
        if rose.is_some_and(|rose| rose.elapsed() < PAUSE) {
            return;
        }
        self.readers.store(value::CHANGING, Ordering::Relaxed);
        flags::fence_before_look();
        if flags.oldest() == u64::MAX {
            // Release pairs with `is_solo` (Acquire).
            self.readers.store(value::NONE, Ordering::Release);
        } else {
            // Relaxed: the value may be `MANY`, as in `raise`, and the fence above releases what came before that store.
            self.readers.store(old, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
