//! Objects that wait one by one for pins to end, because a finalizer, a limit or their last life keeps them from waiting in
//! magazines.
//!
//! They stand in the order of their stamps, so that one look at the first says whether there is anything to do, however many wait.

use std::collections::VecDeque;

use crate::pool::reading::flags::{self, Stamp};
use crate::sync::plain::{AtomicUsize, Ordering};
use crate::sync::{Mutex, bug};

/// The queue of one pool.
pub(in crate::pool) struct Deferred {
    /// For a look without the lock.
    len: AtomicUsize,
    /// Never held while user code or another lock's owner runs.
    queue: Mutex<VecDeque<(u32, Stamp)>>,
}

/// What [`Deferred::pop`] found.
pub(in crate::pool) enum First {
    /// The slot that waited longest. Its pins have ended, and it is taken from the queue.
    Free(u32),
    /// It still waits.
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
        // Relaxed: a miss leaves what waits to the next look.
        self.len.load(Ordering::Relaxed)
    }

    pub(in crate::pool) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a slot whose life has ended. The caller has fenced since. Gives its stamp.
    pub(in crate::pool) fn push(&self, index: u32) -> Stamp {
        let mut queue = self.queue.lock();
        // Under the lock: so they stand in order.
        let stamp = flags::stamp();
        queue.push_back((index, stamp));
        self.set_len(&queue);
        stamp
    }

    /// Takes the slot that waited longest, if the pins that were there when it came have ended.
    pub(in crate::pool) fn pop(&self) -> First {
        let early = bug("deferred_scan_before_pop").then(flags::oldest);
        let mut queue = self.queue.lock();
        let Some(&(index, stamp)) = queue.front() else {
            return First::None;
        };
        // Behind the lock: the scan must come after the stamp.
        if !stamp.has_passed(early.unwrap_or_else(flags::oldest)) {
            return First::Waits(stamp);
        }
        queue.pop_front();
        self.set_len(&queue);
        First::Free(index)
    }

    /// Takes any slot, when nobody can be pinned for its sake any more.
    pub(in crate::pool) fn pop_any(&self) -> Option<u32> {
        let mut queue = self.queue.lock();
        let (index, _) = queue.pop_front()?;
        self.set_len(&queue);
        Some(index)
    }

    /// Gives back the memory of those that waited once.
    pub(in crate::pool) fn shrink(&self) {
        self.queue.lock().shrink_to_fit();
    }

    fn set_len(&self, queue: &VecDeque<(u32, Stamp)>) {
        self.len.store(queue.len(), Ordering::Relaxed);
    }
}
