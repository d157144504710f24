//! [`Stock`]: the magazines of a pool that no thread holds.
//!
//! ```text
//!                                            ┌─► recent (16) ────────────────────────► a thread
//!   slots that may be reused at once ────────┤
//!                                            │ when it is full
//!                                            ▼
//!   slots without a magazine, and ───────────┴─► shelf, in the order of memory ───────► a thread
//!   those that waited for pins
//! ```

use crate::pool::list::cells::Cells;
use crate::pool::list::magazine::Magazine;
use crate::pool::list::shelf::Shelf;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::slot::Slot;
use crate::sync::AtomicU64;
use crate::sync::plain::{self, Ordering};

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
