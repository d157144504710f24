//! Zeroed memory for chunks, and giving its pages back.
//!
//! On Linux it comes from the operating system directly: the pages are known to be untouched, so that what nobody uses
//! costs nothing, and whole chunks can be returned. Elsewhere it comes from the global allocator.

use std::alloc::Layout;
use std::ptr::NonNull;

#[cfg(all(target_os = "linux", not(miri), not(acedia_loom)))]
mod system {
    use super::{Layout, NonNull};
    use crate::sync::plain::{AtomicUsize, Ordering};

    /// Zeroed memory of at least the layout's size, aligned to a page, or `None` if there is none.
    pub(in crate::pool) fn allocate(layout: Layout) -> Option<NonNull<u8>> {
        let (read_write, private) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: a new mapping, at an address of the system's choice.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), layout.size(), read_write, private, -1, 0) };
        if memory == libc::MAP_FAILED {
            return None;
        }
        leak_checker("__lsan_register_root_region\0", memory, layout.size());
        NonNull::new(memory.cast())
    }

    /// # Safety
    /// `memory` came from [`allocate`] with this layout, and is not used again.
    pub(in crate::pool) unsafe fn free(memory: NonNull<u8>, layout: Layout) {
        leak_checker("__lsan_unregister_root_region\0", memory.as_ptr().cast(), layout.size());
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(memory.as_ptr().cast(), layout.size()) };
    }

    /// Returns the whole pages of a range to the operating system. Gives the bytes returned; they read as zero.
    ///
    /// # Safety
    /// The range lies in memory from [`allocate`] and holds nothing but zeroes or rubbish.
    pub(in crate::pool) unsafe fn give_back(start: *mut u8, bytes: usize) -> usize {
        // SAFETY: asks for a number.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
        let first = start.align_offset(page);
        let whole = bytes.saturating_sub(first) / page * page;
        if whole == 0 {
            return 0;
        }
        // SAFETY: within the range.
        let start = unsafe { start.add(first) };
        // SAFETY: whole pages of a private mapping of ours.
        let result = unsafe { libc::madvise(start.cast(), whole, libc::MADV_DONTNEED) };
        if result == 0 { whole } else { 0 }
    }

    /// Tells a leak checker, if one is linked into the program, that objects here may own memory elsewhere.
    fn leak_checker(name: &'static str, memory: *mut libc::c_void, bytes: usize) {
        /// Whether the program has a leak checker: 0 not known yet, 1 no, 2 yes.
        static PRESENT: AtomicUsize = AtomicUsize::new(0);
        if PRESENT.load(Ordering::Relaxed) == 1 {
            return;
        }
        // SAFETY: the name ends with a zero byte.
        let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr().cast()) };
        PRESENT.store(if function.is_null() { 1 } else { 2 }, Ordering::Relaxed);
        if !function.is_null() {
            // SAFETY: the leak checker's interface: `void f(const void *, size_t)`.
            let call: extern "C" fn(*const libc::c_void, usize) = unsafe { std::mem::transmute(function) };
            call(memory, bytes);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri), not(acedia_loom))))]
mod system {
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

    /// There is no portable way; the memory is only ready for reuse.
    ///
    /// # Safety
    /// None is needed; the other version has conditions.
    pub(in crate::pool) unsafe fn give_back(_start: *mut u8, _bytes: usize) -> usize {
        0
    }
}

pub(super) use system::{allocate, free, give_back};
