//! Zeroed blocks of memory for chunks, cut from mappings of 64 MiB (32-bit: 4 MiB; the first: 1 MiB), and the pages of the system.
//!
//! ```text
//! ├──────────────────────────── one mapping ───────────────────────────┤
//! ┌─────────┬───────┬──┬─────────┬───────────────────┬─────────────────┐
//! │ 128 KiB │ 64    │8 │ 128 KiB │      256 KiB      │ not cut yet     │
//! └─────────┴───────┴──┴─────────┴───────────────────┴─────────────────┘
//! ```
//!
//! The size of a block is a power of two, and the block is aligned to it, so a mask on a slot's address gives its
//! chunk. A freed block goes on the free list of its size. Its pages return to the operating system, unless all free blocks
//! together have at most 4 MiB of pages: then it is cleared, and its next use costs no page fault.
//! Blocks of many pools share a mapping, because Linux by default allows about 65,000 mappings.
//!
//! On targets without mappings (systems other than Unix, Miri, loom, `cfg(acedia_heap)`), each block is a separate allocation
//! from the global allocator.

use std::alloc::Layout;
use std::ptr::NonNull;

/// A block that reads as zero.
pub(in crate::pool) struct Block {
    pub(in crate::pool) start: NonNull<u8>,
    /// The number of its pages that may have memory.
    pub(in crate::pool) resident: u16,
}

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

pub(in crate::pool) use system::{allocate, free, page};

#[cfg(all(unix, not(any(miri, acedia_loom, acedia_heap))))]
mod system {
    use super::{Block, NonNull, discard, layout};
    use crate::sync::plain::{AtomicUsize, Mutex, Ordering};

    /// Bytes of the mapping that blocks are cut from.
    const MAPPING: usize = if usize::BITS < 64 { 1 << 22 } else { 1 << 26 };
    /// Bytes of the first mapping. Too small for a huge page, with which the first object of a process would take 2 MiB.
    const FIRST: usize = 1 << 20;
    /// Larger blocks are separate mappings.
    const LARGEST: usize = MAPPING / 2;
    const SIZES: usize = LARGEST.trailing_zeros() as usize + 1;

    /// The most bytes of memory in the pages of all free blocks.
    const KEPT: usize = 4 << 20;

    struct Arena {
        /// Free blocks, by the logarithm of their size.
        free: [Vec<Block>; SIZES],
        /// The sum of their resident pages.
        kept: usize,
        /// The uncut rest of the newest mapping.
        next: *mut u8,
        left: usize,
    }

    // SAFETY: the arena owns the memory that its pointers point to.
    unsafe impl Send for Arena {}

    static ARENA: Mutex<Arena> = Mutex::new(Arena {
        free: [const { Vec::new() }; SIZES],
        kept: 0,
        next: std::ptr::null_mut(),
        left: 0,
    });

    /// A block with room for `bytes`, or `None` if there is no memory for it.
    pub(in crate::pool) fn allocate(bytes: usize) -> Option<Block> {
        let size = layout(bytes)?.size();
        if size > LARGEST {
            return Some(untouched(map(size, size)?));
        }
        let size = size.max(page());
        let mut arena = ARENA.lock();
        arena
            .take(size)
            .or_else(|| arena.split(size))
            .or_else(|| arena.cut(size))
    }

    const fn untouched(start: NonNull<u8>) -> Block {
        Block { start, resident: 0 }
    }

