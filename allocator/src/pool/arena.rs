//! Zeroed blocks of memory for chunks, cut from mappings of 64 MiB.
//!
//! ```text
//! ├──────────────────────────── one mapping ───────────────────────────┤
//! ┌─────────┬───────┬──┬─────────┬───────────────────┬─────────────────┐
//! │ 128 KiB │ 64    │8 │ 128 KiB │      256 KiB      │ not cut yet     │
//! └─────────┴───────┴──┴─────────┴───────────────────┴─────────────────┘
//! ```
//!
//! The size of a block is a power of two, and the block is aligned to it, so a mask on a slot's address gives its
//! chunk. Freeing a block returns its pages to the operating system and puts the block on the free list of its size.
//! Blocks of many pools share a mapping, because a process can have only about 65,000 mappings.
//!
//! On targets without mappings (systems other than Unix, Miri, loom, `cfg(acedia_heap)`), each block is a separate allocation
//! from the global allocator.

use std::alloc::Layout;
use std::ptr::NonNull;

/// The layout of a block with room for `bytes`. `None` if the address space is too small.
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
    use super::{NonNull, layout};
    use crate::pool::pages;
    use crate::sync::plain::Mutex;

    /// Bytes of the mapping that blocks are cut from.
    const MAPPING: usize = if usize::BITS < 64 { 1 << 22 } else { 1 << 26 };
    /// Larger blocks are separate mappings.
    const LARGEST: usize = MAPPING / 2;
    const SIZES: usize = LARGEST.trailing_zeros() as usize + 1;

    /// The free blocks of a size that may keep the pages that their users have cleared.
    const RESIDENT: usize = 256;

    struct Arena {
        /// Free blocks, by the logarithm of their size. Their pages read as zero.
        free: [Vec<NonNull<u8>>; SIZES],
        /// The uncut rest of the newest mapping.
        next: *mut u8,
        left: usize,
    }

    // SAFETY: the arena owns the memory that its pointers lead to.
    unsafe impl Send for Arena {}

    static ARENA: Mutex<Arena> = Mutex::new(Arena {
        free: [const { Vec::new() }; SIZES],
        next: std::ptr::null_mut(),
        left: 0,
    });

    /// A block with room for `bytes`, all zero, or `None` if there is no memory for it.
    pub(in crate::pool) fn allocate(bytes: usize) -> Option<NonNull<u8>> {
        let size = layout(bytes)?.size();
        if size > LARGEST {
            return pages::map(size, size);
        }
        let size = size.max(pages::page());
        let mut arena = ARENA.lock();
        arena
            .take(size)
            .or_else(|| arena.split(size))
            .or_else(|| arena.cut(size))
    }

    /// Frees a block. Returns its pages to the operating system, unless the caller has cleared them.
    ///
    /// # Safety
    /// The block came from [`allocate`] with the same `bytes`, and is not used again. If `is_clear`, all its bytes are zero.
    pub(in crate::pool) unsafe fn free(block: NonNull<u8>, bytes: usize, is_clear: bool) {
        let size = bytes.next_power_of_two();
        if size > LARGEST {
            // SAFETY: the caller's promise; it was mapped with this size.
            return unsafe { pages::unmap(block, size) };
        }
        let size = size.max(pages::page());
        if !is_clear || ARENA.lock().free[size.trailing_zeros() as usize].len() >= RESIDENT {
            // SAFETY: the caller's promise: the block is not used again.
            unsafe { pages::clear(block, size) };
        }
        let mut arena = ARENA.lock();
        // Without memory for the list, the addresses of the block are lost. Its pages have been returned.
        if arena.reserve(size).is_some() {
            arena.put(block, size);
        }
    }

    impl Arena {
        fn take(&mut self, size: usize) -> Option<NonNull<u8>> {
            self.free[size.trailing_zeros() as usize].pop()
        }

        /// Reserves room for one more block in the free list of that size.
        fn reserve(&mut self, size: usize) -> Option<()> {
            self.free[size.trailing_zeros() as usize].try_reserve(1).ok()
        }

        /// Adds a block to the free list of its size, which has room for it.
        fn put(&mut self, block: NonNull<u8>, size: usize) {
            self.free[size.trailing_zeros() as usize].push(block);
        }

        /// The first half of a larger free block. The other half is added to its free list.
        fn split(&mut self, size: usize) -> Option<NonNull<u8>> {
            let larger = size * 2;
            if larger > LARGEST {
                return None;
            }
            self.reserve(size)?;
            let block = self.take(larger).or_else(|| self.split(larger))?;
            // SAFETY: within the block.
            self.put(unsafe { block.add(size) }, size);
            Some(block)
        }

        /// A block from the newest mapping, or from a new one.
        fn cut(&mut self, size: usize) -> Option<NonNull<u8>> {
            loop {
                if self.left >= size && self.next.addr() % size == 0 {
                    return self.advance(size);
                }
                if self.left == 0 {
                    self.next = pages::map(MAPPING, MAPPING)?.as_ptr();
                    self.left = MAPPING;
                    continue;
                }
                // The largest block that can begin here is too small. It is added to the free list of its size.
                let small = 1 << self.next.addr().trailing_zeros().min(self.left.ilog2());
                self.reserve(small)?;
                let block = self.advance(small)?;
                self.put(block, small);
            }
        }

        /// The first bytes of the uncut rest.
        fn advance(&mut self, bytes: usize) -> Option<NonNull<u8>> {
            let block = NonNull::new(self.next);
            self.next = self.next.wrapping_add(bytes);
            self.left -= bytes;
            block
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

    /// Frees a block.
    ///
    /// # Safety
    /// The block came from [`allocate`] with the same `bytes`, and is not used again.
    pub(in crate::pool) unsafe fn free(block: NonNull<u8>, bytes: usize, _is_clear: bool) {
        if let Some(layout) = layout(bytes) {
            // SAFETY: the caller's promise.
            unsafe { std::alloc::dealloc(block.as_ptr(), layout) };
        }
    }
}
