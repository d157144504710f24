//! How a pool grows, chunk by chunk. The memory of a chunk is a block of the arena that all pools share.

use std::ops::Range;
use std::ptr::NonNull;

use crate::AllocateError;
use crate::pool::depot::depot::{Depot, Locked};
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::directory;
use crate::sync::plain::Ordering;

/// Bytes of slots that approximately fit a core's own caches.
const NEAR: usize = if cfg!(miri) { 1 << 19 } else { 2 << 20 };

impl Depot {
    /// Whether a random access to the pool's memory probably misses the processor's caches.
    #[inline]
    pub(in crate::pool) fn exceeds_caches(&self) -> bool {
        // Relaxed: only speed depends on it.
        self.exceeds_caches.load(Ordering::Relaxed)
    }

    /// Adds a chunk, whose slots have no objects.
    pub(in crate::pool) fn grow(&self, locked: &mut Locked) -> Result<(), AllocateError> {
        let objects = self.shape.stride.saturating_mul(self.shape.slots as usize);
        let no_memory = || self.shape.no_memory(self.shape.bytes.unwrap_or(objects));
        // Reserve room in the lists first, so that listing the chunk cannot fail.
        locked.empty.try_reserve().map_err(|_| no_memory())?;
        locked.chunks.try_reserve(1).map_err(|_| no_memory())?;
        let number = directory::borrow_number().map_err(|_| no_memory())?;
        let number = number.ok_or(self.shape.no_number())?;
        let nth = u32::try_from(locked.chunks.len()).ok();
        let Some(chunk) = nth.and_then(|nth| {
            let depot = NonNull::from(self).cast();
            Chunk::create((self.shape, self.held.about), (self.marked_tag(), depot), nth, number)
        }) else {
            directory::return_number(number);
            return Err(no_memory());
        };
        locked.chunks.push(chunk);
        directory::insert(chunk, self.tag);
        // SAFETY: the chunk was made above.
        let Range { start, end } = unsafe { chunk.as_ref() }.indices();
        locked.empty.put(start, end, false);
        let bytes = locked.chunks.len() * self.shape.stride * self.shape.slots as usize;
        self.exceeds_caches.store(bytes > NEAR, Ordering::Relaxed);
        Ok(())
    }
}
