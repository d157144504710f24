//! The slots of a pool that no thread holds: [`Stock`] has those that may be reused, [`Limbo`] those that wait for pins to end.
//!
//! ```text
//!                                            ┌─► recent (16) ────────────────────────► a thread
//!   slots that may be reused at once ────────┤
//!                                            │ when it is full
//!                                            ▼
//!   slots without a magazine, and ───────────┴─► shelf, in the order of memory ───────► a thread
//!   those that waited for pins
//!     ▲
//!     └── limbo, in the order of the stamps ◄── slots that may be read
//! ```

use std::collections::VecDeque;
use std::ops::Range;

use crate::pool::list::cells::Cells;
use crate::pool::list::magazine::Magazine;
use crate::pool::list::shelf::Shelf;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins::{Epoch, Pins};
use crate::sync::plain::{self, AtomicUsize, Ordering};
use crate::sync::{AtomicU64, Mutex};

/// The magazines of a pool that no thread holds.
pub(in crate::pool) struct Stock {
    /// The number of slots in all of them.
    slots: AtomicU64,
    /// The smallest `slots` since the last [`take_idle`](Self::take_idle).
    idle: plain::AtomicU64,
    /// Slots that may be reused at once and were used last, so they are probably still cached.
    recent: Cells<RECENT>,
    /// All others that may be reused at once.
    shelf: Shelf,
}

/// The maximum number of magazines in `recent`. This many magazines of small objects fit the second-level cache.
pub(in crate::pool) const RECENT: usize = if cfg!(acedia_loom) { 1 } else { 16 };

impl Stock {
    /// An empty stock, for a pool of that shape.
    pub(in crate::pool) fn new(shape: &'static Shape) -> Self {
        Self {
            slots: AtomicU64::new(0),
            idle: plain::AtomicU64::new(0),
            recent: Cells::new(),
            shelf: Shelf::new(shape),
        }
    }

    /// The number of slots.
    pub(in crate::pool) fn slots(&self) -> u64 {
        self.slots.load(Ordering::Relaxed)
    }

    /// Counts the slots of a magazine that is removed.
    fn uncount(&self, magazine: &Magazine) {
        let len = magazine.len() as u64;
        let left = self.slots.fetch_sub(len, Ordering::Relaxed).saturating_sub(len);
        // Relaxed, as everywhere: it decides only how many objects are dropped.
        if left < self.idle.load(Ordering::Relaxed) {
            self.idle.fetch_min(left, Ordering::Relaxed);
        }
    }

    /// Takes at most as many slots as no allocation has needed since the last call, in whole magazines.
    pub(in crate::pool) fn take_idle(&self, mut take: impl FnMut(&Magazine)) {
        let mut idle = self.idle.load(Ordering::Relaxed);
        while let Some(magazine) = self.pop_ready() {
            let len = magazine.len() as u64;
            if len > idle {
                self.push_ready(magazine);
                break;
            }
            idle -= len;
            take(&magazine);
        }
        self.idle.store(self.slots(), Ordering::Relaxed);
    }

    /// Adds slots that may be reused at once and were used a moment ago.
    #[inline(never)]
    pub(in crate::pool) fn push_ready(&self, magazine: Box<Magazine>) {
        self.slots.fetch_add(magazine.len() as u64, Ordering::Relaxed);
        if let Err(magazine) = self.recent.push(magazine) {
            self.shelf.put(magazine.slots());
        }
    }

    /// Adds slots that may be reused at once and were used some time ago.
    pub(in crate::pool) fn put(&self, slots: &[Slot]) {
        self.slots.fetch_add(slots.len() as u64, Ordering::Relaxed);
        self.shelf.put(slots);
    }

    /// Takes slots that may be reused at once.
    #[inline(never)]
    pub(in crate::pool) fn pop_ready(&self) -> Option<Box<Magazine>> {
        let recent = self.recent.pop();
        let magazine = recent.or_else(|| self.shelf.take(Magazine::try_empty))?;
        self.uncount(&magazine);
        Some(magazine)
    }

    /// The slots of these chunks that are not in the stock, in stretches. `None` if they are more than an eighth of all `slots`.
    pub(in crate::pool) fn others(
        &self,
        slots: usize,
        chunks: impl Iterator<Item = Range<u32>>,
    ) -> Option<Vec<Range<u32>>> {
        if self.slots() < (slots - slots / 8) as u64 {
            return None;
        }
        // Of slots in a magazine, only the thread that takes it knows which they are.
        // At most as many as there were, because other threads may add some. The slots of these are visited.
        for _ in 0..RECENT {
            let Some(magazine) = self.recent.pop() else { break };
            self.shelf.put(magazine.slots());
        }
        Some(self.shelf.others(chunks))
    }

    /// Frees the memory that holds no slot.
    pub(in crate::pool) fn shrink(&self) {
        self.shelf.shrink();
    }

    /// The number of magazines in `recent`.
    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn recent_magazines(&self) -> usize {
        self.recent.len()
    }
}

/// The slots that wait for pins to end, in the order of their stamps. So a check of the first one is sufficient, however many wait.
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
    pub(in crate::pool) fn push(&self, slots: Entry, pins: &Pins) -> Epoch {
        let mut queue = self.queue.lock();
        // Under the lock, so that the queue is in the order of the stamps.
        let stamp = pins.stamp();
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
