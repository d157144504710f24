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
    /// How many slots are in all of them.
    slots: AtomicU64,
    /// How many slots the pool's chunks have.
    room: plain::AtomicU64,
    /// The pool's chunks are more than the processor's caches hold.
    far: AtomicBool,
    /// Slots that may be reused at once, and were used last: so they are still near.
    recent: ShortQueue<Box<Magazine>>,
    /// Those for which there was no room among these. Without the others, a program that had many objects once and has few
    /// now would use the slots of all in turns, each of them when it is far away again.
    ready: Queue<Box<Magazine>>,
    /// These once the pool is far; and those that stand scattered over its chunks, if a good part of the pool is free.
    shelf: Shelf,
    /// Magazines without slots, so that exchanging one for another allocates nothing.
    empties: Queue<Box<Magazine>>,
    /// Slots that wait for pins older than a stamp.
    limbo: Queue<(Box<Magazine>, Stamp)>,
}

/// Magazines that are passed on first. So many of small objects fit the second cache.
pub(in crate::pool) const RECENT: usize = if cfg!(acedia_loom) { 1 } else { 16 };

/// So many bytes of chunks stay in a core's own caches, more or less.
const NEAR: u64 = if cfg!(miri) { 1 << 19 } else { 2 << 20 };

/// A pool is crowded if less than one slot in so many is free.
const CROWDED: u64 = 8;

/// Most magazines without slots that are kept.
const EMPTIES: usize = 64;

impl Stock {
    /// Nothing yet, for a pool of that shape.
    pub(in crate::pool) fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            slots: AtomicU64::new(0),
            room: plain::AtomicU64::new(0),
            far: AtomicBool::new(false),
            recent: ShortQueue::new(RECENT),
            ready: Queue::new(),
            shelf: Shelf::new(),
            empties: Queue::new(),
            limbo: Queue::new(),
        }
    }

    /// Whether what is read at random is likely not in a cache of the processor's.
    #[inline]
    pub(in crate::pool) fn is_far(&self) -> bool {
        // Relaxed: only speed depends on it.
        self.far.load(Ordering::Relaxed)
    }

    /// The pool has so many slots more. The caller holds its lock.
    pub(in crate::pool) fn add_room(&self, slots: usize) {
        // Relaxed, both: only speed depends on them.
        let room = self.room.load(Ordering::Relaxed) + slots as u64;
        self.room.store(room, Ordering::Relaxed);
        let bytes = room * self.shape.bytes_per_slot() as u64;
        self.far.store(bytes > NEAR, Ordering::Relaxed);
    }

    /// Whether so few slots are free that they stand far apart in whatever order: those used last are the nearest then.
    fn is_crowded(&self) -> bool {
        self.slots() < self.room.load(Ordering::Relaxed) / CROWDED && !bug("crowd_unseen")
    }

    /// How many slots there are.
    pub(in crate::pool) fn slots(&self) -> u64 {
        self.slots.load(Ordering::Relaxed)
    }

    /// Counts the slots of a magazine that comes.
    fn count(&self, magazine: &Magazine) {
        self.slots.fetch_add(magazine.len() as u64, Ordering::Relaxed);
    }

    /// Counts the slots of a magazine that goes.
    fn uncount(&self, magazine: &Magazine) {
        self.slots.fetch_sub(magazine.len() as u64, Ordering::Relaxed);
    }

    /// Takes slots that may be reused at once.
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

    /// Puts scattered slots, and those that many others will be used before, on the shelf, if there is one and memory for them.
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

    /// Whether slots that come as these do are given out again in the order of their memory.
    pub(in crate::pool) fn puts_in_order(&self, magazine: &Magazine) -> bool {
        self.is_far() && !self.is_crowded() && magazine.is_scattered(&Grid::of(self.shape))
    }

    /// Slots that may be reused at once.
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

    /// Takes slots that wait for all pins older than a stamp.
    pub(in crate::pool) fn push_limbo(&self, magazine: Box<Magazine>, stamp: Stamp) {
        self.count(&magazine);
        self.limbo.push((magazine, stamp));
    }

    /// Slots that wait, more or less those that have waited longest.
    pub(in crate::pool) fn pop_limbo(&self) -> Option<(Box<Magazine>, Stamp)> {
        let (magazine, stamp) = self.limbo.pop()?;
        self.uncount(&magazine);
        Some((magazine, stamp))
    }

    /// How many magazines wait.
    pub(in crate::pool) fn limbo_len(&self) -> usize {
        self.limbo.len()
    }

    /// Keeps a magazine without slots for whoever needs one.
    pub(in crate::pool) fn keep_empty(&self, magazine: Box<Magazine>) {
        // Some are enough: a thread that only allocates has one for each that another thread fills.
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

    /// Gives back the memory that no slot is in.
    pub(in crate::pool) fn shrink(&self) {
        while self.empties.pop().is_some() {}
        self.shelf.shrink();
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn shelf_is_empty(&self) -> bool {
        self.shelf.is_empty()
    }

    /// How many magazines of slots there are that may be reused at once.
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
