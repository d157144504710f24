//! One chunk: the memory of up to 4,096 slots, allocated once and never moved.
//!
//! ```text
//! ┌────────┬──────┬────────┬──────┬────────┬───┬──────────────────┐
//! │ header │ life │ object │ life │ object │ … │ reader words     │
//! │ 128 B  │ word │        │ word │        │   │ 4 B each         │
//! └────────┴──────┴────────┴──────┴────────┴───┴──────────────────┘
//!           given back by a collection          never given back:
//!                                               a late guard may
//!                                               still count there
//! ```
//!
//! The life word stands before its object, so that a look-up touches one cache line. The reader words stand apart,
//! because the pages of the slots are given back and theirs must not be. Pages nobody touched cost nothing, and the
//! reader words are touched by guards only.

use std::any::TypeId;
use std::ptr::NonNull;

use super::census::Census;
use super::depot::Depot;
use super::pages;
use super::shape::{About, HEADER, Shape};
#[cfg(debug_assertions)]
use super::slot;
use super::state::MoreOwners;
#[cfg(acedia_loom)]
use super::state::{Life, Readers};
use super::tag;
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// The header of a chunk.
#[repr(C, align(64))]
pub(super) struct Chunk {
    /// The pool it belongs to, with marks that keep the hot path from freeing alone: see [`tag`].
    pub(super) tag: AtomicU64,
    /// Who counts owners of the pool's objects.
    pub(super) counting: Census,
    /// Index of its first slot.
    pub(super) base: u32,
    /// How many chunks the pool had before.
    pub(super) nth: u32,
    /// The highest life that may have been issued before the life words were last given back.
    pub(super) floor: AtomicU32,
    /// The pool's shared part, which owns the chunk.
    depot: NonNull<Depot>,
    pub(super) shape: &'static Shape,
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
    /// A chunk of slots without objects, or `None` if there is no memory for it.
    pub(super) fn create(depot: &Depot, nth: u32, base: u32, floor: u32) -> Option<NonNull<Self>> {
        let shape = depot.shape;
        let layout = shape.layout?;
        #[cfg(debug_assertions)]
        let sites = {
            let mut sites = Vec::new();
            sites.try_reserve_exact(shape.named as usize).ok()?;
            sites.resize_with(shape.named as usize, super::site::Site::default);
            sites.into_boxed_slice()
        };
        let start = pages::allocate(layout)?;
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag: AtomicU64::new(depot.tag),
            counting: depot.counting.copy(),
            base,
            nth,
            floor: AtomicU32::new(floor),
            depot: NonNull::from(depot),
            shape,
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
            // SAFETY: in bounds, as above.
            let readers = unsafe { start.add(shape.readers + offset * size_of::<Readers>()) };
            // SAFETY: fresh memory, aligned for any word.
            unsafe { readers.cast::<Readers>().write(Readers::new()) };
        }
        Some(chunk)
    }

    /// Where slot 0 of the process would be, if all slots were as far apart as this chunk's: outside the chunk, as a rule. From
    /// there a slot's whole index leads to its life word.
    pub(super) fn origin(chunk: NonNull<Self>) -> *mut u8 {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        let before = (header.base as usize).wrapping_mul(header.shape.stride);
        let start = chunk.cast::<u8>().as_ptr();
        start.wrapping_add(header.shape.first).wrapping_sub(before)
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

    /// Gives the memory back, objects not dropped.
    ///
    /// # Safety
    /// Nobody uses the chunk or any of its slots again.
    pub(super) unsafe fn destroy(chunk: NonNull<Self>) {
        // SAFETY: the caller's promise; the header was written by `create`.
        let header = unsafe { chunk.read() };
        let table = header.more_owners.load(Ordering::Relaxed);
        if !table.is_null() {
            let slots = std::ptr::slice_from_raw_parts_mut(table, header.shape.slots as usize);
            // SAFETY: `more_owners` made it from a box of that length.
            drop(unsafe { Box::from_raw(slots) });
        }
        let layout = header.shape.layout();
        drop(header);
        // SAFETY: allocated by `create` with this very layout.
        unsafe { pages::free(chunk.cast(), layout) };
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
