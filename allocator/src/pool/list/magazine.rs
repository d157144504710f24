//! [`Magazine`]: free slots that move between threads together. Each holds a constructed object; the depot manages
//! slots without one.

use std::mem::MaybeUninit;

use crate::pool::memory::shared;
use crate::pool::memory::slot::Slot;

/// The maximum number of slots that move between a thread and the depot at a time.
pub(in crate::pool) const MAGAZINE: usize = if cfg!(acedia_loom) { 2 } else { 255 };

/// With fewer slots, neither a fence nor a separate magazine pays.
pub(in crate::pool) const SMALL: usize = MAGAZINE / 8;

/// Slots on their way through the depot.
pub(in crate::pool) struct Magazine {
    len: usize,
    slots: [MaybeUninit<Slot>; MAGAZINE],
}

// SAFETY: slots mean the same on every thread, and the chunks they point to outlive the pool's lists.
unsafe impl Send for Magazine {}

impl Magazine {
    /// An empty magazine, of which only the length is written, or `None` if there is no memory for it.
    pub(in crate::pool) fn try_empty() -> Option<Box<Self>> {
        let magazine = shared::allocate::<Self>()?;
        // SAFETY: within the memory.
        let len = unsafe { &raw mut (*magazine.as_ptr()).len };
        // SAFETY: as above.
        unsafe { len.write(0) };
        // SAFETY: allocated as a box is; the slots need no value.
        Some(unsafe { Box::from_raw(magazine.as_ptr()) })
    }

    pub(in crate::pool) fn slots(&self) -> &[Slot] {
        let slots = &self.slots[..self.len];
        // SAFETY: the first `len` were written.
        unsafe { std::slice::from_raw_parts(slots.as_ptr().cast(), slots.len()) }
    }

    pub(in crate::pool) fn len(&self) -> usize {
        self.len
    }

    /// The storage of the slots, for a caller that counts them itself.
    #[inline]
    pub(in crate::pool) fn places(&mut self) -> *mut Slot {
        self.slots.as_mut_ptr().cast()
    }

    /// Sets the number of slots.
    ///
    /// # Safety
    /// The first `len` slots were written, from the first [place](Self::places) on.
    pub(in crate::pool) unsafe fn set_len(&mut self, len: usize) {
        debug_assert!(len <= MAGAZINE);
        self.len = len;
    }

    /// Adds a slot. The magazine must not be full.
    pub(in crate::pool) fn push(&mut self, slot: Slot) {
        self.slots[self.len].write(slot);
        self.len += 1;
    }

    /// Keeps the slots for which `keep` returns `true`, in their order.
    pub(in crate::pool) fn retain(&mut self, mut keep: impl FnMut(Slot) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            // SAFETY: below the length.
            let slot = unsafe { self.slots[at].assume_init() };
            if keep(slot) {
                self.slots[kept].write(slot);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Reverses the order of the slots.
    pub(in crate::pool) fn reverse(&mut self) {
        self.slots[..self.len].reverse();
    }

    pub(in crate::pool) fn pop(&mut self) -> Option<Slot> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: below the old length.
        Some(unsafe { self.slots[self.len].assume_init() })
    }
}
