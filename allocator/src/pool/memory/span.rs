//! [`Span`]: a pool's only chunk, for look-ups without the directory.

use std::ptr::NonNull;

use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::shape::{Place, Room};
use crate::pool::memory::slot::Slot;
use crate::pool::word::key::Key;

/// The address of the first slot of a chunk, for look-ups that treat every key as one of that chunk. The life word
/// found there is a whole key, so a key of another chunk does not match it. Null if there is no such chunk.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::pool) struct Span(*mut u8);

impl Span {
    pub(in crate::pool) const NONE: Self = Self(std::ptr::null_mut());

    pub(in crate::pool) fn of(chunk: NonNull<Chunk>) -> Self {
        // SAFETY: the caller holds a chunk of a living pool.
        let first = unsafe { chunk.as_ref() }.shape.first;
        // SAFETY: within the chunk.
        Self(unsafe { chunk.cast::<u8>().add(first) }.as_ptr())
    }

    pub(in crate::pool) fn from_raw(first: *mut u8) -> Self {
        Self(first)
    }

    pub(in crate::pool) fn into_raw(self) -> *mut u8 {
        self.0
    }

    #[inline]
    pub(in crate::pool) fn is_none(self) -> bool {
        self.0.is_null()
    }

    /// The slot that `key` would name if it were a key of that chunk, which belongs to a pool of `T`.
    #[inline]
    pub(in crate::pool) fn slot<T>(self, key: Key) -> Option<Slot> {
        let first = NonNull::new(self.0)?.cast::<Room<T>>();
        let place = key.index() & (Place::<T>::SLOTS - 1);
        // SAFETY: within the chunk: it has this many slots, a power of two.
        let room = unsafe { first.add(place as usize) };
        Some(Slot::from_raw(room.cast()))
    }
}
