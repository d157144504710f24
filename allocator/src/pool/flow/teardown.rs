//! The end of a pool.

use crate::panics::FirstPanic;
use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::flow::wait;
use crate::pool::list::stock::Entry;
use crate::pool::memory::chunk::{Chunk, Number};
use crate::pool::memory::directory;
use crate::pool::memory::slot::Slot;
use crate::pool::word::life::Floor;
use crate::pool::word::tag;

impl Drop for Depot {
    fn drop(&mut self) {
        let panics = tear_down(self);
        tables::with(|tables| tables.forget(self.tag));
        tag::return_place(self.tag);
        if self.is_dropped_by_its_pool {
            panics.resume();
        }
    }
}

/// Ends a pool: finalizes objects that are alive or wait, drops every object, frees the chunks. Goes on after a
/// panic of user code.
fn tear_down(depot: &mut Depot) -> FirstPanic {
    let mut panics = FirstPanic::new();
    let chunks = std::mem::take(&mut depot.locked.lock().chunks);
    let empty = std::mem::take(&mut depot.locked.lock().empty).into_order();
    let is_empty = |index| {
        let next = empty.partition_point(|run| run.end <= index);
        empty.get(next).is_some_and(|run| run.start <= index)
    };
    // From here on no pin that ends looks for the pool.
    wait::forget(depot);
    let guarded = !depot.guarding.is_none();
    // Objects that wait for pins: their lives are over, and only the queue says that their finalizers have not run.
    while let Ok(Some(entry)) = depot.limbo.pop(|_| true) {
        // The loop below drops the others.
        let Entry::One(index) = entry else { continue };
        if let Some(end) = depot.shape.end {
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
        directory::remove(header.indices().start);
        for (index, slot) in Chunk::slots(chunk) {
            // Only a forgotten guard can still be counted.
            let waits = guarded && header.guards(index).is_closed();
            let holds = waits || slot.life().snapshot().has_lives();
            if !holds || is_empty(index) {
                continue;
            }
            // Free objects, and those without a key, are only dropped.
            let is_over = !waits && !slot.life().is_exposed();
            if let Some(end) = depot.shape.end.filter(|_| !is_over) {
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
            let lives = Chunk::slots(chunk).map(|(_, slot)| slot.highest_promised(header));
            let number = Number {
                number: header.number,
                floor: lives.max().unwrap_or(Floor(0)),
            };
            // SAFETY: the pool is gone, so there is no owner, guard or pinned reference any more; `tear_down` ended
            // look-ups under its tag.
            unsafe { Chunk::destroy(chunk) };
            directory::return_number(number);
        }
    }
}
