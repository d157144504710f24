//! [`Limbo`]: objects that wait for pins to end, in the order of their stamps. So a check of the first one is sufficient,
//! however many wait.

use std::collections::VecDeque;

use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags::{Epoch, Flags};
use crate::sync::Mutex;
use crate::sync::plain::{AtomicUsize, Ordering};

/// The queue of one pool.
pub(in crate::pool) struct Limbo {
    /// For a check without the lock.
    len: AtomicUsize,
    /// Never held while user code runs, or while another lock is awaited.
    queue: Mutex<VecDeque<(Entry, Epoch)>>,
}

/// Slots whose lives have ended, and that wait together.
pub(in crate::pool) enum Entry {
    /// A slot whose object has a finalizer, is under a limit, was in its last life, or was freed on a thread without lists.
    One(u32),
    /// Slots of other objects.
    Many(Box<Magazine>),
}

impl Limbo {
    pub(in crate::pool) fn new() -> Self {
        Self {
            len: AtomicUsize::new(0),
            queue: Mutex::new(VecDeque::new()),
        }
    }

    /// The number of entries.
    pub(in crate::pool) fn len(&self) -> usize {
        // Relaxed: after a miss, the next check finds the waiting slots.
        self.len.load(Ordering::Relaxed)
    }

    pub(in crate::pool) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a slot waits singly.
    pub(in crate::pool) fn has_single(&self) -> bool {
        let queue = self.queue.lock();
        queue.iter().any(|(slots, _)| matches!(slots, Entry::One(_)))
    }

    /// Adds slots whose lives have ended. The caller has fenced since. Returns their stamp.
    pub(in crate::pool) fn push(&self, slots: Entry, flags: &Flags) -> Epoch {
        let mut queue = self.queue.lock();
        // Under the lock, so that the queue is in the order of the stamps.
        let stamp = flags.stamp();
        queue.push_back((slots, stamp));
        self.set_len(&queue);
        stamp
    }

    /// Takes the slots that have waited longest, `None` if nothing waits. Their stamp, if `has_passed` refuses it: they stay.
    pub(in crate::pool) fn pop(&self, has_passed: impl FnOnce(Epoch) -> bool) -> Result<Option<Entry>, Epoch> {
        let mut queue = self.queue.lock();
        // After the lock is taken: the scan must come after the stamp.
        if let Some(&(_, stamp)) = queue.front() {
            if !has_passed(stamp) {
                return Err(stamp);
            }
        }
        let first = queue.pop_front();
        self.set_len(&queue);
        Ok(first.map(|(slots, _)| slots))
    }

    /// Frees the memory of former entries.
    pub(in crate::pool) fn shrink(&self) {
        self.queue.lock().shrink_to_fit();
    }

    fn set_len(&self, queue: &VecDeque<(Entry, Epoch)>) {
        self.len.store(queue.len(), Ordering::Relaxed);
    }
}
