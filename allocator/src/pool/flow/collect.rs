//! Giving memory back.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::depot::depot::{Cold, Depot};
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
                if let Some(guarded) = self.take_guarded(&mut magazine) {
                    self.stock.push_limbo(guarded, stamp);
                }
                slots.extend(magazine.slots().map(Slot::index));
            } else {
                self.stock.push_limbo(magazine, stamp);
            }
        }
        slots
    }

    /// Returns the chunks in which no slot holds an object.
    fn give_back(&self) -> u64 {
        let mut cold = self.cold.lock();
        let Cold {
            chunks, fresh, blank, ..
        } = &mut *cold;
        blank.sort_unstable();
        fresh.sort_unstable();
        let bytes = chunks.iter().map(|&chunk| give_back(chunk, blank, fresh)).sum();
        blank.shrink_to_fit();
        bytes
    }
}

/// Returns the pages of a chunk if no slot holds an object. Gives the bytes. The caller holds the pool's lock, and `blank` and
/// `fresh` are sorted.
fn give_back(chunk: NonNull<Chunk>, blank: &mut Vec<u32>, fresh: &mut Vec<(u32, u32)>) -> u64 {
    // SAFETY: the depot owns its chunks.
    let header = unsafe { chunk.as_ref() };
    let Range { start, end } = header.indices();
    let before = |end: u32| blank.partition_point(|&index| index < end);
    let emptied = before(start)..before(end);
    let before = |end: u32| fresh.partition_point(|&(start, _)| start < end);
    let runs = before(start)..before(end);
    let unused: u32 = fresh[runs.clone()].iter().map(|(start, end)| end - start).sum();
    // Nothing was ever made here, or something still is.
    if emptied.is_empty() || emptied.len() + unused as usize != header.shape.slots as usize {
        return 0;
    }
    let all = || Chunk::slots(chunk).map(|(_, slot)| slot);
    let highest = all().map(|slot| slot.highest_life(header)).max().unwrap_or(0);
    if highest >= WORN {
        return 0;
    }
    header.floor.store(highest, Ordering::Relaxed);
    all().for_each(|slot| slot.life().forget());
    // Pages that no slot had used were not there.
    let used = emptied.len() * header.shape.bytes_per_slot();
    blank.drain(emptied);
    fresh.splice(runs, [(start, end)]);
    chunk::give_back(chunk).min(used) as u64
}

#[cfg(all(test, acedia_loom))]
mod models;
