//! Collection: returns memory to the operating system.

use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::memory::chunk::{self, Chunk};
use crate::pool::memory::pages;
use crate::pool::memory::slot::Slot;
use crate::sync::bug;
use crate::sync::plain::Ordering;

/// The objects and the memory that a collection gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reclaimed {
    /// Free objects that were dropped, with all they owned.
    pub objects: u64,
    /// Bytes of the pools' own memory that were returned to the operating system: whole pages without objects. 0 on systems
    /// other than Linux.
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

/// A page with a slot in this life or a later one is kept: all slots of its chunk that have no life word would start above
/// that life, and lose the lives below it.
const WORN: u32 = i32::MAX.unsigned_abs() / 2;

impl Depot {
    /// Drops the free objects, and returns the pages without objects to the operating system.
    ///
    /// Objects in the magazines of other threads, at most 766 per thread, stay.
    pub(in crate::pool) fn collect(&self) -> Reclaimed {
        self.finish_deferred();
        self.give_up(self.take_free())
    }

    /// Drops the free objects that no allocation has needed since the last call, and returns pages.
    pub(in crate::pool) fn trim(&self) -> Reclaimed {
        self.finish_deferred();
        let mut idle = self.cold.lock().kept.take_idle();
        self.stock
            .take_idle(|magazine| idle.extend(magazine.slots().map(Slot::index)));
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
        let mut slots = self.cold.lock().kept.take_all();
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

    /// Returns the pages in which no slot holds an object.
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

/// Adjacent slots without objects: those of `blank`, and of the runs in `fresh`.
struct Run<'a> {
    slots: Range<u32>,
    blank: &'a [u32],
    fresh: &'a [(u32, u32)],
}

impl<'a> Run<'a> {
    /// Takes the longest run at the beginning of the two lists, which are in order.
    fn take(blank: &mut &'a [u32], fresh: &mut &'a [(u32, u32)]) -> Option<Self> {
        let firsts = [blank.first().copied(), fresh.first().map(|run| run.0)];
        let start = firsts.into_iter().flatten().min()?;
        let (mut end, mut emptied, mut unused) = (start, 0, 0);
        loop {
            if blank.get(emptied) == Some(&end) {
                (emptied, end) = (emptied + 1, end + 1);
            } else {
                match fresh.get(unused) {
                    Some(run) if run.0 == end => (unused, end) = (unused + 1, run.1),
                    _ => break,
                }
            }
        }
        let run = Self {
            slots: start..end,
            blank: &blank[..emptied],
            fresh: &fresh[..unused],
        };
        (*blank, *fresh) = (&blank[emptied..], &fresh[unused..]);
        Some(run)
    }
}

impl Kept {
    /// Gives back the pages of a chunk in which no slot holds an object. `blank` and `fresh` are all its slots without an
    /// object, in order.
    fn add<'a>(&mut self, chunk: NonNull<Chunk>, mut blank: &'a [u32], mut fresh: &'a [(u32, u32)]) {
        while let Some(run) = Run::take(&mut blank, &mut fresh) {
            let inner = if run.blank.is_empty() {
                // No object was made there since the pages were given back.
                None
            } else {
                self.give_back(chunk, &run)
            };
            let (start, end) = inner.map_or((run.slots.end, run.slots.end), |inner| (inner.start, inner.end));
            let outside = run.blank.iter().filter(|&&index| index < start || index >= end);
            self.blank.extend(outside);
            for &(first, after) in run.fresh {
                let parts = [(first, after.min(start)), (first.max(end), after)];
                self.fresh
                    .extend(parts.into_iter().filter(|(first, after)| first < after));
            }
            if start < end {
                self.fresh.push((start, end));
            }
        }
    }

    /// Gives back the whole pages of a run. Returns the slots whose life words were in them.
    fn give_back(&mut self, chunk: NonNull<Chunk>, run: &Run<'_>) -> Option<Range<u32>> {
        // SAFETY: the depot owns its chunks.
        let header = unsafe { chunk.as_ref() };
        let (slots, bytes) = header.whole_pages(run.slots.clone())?;
        let emptied = || run.blank.iter().filter(|index| slots.contains(index));
        let lives = emptied().map(|&index| Slot::in_chunk(chunk, index).highest_life(header));
        let highest = lives.max().filter(|&highest| highest < WORN)?;
        if !bug("floor_stays") {
            // Another collection may be at work on other pages of the chunk.
            header.floor.fetch_max(highest, Ordering::Relaxed);
        }
        emptied().for_each(|&index| Slot::in_chunk(chunk, index).life().forget());
        // Pages that no slot had used were not resident.
        let used = emptied().count() * header.shape.bytes_per_slot();
        self.bytes += chunk::give_back(chunk, bytes).min(used) as u64;
        Some(slots)
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
