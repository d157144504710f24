//! Collection (memory returns to the operating system), and the end of a pool.

use std::ops::Range;

use crate::panics::FirstPanic;
use crate::pool::chunk::{Chunk, Slot};
use crate::pool::depot::Depot;
use crate::pool::depot::{Empty, Run};
use crate::pool::directory::Number;
use crate::pool::life::Floor;
use crate::pool::stock::Waiting;
use crate::pool::{arena, chunk, directory, recycle, tables};
use crate::report::stats::Reclaimed;
use crate::sync::{Ordering, thread_token};

/// A page with a slot in this life or a later one is kept: all slots of its chunk that have no life word would start above
/// that life, and lose the lives below it.
const HALF_WORN: Floor = Floor(Floor::LAST.0 / 2);

impl Depot {
    /// Drops the free objects, and returns the pages without objects to the operating system.
    ///
    /// Objects in the lists of other threads, at most 766 per thread, stay.
    pub(super) fn collect(&self) -> Reclaimed {
        let mut slots = self.take_free();
        let objects = slots.len() as u64;
        // In the order of the slots, so that the slots without an object are few runs.
        slots.sort_unstable();
        self.drop_all(&slots);
        drop(slots);
        let bytes = self.return_pages();
        if objects > 0 || bytes > 0 {
            arena::trim_heap();
        }
        Reclaimed { objects, bytes }
    }

    /// Takes every free object without readers that this thread can reach.
    fn take_free(&self) -> Vec<u32> {
        // Twice, because the second look may find that the slots of the thread's limbo have no readers, and puts them on its lists.
        for _ in 0..2 {
            self.drain_limbo();
            tables::with(|tables| {
                if let Some(local) = tables.local(self.tag) {
                    // Other threads may take these from the stock before this thread does: then they are not dropped.
                    self.empty_local(local);
                    self.locked.lock().take_back_fresh(local);
                }
            });
        }
        // Then the free objects of the pool itself. Other threads may take and add some meanwhile: those that come after the look stay.
        let mut slots = Vec::with_capacity(usize::try_from(self.stock.slots()).unwrap_or_default());
        while let Some(slot) = self.take_from_cells() {
            slots.push(slot.index());
        }
        while let Some(magazine) = self.stock.pop() {
            slots.extend(magazine.slots().iter().map(|slot| slot.index()));
        }
        slots
    }

    /// Returns the pages in which no slot holds an object.
    ///
    /// Works outside the depot's lock. The slots without objects are taken out meanwhile, so no other thread can have one
    /// of them.
    fn return_pages(&self) -> u64 {
        // Each stretch of adjacent slots may span several runs, and so whole pages that no run spans alone.
        // Meanwhile an allocation that needs an empty slot finds none of these, and adds a chunk.
        let empty = std::mem::take(&mut self.locked.lock().empty);
        let runs = empty.into_order();
        let (mut left, mut bytes) = (Empty::default(), 0);
        for stretch in runs.chunk_by(Run::reaches) {
            let end = stretch[stretch.len() - 1].end;
            let (inner, given) = return_runs(stretch[0].start..end, stretch).unwrap_or((end..end, 0));
            bytes += given;
            // Before and behind the returned pages, the runs stay as they were. Slots in the pages count as never used.
            for run in stretch {
                left.put(run.start, run.end.min(inner.start), run.used);
            }
            left.put(inner.start, inner.end, false);
            for run in stretch {
                left.put(run.start.max(inner.end), run.end, run.used);
            }
        }
        // Other threads may have put slots back meanwhile, and another collection those that it took out.
        let mut locked = self.locked.lock();
        let meanwhile = std::mem::replace(&mut locked.empty, left);
        locked.empty.extend(meanwhile);
        bytes
    }
}

/// Returns the whole pages of adjacent runs to the operating system. The result has the slots whose life words were in them, and the
/// number of bytes. `None` without a whole page, without an object made there since the last time, or if a slot is half worn out.
fn return_runs(slots: Range<u32>, runs: &[Run]) -> Option<(Range<u32>, u64)> {
    let chunk = Chunk::of(slots.start);
    // SAFETY: the depot owns its chunks.
    let header = unsafe { chunk.as_ref() };
    let (inner, pages) = header.whole_pages(slots)?;
    // Only slots that have had an object have a life word to lose.
    let used = runs.iter().filter(|run| run.used);
    let used = used.flat_map(|run| run.start.max(inner.start)..run.end.min(inner.end));
    let used: Vec<_> = used.map(Slot::of_own).collect();
    let lives = used.iter().map(|slot| slot.highest_life(header));
    let highest = lives.max().filter(|&highest| highest < HALF_WORN)?;
    // The floor comes first: a life that begins in a slot without a word begins above it. No life begins here before the caller puts the
    // slots back. `explain` may load both words in between: see `raise_floor`.
    header.raise_floor(highest);
    for slot in &used {
        slot.life().reset();
    }
    // Pages that no slot had used were not resident.
    let resident = used.len() * header.shape.stride;
    Some((inner, chunk::discard_pages(chunk, pages).min(resident) as u64))
}

