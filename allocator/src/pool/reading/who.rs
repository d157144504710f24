//! This thread as a reader: its pins, its flag and its identity.

use std::cell::Cell;
use std::ptr::NonNull;

use crate::pool::reading::flags::Flag;
use crate::sync::thread_static;

/// One thread's record.
pub(in crate::pool) struct Thread {
    /// The number of living pins of this thread. 64 bits on every target, so that leaking pins one by one never wraps
    /// it to 0.
    pub(in crate::pool) depth: Cell<u64>,
    pub(in crate::pool) flag: Cell<Option<NonNull<Flag>>>,
    /// The identity among the threads that pin or make guards. 0 before the first pin or guard.
    pub(in crate::pool) id: Cell<u64>,
    /// `id` while the thread holds no pin, otherwise [`NOT_SOLO`]: one comparison in the hot path.
    pub(in crate::pool) solo: Cell<u64>,
    /// Objects freed since this thread last tried to make the mode fall (see [`super::mode`]).
    pub(in crate::pool) calm: Cell<u32>,
}

/// The value of [`Thread::solo`] while the thread must look for readers before it frees. No mode has this value.
pub(in crate::pool) const NOT_SOLO: u64 = u64::MAX;

thread_static! {
    static THREAD: Thread = Thread {
        depth: Cell::new(0),
        flag: Cell::new(None),
        id: Cell::new(0),
        solo: Cell::new(NOT_SOLO),
        calm: Cell::new(0),
    };
}

/// Runs `f` with this thread's record.
#[inline]
pub(in crate::pool) fn with<R>(f: impl FnOnce(&Thread) -> R) -> R {
    THREAD.with(f)
}

impl Thread {
    /// Updates [`solo`](Self::solo) after a change of `depth` or `id`.
    #[inline]
    pub(in crate::pool) fn restore_solo(&self) {
        let solo = self.depth.get() == 0 && self.id.get() != 0;
        self.solo.set(if solo { self.id.get() } else { NOT_SOLO });
    }
}
