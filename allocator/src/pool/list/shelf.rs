//! [`Shelf`]: free slots of a pool that is larger than the caches, in the order of their memory.
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

use std::ptr::NonNull;

use crate::pool::list::magazine::{MAGAZINE, Magazine};
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::slot::Grid;
use crate::sync::plain::{AtomicUsize, Ordering};
use crate::sync::{Mutex, bug};

/// Free slots, chunk by chunk.
pub(in crate::pool) struct Shelf {
    slots: Mutex<Slots>,
    /// The number of slots, for a check without the lock. Changed under the lock.
    len: AtomicUsize,
}

#[derive(Default)]
struct Slots {
    len: usize,
    /// The number of slots of each chunk. It is 0 for the chunks before `first`.
    counts: Vec<usize>,
    first: usize,
    /// `None` for a chunk that never had a slot here.
    chunks: Vec<Option<Free>>,
}

/// The free slots of a chunk.
struct Free {
    chunk: NonNull<Chunk>,
    /// One bit for each slot.
    words: Box<[u64]>,
    /// Magazines whose slots were already close together, judged by a sample. A magazine belongs to the chunk of its
    /// first slot.
    #[expect(clippy::vec_box, reason = "they come and go in their boxes")]
    whole: Vec<Box<Magazine>>,
}

impl Shelf {
    pub(in crate::pool) fn new() -> Self {
        Self {
            slots: Mutex::new(Slots::default()),
            len: AtomicUsize::new(0),
        }
    }

    /// Takes the slots of a magazine one by one. Slots for which there is no memory remain in it.
    pub(in crate::pool) fn put_each(&self, magazine: &mut Magazine, grid: &Grid<'_>) {
        let put = self.change(|slots| slots.put_each(magazine, grid));
        magazine.skip(put);
    }

    /// Takes a magazine whose slots are close together, unless there is no memory for it.
    pub(in crate::pool) fn put_whole(&self, magazine: Box<Magazine>, grid: &Grid<'_>) -> Result<(), Box<Magazine>> {
        self.change(|slots| slots.put_whole(magazine, grid))
    }

    /// Takes a magazine of slots, if there are any. `empty` returns a magazine for them. Without one, the slots stay
    /// here.
    pub(in crate::pool) fn take(
        &self,
        empty: impl FnOnce() -> Option<Box<Magazine>>,
        grid: &Grid<'_>,
    ) -> Option<Box<Magazine>> {
        // Relaxed: after a miss, the next call finds them.
        if self.len.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.change(|slots| slots.take(empty, grid))
    }

    /// Frees the memory of empty lists.
    pub(in crate::pool) fn shrink(&self) {
        self.change(|slots| {
            if slots.len == 0 {
                *slots = Slots::default();
            }
        });
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn is_empty(&self) -> bool {
        self.slots.lock().len == 0
    }

    fn change<R>(&self, change: impl FnOnce(&mut Slots) -> R) -> R {
        let mut slots = self.slots.lock();
        let result = change(&mut slots);
        self.len.store(slots.len, Ordering::Relaxed);
        result
    }
}

impl Slots {
    /// Returns the number of slots for which there was memory.
    fn put_each(&mut self, magazine: &Magazine, grid: &Grid<'_>) -> usize {
        let before = self.len;
        let mut slots = magazine.slots().peekable();
        while let Some(slot) = slots.peek() {
            let chunk = slot.chunk_in(grid);
            let Some((nth, free)) = self.of(chunk) else { break };
            let mut put = 0;
            while let Some(slot) = slots.next_if(|slot| slot.chunk_in(grid) == chunk) {
                let place = slot.place_in(grid);
                free.words[place / 64] |= 1 << (place % 64);
                put += 1;
            }
            self.count(nth, put);
        }
        self.len - before
    }

    fn put_whole(&mut self, magazine: Box<Magazine>, grid: &Grid<'_>) -> Result<(), Box<Magazine>> {
        let chunk = magazine.slots().next().map(|slot| slot.chunk_in(grid));
        let Some((nth, free)) = chunk.and_then(|chunk| self.of(chunk)) else {
            return Err(magazine);
        };
        if free.whole.try_reserve(1).is_err() {
            return Err(magazine);
        }
        let len = magazine.len();
        free.whole.push(magazine);
        self.count(nth, len);
        Ok(())
    }

    fn count(&mut self, nth: usize, more: usize) {
        self.counts[nth] += more;
        self.len += more;
        self.first = self.first.min(nth);
    }

    /// The free slots of a chunk, unless there is no memory for them.
    fn of(&mut self, chunk: NonNull<Chunk>) -> Option<(usize, &mut Free)> {
        // SAFETY: the caller's chunk belongs to a living pool.
        let header = unsafe { chunk.as_ref() };
        let nth = header.nth as usize;
        if !matches!(self.chunks.get(nth), Some(Some(_))) {
            self.add(chunk, nth, header.shape.slots as usize)?;
        }
        Some((nth, self.chunks.get_mut(nth)?.as_mut()?))
    }

    #[cold]
    fn add(&mut self, chunk: NonNull<Chunk>, nth: usize, slots: usize) -> Option<()> {
        let mut words = Vec::new();
        words.try_reserve_exact(slots.div_ceil(64)).ok()?;
        words.resize(slots.div_ceil(64), 0);
        let more = (nth + 1).saturating_sub(self.chunks.len());
        self.chunks.try_reserve(more).ok()?;
        self.counts.try_reserve(more).ok()?;
        for _ in 0..more {
            self.chunks.push(None);
            self.counts.push(0);
        }
        self.chunks[nth] = Some(Free {
            chunk,
            words: words.into_boxed_slice(),
            whole: Vec::new(),
        });
        Some(())
    }

    fn take(&mut self, empty: impl FnOnce() -> Option<Box<Magazine>>, grid: &Grid<'_>) -> Option<Box<Magazine>> {
        if let Some(whole) = self.oldest()?.whole.pop() {
            self.uncount(whole.len());
            return Some(whole);
        }
        let mut magazine = empty()?;
        while let Some(free) = self.oldest() {
            let taken = free.take(&mut magazine, grid);
            if taken == 0 {
                // The magazine is full, or the rest of the chunk is in whole magazines.
                break;
            }
            self.uncount(taken);
        }
        // Slots are popped from the end, so that they come out in the order of their memory.
        magazine.reverse();
        Some(magazine)
    }

    /// The oldest chunk that has slots. From now on it is the first.
    fn oldest(&mut self) -> Option<&mut Free> {
        let ahead = self.counts[self.first..].iter().position(|&count| count > 0);
        self.first = ahead.map_or(self.counts.len(), |ahead| self.first + ahead);
        self.chunks.get_mut(self.first)?.as_mut()
    }

    /// Subtracts slots that were taken from the first chunk.
    fn uncount(&mut self, less: usize) {
        self.counts[self.first] -= less;
        self.len -= less;
    }
}

impl Free {
    /// Moves slots whose bits are set into a magazine until it is full. Returns their number.
    fn take(&mut self, magazine: &mut Magazine, grid: &Grid<'_>) -> usize {
        let before = magazine.len();
        for (at, word) in self.words.iter_mut().enumerate() {
            while *word != 0 && magazine.len() < MAGAZINE {
                let place = at * 64 + word.trailing_zeros() as usize;
                magazine.push(grid.slot(self.chunk, place));
                if bug("shelf_keeps_bits") {
                    break;
                }
                *word &= *word - 1;
            }
        }
        magazine.len() - before
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