impl Drop for Depot {
    fn drop(&mut self) {
        let panics = tear_down(self);
        // The number is returned last: the next pool with it finds neither a chunk of this one in the directory nor this thread's lists.
        // Other threads keep the pool in their tables: its tag never matches again.
        tables::with(|tables| tables.remove(self.tag));
        directory::return_pool_number(self.tag);
        // Relaxed, both: no other thread uses the depot any more, and the stores of `list`, `drain_passed` and `Untyped::drop` come before the
        // drop of the last `Arc`. If the end of a pin has taken the pool out of the list and found no `Arc`, the flag is still set: `note_end`
        // counts a pool too many, and cleans the list a little earlier.
        if self.is_listed.load(Ordering::Relaxed) {
            self.pins.note_end(!recycle::is_draining());
        }
        if self.dropped_on.load(Ordering::Relaxed) == thread_token() {
            panics.resume();
        }
    }
}

/// Ends a pool: finalizes objects that are alive or wait, drops every object, frees the chunks.
fn tear_down(depot: &mut Depot) -> FirstPanic {
    let mut panics = FirstPanic::new();
    // Taken out, because user code runs below, without the lock. No other thread uses the depot any more.
    let chunks = std::mem::take(&mut depot.locked.lock().chunks);
    let empty = std::mem::take(&mut depot.locked.lock().empty).into_order();
    let is_empty = |index| {
        let next = empty.partition_point(|run| run.end <= index);
        empty.get(next).is_some_and(|run| run.start <= index)
    };
    let guarded = !depot.census.is_none();
    // Objects that wait for pins: their lives are over, and only the queue says that their finalizers have not run.
    while let Some(waiting) = depot.limbo.take_any() {
        // The loop below drops the others.
        let Waiting::One(index) = waiting else { continue };
        if let Some(end) = depot.shape.finalizer {
            let object = Slot::of_own(index).object_erased();
            // SAFETY: the object's life is over and it waited for readers; the pool is gone, so there are none.
            panics.catch(|| unsafe { end(object) });
        }
        let slot = Slot::of_own(index);
        if !slot.life().snapshot().has_lives() {
            // In its last life: the life word marks the slot as empty, so the loop below skips it.
            // SAFETY: as above; no list leads to the object any more.
            panics.catch(|| unsafe { (depot.shape.drop)(slot.object_erased()) });
        }
    }
    for &chunk in &chunks {
        // SAFETY: the chunk is alive until `destroy_chunks`.
        let header = unsafe { chunk.as_ref() };
        // A look-up by a handle in another pool may load the entry before or after this, and finds the chunk in neither case.
        directory::remove(header.indices().start);
        if depot.shape.finalizer.is_none() && !depot.shape.needs_drop {
            continue;
        }
        for (index, slot) in Slot::used_in(chunk) {
            // Only a forgotten guard can still be counted.
            let waits = guarded && header.guards(index).is_closed();
            let holds = waits || slot.life().snapshot().has_lives();
            if !holds || is_empty(index) {
                continue;
            }
            // Free objects, and those without a handle, are only dropped.
            let is_over = !waits && !slot.life().is_exposed();
            if let Some(end) = depot.shape.finalizer.filter(|_| !is_over) {
                if !waits {
                    slot.life().end();
                }
                // SAFETY: the object was alive when the pool was dropped, and has no readers any more.
                panics.catch(|| unsafe { end(slot.object_erased()) });
            }
            // SAFETY: the slot holds an object that has no readers, and no list leads to it any more.
            panics.catch(|| unsafe { (depot.shape.drop)(slot.object_erased()) });
        }
    }
    depot.locked.lock().chunks = chunks;
    depot.destroy_chunks();
    panics
}

impl Depot {
    /// Frees the chunks, whose objects have been dropped.
    fn destroy_chunks(&self) {
        for chunk in std::mem::take(&mut self.locked.lock().chunks) {
            // SAFETY: the chunk is alive until `destroy` below.
            let header = unsafe { chunk.as_ref() };
            let lives = Slot::used_in(chunk).map(|(_, slot)| slot.highest_promised(header));
            let number = Number {
                number: header.number,
                floor: lives.max().unwrap_or(Floor(0)),
            };
            // SAFETY: the pool is gone, so there is no owner, guard or pinned reference any more; `tear_down` ended
            // look-ups under its number.
            unsafe { Chunk::destroy(chunk) };
            // Last: from here on another pool may take the number, and enter its own chunk under it.
            directory::return_number(number);
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
