//! [`Chunk`]: the memory of consecutive slots.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use crate::directory::{self, LOCAL_BITS, LOCALS, NO_POOL, Number};
use crate::slot::Slot;
use crate::sync::AtomicU64;
use crate::{AllocateError, Plain};

/// Words per cache line. The first slot begins at a cache line. (loom's words are larger.)
const LINE: usize = if cfg!(acedia_loom) {
    1
} else {
    64 / size_of::<AtomicU64>()
};

/// The approximate size of a pool's first chunk, in bytes.
const FIRST: usize = 4096;

/// Slots of one pool, with consecutive indices.
pub(crate) struct Chunk {
    memory: NonNull<AtomicU64>,
    layout: Layout,
    pub(crate) number: Number,
    pub(crate) slots: u32,
    /// The number of slots that the pool has put into use.
    pub(crate) used: u32,
}

// SAFETY: the memory is the chunk's own, and atomics may be dropped by any thread.
unsafe impl Send for Chunk {}

impl Chunk {
    /// A published chunk for the pool with this number, which has `slots_so_far` slots. [`NO_POOL`] stands for a new pool, which
    /// gets the chunk's number.
    pub(crate) fn new<T: Plain>(pool: u32, slots_so_far: u32) -> Result<Self, AllocateError> {
        let words = Slot::<T>::WORDS + Slot::<T>::SPARE_WORDS;
        let at_first = if cfg!(acedia_loom) {
            2
        } else {
            (FIRST / 8 / words).max(1).next_power_of_two()
        };
        // Doubles the pool, so this is a power of two.
        let slots = (slots_so_far as usize).clamp(at_first, LOCALS);
        let no_memory = AllocateError::NoMemory;
        let all = slots
            .checked_mul(words)
            .and_then(|all| all.checked_add(LINE))
            .ok_or(no_memory)?;
        let layout = Layout::array::<AtomicU64>(all).map_err(|_| no_memory)?;
        // SAFETY: there is at least one word.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })
            .ok_or(no_memory)?
            .cast::<AtomicU64>();
        #[cfg(acedia_loom)]
        for word in 0..all {
            // SAFETY: a word of the memory.
            unsafe { memory.add(word).write(AtomicU64::new(0)) };
        }
        let spares = slots * Slot::<T>::SPARE_WORDS;
        // SAFETY: within the memory.
        let base = unsafe { memory.add(spares) };
        let to_line = if LINE == 1 { 0 } else { base.align_offset(64) };
        debug_assert!(to_line < LINE);
        // SAFETY: the memory has `LINE` words more than the slots.
        let base = unsafe { base.add(to_line) };
        #[expect(clippy::cast_possible_truncation, reason = "at most 65,536")]
        let slots = slots as u32;
        let mut chunk = Self {
            memory,
            layout,
            number: Number { number: 0, floor: 0 },
            slots,
            used: 0,
        };
        chunk.number = directory::borrow_number().ok_or(AllocateError::Full)?;
        let number = chunk.number.number;
        let pool = if pool == NO_POOL { number } else { pool };
        directory::publish(number, pool, slots, base.as_ptr());
        Ok(chunk)
    }

    pub(crate) fn index(&self, local: u32) -> u32 {
        self.number.number << LOCAL_BITS | local
    }
}

impl Drop for Chunk {
    /// The chunk must be [withdrawn](directory::withdraw), or never published.
    fn drop(&mut self) {
        if self.number.number != 0 {
            directory::return_number(self.number);
        }
        #[cfg(acedia_loom)]
        for word in 0..self.layout.size() / size_of::<AtomicU64>() {
            // SAFETY: initialised in `new`.
            unsafe { self.memory.add(word).drop_in_place() };
        }
        // SAFETY: allocated in `new`, with this layout.
        unsafe { dealloc(self.memory.as_ptr().cast(), self.layout) };
    }
}