    /// Frees a block. `written` has the offset and length of each part that was written.
    ///
    /// # Safety
    /// The block came from [`allocate`] with the same `bytes`, and is not used again.
    pub(in crate::pool) unsafe fn free(mut block: Block, bytes: usize, written: &[(usize, usize)]) {
        let size = bytes.next_power_of_two();
        if size > LARGEST {
            // SAFETY: the caller's promise; it was mapped with this size.
            return unsafe { unmap(block.start, size) };
        }
        let size = size.max(page());
        let pages = |(at, len): &(usize, usize)| (at + len).div_ceil(page()) - at / page();
        let touched: usize = written.iter().filter(|(_, len)| *len > 0).map(pages).sum();
        block.resident = block.resident.max(u16::try_from(touched).unwrap_or(u16::MAX));
        if ARENA.lock().keep(&block) {
            for &(at, len) in written {
                // SAFETY: the caller's promise: within the block.
                let part = unsafe { block.start.add(at) };
                // SAFETY: the block is not used again.
                unsafe { part.write_bytes(0, len) };
            }
        } else {
            // SAFETY: the caller's promise: the block is not used again.
            unsafe { clear(block.start, size) };
            block.resident = 0;
        }
        let mut arena = ARENA.lock();
        // If there is no memory for the list, the block is leaked, with the pages that it keeps.
        if arena.reserve(size).is_some() {
            arena.put(block, size);
        }
    }

    impl Arena {
        fn take(&mut self, size: usize) -> Option<Block> {
            let block = self.free[size.trailing_zeros() as usize].pop()?;
            self.kept -= usize::from(block.resident);
            Some(block)
        }

        /// Counts the pages of a freed block, unless the sum would exceed [`KEPT`].
        fn keep(&mut self, block: &Block) -> bool {
            let kept = self.kept + usize::from(block.resident);
            let fits = kept <= KEPT / page();
            if fits {
                self.kept = kept;
            }
            fits
        }

        /// Reserves capacity for one more block in the free list of that size.
        fn reserve(&mut self, size: usize) -> Option<()> {
            self.free[size.trailing_zeros() as usize].try_reserve(1).ok()
        }

        /// Adds a block, whose pages are counted, to the free list of its size, which has capacity for it.
        fn put(&mut self, block: Block, size: usize) {
            self.free[size.trailing_zeros() as usize].push(block);
        }

        /// Takes the first half of a larger free block, without its pages, and puts the other half on its free list.
        fn split(&mut self, size: usize) -> Option<Block> {
            let larger = size * 2;
            if larger > LARGEST {
                return None;
            }
            self.reserve(size)?;
            let Block { start, resident } = self.take(larger).or_else(|| self.split(larger))?;
            if resident > 0 {
                // SAFETY: a free block.
                unsafe { clear(start, larger) };
            }
            // SAFETY: within the block.
            let other = unsafe { start.add(size) };
            self.put(untouched(other), size);
            Some(untouched(start))
        }

        /// A block from the newest mapping, or from a new one.
        fn cut(&mut self, size: usize) -> Option<Block> {
            loop {
                if self.left >= size && self.next.addr() % size == 0 {
                    return self.advance(size);
                }
                if self.left == 0 {
                    let (bytes, align) = if self.next.is_null() && size <= FIRST / 2 {
                        (FIRST, page())
                    } else {
                        (MAPPING, MAPPING)
                    };
                    self.next = map(bytes, align)?.as_ptr();
                    self.left = bytes;
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
        fn advance(&mut self, bytes: usize) -> Option<Block> {
            let block = NonNull::new(self.next).map(untouched);
            self.next = self.next.wrapping_add(bytes);
            self.left -= bytes;
            block
        }
    }

    /// Bytes of a page.
    pub(in crate::pool) fn page() -> usize {
        /// 0 if it is not known yet. Not a `OnceLock`: a forked child could wait for a thread that it does not have.
        static PAGE: AtomicUsize = AtomicUsize::new(0);
        // Relaxed, both: every caller stores the same value. Two threads that find 0 both ask the system.
        let mut page = PAGE.load(Ordering::Relaxed);
        if page == 0 {
            // SAFETY: reads a system parameter.
            page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
            PAGE.store(page, Ordering::Relaxed);
        }
        page
    }

    /// A new mapping of whole pages, which read as zero. `None` if memory or address space is exhausted.
    fn map(bytes: usize, align: usize) -> Option<NonNull<u8>> {
        // Maps more than needed, and then unmaps the unaligned ends. A mapping begins at a page.
        let spare = align - page();
        let all = bytes.checked_add(spare)?;
        let (read_write, private) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping, at an address of the system's choice.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), all, read_write, private, -1, 0) };
        if memory == libc::MAP_FAILED {
            return None;
        }
        let memory = NonNull::new(memory.cast::<u8>())?;
        let before = memory.as_ptr().align_offset(align);
        // SAFETY: within the mapping, which has `spare` bytes more.
        let start = unsafe { memory.add(before) };
        // SAFETY: as above.
        let end = unsafe { start.add(bytes) };
        // SAFETY: the mapping before `start` and from `end` on is not used.
        unsafe { unmap(memory, before) };
        // SAFETY: as above.
        unsafe { unmap(end, spare - before) };
        Some(start)
    }

    /// # Safety
    /// The range is mapped, begins at a page, and is not used again.
    unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        if bytes > 0 {
            // SAFETY: the caller's promise.
            unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
        }
    }

    /// Makes whole pages read as zero, and returns their memory to the operating system where that is possible.
    ///
    /// # Safety
    /// The range is mapped, begins at a page, and is not in use.
    unsafe fn clear(start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's promise.
        if unsafe { discard(start.as_ptr(), bytes) } < bytes {
            // SAFETY: the caller's promise.
            unsafe { start.write_bytes(0, bytes) };
        }
    }
}

#[cfg(not(all(unix, not(any(miri, acedia_loom, acedia_heap)))))]
mod system {
    use super::{Block, NonNull, layout};

