//! One chunk: the memory of up to 4,096 slots, in a [block](super::arena) that never moves.
//!
//! ```text
//! ┌────────┬──────┬────────┬──────┬────────┬───────────────┬─────┬─────────────┬───────────┐
//! │ header │ life │ object │ life │ object │ …             │ gap │ guard words │ owners    │
//! │ 128 B  │ word │        │ word │        │               │     │ 8 B each    │ 4 B each  │
//! └────────┴──────┴────────┴──────┴────────┴───────────────┴─────┴─────────────┴───────────┘
//!          ├────── whole pages of it are given back by ──────────┤ never given back: a guard
//!                         a collection                             may still count there
//! ```
//!
//! The life word precedes its object, so a look-up touches one cache line. The guard words are apart, because a
//! collection returns pages of slots to the operating system, and must not return those of the guard words. An
//! untouched page costs nothing. Only guards and operations by key touch the guard words, and only clones of owners the counts.

use std::any::TypeId;
use std::ops::Range;
use std::ptr::NonNull;

use crate::hint::unlikely;
use crate::pool::memory::shape::{About, HEADER, Shape};
use crate::pool::memory::{arena, pages};
use crate::pool::word::guards::Guards;
use crate::pool::word::index::{SLOT_BITS, offset};
use crate::pool::word::life::Floor;
#[cfg(acedia_loom)]
use crate::pool::word::life::Life;
use crate::pool::word::owners::MoreOwners;
use crate::pool::word::tag;
use crate::sync::plain::{AtomicU32, AtomicU64, Ordering};

/// The header of a chunk.
#[repr(C, align(64))]
pub(in crate::pool) struct Chunk {
    /// The tag of the chunk's pool, with marks that keep frees off the hot path: see [`tag`].
    pub(in crate::pool) tag: AtomicU64,
    /// The chunk's number in the directory.
    pub(in crate::pool) number: u32,
    /// The number of chunks that the pool had before this one.
    pub(in crate::pool) nth: u32,
    /// See [`floor`](Self::floor).
    floor: AtomicU32,
    /// The pool's record, which owns the chunk. A layer above defines its type.
    pub(in crate::pool) depot: NonNull<()>,
    pub(in crate::pool) shape: &'static Shape,
    /// The guard words of the chunk's slots, in the order of their indices.
    guards: NonNull<Guards>,
    /// Owners beyond the first, in the order of the slots.
    more_owners: NonNull<MoreOwners>,
    /// The results of the shape's functions `type_id` and `about`, available without a call.
    pub(in crate::pool) type_id: TypeId,
    pub(in crate::pool) about: About,
    #[cfg(debug_assertions)]
    sites: Box<[crate::report::site::Site]>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER && align_of::<MoreOwners>() <= align_of::<Guards>());

/// A chunk's number, borrowed from the directory.
#[derive(Clone, Copy, Debug)]
pub(in crate::pool) struct Number {
    pub(in crate::pool) number: u32,
    /// The highest life issued under it: lives of this number's slots start above it.
    pub(in crate::pool) floor: Floor,
}

impl Chunk {
    /// A chunk of slots without objects, the `nth` of its pool, or `None` if there is no memory for it. It is not in
    /// the directory yet.
    ///
    /// `tag` and `depot` are the pool's.
    pub(in crate::pool) fn create(
        (shape, about): (&'static Shape, About),
        (tag, depot): (u64, NonNull<()>),
        nth: u32,
        Number { number, floor }: Number,
    ) -> Option<NonNull<Self>> {
        #[cfg(debug_assertions)]
        let sites = {
            let mut sites = Vec::new();
            sites.try_reserve_exact(shape.slots as usize).ok()?;
            sites.resize_with(shape.slots as usize, crate::report::site::Site::default);
            sites.into_boxed_slice()
        };
        let start = arena::allocate(shape.bytes?)?;
        // SAFETY: within the block.
        let guards: NonNull<Guards> = unsafe { start.add(shape.guards) }.cast();
        // SAFETY: as above.
        let more_owners: NonNull<MoreOwners> = unsafe { guards.add(shape.slots as usize) }.cast();
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag: AtomicU64::new(tag),
            number,
            nth,
            floor: AtomicU32::new(floor.0),
            depot,
            shape,
            guards,
            more_owners,
            type_id: (shape.type_id)(),
            about,
            #[cfg(debug_assertions)]
            sites,
        };
        // SAFETY: the block is fresh, large enough, and aligned to its size.
        unsafe { chunk.write(header) };
        // Zeroed memory is a valid word of std's atomics. loom's atomics must be constructed.
        #[cfg(acedia_loom)]
        for offset in 0..shape.slots as usize {
            // SAFETY: in bounds, as every slot's words are.
            let life = unsafe { start.add(shape.first + offset * shape.stride) };
            // SAFETY: fresh memory, aligned for any word.
            unsafe { life.cast::<Life>().write(Life::new()) };
            if shape.by_copy {
                // Zeroed memory is an object of such a pool with std's atomics.
                for partner in [0, shape.slots as usize * shape.stride] {
                    // SAFETY: within the slot, or its partner; fresh memory.
                    unsafe { (shape.make)(life.add(shape.object + partner).as_ptr()) };
                }
            }
            // SAFETY: in bounds, as every slot's words are.
            let guards = unsafe { guards.add(offset) };
            // SAFETY: fresh memory.
            unsafe { guards.write(Guards::new()) };
            // SAFETY: as for the guard words.
            let more_owners = unsafe { more_owners.add(offset) };
            // SAFETY: fresh memory.
            unsafe { more_owners.write(MoreOwners::new()) };
        }
        Some(chunk)
    }

