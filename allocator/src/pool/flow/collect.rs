//! Collection: returns memory to the operating system.

use std::ops::Range;

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::list::empty::{Empty, Run};
use crate::pool::memory::slot::Slot;
use crate::pool::memory::{chunk, directory, pages};
use crate::pool::word::life::Floor;
use crate::report::stats::Reclaimed;

/// A page with a slot in this life or a later one is kept: all slots of its chunk that have no life word would start above
/// that life, and lose the lives below it.
const HALF_WORN: Floor = Floor(Floor::LAST.0 / 2);

impl Depot {
    /// Drops the free objects, and returns the pages without objects to the operating system.
    ///
    /// Objects in the magazines of other threads, at most 766 per thread, stay.
    pub(in crate::pool) fn collect(&self) -> Reclaimed {
        self.give_up(self.take_free())
    }

    /// Drops the free objects that no allocation has needed since the last call, and returns pages.
    pub(in crate::pool) fn trim(&self) -> Reclaimed {
        self.drain_limbo();
        let mut idle = self.locked.lock().kept.take_idle();
        self.stock
            .take_idle(|magazine| idle.extend(magazine.slots().iter().map(|slot| slot.index())));
        if idle.is_empty() {
            Reclaimed::default()
        } else {
            self.give_up(idle)
        }
    }

    fn give_up(&self, slots: Vec<u32>) -> Reclaimed {
        let objects = slots.len() as u64;
        self.drop_all(&slots);
        drop(slots);
        self.stock.shrink();
        self.limbo.shrink();
        let bytes = self.return_pages();
        if bytes > 0 {
            pages::trim_heap();
        }
        Reclaimed { objects, bytes }
    }

    /// Takes every free object that this thread can reach and that has no readers.
    fn take_free(&self) -> Vec<u32> {
        // First, because it puts objects on this thread's lists. Again below, for the slots in limbo of those lists.
        self.drain_limbo();
        tables::with(|tables| {
            if let Some(local) = tables.local(self.tag) {
                self.empty_local(local);
                self.locked.lock().take_back_fresh(local);
            }
        });
        self.drain_limbo();
        // Then the free objects of the pool itself. The list is copied outside the lock.
        let mut kept = std::mem::take(&mut self.locked.lock().kept);
        let mut slots = kept.take_all();
        while let Some(magazine) = self.stock.pop_ready() {
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
        let empty = std::mem::take(&mut self.locked.lock().empty);
        let runs = empty.into_order();
        let (mut left, mut bytes) = (Empty::default(), 0);
        for stretch in runs.chunk_by(Run::reaches) {
            let end = stretch[stretch.len() - 1].end;
            let (inner, given) = return_runs(stretch[0].start..end, stretch).unwrap_or((end..end, 0));
            bytes += given;
            // Before the pages that were given back, the runs stay as they were; within, no slot has had an object; after, as before.
            for run in stretch {
                left.put(run.start, run.end.min(inner.start), run.used);
            }
            left.put(inner.start, inner.end, false);
            for run in stretch {
                left.put(run.start.max(inner.end), run.end, run.used);
            }
        }
        // Other threads may have put slots back meanwhile.
        let mut locked = self.locked.lock();
        let meanwhile = std::mem::replace(&mut locked.empty, left);
        locked.empty.extend(meanwhile);
        bytes
    }
}

/// Gives back the whole pages of adjacent runs. Returns the slots whose life words were in them, and the number of bytes. `None`
/// if no object was made there since the last time.
fn return_runs(slots: Range<u32>, runs: &[Run]) -> Option<(Range<u32>, u64)> {
    let chunk = directory::chunk_of(slots.start);
    // SAFETY: the depot owns its chunks.
    let header = unsafe { chunk.as_ref() };
    let (inner, pages) = header.whole_pages(slots)?;
    // Only slots that have had an object have a life word to lose.
    let used = runs.iter().filter(|run| run.used);
    let used = used.flat_map(|run| run.start.max(inner.start)..run.end.min(inner.end));
    let used: Vec<_> = used.map(Slot::of_own).collect();
    let lives = used.iter().map(|slot| slot.highest_life(header));
    let highest = lives.max().filter(|&highest| highest < HALF_WORN)?;
    // The floor comes first: a life that begins in a slot without a word begins above it.
    header.raise_floor(highest);
    for slot in &used {
        slot.life().forget();
    }
    // Pages that no slot had used were not resident.
    let resident = used.len() * header.shape.stride;
    Some((inner, chunk::discard_pages(chunk, pages).min(resident) as u64))
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
