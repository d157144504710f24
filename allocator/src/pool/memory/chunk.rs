//! One chunk: the memory of up to 4,096 slots, in a [block](super::arena) that never moves.
//!
//! ```text
//! ┌────────┬──────┬────────┬──────┬────────┬───────────────┬──────────────────┐
//! │ header │ life │ object │ life │ object │ …             │ reader words     │
//! │ 128 B  │ word │        │ word │        │               │ 4 B each         │
//! └────────┴──────┴────────┴──────┴────────┴───────────────┴──────────────────┘
//!          ├─── whole pages of it are given back by ───────┤ never given back: a guard
//!                         a collection                       may still count there
//! ```
//!
//! The life word stands before its object, so a look-up touches one cache line. The reader words stand apart, because the
//! pages of the slots are given back and theirs must not be. A page that nobody touched costs nothing, and only guards touch
//! the reader words.

use std::any::TypeId;
use std::ops::Range;
use std::ptr::NonNull;

use crate::pool::memory::shape::{About, HEADER, Shape};
use crate::pool::memory::{arena, pages};
use crate::pool::word::index::{SLOT_BITS, offset};
#[cfg(acedia_loom)]
use crate::pool::word::life::Life;
use crate::pool::word::owners::MoreOwners;
use crate::pool::word::readers::Readers;
use crate::pool::word::tag;
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// The header of a chunk.
#[repr(C, align(64))]
pub(in crate::pool) struct Chunk {
    /// The pool it belongs to, with marks that keep the hot path from freeing alone: see [`tag`].
    pub(in crate::pool) tag: AtomicU64,
    /// The chunk's number in the directory.
    pub(in crate::pool) number: u32,
    /// How many chunks the pool had before.
    pub(in crate::pool) nth: u32,
    /// The highest life that may have been issued before the life words were last given back.
    pub(in crate::pool) floor: AtomicU32,
    /// The pool's record, which owns the chunk. A floor above knows its type.
    pub(in crate::pool) depot: NonNull<()>,
    pub(in crate::pool) shape: &'static Shape,
    /// The words in which the guards of its objects count themselves, in the order of their indices.
    readers: NonNull<Readers>,
    /// Owners beyond the first, per slot; null until an owner is cloned.
    pub(in crate::pool) more_owners: AtomicPtr<MoreOwners>,
    /// What the shape's functions say, found without a call.
    pub(in crate::pool) type_id: TypeId,
    pub(in crate::pool) about: About,
    #[cfg(debug_assertions)]
    sites: Box<[crate::pool::memory::site::Site]>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER);

impl Chunk {
    /// A chunk of slots without objects, the `nth` of its pool, or `None` if there is no memory for it. Nobody can find it
    /// yet.
    ///
    /// `tag` and `depot` are the pool's; `floor` is the highest life that its number has seen.
    pub(in crate::pool) fn create(
        (shape, about): (&'static Shape, About),
        (tag, depot): (u64, NonNull<()>),
        nth: u32,
        (number, floor): (u32, u32),
    ) -> Option<NonNull<Self>> {
        #[cfg(debug_assertions)]
        let sites = {
            let mut sites = Vec::new();
            sites.try_reserve_exact(shape.slots as usize).ok()?;
            sites.resize_with(shape.slots as usize, crate::pool::memory::site::Site::default);
            sites.into_boxed_slice()
        };
        let start = arena::allocate(shape.bytes?)?;
        // SAFETY: within the block.
        let readers: NonNull<Readers> = unsafe { start.add(shape.readers) }.cast();
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag: AtomicU64::new(tag),
            number,
            nth,
            floor: AtomicU32::new(floor),
            depot,
            shape,
            readers,
            more_owners: AtomicPtr::new(std::ptr::null_mut()),
            type_id: (shape.type_id)(),
            about,
            #[cfg(debug_assertions)]
            sites,
        };
        // SAFETY: the block is fresh, large enough, and aligned to its size.
        unsafe { chunk.write(header) };
        // Zeroed memory is a valid word of std's atomics; loom's have to be built.
        #[cfg(acedia_loom)]
        for offset in 0..shape.slots as usize {
            // SAFETY: in bounds, as every slot's words are.
            let life = unsafe { start.add(shape.first + offset * shape.stride) };
            // SAFETY: fresh memory, aligned for any word.
            unsafe { life.cast::<Life>().write(Life::new()) };
            // SAFETY: in bounds, as every slot's words are.
            let readers = unsafe { readers.add(offset) };
            // SAFETY: fresh memory.
            unsafe { readers.write(Readers::new()) };
        }
        Some(chunk)
    }

    /// The indices of its slots.
    pub(in crate::pool) fn indices(&self) -> Range<u32> {
        let base = self.number << SLOT_BITS;
        base..base + self.shape.slots
    }

    /// The word in which the guards of slot `index` count themselves.
    #[inline]
    pub(in crate::pool) fn readers(&self, index: u32) -> NonNull<Readers> {
        // SAFETY: every index of the chunk's slots has a word.
        unsafe { self.readers.add(offset(index)) }
    }

    /// The pool's tag. With [`tag::SHARED`] if an owner of any object in this chunk was ever cloned, with
    /// [`tag::MANAGED`] if the pool is.
    #[inline]
    pub(in crate::pool) fn tag(&self) -> u64 {
        // Relaxed: an owner that was cloned sees the mark, since the clone came after it. The other takes effect at each
        // thread's next look.
        self.tag.load(Ordering::Relaxed)
    }

    #[cfg(debug_assertions)]
    pub(in crate::pool) fn site(&self, index: u32) -> &crate::pool::memory::site::Site {
        &self.sites[offset(index)]
    }

    /// Marks the pool as managed, or takes the mark away.
    pub(in crate::pool) fn set_managed(&self, managed: bool) {
        if managed {
            self.tag.fetch_or(tag::MANAGED, Ordering::Relaxed);
        } else {
            self.tag.fetch_and(!tag::MANAGED, Ordering::Relaxed);
        }
    }

    /// Unmakes the chunk. Objects are not dropped.
    ///
    /// # Safety
    /// Nobody uses the chunk or any of its slots again.
    pub(in crate::pool) unsafe fn destroy(chunk: NonNull<Self>) {
        // SAFETY: the caller's promise; the header was written by `create`.
        let header = unsafe { chunk.read() };
        let table = header.more_owners.load(Ordering::Relaxed);
        if !table.is_null() {
            let counts = std::ptr::slice_from_raw_parts_mut(table, header.shape.slots as usize);
            // SAFETY: `Slot::share` made it from a box of that length.
            drop(unsafe { Box::from_raw(counts) });
        }
        if let Some(bytes) = header.shape.bytes {
            // SAFETY: from `create`, with as many bytes; for the rest the caller's promise.
            unsafe { arena::free(chunk.cast(), bytes) };
        }
    }
}

/// Returns the pages of a chunk without objects to the operating system. Gives the bytes returned.
///
/// Every stale handle keeps reading as dead: the life words are zero already, and the next lives start above the chunk's
/// floor.
pub(in crate::pool) fn give_back(chunk: NonNull<Chunk>) -> usize {
    // SAFETY: the caller holds the pool's lock over its chunks.
    let header = unsafe { chunk.as_ref() };
    let start = chunk.cast::<u8>().as_ptr();
    let slots = header.shape.slots as usize;
    // SAFETY: within the chunk.
    let first = unsafe { start.add(header.shape.first) };
    // SAFETY: no slot holds an object, and the life words are zero.
    unsafe { pages::give_back(first, slots * header.shape.stride) }
}
