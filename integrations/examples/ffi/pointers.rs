//! C's pointers as slices.

use std::ptr;
use std::slice;

/// The bytes that C has passed.
///
/// # Safety
///
/// `bytes` is null, or `length` bytes there are readable and do not change during `'a`.
pub(crate) unsafe fn given<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if bytes.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise, which `acedia.h` asks of the caller in C.
    unsafe { slice::from_raw_parts(bytes, length) }
}

/// Writes as many of the bytes as there is room for.
///
/// # Safety
///
/// `room` is null, or `capacity` bytes there are writable and nobody else uses them during the call.
pub(crate) unsafe fn fill(room: *mut u8, capacity: usize, bytes: &[u8]) {
    if !room.is_null() {
        let length = capacity.min(bytes.len());
        // SAFETY: the caller's promise for `room`; `bytes` is a slice of that length or more, and no part of `room`.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), room, length) };
    }
}
