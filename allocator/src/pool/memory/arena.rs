//! Zeroed blocks of memory for chunks, cut from mappings of 64 MiB.
//!
//! ```text
//! ├──────────────────────────── one mapping ───────────────────────────┤
//! ┌─────────┬───────┬──┬─────────┬───────────────────┬─────────────────┐
//! │ 128 KiB │ 64    │8 │ 128 KiB │      256 KiB      │ not cut yet     │
//! └─────────┴───────┴──┴─────────┴───────────────────┴─────────────────┘
//! ```
//!
//! A block has a power of two of bytes and is aligned to its size, so the address of a slot leads to its chunk by a mask. A
//! block that is given back returns its pages to the operating system and waits in the list of its size. Blocks of many pools
//! share a mapping, because a process may have some 65,000 mappings only.
//!
//! Where memory does not come from mappings (other systems than Unix, Miri, loom, `cfg(acedia_heap)`), each block is an
//! allocation of its own from the global allocator.

use std::alloc::Layout;
use std::ptr::NonNull;

/// The layout of a block with room for `bytes`. None if the address space is too small.
const fn layout(bytes: usize) -> Option<Layout> {
    match bytes.checked_next_power_of_two() {
        Some(size) => match Layout::from_size_align(size, size) {
            Ok(layout) => Some(layout),
            Err(_) => None,
        },
        None => None,
    }
}

pub(in crate::pool) use system::{allocate, free};

#[cfg(all(unix, not(any(miri, acedia_loom, acedia_heap))))]
mod system {
    use std::sync::{Mutex, PoisonError};

    use super::{NonNull, layout};
    use crate::pool::memory::pages;

    /// Bytes of a mapping that blocks are cut from.
    const MAPPING: usize = if usize::BITS < 64 { 1 << 22 } else { 1 << 26 };
    /// Larger blocks are mappings of their own.
    const LARGEST: usize = MAPPING / 2;
    const SIZES: usize = LARGEST.trailing_zeros() as usize + 1;

    struct Arena {
        /// Free blocks, by the logarithm of their size. Their pages read as zero.
        free: [Vec<usize>; SIZES],
        /// Blocks of each size that exist: so many have room in the list of free ones.
        blocks: [usize; SIZES],
        /// The rest of the newest mapping.
        next: usize,
        end: usize,
    }

    static ARENA: Mutex<Arena> = Mutex::new(Arena {
        free: [const { Vec::new() }; SIZES],
        blocks: [0; SIZES],
        next: 0,
        end: 0,
    });

    /// A block with room for `bytes`, all zero, or `None` if there is no memory for it.
    pub(in crate::pool) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
        let size = layout(bytes)?.size();
        if size > LARGEST {
            return pages::map(size, size);
        }
        let size = size.max(pages::page());
        let mut arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
        let block = arena
            .take(size)
            .or_else(|| arena.split(size))
            .or_else(|| arena.cut(size))?;
        NonNull::new(std::ptr::with_exposed_provenance_mut(block))
    }

    /// Takes a block back, and gives its pages to the operating system.
    ///
    /// # Safety
    /// The block came from [`allocate`] with as many `bytes`, and nobody uses it again.
    pub(in crate::pool) unsafe fn free(block: NonNull<u8>, bytes: usize) {
        let size = bytes.next_power_of_two();
        if size > LARGEST {
            // SAFETY: the caller's promise; it was mapped with this size.
            return unsafe { pages::unmap(block, size) };
        }
        let size = size.max(pages::page());
        // SAFETY: nobody uses the block.
        unsafe { pages::clear(block, size) };
        let mut arena = ARENA.lock().unwrap_or_else(PoisonError::into_inner);
        // There is room: see `count`.
        arena.free[size.trailing_zeros() as usize].push(block.as_ptr().expose_provenance());
    }

    impl Arena {
        fn take(&mut self, size: usize) -> Option<usize> {
            self.free[size.trailing_zeros() as usize].pop()
        }

        /// Counts a block that is made, and makes room for it in the list of its size, so that giving it back allocates nothing.
        fn count(&mut self, size: usize) -> Option<()> {
            let nth = size.trailing_zeros() as usize;
            let room = self.blocks[nth] + 1;
            let more = room - self.free[nth].len();
            self.free[nth].try_reserve(more).ok()?;
            self.blocks[nth] = room;
            Some(())
        }

        /// The first half of a larger free block, of which the other half becomes free.
        fn split(&mut self, size: usize) -> Option<usize> {
            let larger = size * 2;
            if larger > LARGEST {
                return None;
            }
            let block = self.take(larger).or_else(|| self.split(larger))?;
            self.blocks[larger.trailing_zeros() as usize] -= 1;
            let halves = self.count(size).and_then(|()| self.count(size));
            if halves.is_none() {
                // The books have no room: the block stays whole, and its place in its list is still there.
                self.blocks[larger.trailing_zeros() as usize] += 1;
                self.free[larger.trailing_zeros() as usize].push(block);
                return None;
            }
            self.free[size.trailing_zeros() as usize].push(block + size);
            Some(block)
        }

        /// A block from the newest mapping, or from another one.
        fn cut(&mut self, size: usize) -> Option<usize> {
            loop {
                if self.end - self.next >= size && self.next % size == 0 {
                    self.count(size)?;
                    self.next += size;
                    return Some(self.next - size);
                }
                if self.next == self.end {
                    self.next = pages::map(MAPPING, MAPPING)?.as_ptr().expose_provenance();
                    self.end = self.next + MAPPING;
                    continue;
                }
                // The largest block that begins here is too small: it is another's.
                let small = 1 << self.next.trailing_zeros().min((self.end - self.next).ilog2());
                self.count(small)?;
                self.free[small.trailing_zeros() as usize].push(self.next);
                self.next += small;
            }
        }
    }
}

#[cfg(not(all(unix, not(any(miri, acedia_loom, acedia_heap)))))]
mod system {
    use super::{NonNull, layout};

    /// A block with room for `bytes`, all zero, or `None` if there is no memory for it.
    pub(in crate::pool) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
        // SAFETY: a power of two of bytes, so not 0.
        NonNull::new(unsafe { std::alloc::alloc_zeroed(layout(bytes)?) })
    }

    /// Takes a block back.
    ///
    /// # Safety
    /// The block came from [`allocate`] with as many `bytes`, and nobody uses it again.
    pub(in crate::pool) unsafe fn free(block: NonNull<u8>, bytes: usize) {
        if let Some(layout) = layout(bytes) {
            // SAFETY: the caller's promise.
            unsafe { std::alloc::dealloc(block.as_ptr(), layout) };
        }
    }
}
