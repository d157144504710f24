//! One chunk: the memory of some thousand slots, in a [region](super::region) that is allocated once and never moved.
//!
//! ```text
//!           ├──────── first part: 2^k slots ───────┤
//! ┌────────┬──────┬────────┬──────┬────────┬───────────────────────────┐     ┌──────────────────┐
//! │ header │ life │ object │ life │ object │ …                         │  …  │ reader words     │
//! │ 128 B  │ word │        │ word │        │                           │     │ 4 B each         │
//! └────────┴──────┴────────┴──────┴────────┴───────────────────────────┘     └──────────────────┘
//!                    ├──────────────── second part: 2^k slots ─────────┤      never given back:
//!           given back by a collection                                        a late guard may
//!                                                                             still count there
//! ```
//!
//! The life word stands before its object, so that a look-up touches one cache line. The reader words stand apart,
//! because the pages of the slots are given back and theirs must not be. Pages nobody touched cost nothing, and the
//! reader words are touched by guards only.
//!
//! A chunk has a power of two of bytes, and of slots what goes into them; a look-up wants a power of two of slots, so that made-up
//! bits need no comparison. Hence the parts, each with an entry in the directory. They overlap: a slot of both has the index that
//! the first gives it. By its other name nothing is found, because the life word has the whole key. The second part is taken into
//! use when the slots of the first are.

use std::any::TypeId;
use std::ops::Range;
use std::ptr::NonNull;

use super::depot::Depot;
use super::directory::{self, Number, PART_BITS, SLOT_BITS};
use super::pages;
use super::shape::{About, HEADER, Shape};
use super::slot::{self, Slot};
#[cfg(acedia_loom)]
use super::state::Life;
use super::state::{MoreOwners, Readers};
use super::tag;
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// The header of a chunk.
#[repr(C, align(64))]
pub(super) struct Chunk {
    /// The pool it belongs to, with marks that keep the hot path from freeing alone: see [`tag`].
    pub(super) tag: AtomicU64,
    /// The chunk's number in the directory.
    pub(super) number: u32,
    /// How many of its parts are in use. Changed under the pool's lock, before any slot of the second is used.
    parts: AtomicU32,
    /// How many chunks the pool had before.
    pub(super) nth: u32,
    /// The highest life that may have been issued before the life words were last given back.
    pub(super) floor: AtomicU32,
    /// The pool's shared part, which owns the chunk.
    depot: NonNull<Depot>,
    pub(super) shape: &'static Shape,
    /// The words in which the guards of its objects count themselves, in the order of their indices.
    readers: NonNull<Readers>,
    /// Owners beyond the first, per slot; null until an owner is cloned.
    pub(super) more_owners: AtomicPtr<MoreOwners>,
    /// What the shape's functions say, found without a call.
    pub(super) type_id: TypeId,
    pub(super) about: About,
    #[cfg(debug_assertions)]
    sites: Box<[super::site::Site]>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER);

