//! [`Threads`]: whether no thread, one thread or several threads have ever read.
//!
//! The fence of a pin is always needed, because other threads may free. The fence of a free is not needed while no other thread has
//! ever read.
//!
//! ```text
//!          first reader            another thread
//!   NONE ───────────────► a thread ──────────────► CHANGING ──► MANY
//! ```
//!
//! A domain has such a word for its pins (its *mode*), a pool has one for its guards (its *census*). While at most one thread reads,
//! that thread knows whether it is reading, and its frees need no fence. The word never falls: a thread that has read once may read
//! again.
//!
//! A thread that changes the word executes a fence on every running thread (`membarrier`) before it reads. A thread that
//! decided by the old value has the end of the life in memory by then, and every later decision sees the new value. Other
//! threads trust `MANY` without a fence of their own, so it is stored after the fence. Until then the word is `CHANGING`:
//! no thread frees without a look, and none reads. Where there is no such fence, the word is `MANY` from the start.

use std::cell::Cell;

use crate::hint::likely;
use crate::pool::barrier;
use crate::sync::{AtomicU64, Mutex, Ordering, const_fn, plain, thread_static};

thread_static! {
    /// The identity of this thread; 0 before its first pin or guard.
    static ID: Cell<u64> = Cell::new(0);
}

/// The identity of this thread among those that pin or make guards, 0 before the first pin or guard.
#[inline]
pub(super) fn id() -> u64 {
    ID.with(Cell::get)
}

/// The identity of this thread, which is about to pin or to make a guard.
#[cold]
pub(super) fn identify() -> u64 {
    /// Never reused: guards outlive the thread that made them, and a mode may still contain its identity.
    static NEXT: plain::AtomicU64 = plain::AtomicU64::new(FIRST_ID);
    ID.with(|id| {
        if id.get() == 0 {
            id.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        id.get()
    })
}

/// The threads that read: see the [module](self). A value from [`FIRST_ID`] on is the identity of the only one.
#[derive(Debug)]
pub(super) struct Threads {
    word: AtomicU64,
    /// Serialises changes of the word.
    rising: Mutex<()>,
}

const NONE: u64 = 1;
const MANY: u64 = 2;
const CHANGING: u64 = 3;
/// The lowest identity of a thread.
pub(super) const FIRST_ID: u64 = 4;

impl Threads {
    const_fn! {
        /// None so far. [`prepare`](Self::prepare) must follow.
        pub(super) const fn none() -> Self {
            Self {
                word: AtomicU64::new(NONE),
                rising: Mutex::new(()),
            }
        }
    }

    /// Before the first decision and the first reader: on a system that cannot tell one thread from several, the word is `MANY`.
    pub(super) fn prepare(&self) {
        if !barrier::is_available() {
            // Relaxed: no other value is stored on such a system.
            self.word.store(MANY, Ordering::Relaxed);
        }
    }

    /// Whether no thread reads so far.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        // Relaxed: a thread that reads later sees everything that this thread did before this load.
        self.word.load(Ordering::Relaxed) == NONE
    }

    /// Whether the thread with that identity reads, and no other thread does.
    #[inline]
    pub(super) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads: either this load sees the
        // change, or the changing thread, before it reads, sees the end of the life that came before this load.
        self.word.load(Ordering::Relaxed) == id
    }

    /// Whether no thread reads but the one that `own` names.
    #[inline]
    pub(super) fn is_none_but(&self, own: impl FnOnce() -> u64) -> bool {
        // Relaxed: `NONE` is the first value, and this thread stored its own identity. A thread that changes the word fences all
        // threads.
        let now = self.word.load(Ordering::Relaxed);
        likely(now == NONE) || now == own()
    }

    /// Whether the thread with that identity is included, so that it may read.
    #[inline]
    pub(super) fn includes(&self, id: u64) -> bool {
        let now = self.word.load(trusting());
        now == MANY || now == id
    }

    /// Includes the thread with that identity, so that it may read.
    #[cold]
    pub(super) fn include(&self, id: u64) {
        let _rising = self.rising.lock();
        if self.includes(id) {
            return;
        }
        // Release pairs with `trusting` (Acquire), here and below.
        let set = |value| self.word.store(value, Ordering::Release);
        // Only this thread trusts its own identity, and every thread trusts `MANY`.
        if self.is_none() {
            set(id);
            barrier::everywhere();
        } else {
            set(CHANGING);
            barrier::everywhere();
            set(MANY);
        }
    }
}

/// For the load of a thread that relies on `MANY`. Acquire pairs with the stores of [`Threads::include`] (Release): the fence on all
/// threads came before the store of `MANY`.
#[inline]
fn trusting() -> Ordering {
    Ordering::Acquire
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
