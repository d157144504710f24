//! Giving memory back.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::memory::chunk::{self, Chunk};
use crate::pool::memory::pages;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags;
use crate::sync::plain::Ordering;

/// What a collection gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Free objects that were dropped, with all they owned.
    pub objects: u64,
    /// Bytes of the pools' own memory that went back to the operating system: free chunks but for the page that each begins with,
    /// which with pages of 64 KiB is half of one. 0 on other systems than Linux.
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

/// Above this, a chunk keeps its pages: starting all its slots above one worn slot would waste their lives.
const WORN: u32 = i32::MAX.unsigned_abs() / 2;

impl Depot {
    /// Drops the free objects, and returns wholly free chunks to the operating system.
    ///
    /// Objects on other threads' magazines, at most 766 per thread, stay.
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

    /// Takes every free object that this thread can reach and nobody reads.
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
            // After the pop: the scan must come after the stamp.
            if stamp.has_passed(flags::oldest()) {
                self.leave_guarded(&mut magazine);
                slots.extend(magazine.slots().map(Slot::index));
            } else {
                self.stock.push_limbo(magazine, stamp);
            }
        }
        slots
    }

    /// Returns the chunks in which no slot holds an object.
    ///
    /// Without the lock: it takes the lists of slots without objects for that time, so nobody else can have one of these.
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

/// Appends the shorter list to the longer, which costs least while the lock is held.
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
    /// Gives back the pages of a chunk if no slot holds an object. `blank` and `fresh` are all of its slots without one.
    fn add(&mut self, chunk: NonNull<Chunk>, blank: &[u32], fresh: &[(u32, u32)]) {
        // SAFETY: the depot owns its chunks.
        let header = unsafe { chunk.as_ref() };
        let unused: u32 = fresh.iter().map(|(start, end)| end - start).sum();
        let all = || Chunk::slots(chunk).map(|(_, slot)| slot);
        // Nothing was ever made here, or something still is.
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
        // Pages that no slot had used were not there.
        let used = blank.len() * header.shape.bytes_per_slot();
        self.bytes += chunk::give_back(chunk).min(used) as u64;
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
