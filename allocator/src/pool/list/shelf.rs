//! [`Shelf`]: free slots of one pool in the order of their memory.
//!
//! ```text
//!   freed in any order                    while no thread has them          for new lives
//!
//!   magazine: chunk 7, 2, 9, 2, 5 …  ──►  chunk 2  ··█·██··█···██····  ──►  magazine: chunk 2, 2, 2, 2, 2 …
//!   magazine: chunk 4, 9, 2, 3, 8 …       chunk 3  █····█··········██
//!                                         …
//! ```
//!
//! A list gives slots out in the order in which they were freed. If many slots were freed in a random order, each life
//! would begin and end far from the one before it. The next list would have the same order, so this would last as long
//! as the pool is used. Here a bit for each slot says whether it is free, and slots are taken chunk by chunk, the
//! oldest chunk first. So the few objects that remain of many gather in few chunks, and the other chunks can be given
//! back.

use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::list::magazine::{MAGAZINE, Magazine};
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::slot::Slot;
use crate::sync::Mutex;
use crate::sync::plain::{AtomicUsize, Ordering};

/// Free slots, chunk by chunk.
pub(in crate::pool) struct Shelf {
    shape: &'static Shape,
    chunks: Mutex<Chunks>,
    /// The number of slots, for a check without the lock. Changed under the lock.
    len: AtomicUsize,
}

#[derive(Default)]
struct Chunks {
    /// The pool's chunks, up to the last one that ever had a slot here.
    chunks: Vec<Free>,
    /// No chunk before this one has slots.
    first: usize,
}

/// The free slots of a chunk.
#[derive(Default)]
struct Free {
    /// `None` until the chunk has a slot here.
    chunk: Option<NonNull<Chunk>>,
    len: usize,
    /// One bit for each slot, up to the last one that was ever here.
    words: Vec<u64>,
}

impl Shelf {
    pub(in crate::pool) fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            chunks: Mutex::new(Chunks::default()),
            len: AtomicUsize::new(0),
        }
    }

    pub(in crate::pool) fn put(&self, slots: &[Slot]) {
        let mut chunks = self.chunks.lock();
        chunks.put(slots, self.shape);
        self.len.fetch_add(slots.len(), Ordering::Relaxed);
    }

    /// Takes a magazine of slots, if there are any. `empty` returns a magazine for them. Without one, the slots stay
    /// here.
    pub(in crate::pool) fn take(&self, empty: impl FnOnce() -> Option<Box<Magazine>>) -> Option<Box<Magazine>> {
        // Relaxed: after a miss, the next call finds them.
        if self.len.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut chunks = self.chunks.lock();
        // Again: another thread may have taken them.
        if self.len.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut magazine = empty()?;
        chunks.take(&mut magazine, self.shape);
        self.len.fetch_sub(magazine.len(), Ordering::Relaxed);
        // Slots are popped from the end, so that they come out in the order of their memory.
        magazine.reverse();
        Some(magazine)
    }

    /// The stretches of slots that are not here, chunk by chunk.
    pub(in crate::pool) fn others(&self, chunks: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
        let (shelved, mut stretches) = (self.chunks.lock(), Vec::new());
        for (nth, slots) in chunks.enumerate() {
            let words = shelved.chunks.get(nth).map_or(&[][..], |free| &free.words);
            let mut first = slots.start;
            for &word in words {
                let mut others = !word;
                // A chunk may have fewer than 64 slots.
                while others != 0 && first + others.trailing_zeros() < slots.end {
                    let start = others.trailing_zeros();
                    let end = start + (others >> start).trailing_ones();
                    stretches.push(first + start..slots.end.min(first + end));
                    others &= u64::MAX.checked_shl(end).unwrap_or(0);
                }
                first += u64::BITS;
            }
            if first < slots.end {
                stretches.push(first..slots.end);
            }
        }
        stretches
    }

    /// Frees the memory that holds no slot.
    pub(in crate::pool) fn shrink(&self) {
        let mut chunks = self.chunks.lock();
        if self.len.load(Ordering::Relaxed) == 0 {
            *chunks = Chunks::default();
        }
    }
}

impl Chunks {
    fn put(&mut self, slots: &[Slot], shape: &Shape) {
        // Each round takes the slots that are of one chunk and follow each other.
        for slots in slots.chunk_by(|one, next| one.chunk_in(shape) == next.chunk_in(shape)) {
            let chunk = slots[0].chunk_in(shape);
            // SAFETY: the slot belongs to a living pool.
            let nth = unsafe { chunk.as_ref() }.nth as usize;
            if nth >= self.chunks.len() {
                self.chunks.resize_with(nth + 1, Free::default);
            }
            self.first = self.first.min(nth);
            let free = &mut self.chunks[nth];
            free.chunk = Some(chunk);
            for slot in slots {
                free.put(slot.place_in(shape));
            }
        }
    }

    /// Fills a magazine from the oldest chunks.
    fn take(&mut self, magazine: &mut Magazine, shape: &Shape) {
        for free in &mut self.chunks[self.first..] {
            free.take(magazine, shape);
            if free.len > 0 {
                break;
            }
            self.first += 1;
        }
    }
}

impl Free {
    fn put(&mut self, place: usize) {
        if place / 64 >= self.words.len() {
            self.words.resize(place / 64 + 1, 0);
        }
        self.words[place / 64] |= 1 << (place % 64);
        self.len += 1;
    }

    /// Moves slots into a magazine until it is full.
    fn take(&mut self, magazine: &mut Magazine, shape: &Shape) {
        let Some(chunk) = self.chunk.filter(|_| self.len > 0) else {
            return;
        };
        let before = magazine.len();
        // From the lowest slot on, so that the objects that stay in use gather at the beginning of the chunk.
        for (at, word) in self.words.iter_mut().enumerate() {
            // One bit after the other, the lowest first.
            let mut left = *word;
            while left != 0 && magazine.len() < MAGAZINE {
                let place = at * 64 + left.trailing_zeros() as usize;
                magazine.push(Slot::at(chunk, place, shape));
                left &= left - 1;
            }
            *word = left;
        }
        self.len -= magazine.len() - before;
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
#[cfg(all(test, not(acedia_loom)))]
mod tests;
