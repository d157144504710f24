//! [`Lives`]: the life numbers that one level gives to its slots.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The size of a block.
const BLOCK: u32 = 1 << 12;

/// The number of blocks. The last possible block is left out, because its last number is the life of [restored
/// references](crate::value::actor_ref) to dead actors.
const BLOCKS: u32 = u32::MAX / BLOCK;

/// The life numbers that no level has taken.
///
/// Levels take blocks, and a block belongs to one level at a time. So no two levels give the same number to a slot, and a
/// reference, which consists of slot and life, resolves to `None` in every level but its own.
pub(crate) struct Source {
    next: AtomicU32,
    /// The first unused numbers of the blocks that dropped levels have returned.
    returned: Mutex<Vec<u32>>,
}

static SOURCE: Source = Source::new(0);

impl Source {
    /// All blocks except the first `taken` ones.
    pub(crate) const fn new(taken: u32) -> Self {
        Self {
            next: AtomicU32::new(taken),
            returned: Mutex::new(Vec::new()),
        }
    }

    /// The first number of a block that no level has had before.
    fn fresh(&self) -> Option<NonZeroU32> {
        // Relaxed: the numbers only have to differ.
        let block = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < BLOCKS).then(|| next + 1)
        });
        // The first block begins with 0, which is not a life.
        NonZeroU32::new((block.ok()? * BLOCK).max(1))
    }

    /// The first number of a returned rest, or of a fresh block. Never waits.
    fn block(&self) -> Option<NonZeroU32> {
        let returned = self.returned.try_lock().ok().and_then(|mut rests| rests.pop());
        returned.and_then(NonZeroU32::new).or_else(|| self.fresh())
    }
}

/// The blocks of life numbers that one level has taken for its slots.
///
/// All slots go through the blocks in the same order. The last number of a block is never a life: it marks a slot whose next
/// life is in the next block.
pub(crate) struct Lives {
    source: &'static Source,
    /// The first number of each block, ascending: all blocks but the first are fresh, and fresh blocks ascend.
    blocks: Vec<NonZeroU32>,
}

impl Lives {
    pub(crate) fn new() -> Self {
        Self::of(&SOURCE)
    }

    pub(crate) fn of(source: &'static Source) -> Self {
        Self {
            source,
            blocks: source.block().into_iter().collect(),
        }
    }

    /// The first life of each slot. `None` if all numbers are used up.
    #[inline]
    pub(crate) fn first(&self) -> Option<NonZeroU32> {
        self.blocks.first().copied()
    }

    /// The next life of a slot whose number is `number`: `number` itself, or the first of the next block, or 0 if all numbers
    /// are used up.
    #[inline]
    pub(crate) fn life(&mut self, number: u32) -> u32 {
        if number % BLOCK == BLOCK - 1 {
            self.next_block(number)
        } else {
            number
        }
    }

    #[cold]
    fn next_block(&mut self, number: u32) -> u32 {
        let next = self.blocks.partition_point(|block| block.get() <= number);
        if next == self.blocks.len() {
            self.blocks.extend(self.source.fresh());
        }
        self.blocks.get(next).map_or(0, |block| block.get())
    }

    /// Returns the rest of the last block to the source. `last` is the highest number of the level's slots.
    pub(crate) fn give_back(&mut self, last: u32) {
        let Some(block) = self.blocks.last() else { return };
        // A level without slots has given no life.
        let rest = if last == 0 {
            block.get()
        } else {
            block.get().max(last.saturating_add(1))
        };
        if rest % BLOCK < BLOCK - 1 && rest / BLOCK == block.get() / BLOCK {
            // If another thread holds the lock, the rest stays unused.
            if let Ok(mut rests) = self.source.returned.try_lock() {
                rests.push(rest);
            }
        }
        self.blocks.clear();
    }
}

#[cfg(test)]
mod tests;