    /// A block with room for `bytes`, or `None` if there is no memory for it.
    pub(in crate::pool) fn allocate(bytes: usize) -> Option<Block> {
        // SAFETY: a power of two of bytes, so not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout(bytes)?) })?;
        Some(Block { start, resident: 0 })
    }

    /// Frees a block.
    ///
    /// # Safety
    /// The block came from [`allocate`] with the same `bytes`, and is not used again.
    pub(in crate::pool) unsafe fn free(block: Block, bytes: usize, _written: &[(usize, usize)]) {
        if let Some(layout) = layout(bytes) {
            // SAFETY: the caller's promise.
            unsafe { std::alloc::dealloc(block.start.as_ptr(), layout) };
        }
    }

    /// Where nothing is mapped, pages only decide which slots lose their life words together. In models a page has few slots.
    pub(in crate::pool) fn page() -> usize {
        if cfg!(acedia_loom) { 64 } else { 4096 }
    }
}

/// Returns the whole pages of a range to the operating system. The result is the number of returned bytes, which read
/// as zero. On systems other than Linux it is 0, and the memory is unchanged.
///
/// # Safety
/// The range lies in a block of the arena, and its content is not needed.
#[cfg(all(target_os = "linux", not(any(miri, acedia_loom, acedia_heap))))]
pub(in crate::pool) unsafe fn discard(start: *mut u8, bytes: usize) -> usize {
    let page = page();
    let first = start.align_offset(page);
    let whole = bytes.saturating_sub(first) / page * page;
    if whole == 0 {
        return 0;
    }
    // SAFETY: within the range.
    let start = unsafe { start.add(first) };
    // MADV_DONTNEED only marks a range inside a huge page. MADV_FREE of one page at each end splits the huge page first.
    for end in [0, whole - page] {
        // SAFETY: within the range.
        let end = unsafe { start.add(end) };
        // SAFETY: a page of a private mapping of this process, whose content is not needed.
        unsafe { libc::madvise(end.cast(), page, libc::MADV_FREE) };
    }
    // SAFETY: as above.
    let result = unsafe { libc::madvise(start.cast(), whole, libc::MADV_DONTNEED) };
    if result == 0 { whole } else { 0 }
}

#[cfg(not(all(target_os = "linux", not(any(miri, acedia_loom, acedia_heap)))))]
#[expect(clippy::missing_safety_doc, reason = "as above")]
pub(in crate::pool) unsafe fn discard(_start: *mut u8, _bytes: usize) -> usize {
    0
}

/// Asks the C library's allocator to return its free memory to the operating system: the buffers of dropped objects,
/// and magazines. No effect with another allocator or another C library.
pub(in crate::pool) fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(any(miri, acedia_loom, acedia_heap))))]
    // SAFETY: may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
