//! [`Stock`]: the magazines of a pool that no thread holds.
//!
//! ```text
//!                                                    ┌─► recent (16)
//!   slots that may be reused at once ──── full? ─────┼─► ready                         ──► a thread
//!                                  far, scattered?   └─► shelf, in the order of memory
//!
//!   slots that others may be reading ─── stamp ────────► limbo    ── all pins newer? ──► a thread
//!
//!   magazines without slots ─────────── too many? ─────► empties                        ──► a thread
//! ```

use crate::pool::list::magazine::Magazine;
use crate::pool::list::shelf::Shelf;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::slot::Grid;
use crate::pool::reading::flags::Stamp;
use crate::sync::plain::{self, AtomicBool, Ordering};
use crate::sync::{AtomicU64, Queue, ShortQueue, bug};

/// The magazines of a pool that no thread holds.
pub(in crate::pool) struct Stock {
    shape: &'static Shape,
    /// The number of slots in all of them.
    slots: AtomicU64,
    /// The smallest `slots` since the last [`take_idle`](Self::take_idle).
    idle: plain::AtomicU64,
    /// The number of slots in the pool's chunks.
    room: plain::AtomicU64,
    /// Whether the pool's chunks are larger than the processor's caches.
    far: AtomicBool,
    /// Slots that may be reused at once and were used last, so they are probably still cached.
    recent: ShortQueue<Box<Magazine>>,
    /// The magazines for which `recent` had no room. Without `recent`, a program that had many objects once and has few
    /// now would cycle through all slots, and each slot would be uncached again at its next use.
    ready: Queue<Box<Magazine>>,
    /// Used once the pool is far: the magazines for which `recent` had no room. Also slots that are scattered over the
    /// pool's chunks, if a good part of the pool is free.
    shelf: Shelf,
    /// Magazines without slots, so that an exchange allocates nothing.
    empties: Queue<Box<Magazine>>,
    /// Slots that wait for pins older than a stamp.
    limbo: Queue<(Box<Magazine>, Stamp)>,
    /// The number of slots in `limbo`.
    waiting: plain::AtomicU64,
}

/// The maximum number of magazines in `recent`. This many magazines of small objects fit the second-level cache.
pub(in crate::pool) const RECENT: usize = if cfg!(acedia_loom) { 1 } else { 16 };

/// Bytes of chunks that approximately fit a core's own caches.
const NEAR: u64 = if cfg!(miri) { 1 << 19 } else { 2 << 20 };

/// A pool is crowded if less than one in this many slots is free.
const CROWDED: u64 = 8;

/// The maximum number of magazines without slots that are kept.
const EMPTIES: usize = 64;

