//! [`Threads`]: which threads read: none, one, or several.
//!
//! ```text
//!          first reader            another thread
//!   NONE ───────────────► a thread ──────────────► CHANGING ──► MANY
//! ```
//!
//! A domain of readers has such a word for its pins (its *mode*), a pool has one for its guards (its *census*). A thread that
//! frees decides by them whether to look for readers. While at most one thread reads, that thread knows whether it is reading,
//! and its frees need no fence. The word never falls: a thread that has read once may read again.
//!
//! A thread that changes the word executes a fence on every running thread (`membarrier`) before it reads. A thread that
//! decided by the old value has the end of the life in memory by then, and every later decision sees the new value. Other
//! threads trust `MANY` without a fence of their own, so it is stored after the fence. Until then the word is `CHANGING`:
//! no thread frees without a look, and none reads. Where there is no such fence, the word is `MANY` from the start.

use crate::hint::likely;
use crate::pool::reading::barrier;
use crate::sync::{AtomicU64, Ordering, const_fn};

/// The threads that read: see the [module](self). A value from [`FIRST_ID`] on is the identity of the only one.
#[derive(Debug)]
pub(in crate::pool) struct Threads(AtomicU64);

const NONE: u64 = 1;
const MANY: u64 = 2;
const CHANGING: u64 = 3;
/// The lowest identity of a thread.
pub(in crate::pool) const FIRST_ID: u64 = 4;

impl Threads {
    const_fn! {
        /// None so far. [`prepare`](Self::prepare) must follow.
        pub(in crate::pool) const fn none() -> Self {
            Self(AtomicU64::new(NONE))
        }
    }

    /// Before the first decision and the first reader: on a system that cannot tell one thread from several, the word is `MANY`.
    pub(in crate::pool) fn prepare(&self) {
        if !barrier::is_available() {
            // Relaxed: no other value is stored on such a system.
            self.0.store(MANY, Ordering::Relaxed);
        }
    }

    /// Whether no thread reads so far.
    #[inline]
    pub(in crate::pool) fn is_none(&self) -> bool {
        // Relaxed: a thread that reads later sees everything that this thread did before this load.
        self.0.load(Ordering::Relaxed) == NONE
    }

    /// Whether the thread with that identity reads, and no other thread does.
    #[inline]
    pub(in crate::pool) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads.
        self.0.load(Ordering::Relaxed) == id
    }

    /// Whether no thread reads but the one that `own` names.
    #[inline]
    pub(in crate::pool) fn is_none_but(&self, own: impl FnOnce() -> u64) -> bool {
        // Relaxed: `NONE` is the first value, and this thread stored its own identity. A thread that changes the word fences all
        // threads.
        let now = self.0.load(Ordering::Relaxed);
        likely(now == NONE) || now == own()
    }

    /// Whether the thread with that identity is included, so that it may read.
    #[inline]
    pub(in crate::pool) fn includes(&self, id: u64) -> bool {
        let now = self.0.load(trusting());
        now == MANY || now == id
    }

    /// Includes the thread with that identity, which is not yet. Each change is also passed to `copy`. The caller holds the
    /// lock under which the word changes.
    pub(in crate::pool) fn raise(&self, id: u64, copy: impl Fn(u64)) {
        let set = |value| {
            copy(value);
            self.set(value);
        };
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

    /// The word, to be copied. The caller holds the lock.
    pub(in crate::pool) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Changes the word, or a copy of it. The caller holds the lock.
    pub(in crate::pool) fn set(&self, value: u64) {
        // Release pairs with `trusting` (Acquire).
        self.0.store(value, Ordering::Release);
    }
}

/// For the load of a thread that relies on `MANY`. Acquire pairs with [`Threads::set`] (Release): the fence on all threads came
/// before that store.
#[inline]
fn trusting() -> Ordering {
    Ordering::Acquire
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;

#[cfg(all(test, acedia_loom))]
mod models;
