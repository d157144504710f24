//! Collection: returns memory to the operating system.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::memory::chunk::{self, Chunk};
use crate::pool::memory::pages;
use crate::pool::memory::slot::Slot;
use crate::sync::plain::Ordering;

/// The objects and the memory that a collection gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Free objects that were dropped, with all they owned.
    pub objects: u64,
    /// Bytes of the pools' own memory that were returned to the operating system: free chunks, except the first page of
    /// each (with pages of 64 KiB, half a chunk). 0 on systems other than Linux.
    pub bytes: u64,
}

impl fmt::Display for Reclaimed {
    /// `12 objects, 4096 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objects, bytes } = self;
        write!(f, "{objects} objects, {bytes} bytes")
    }
}

impl std::ops::AddAssign for Reclaimed {
    fn add_assign(&mut self, other: Self) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }
}

/// From this life on, a chunk keeps its pages: all its slots would start above the highest life, and lose the lives below
/// it.
const WORN: u32 = i32::MAX.unsigned_abs() / 2;

impl Depot {
    /// Drops the free objects, and returns wholly free chunks to the operating system.
    ///
    /// Objects in the magazines of other threads, at most 766 per thread, stay.
    pub(in crate::pool) fn collect(&self) -> Reclaimed {
        self.finish_deferred();
        let slots = self.take_free();
        let objects = slots.len() as u64;
        self.drop_all(&slots);
        drop(slots);
        self.stock.shrink();
        self.deferred.shrink();
        let bytes = self.give_back();
        if bytes > 0 {
            pages::trim_heap();
        }
        Reclaimed { objects, bytes }
    }

    /// Takes every free object that this thread can reach and that has no readers.
    fn take_free(&self) -> Vec<u32> {
        tables::with(|tables| {
            if let Some(local) = tables.local(self.tag) {
                self.empty_local(local);
                let (next, end) = local.fresh.take();
                if next < end {
                    self.cold.lock().fresh.push((next, end));
                }
            }
        });
        let mut slots = std::mem::take(&mut self.cold.lock().kept);
        while let Some(magazine) = self.stock.pop_ready() {
            slots.extend(magazine.slots().map(Slot::index));
        }
        for _ in 0..self.stock.limbo_len() {
            let Some((mut magazine, stamp)) = self.stock.pop_limbo() else {
                break;
            };
            // The scan comes after the pop, and so after the stamp.
            if stamp.has_passed(self.pins.flags.oldest()) {
                self.leave_guarded(&mut magazine);
                slots.extend(magazine.slots().map(Slot::index));
            } else {
                self.stock.push_limbo(magazine, stamp);
            }
        }
        slots
    }

    /// Returns the pages of the chunks in which no slot holds an object.
    ///
    /// Works outside the depot's lock. The lists of slots without objects are taken out meanwhile, so no other thread can
    /// have one of these slots.
    fn give_back(&self) -> u64 {
        let (chunks, mut blank, mut fresh) = {
            let mut cold = self.cold.lock();
            let chunks = cold.chunks.clone();
            (chunks, std::mem::take(&mut cold.blank), std::mem::take(&mut cold.fresh))
        };
        blank.sort_unstable();
        fresh.sort_unstable();
        let mut kept = Kept::default();
        let (mut blank, mut fresh) = (&blank[..], &fresh[..]);
        let mut chunks: Vec<_> = chunks;
        // SAFETY: the depot owns its chunks.
        chunks.sort_unstable_by_key(|chunk| unsafe { chunk.as_ref() }.number);
        for chunk in chunks {
            // SAFETY: as above.
            let end = unsafe { chunk.as_ref() }.indices().end;
            let emptied = blank.partition_point(|&index| index < end);
            let unused = fresh.partition_point(|&(start, _)| start < end);
            kept.add(chunk, &blank[..emptied], &fresh[..unused]);
            (blank, fresh) = (&blank[emptied..], &fresh[unused..]);
        }
        let Kept { blank, fresh, bytes } = kept;
        let mut cold = self.cold.lock();
        put_back(&mut cold.blank, blank);
        put_back(&mut cold.fresh, fresh);
        bytes
    }
}

/// Appends the shorter list to the longer: the least work under the lock.
fn put_back<T>(list: &mut Vec<T>, mut more: Vec<T>) {
    if more.len() > list.len() {
        std::mem::swap(list, &mut more);
    }
    list.append(&mut more);
}

/// Slots without objects after a collection.
#[derive(Default)]
struct Kept {
    blank: Vec<u32>,
    fresh: Vec<(u32, u32)>,
    /// Bytes that were given back.
    bytes: u64,
}

impl Kept {
    /// Gives back the pages of a chunk if no slot holds an object. `blank` and `fresh` are all its slots without an object.
    fn add(&mut self, chunk: NonNull<Chunk>, blank: &[u32], fresh: &[(u32, u32)]) {
        // SAFETY: the depot owns its chunks.
        let header = unsafe { chunk.as_ref() };
        let unused: u32 = fresh.iter().map(|(start, end)| end - start).sum();
        let all = || Chunk::slots(chunk).map(|(_, slot)| slot);
        // No object was ever made in the chunk, or some still exist.
        let is_used = blank.is_empty() || blank.len() + unused as usize != header.shape.slots as usize;
        let highest = if is_used {
            0
        } else {
            all().map(|slot| slot.highest_life(header)).max().unwrap_or(0)
        };
        if is_used || highest >= WORN {
            self.blank.extend_from_slice(blank);
            self.fresh.extend_from_slice(fresh);
            return;
        }
        header.floor.store(highest, Ordering::Relaxed);
        all().for_each(|slot| slot.life().forget());
        let Range { start, end } = header.indices();
        self.fresh.push((start, end));
        // Pages that no slot had used were not resident.
        let used = blank.len() * header.shape.bytes_per_slot();
        self.bytes += chunk::give_back(chunk).min(used) as u64;
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
