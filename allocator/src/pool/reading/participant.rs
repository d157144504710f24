//! [`Participant`]: a thread that pins in a domain. Its identity is the same in all domains.

use std::cell::Cell;

use crate::pool::reading::pins::{FIRST_ID, Flag};
use crate::sync::plain::{AtomicU64, Ordering};
use crate::sync::{const_fn, thread_static};

thread_static! {
    /// The identity of this thread; 0 before its first pin or guard.
    static ID: Cell<u64> = Cell::new(0);
}

/// The identity of this thread among those that pin or make guards, 0 before the first pin or guard.
#[inline]
pub(in crate::pool) fn id() -> u64 {
    ID.with(Cell::get)
}

/// The identity of this thread, which is about to pin or to make a guard.
#[cold]
pub(in crate::pool) fn identify() -> u64 {
    /// Never reused: guards outlive the thread that made them, and a mode may still contain its identity.
    static NEXT: AtomicU64 = AtomicU64::new(FIRST_ID);
    ID.with(|id| {
        if id.get() == 0 {
            id.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        id.get()
    })
}

/// One thread's record in one domain of readers.
#[derive(Debug)]
pub struct Participant {
    /// The number of living pins of this thread. 64 bits on every target, so that leaking pins one by one never wraps
    /// it to 0.
    pub(in crate::pool) depth: Cell<u64>,
    pub(in crate::pool) flag: Cell<Option<&'static Flag>>,
    /// The thread's identity while it holds no pin, otherwise [`NOT_SOLO`]: one comparison in the hot path.
    pub(in crate::pool) solo: Cell<u64>,
    /// Whether this thread is finishing objects that waited for pins.
    pub(in crate::pool) finishing: Cell<bool>,
    /// Releases the flag in the domain in which this thread pinned before, at the end of the thread.
    pub(in crate::pool) release_next: Cell<Option<fn()>>,
}

/// The value of [`Participant::solo`] while the thread must look for readers before it frees. No mode has this value.
pub(in crate::pool) const NOT_SOLO: u64 = u64::MAX;

#[allow(clippy::new_without_default, reason = "only `domain!` makes one")]
impl Participant {
    const_fn! {
        /// For the thread-local that [`domain!`](crate::domain!) declares.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                depth: Cell::new(0),
                flag: Cell::new(None),
                solo: Cell::new(NOT_SOLO),
                finishing: Cell::new(false),
                release_next: Cell::new(None),
            }
        }
    }
}