impl Chunk {
    /// A chunk of slots without objects, the `nth` of its pool, or `None` if there is no memory for it. Nobody can
    /// find it yet.
    ///
    /// # Safety
    /// The memory is that of a chunk of the depot's shape and its reader words, zeroed, and nobody else's.
    pub(super) unsafe fn create(
        depot: &Depot,
        nth: u32,
        number: &Number,
        (start, readers): (NonNull<u8>, NonNull<Readers>),
    ) -> Option<NonNull<Self>> {
        let shape = depot.shape;
        #[cfg(debug_assertions)]
        let sites = {
            let mut sites = Vec::new();
            sites.try_reserve_exact(shape.words()).ok()?;
            sites.resize_with(shape.words(), super::site::Site::default);
            sites.into_boxed_slice()
        };
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag: AtomicU64::new(depot.tag),
            number: number.number,
            parts: AtomicU32::new(1),
            nth,
            floor: AtomicU32::new(number.floor),
            depot: NonNull::from(depot),
            shape,
            readers,
            more_owners: AtomicPtr::new(std::ptr::null_mut()),
            type_id: (shape.type_id)(),
            about: depot.about,
            #[cfg(debug_assertions)]
            sites,
        };
        // SAFETY: the memory is fresh, large enough, and aligned to 64.
        unsafe { chunk.write(header) };
        // Zeroed memory is a valid word of std's atomics; loom's have to be built.
        #[cfg(acedia_loom)]
        for offset in 0..shape.slots as usize {
            // SAFETY: in bounds, as every slot's words are.
            let life = unsafe { start.add(shape.first + offset * shape.stride) };
            // SAFETY: fresh memory, aligned for any word.
            unsafe { life.cast::<Life>().write(Life::new()) };
        }
        #[cfg(acedia_loom)]
        for offset in 0..shape.words() {
            // SAFETY: in bounds: there are so many words.
            let readers = unsafe { readers.add(offset) };
            // SAFETY: fresh memory.
            unsafe { readers.write(Readers::new()) };
        }
        Some(chunk)
    }

    /// Takes the second part into use. `false` if there is none, or it is. The caller holds the pool's lock.
    pub(super) fn extend(&self) -> bool {
        let has_more = self.shape.slots > self.shape.part && self.parts.load(Ordering::Relaxed) == 1;
        if has_more {
            // Relaxed: who gets one of its slots gets it by way of the lock.
            self.parts.store(2, Ordering::Relaxed);
        }
        has_more
    }

    /// The indices of its slots, by the parts that are in use. A slot of both has the index that the first gives it.
    pub(super) fn indices(&self) -> impl Iterator<Item = Range<u32>> {
        let Shape { slots, part, .. } = *self.shape;
        let base = self.number << SLOT_BITS;
        let first = base..base + part;
        let second = base + (1 << PART_BITS);
        let second = second + (2 * part - slots)..second + part;
        [first, second]
            .into_iter()
            .take(self.parts.load(Ordering::Relaxed) as usize)
    }

    /// Its slots with their indices.
    pub(super) fn slots(chunk: NonNull<Self>) -> impl Iterator<Item = (u32, Slot)> {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        header
            .indices()
            .flatten()
            .enumerate()
            .map(move |(place, index)| (index, Slot::at(chunk, place, header.shape)))
    }

    /// Whether one of its slots has that index, and not only another name for it. The index led here.
    pub(super) fn has_index(&self, index: u32) -> bool {
        self.indices().any(|indices| indices.contains(&index))
    }

    /// The word in which the guards of slot `index` count themselves.
    #[inline]
    pub(super) fn readers(&self, index: u32) -> NonNull<Readers> {
        // SAFETY: every index of the chunk's slots has a word.
        unsafe { self.readers.add(slot::offset(index)) }
    }

    /// Makes the newest part findable for the pool of `tag`. Gives the indices of its slots.
    ///
    /// Its origin is where slot 0 of the process would be, if all slots were as far apart as these: outside the chunk, as a rule.
    /// From there a slot's whole index leads to its life word.
    pub(super) fn enter(chunk: NonNull<Self>, tag: u64) -> Range<u32> {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        let Shape {
            slots, stride, first, ..
        } = *header.shape;
        let newest = header.indices().last().unwrap_or_default();
        // The part's last slot is the chunk's, if the part is the second.
        let end = if header.parts.load(Ordering::Relaxed) == 1 {
            header.shape.part
        } else {
            slots
        };
        let start = chunk.cast::<u8>().as_ptr().wrapping_add(first + end as usize * stride);
        let origin = start.wrapping_sub((newest.end as usize).wrapping_mul(stride));
        directory::enter(newest.start, tag, chunk, origin);
        newest
    }

    /// The pool's tag. With [`tag::SHARED`] if an owner of any object in this chunk was ever cloned, with
    /// [`tag::MANAGED`] if the pool is.
    #[inline]
    pub(super) fn tag(&self) -> u64 {
        // Relaxed: an owner that was cloned sees the mark, since the clone came after it. The other takes effect at each
        // thread's next look.
        self.tag.load(Ordering::Relaxed)
    }

    /// The pool's shared part, which owns the chunk.
    #[inline]
    pub(super) fn depot(&self) -> &Depot {
        // SAFETY: the depot owns its chunks, so it outlives every use of one.
        unsafe { self.depot.as_ref() }
    }

    #[cfg(debug_assertions)]
    pub(super) fn site(&self, index: u32) -> &super::site::Site {
        &self.sites[slot::offset(index)]
    }

    /// Marks the pool as managed, or takes the mark away.
    pub(super) fn set_managed(&self, managed: bool) {
        if managed {
            self.tag.fetch_or(tag::MANAGED, Ordering::Relaxed);
        } else {
            self.tag.fetch_and(!tag::MANAGED, Ordering::Relaxed);
        }
    }

    /// Unmakes the header. The memory is its region's, and objects are not dropped.
    ///
    /// # Safety
    /// Nobody uses the chunk or any of its slots again.
    pub(super) unsafe fn destroy(chunk: NonNull<Self>) {
        // SAFETY: the caller's promise; the header was written by `create`.
        let header = unsafe { chunk.read() };
        let table = header.more_owners.load(Ordering::Relaxed);
        if !table.is_null() {
            let slots = std::ptr::slice_from_raw_parts_mut(table, header.shape.words());
            // SAFETY: `more_owners` made it from a box of that length.
            drop(unsafe { Box::from_raw(slots) });
        }
    }
}
/// Returns the pages of a chunk without objects to the operating system. Gives the bytes returned.
///
/// Every stale handle keeps reading as dead: the life words are zero already, and the next lives start above the chunk's
/// floor.
pub(super) fn give_back(chunk: NonNull<Chunk>) -> usize {
    // SAFETY: the caller holds the pool's lock over its chunks.
    let header = unsafe { chunk.as_ref() };
    let start = chunk.cast::<u8>().as_ptr();
    let slots = header.shape.slots as usize;
    // SAFETY: within the chunk.
    let first = unsafe { start.add(header.shape.first) };
    // SAFETY: no slot holds an object, and the life words are zero.
    unsafe { pages::give_back(first, slots * header.shape.stride) }
}