impl Stock {
    /// An empty stock, for a pool of that shape.
    pub(in crate::pool) fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            slots: AtomicU64::new(0),
            idle: plain::AtomicU64::new(0),
            room: plain::AtomicU64::new(0),
            far: AtomicBool::new(false),
            recent: ShortQueue::new(RECENT),
            ready: Queue::new(),
            shelf: Shelf::new(),
            empties: Queue::new(),
            limbo: Queue::new(),
            waiting: plain::AtomicU64::new(0),
        }
    }

    /// Whether a random access to the pool's memory probably misses the processor's caches.
    #[inline]
    pub(in crate::pool) fn is_far(&self) -> bool {
        // Relaxed: only speed depends on it.
        self.far.load(Ordering::Relaxed)
    }

    /// Counts `slots` new slots of the pool. The caller holds its lock.
    pub(in crate::pool) fn add_room(&self, slots: usize) {
        // Relaxed, both: only speed depends on them.
        let room = self.room.load(Ordering::Relaxed) + slots as u64;
        self.room.store(room, Ordering::Relaxed);
        let bytes = room * self.shape.bytes_per_slot() as u64;
        self.far.store(bytes > NEAR, Ordering::Relaxed);
    }

    /// Whether so few slots are free that they are far apart in any order. The slots used last are then the nearest.
    fn is_crowded(&self) -> bool {
        self.slots() < self.room.load(Ordering::Relaxed) / CROWDED && !bug("crowd_unseen")
    }

    /// The number of slots.
    pub(in crate::pool) fn slots(&self) -> u64 {
        self.slots.load(Ordering::Relaxed)
    }

    /// Counts the slots of a magazine that is added.
    fn count(&self, magazine: &Magazine) {
        self.slots.fetch_add(magazine.len() as u64, Ordering::Relaxed);
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

    /// Adds slots that may be reused at once.
    pub(in crate::pool) fn push_ready(&self, magazine: Box<Magazine>) {
        self.count(&magazine);
        let rest = if self.is_far() {
            self.push_far(magazine)
        } else {
            self.recent.push(magazine)
        };
        if let Err(rest) = rest {
            self.ready.push(rest);
        }
    }

    /// Adds slots of a far pool: to `recent` if they are close together or the pool is crowded, otherwise, or if
    /// `recent` is full, to the shelf. Returns the slots for which the shelf has no memory.
    #[cold]
    fn push_far(&self, mut magazine: Box<Magazine>) -> Result<(), Box<Magazine>> {
        let grid = Grid::of(self.shape);
        let scattered = magazine.is_scattered(&grid);
        if !scattered || self.is_crowded() {
            match self.recent.push(magazine) {
                Ok(()) => return Ok(()),
                Err(back) => magazine = back,
            }
        }
        if !scattered {
            return self.shelf.put_whole(magazine, &grid);
        }
        self.shelf.put_each(&mut magazine, &grid);
        if magazine.len() > 0 {
            return Err(magazine);
        }
        self.keep_empty(magazine);
        Ok(())
    }

    /// Whether slots like those of `magazine` are given out again in the order of their memory.
    pub(in crate::pool) fn puts_in_order(&self, magazine: &Magazine) -> bool {
        self.is_far() && !self.is_crowded() && magazine.is_scattered(&Grid::of(self.shape))
    }

    /// Takes slots that may be reused at once.
    pub(in crate::pool) fn pop_ready(&self) -> Option<Box<Magazine>> {
        let near = self.recent.pop().or_else(|| self.ready.pop());
        let magazine = near.or_else(|| if self.is_far() { self.pop_far() } else { None })?;
        self.uncount(&magazine);
        Some(magazine)
    }

    #[cold]
    fn pop_far(&self) -> Option<Box<Magazine>> {
        self.shelf.take(|| self.try_empty(), &Grid::of(self.shape))
    }

    /// Adds slots that wait for all pins older than a stamp.
    pub(in crate::pool) fn push_limbo(&self, magazine: Box<Magazine>, stamp: Stamp) {
        self.count(&magazine);
        self.waiting.fetch_add(magazine.len() as u64, Ordering::Relaxed);
        self.limbo.push((magazine, stamp));
    }

    /// Takes waiting slots, approximately those that have waited longest.
    pub(in crate::pool) fn pop_limbo(&self) -> Option<(Box<Magazine>, Stamp)> {
        let (magazine, stamp) = self.limbo.pop()?;
        self.waiting.fetch_sub(magazine.len() as u64, Ordering::Relaxed);
        self.uncount(&magazine);
        Some((magazine, stamp))
    }

    /// The number of waiting slots.
    pub(in crate::pool) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The number of waiting magazines.
    pub(in crate::pool) fn limbo_len(&self) -> usize {
        self.limbo.len()
    }

    /// Keeps a magazine without slots for reuse.
    pub(in crate::pool) fn keep_empty(&self, magazine: Box<Magazine>) {
        // A few are enough: a thread that only allocates empties one for each that another thread fills.
        if self.empties.len() < EMPTIES {
            self.empties.push(magazine);
        }
    }

    /// A magazine without slots. Aborts if there is no memory for one.
    pub(in crate::pool) fn empty(&self) -> Box<Magazine> {
        self.empties.pop().unwrap_or_else(Magazine::empty)
    }

    /// A magazine without slots, unless there is no memory for one.
    pub(in crate::pool) fn try_empty(&self) -> Option<Box<Magazine>> {
        self.empties.pop().or_else(Magazine::try_empty)
    }

    /// Frees the memory that holds no slot.
    pub(in crate::pool) fn shrink(&self) {
        while self.empties.pop().is_some() {}
        self.shelf.shrink();
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn shelf_is_empty(&self) -> bool {
        self.shelf.is_empty()
    }

    /// The number of magazines with slots that may be reused at once.
    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn ready_magazines(&self) -> usize {
        std::iter::from_fn(|| self.pop_ready())
            .collect::<Vec<_>>()
            .into_iter()
            .map(|magazine| self.push_ready(magazine))
            .count()
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
