//! Zeroed memory for chunks, and what the system is told about it.
//!
//! On Unix it comes from the operating system directly: the pages are known to be untouched, so that what nobody uses
//! costs nothing. Elsewhere it comes from the global allocator. On Linux pages are given back, and large ones are asked for.
//!
//! A leak checker does not look into such pages, and takes what objects in them own for lost. `RUSTFLAGS='--cfg
//! acedia_heap'` makes chunks come from the global allocator everywhere; `ci/asan.sh` does so.

use std::alloc::Layout;
use std::ptr::NonNull;

#[cfg(all(unix, not(any(miri, acedia_loom, acedia_heap))))]
mod memory {
    use super::{Layout, NonNull};

    /// Zeroed memory of the layout, or `None` if there is none.
    pub(in crate::pool) fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        let (size, align) = (whole_pages(layout.size())?, layout.align());
        if align <= page() {
            return map(size);
        }
        // A larger one is cut down.
        let memory = map(size.checked_add(align)?)?;
        let before = memory.as_ptr().align_offset(align);
        // SAFETY: within the mapping, which has `align` bytes to spare.
        let start = unsafe { memory.add(before) };
        // SAFETY: as above.
        let end = unsafe { start.add(size) };
        // SAFETY: the parts of the mapping before `start` and from `end` are not used.
        unsafe { unmap(memory, before) };
        // SAFETY: as above.
        unsafe { unmap(end, align - before) };
        Some(start)
    }

    fn map(bytes: usize) -> Option<NonNull<u8>> {
        let (read_write, private) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: a new mapping, at an address of the system's choice.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), bytes, read_write, private, -1, 0) };
        if memory == libc::MAP_FAILED {
            return None;
        }
        NonNull::new(memory.cast())
    }

    /// # Safety
    /// The range is mapped, begins at a page, and is not used again.
    unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        if bytes > 0 {
            // SAFETY: the caller's promise.
            unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
        }
    }

    pub(super) fn page() -> usize {
        // SAFETY: asks for a number.
        usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
    }

    fn whole_pages(bytes: usize) -> Option<usize> {
        bytes.checked_next_multiple_of(page())
    }

    /// # Safety
    /// `memory` came from [`allocate`] with this layout, and is not used again.
    pub(in crate::pool) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { unmap(memory, whole_pages(layout.size()).unwrap_or(layout.size())) };
    }
}

#[cfg(not(all(unix, not(any(miri, acedia_loom, acedia_heap)))))]
mod memory {
    use super::{Layout, NonNull};

    /// Zeroed memory, or `None` if there is none.
    pub(in crate::pool) fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: the layout of a chunk has a size above zero: it holds at least the header.
        NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) })
    }

    /// # Safety
    /// `memory` came from [`allocate`] with this layout, and is not used again.
    pub(in crate::pool) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { std::alloc::dealloc(memory.as_ptr(), layout) };
    }
}

#[cfg(all(target_os = "linux", not(any(miri, acedia_loom, acedia_heap))))]
mod advice {
    use super::{NonNull, memory::page};

    /// What the system may keep in one page: 2 MiB, with the usual pages.
    pub(in crate::pool) const REGION: usize = 1 << 21;

    /// Since Linux 6.1.
    const MADV_COLLAPSE: libc::c_int = 25;

    /// Says whether the system may keep a region in one page instead of many, if and when it wants to. What stands there stays, at
    /// the same addresses. What is not in use of the region comes to cost memory then.
    ///
    /// # Safety
    /// The range lies in memory from [`allocate`](super::allocate).
    pub(in crate::pool) unsafe fn allow_large(start: NonNull<u8>, bytes: usize, may: bool) {
        let advice = if may {
            libc::MADV_HUGEPAGE
        } else {
            libc::MADV_NOHUGEPAGE
        };
        // SAFETY: a mapping of ours, whose contents this does not touch.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, advice) };
    }

    /// Has the system do so now. `false` if it does not.
    ///
    /// # Safety
    /// As of [`allow_large`].
    pub(in crate::pool) unsafe fn make_large(start: NonNull<u8>, bytes: usize) -> bool {
        // SAFETY: as above.
        unsafe { libc::madvise(start.as_ptr().cast(), bytes, MADV_COLLAPSE) == 0 }
    }

    /// Returns the whole pages of a range to the operating system. Gives the bytes returned; they read as zero.
    ///
    /// # Safety
    /// The range lies in memory from [`allocate`](super::allocate) and holds nothing but zeroes or rubbish.
    pub(in crate::pool) unsafe fn give_back(start: *mut u8, bytes: usize) -> usize {
        let page = page();
        let first = start.align_offset(page);
        let whole = bytes.saturating_sub(first) / page * page;
        if whole == 0 {
            return 0;
        }
        // SAFETY: within the range.
        let start = unsafe { start.add(first) };
        // Of a part of a large page, the last call alone would only take note. This one splits the page; one small page of each end
        // is enough.
        for end in [0, whole - page] {
            // SAFETY: within the range.
            let end = unsafe { start.add(end) };
            // SAFETY: a page of a private mapping of ours, without anything of value.
            unsafe { libc::madvise(end.cast(), page, libc::MADV_FREE) };
        }
        // SAFETY: as above.
        let result = unsafe { libc::madvise(start.cast(), whole, libc::MADV_DONTNEED) };
        if result == 0 { whole } else { 0 }
    }
}

#[cfg(not(all(target_os = "linux", not(any(miri, acedia_loom, acedia_heap)))))]
mod advice {
    use super::NonNull;

    /// No such thing.
    pub(in crate::pool) const REGION: usize = 0;

    /// Nothing.
    ///
    /// # Safety
    /// None is needed; the other version has conditions.
    pub(in crate::pool) unsafe fn allow_large(_start: NonNull<u8>, _bytes: usize, _may: bool) {}

    /// Nothing.
    ///
    /// # Safety
    /// As of [`allow_large`].
    pub(in crate::pool) unsafe fn make_large(_start: NonNull<u8>, _bytes: usize) -> bool {
        false
    }

    /// There is no portable way; the memory is only ready for reuse.
    ///
    /// # Safety
    /// None is needed; the other version has conditions.
    pub(in crate::pool) unsafe fn give_back(_start: *mut u8, _bytes: usize) -> usize {
        0
    }
}

pub(super) use advice::{REGION, allow_large, give_back, make_large};
pub(super) use memory::{allocate, free};

/// Asks the C library's allocator to return what it has free to the operating system: what objects owned, and the
/// magazines that held them. Where another allocator is in charge, or another C library, nothing happens.
pub(super) fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(any(miri, acedia_loom, acedia_heap))))]
    // SAFETY: may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
