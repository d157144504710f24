//! Pages of the operating system: mapping them, and returning their memory.

#[cfg(all(unix, not(any(miri, acedia_loom, acedia_heap))))]
mod system {
    use std::ptr::NonNull;

    use crate::sync::plain::{AtomicUsize, Ordering};

    /// Bytes of a page.
    pub(in crate::pool) fn page() -> usize {
        /// 0 if it is not known yet. Not a `OnceLock`: a forked child could wait for a thread that it does not have.
        static PAGE: AtomicUsize = AtomicUsize::new(0);
        // Relaxed, both: every caller stores the same value.
        let mut page = PAGE.load(Ordering::Relaxed);
        if page == 0 {
            // SAFETY: reads a system parameter.
            page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
            PAGE.store(page, Ordering::Relaxed);
        }
        page
    }

    /// A new mapping of whole pages, which read as zero. `None` if memory or address space is exhausted.
    pub(in crate::pool) fn map(bytes: usize, align: usize) -> Option<NonNull<u8>> {
        // Maps more than needed, and then unmaps the unaligned ends.
        let all = bytes.checked_add(align)?;
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
        // SAFETY: within the mapping, which has `align` bytes to spare.
        let start = unsafe { memory.add(before) };
        // SAFETY: as above.
        let end = unsafe { start.add(bytes) };
        // SAFETY: the parts of the mapping before `start` and from `end` on are not used.
        unsafe { unmap(memory, before) };
        // SAFETY: as above.
        unsafe { unmap(end, align - before) };
        Some(start)
    }

    /// # Safety
    /// The range is mapped, begins at a page, and is not used again.
    pub(in crate::pool) unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
        if bytes > 0 {
            // SAFETY: the caller's promise.
            unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
        }
    }

    /// Makes whole pages read as zero, and returns their memory to the operating system where that is possible.
    ///
    /// # Safety
    /// The range is mapped, begins at a page, and is not in use.
    pub(in crate::pool) unsafe fn clear(start: NonNull<u8>, bytes: usize) {
        // SAFETY: the caller's promise.
        if unsafe { super::discard(start.as_ptr(), bytes) } < bytes {
            // SAFETY: the caller's promise.
            unsafe { start.write_bytes(0, bytes) };
        }
    }
}

#[cfg(all(unix, not(any(miri, acedia_loom, acedia_heap))))]
pub(in crate::pool) use system::{clear, map, page, unmap};

/// Where nothing is mapped, pages only decide which slots lose their life words together. In models a page has few slots.
#[cfg(not(all(unix, not(any(miri, acedia_loom, acedia_heap)))))]
pub(in crate::pool) fn page() -> usize {
    if cfg!(acedia_loom) { 64 } else { 4096 }
}

/// Returns the whole pages of a range to the operating system. The result is the number of returned bytes, which read
/// as zero. On systems other than Linux it is 0, and the memory is unchanged.
///
/// # Safety
/// The range lies in a block of the [arena](super::arena), and its content is not needed.
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
    // Linux only marks a range inside a huge page. MADV_FREE of one page at each end splits the huge page first.
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
