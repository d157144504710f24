//! Objects that wait singly for pins to end, because a finalizer, a limit or their last life excludes them from
//! magazines.
//!
//! They are in the order of their stamps, so that a check of the first one is sufficient, however many wait.

use std::collections::VecDeque;

use crate::pool::reading::flags::{Flags, Stamp};
use crate::sync::plain::{AtomicUsize, Ordering};
use crate::sync::{Mutex, bug};

/// The queue of one pool.
pub(in crate::pool) struct Deferred {
    /// For a check without the lock.
    len: AtomicUsize,
    /// Never held while user code runs, or while another lock is awaited.
    queue: Mutex<VecDeque<(u32, Stamp)>>,
}

/// The result of [`Deferred::pop`].
pub(in crate::pool) enum First {
    /// The slot that has waited longest. Its pins have ended, and it is taken from the queue.
    Free(u32),
    /// The first slot still waits.
    Waits(Stamp),
    /// Nothing waits.
    None,
}

impl Deferred {
    pub(in crate::pool) fn new() -> Self {
        Self {
            len: AtomicUsize::new(0),
            queue: Mutex::new(VecDeque::new()),
        }
    }

    pub(in crate::pool) fn len(&self) -> usize {
        // Relaxed: after a miss, the next check finds the waiting slots.
        self.len.load(Ordering::Relaxed)
    }

    pub(in crate::pool) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a slot whose life has ended. The caller has fenced since. Returns the slot's stamp.
    pub(in crate::pool) fn push(&self, index: u32, flags: &Flags) -> Stamp {
        let mut queue = self.queue.lock();
        // Under the lock, so that the queue is in the order of the stamps.
        let stamp = flags.stamp();
        queue.push_back((index, stamp));
        self.set_len(&queue);
        stamp
    }

    /// Takes the slot that has waited longest, if the pins that existed when it was added have ended.
    pub(in crate::pool) fn pop(&self, flags: &Flags) -> First {
        let early = bug("deferred_scan_before_pop").then(|| flags.oldest());
        let mut queue = self.queue.lock();
        let Some(&(index, stamp)) = queue.front() else {
            return First::None;
        };
        // After the lock is taken: the scan must come after the stamp.
        if !stamp.has_passed(early.unwrap_or_else(|| flags.oldest())) {
            return First::Waits(stamp);
        }
        queue.pop_front();
        self.set_len(&queue);
        First::Free(index)
    }

    /// Takes any slot. Only for a caller that knows that no pin protects a slot here.
    pub(in crate::pool) fn pop_any(&self) -> Option<u32> {
        let mut queue = self.queue.lock();
        let (index, _) = queue.pop_front()?;
        self.set_len(&queue);
        Some(index)
    }

    /// Frees the memory of former entries.
    pub(in crate::pool) fn shrink(&self) {
        self.queue.lock().shrink_to_fit();
    }

    fn set_len(&self, queue: &VecDeque<(u32, Stamp)>) {
        self.len.store(queue.len(), Ordering::Relaxed);
    }
}
