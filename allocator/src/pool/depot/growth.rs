//! How a pool grows, chunk by chunk. The memory of a chunk is a block of the arena that all pools share.

use std::ptr::NonNull;

use crate::AllocateError;
use crate::pool::depot::depot::{Cold, Depot};
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::directory;
use crate::pool::memory::span::Span;
use crate::sync::bug;
use crate::sync::plain::Ordering;

impl Depot {
    /// Adds a chunk. Returns the first index and the end of the indices of its slots, which have no objects.
    pub(in crate::pool) fn grow(&self, cold: &mut Cold) -> Result<(u32, u32), AllocateError> {
        let objects = self.shape.stride.saturating_mul(self.shape.slots as usize);
        let no_memory = || self.shape.no_memory(self.shape.bytes.unwrap_or(objects));
        // Reserve room in the lists first, so that listing the chunk cannot fail. The caller puts the slots that it does
        // not use into `fresh`.
        cold.fresh.try_reserve(1).map_err(|_| no_memory())?;
        cold.chunks.try_reserve(1).map_err(|_| no_memory())?;
        let number = directory::borrow_number().map_err(|_| no_memory())?;
        let number = number.ok_or(self.shape.no_number())?;
        let nth = u32::try_from(cold.chunks.len()).ok();
        let Some(chunk) = nth.and_then(|nth| {
            let depot = NonNull::from(self).cast();
            Chunk::create(
                (self.shape, self.about),
                (self.marked_tag(), depot),
                nth,
                (number.number, number.floor),
            )
        }) else {
            directory::return_number(&number);
            return Err(no_memory());
        };
        cold.chunks.push(chunk);
        directory::enter_chunk(chunk, self.tag);
        let only = if cold.chunks.len() == 1 || bug("second_chunk_unnoticed") {
            Span::of(cold.chunks[0])
        } else {
            Span::NONE
        };
        // Stored before any key of the chunk exists. Release pairs with `only_span` (Acquire): a reader sees the chunk's
        // memory as zero, or as earlier lives have written it.
        self.only.store(only.into_raw(), Ordering::Release);
        // SAFETY: the chunk was made above.
        let indices = unsafe { chunk.as_ref() }.indices();
        self.stock.add_room(indices.len());
        Ok((indices.start, indices.end))
    }
}
