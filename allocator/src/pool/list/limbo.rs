//! [`Limbo`]: objects that wait for pins to end, in the order of their stamps. So a check of the first one is sufficient,
//! however many wait.

use std::collections::VecDeque;

use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags::{Flags, Stamp};
use crate::sync::Mutex;
use crate::sync::plain::{AtomicUsize, Ordering};

/// The queue of one pool.
pub(in crate::pool) struct Limbo {
    /// For a check without the lock.
    len: AtomicUsize,
    /// The number of entries with one slot. Changed under the lock.
    singles: AtomicUsize,
    /// Never held while user code runs, or while another lock is awaited.
    queue: Mutex<VecDeque<(Entry, Stamp)>>,
}

/// Slots whose lives have ended, and that wait together.
pub(in crate::pool) enum Entry {
    /// A slot whose object has a finalizer, is under a limit, or was in its last life.
    One(u32),
    /// Slots of other objects.
    Many(Box<Magazine>),
}

/// The result of [`Limbo::pop`].
pub(in crate::pool) enum First {
    /// The slots that have waited longest. Their pins have ended, and they are taken from the queue.
    Free(Entry),
    /// The first ones still wait.
    Waits(Stamp),
    /// Nothing waits.
    None,
}

impl Limbo {
    pub(in crate::pool) fn new() -> Self {
        Self {
            len: AtomicUsize::new(0),
            singles: AtomicUsize::new(0),
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
        // Relaxed: the caller lists its pool after each single entry.
        self.singles.load(Ordering::Relaxed) > 0
    }

    /// Adds slots whose lives have ended. The caller has fenced since. Returns their stamp.
    pub(in crate::pool) fn push(&self, slots: Entry, flags: &Flags) -> Stamp {
        let mut queue = self.queue.lock();
        // Under the lock, so that the queue is in the order of the stamps.
        let stamp = flags.stamp();
        if matches!(slots, Entry::One(_)) {
            self.singles.fetch_add(1, Ordering::Relaxed);
        }
        queue.push_back((slots, stamp));
        self.set_len(&queue);
        stamp
    }

    /// Takes the slots that have waited longest, if the pins that existed when they were added have ended.
    pub(in crate::pool) fn pop(&self, flags: &Flags) -> First {
        let mut queue = self.queue.lock();
        let Some(&(_, stamp)) = queue.front() else {
            return First::None;
        };
        // After the lock is taken: the scan must come after the stamp.
        if !stamp.has_passed(flags.oldest()) {
            return First::Waits(stamp);
        }
        let first = queue.pop_front();
        if matches!(first, Some((Entry::One(_), _))) {
            self.singles.fetch_sub(1, Ordering::Relaxed);
        }
        self.set_len(&queue);
        first.map_or(First::None, |(slots, _)| First::Free(slots))
    }

    /// Takes the slots that have waited longest. Only for a caller that knows that no pin protects a slot here.
    pub(in crate::pool) fn pop_any(&self) -> Option<Entry> {
        let mut queue = self.queue.lock();
        let (slots, _) = queue.pop_front()?;
        self.set_len(&queue);
        Some(slots)
    }

    /// Frees the memory of former entries.
    pub(in crate::pool) fn shrink(&self) {
        self.queue.lock().shrink_to_fit();
    }

    fn set_len(&self, queue: &VecDeque<(Entry, Stamp)>) {
        self.len.store(queue.len(), Ordering::Relaxed);
    }
}