    /// The indices of the chunk's slots.
    pub(in crate::pool) fn indices(&self) -> Range<u32> {
        let base = self.number << SLOT_BITS;
        base..base + self.shape.slots
    }

    /// The word that counts the guards of slot `index`.
    #[inline]
    pub(in crate::pool) fn guards(&self, index: u32) -> &Guards {
        // SAFETY: every index of the chunk's slots has a word.
        let guards = unsafe { self.guards.add(offset(index)) };
        // SAFETY: as above; atomic, so shared access is fine.
        unsafe { guards.as_ref() }
    }

    /// The count of owners beyond the first of slot `index`.
    #[inline]
    pub(in crate::pool) fn more_owners(&self, index: u32) -> &MoreOwners {
        // SAFETY: every index of the chunk's slots has a count.
        let count = unsafe { self.more_owners.add(offset(index)) };
        // SAFETY: as above; atomic, so shared access is fine.
        unsafe { count.as_ref() }
    }

    /// The pool's tag, with [`tag::SHARED`] if an owner of any object in this chunk was ever cloned, and with
    /// [`tag::MANAGED`] if the pool is managed.
    #[inline]
    pub(in crate::pool) fn tag(&self) -> u64 {
        // Relaxed: an owner that was cloned sees its mark, because the clone came after it. The other mark takes effect
        // at each thread's next load.
        self.tag.load(Ordering::Relaxed)
    }

    /// The highest life that may have been issued before the life words were last given back.
    #[inline]
    pub(in crate::pool) fn floor(&self) -> Floor {
        // Relaxed, here and below: the caller took its slot from a list, and so sees the floor under which it was put there.
        Floor(self.floor.load(Ordering::Relaxed))
    }

    /// Raises the floor. Another collection may be at work on other pages of the chunk.
    pub(in crate::pool) fn raise_floor(&self, floor: Floor) {
        self.floor.fetch_max(floor.0, Ordering::Relaxed);
    }

    /// The whole pages in the memory of adjacent slots, as bytes from the chunk's start, and the slots whose life words
    /// are in them. `None` if there is no such page or slot.
    pub(in crate::pool) fn whole_pages(&self, slots: Range<u32>) -> Option<(Range<u32>, Range<usize>)> {
        let Shape {
            first, stride, guards, ..
        } = *self.shape;
        let Range { start: base, end: last } = self.indices();
        // A chunk is aligned to a page.
        let page = pages::page();
        let start = (first + offset(slots.start) * stride).next_multiple_of(page);
        // Behind the last slot are the spares, or nothing before the guard words.
        let end = if slots.end == last && !self.shape.by_copy {
            guards
        } else {
            first + (slots.end - base) as usize * stride
        };
        let end = end / page * page;
        // The first slot whose life word is at that byte or behind it.
        let slot =
            |byte: usize| u32::try_from((byte - first).div_ceil(stride)).map_or(last, |nth| last.min(base + nth));
        let inside = slot(start)..slot(end.max(start));
        (start < end && !inside.is_empty()).then_some((inside, start..end))
    }

    #[cfg(debug_assertions)]
    pub(in crate::pool) fn site(&self, index: u32) -> &crate::report::site::Site {
        &self.sites[offset(index)]
    }

    /// Sets the mark of a chunk in which an owner is cloned, before the clone exists.
    #[inline]
    pub(in crate::pool) fn set_shared(&self) {
        if unlikely(self.tag() & tag::SHARED == 0) {
            self.tag.fetch_or(tag::SHARED, Ordering::Relaxed);
        }
    }

    /// Sets or clears the mark of a managed pool.
    pub(in crate::pool) fn set_managed(&self, managed: bool) {
        if managed {
            self.tag.fetch_or(tag::MANAGED, Ordering::Relaxed);
        } else {
            self.tag.fetch_and(!tag::MANAGED, Ordering::Relaxed);
        }
    }

    /// Destroys the chunk. Objects are not dropped.
    ///
    /// # Safety
    /// The chunk and its slots are not used again.
    pub(in crate::pool) unsafe fn destroy(chunk: NonNull<Self>) {
        // SAFETY: the caller's promise; the header was written by `create`.
        let header = unsafe { chunk.read() };
        if let Some(bytes) = header.shape.bytes {
            // SAFETY: from `create`, with the same number of bytes; for the rest the caller's promise.
            unsafe { arena::free(chunk.cast(), bytes) };
        }
    }
}

/// Gives whole pages of a chunk ([`Chunk::whole_pages`]) back to the operating system. Returns the number of those bytes.
///
/// Every stale handle still reads as dead: the life words are already zero, and the next lives start above the chunk's
/// floor.
pub(in crate::pool) fn discard_pages(chunk: NonNull<Chunk>, bytes: Range<usize>) -> usize {
    // SAFETY: the caller holds a chunk of a living pool.
    let shape = unsafe { chunk.as_ref() }.shape;
    let discard = |from| {
        // SAFETY: within the chunk.
        let start = unsafe { chunk.cast::<u8>().add(from) };
        // SAFETY: no slot in the range holds an object, and the life words in it are zero.
        unsafe { pages::discard(start.as_ptr(), bytes.len()) }
    };
    if shape.by_copy {
        // The spares of the slots whose homes are in the range. A late reader of one finds that the life has ended.
        discard(bytes.start + shape.slots as usize * shape.stride);
    }
    discard(bytes.start)
}
