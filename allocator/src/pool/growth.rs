//! How a pool grows: parts of chunks, chunks, and the regions that they stand in.

use std::ptr::NonNull;

use super::chunk::Chunk;
use super::depot::{Cold, Depot};
use super::directory::{self, Number};
use super::region::{self, Region};
use super::slot::Span;
use crate::AllocateError;
use crate::sync::bug;
use crate::sync::plain::Ordering;

impl Depot {
    /// More slots without an object: the second part of the newest chunk, or the first of another.
    pub(super) fn grow(&self, cold: &mut Cold) -> Result<(u32, u32), AllocateError> {
        let layout = self.shape.layout(1).map(|(layout, _)| layout);
        let no_memory = || {
            let objects = self.shape.stride.saturating_mul(self.shape.part as usize);
            self.shape.no_memory(layout.map_or(objects, |layout| layout.size()))
        };
        // For what is left when the caller has taken some.
        cold.fresh.try_reserve(1).map_err(|_| no_memory())?;
        let is_first = cold.chunks.is_empty();
        let newest = cold.chunks.last().copied();
        // SAFETY: the depot owns its chunks.
        let extended = newest.filter(|chunk| unsafe { chunk.as_ref() }.extend());
        let chunk = if let Some(chunk) = extended {
            chunk
        } else {
            let number = directory::borrow_number().map_err(|_| no_memory())?;
            let number = number.ok_or(self.shape.no_number())?;
            self.add_chunk(cold, &number).ok_or_else(|| {
                directory::return_number(&number);
                no_memory()
            })?
        };
        let part = Chunk::enter(chunk, self.tag);
        let only = if is_first || bug("second_part_unnoticed") {
            Span::of(cold.chunks[0])
        } else {
            Span::NONE
        };
        // Before anybody can have a key of the part. Release pairs with `only_span` (Acquire): the chunk's memory is zero, or
        // older lives have written there.
        self.only.store(only.into_raw(), Ordering::Release);
        self.stock.add_room(part.len());
        Ok((part.start, part.end))
    }

    /// A chunk whose first part has that number, unless there is no memory for it.
    fn add_chunk(&self, cold: &mut Cold, number: &Number) -> Option<NonNull<Chunk>> {
        // Room in the lists first: a chunk that cannot be listed must not exist.
        cold.chunks.try_reserve(1).ok()?;
        let nth = u32::try_from(cold.chunks.len()).ok()?;
        let region = self.region(cold)?;
        let memory = region.next(self.shape)?;
        // SAFETY: of this shape, and nobody else's.
        let Some(chunk) = (unsafe { Chunk::create(self, nth, number, memory) }) else {
            region.put_back();
            return None;
        };
        // SAFETY: made above.
        unsafe { chunk.as_ref() }.set_managed(self.is_managed());
        cold.chunks.push(chunk);
        Some(chunk)
    }

    /// A region with memory for one more chunk, unless there is none.
    fn region<'c>(&self, cold: &'c mut Cold) -> Option<&'c mut Region> {
        if cold.regions.last().is_none_or(Region::is_used_up) {
            cold.regions.try_reserve(1).ok()?;
            // The first alone: most pools need no other.
            let chunks = if cold.regions.is_empty() {
                1
            } else {
                self.shape.chunks_per_region()
            };
            let region = Region::allocate(self.shape, chunks).or_else(|| Region::allocate(self.shape, 1))?;
            // All slots are given out, but for a few that threads have taken, or there would be no need for more.
            cold.regions.iter_mut().for_each(Region::allow_large);
            cold.regions.push(region);
        }
        cold.regions.last_mut()
    }

    /// Has the system keep the regions in large pages of which all slots are given out. Gives how many bytes it keeps so.
    pub(super) fn use_large_pages(&self) -> u64 {
        let full = |nth: usize| {
            let mut cold = self.cold.lock();
            let Cold { regions, fresh, .. } = &mut *cold;
            // The newest is still filled.
            let (_, full) = regions.split_last_mut()?;
            let region = full.get_mut(nth)?;
            let is_given_back = |&(index, _): &(u32, u32)| region.holds(directory::chunk_of(index), self.shape);
            if fresh.iter().any(is_given_back) {
                return Some(None);
            }
            region.allow_large();
            Some(region.start())
        };
        // Without the lock: the system takes its time. If the region is given back meanwhile, it is not allowed any more.
        // SAFETY: regions are freed with the pool.
        let make_large = |start: Option<NonNull<u8>>| start.map_or(0, |start| unsafe { region::make_large(start) });
        (0..).map_while(full).map(make_large).sum()
    }

    /// Unmakes the chunks, whose objects have been dropped.
    pub(super) fn destroy_chunks(&self) {
        for chunk in std::mem::take(&mut self.cold.lock().chunks) {
            // SAFETY: the chunk is alive until `destroy` below.
            let header = unsafe { chunk.as_ref() };
            let lives = Chunk::slots(chunk).map(|(_, slot)| slot.highest_promised(header));
            directory::return_number(&Number {
                number: header.number,
                floor: lives.max().unwrap_or(0),
            });
            // SAFETY: the pool is gone, so nobody has an owner, a guard or a pinned reference any more, and look-ups
            // under its tag were ended by `tear_down`.
            unsafe { Chunk::destroy(chunk) };
        }
        for region in std::mem::take(&mut self.cold.lock().regions) {
            // SAFETY: as above; the chunks in it are unmade.
            unsafe { region.free(self.shape) };
        }
    }
}
