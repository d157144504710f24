//! One slot: its address, and the words and object at fixed offsets from it.

use std::panic::Location;
use std::ptr::NonNull;

use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::directory::{self, chunk_of};
use crate::pool::memory::shape::{Shape, ShapeOf, SlotOf};
use crate::pool::word::guards::Guards;
use crate::pool::word::index::SLOT_BITS;
use crate::pool::word::key::Key;
use crate::pool::word::life::{Floor, Life};
use crate::pool::word::owners::MoreOwners;
use crate::pool::word::tag;

/// One slot: the address of its life word, from which the rest follows. Copies of it do not affect ownership of the
/// object.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in crate::pool) struct Slot(NonNull<Life>);

impl Slot {
    /// Slot `index`, taken from a list of its pool.
    pub(in crate::pool) fn of_own(index: u32) -> Self {
        // SAFETY: the caller's slot belongs to a living pool.
        let stride = unsafe { chunk_of(index).as_ref() }.shape.stride;
        let at = directory::origin_of(index).wrapping_add((index as usize).wrapping_mul(stride));
        // SAFETY: the caller holds the slot, so this is the origin of its chunk.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// The slot at position `place` of a chunk of that shape.
    pub(in crate::pool) fn at(chunk: NonNull<Chunk>, place: usize, shape: &Shape) -> Self {
        // SAFETY: within the chunk: the place is below the chunk's number of slots.
        let at = unsafe { chunk.cast::<u8>().add(shape.first + place * shape.stride) };
        Self(at.cast())
    }

    /// Like [`chunk`](Self::chunk), but for a pool of that shape, and without an access to the slot.
    #[inline]
    pub(in crate::pool) fn chunk_in(self, shape: &Shape) -> NonNull<Chunk> {
        let start: NonNull<Chunk> = self.0.cast();
        // No object is at address 0, so no chunk begins there.
        NonNull::new(start.as_ptr().map_addr(|at| at & !shape.inside)).unwrap_or(start)
    }

    /// The slot's position in its chunk, for a pool of that shape, without an access to the slot.
    #[inline]
    pub(in crate::pool) fn place_in(self, shape: &Shape) -> usize {
        ((self.0.addr().get() & shape.inside) - shape.first) / shape.stride
    }

    /// Slot `index` of a pool of `T`, in the chunk with that origin, which has such a slot.
    #[inline]
    pub(in crate::pool) fn at_origin<T>(origin: *mut u8, index: u32) -> Self {
        // Indexed by type and not by bytes: the compiler then finds the addressing mode that multiplies.
        let at = origin.cast::<SlotOf<T>>().wrapping_add(index as usize);
        // SAFETY: within the chunk: the origin is that of its slots, and the caller's promise.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// Prefetches the slot that `key` names, if its pool is one of `T`: the life word, and the beginning of the object,
    /// which may be on the next cache line.
    #[inline]
    pub(in crate::pool) fn prefetch<T>(key: Key) {
        let origin = directory::origin_of(key.index());
        let slot = origin.cast::<SlotOf<T>>().wrapping_add(key.index() as usize);
        prefetch(slot);
        prefetch(slot.cast::<u8>().wrapping_add(ShapeOf::<T>::OBJECT));
    }

    /// Like [`prefetch`](Self::prefetch), but for the cache lines of the object, which a copy reads; at most five.
    #[cfg(feature = "plain")]
    #[inline]
    pub(in crate::pool) fn prefetch_all<T>(key: Key) {
        use crate::pool::memory::shape::LINE;
        let origin = directory::origin_of(key.index());
        let slot = origin
            .cast::<SlotOf<T>>()
            .wrapping_add(key.index() as usize)
            .cast::<u8>();
        let last = ShapeOf::<T>::STRIDE.min(4 * LINE) - 1;
        for byte in (0..last).step_by(LINE) {
            prefetch(slot.wrapping_add(byte));
        }
        // The slot may begin in the middle of a line.
        prefetch(slot.wrapping_add(last));
    }

    /// Like [`of_own`](Self::of_own), but for a pool of `T`.
    #[inline]
    pub(in crate::pool) fn of_own_in<T>(index: u32) -> Self {
        Self::at_origin::<T>(directory::origin_of(index), index)
    }

    /// The slot as a word of memory; [`from_raw`](Self::from_raw) reverses it.
    #[inline]
    pub(in crate::pool) fn into_raw(self) -> NonNull<Life> {
        self.0
    }

    #[inline]
    pub(in crate::pool) fn from_raw(at: NonNull<Life>) -> Self {
        Self(at)
    }

    /// The slot's index. The slot has or had an object, and its chunk was not given back since.
    #[inline]
    pub(in crate::pool) fn index(self) -> u32 {
        self.life().index()
    }

    /// Like [`chunk`](Self::chunk), but for a pool of `T`.
    #[inline]
    pub(in crate::pool) fn chunk_of<T>(&self) -> &Chunk {
        let start: *mut Chunk = self.0.cast().as_ptr();
        // SAFETY: a chunk is aligned to its size; for the rest see `chunk`.
        unsafe { &*start.map_addr(|at| at & !ShapeOf::<T>::INSIDE) }
    }

    /// The chunk's header.
    #[inline]
    pub(in crate::pool) fn chunk(&self) -> &Chunk {
        // SAFETY: a slot comes from a chunk of a living pool, and is used no longer than the pool lives.
        unsafe { chunk_of(self.index()).as_ref() }
    }

    #[inline]
    pub(in crate::pool) fn life(&self) -> &Life {
        // SAFETY: initialised by `Chunk::create`; atomic, so shared access is fine.
        unsafe { self.0.as_ref() }
    }

    /// The word that counts the guards of the slot's object.
    #[inline]
    pub(in crate::pool) fn guards(&self) -> &Guards {
        self.chunk().guards(self.index())
    }

    /// The address of the object, or of the memory for it, in a pool of `T`.
    #[inline]
    pub(in crate::pool) fn object<T>(self) -> NonNull<T> {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(ShapeOf::<T>::OBJECT) }.cast()
    }

    /// The place in the upper half of the chunk of a pool of `T` whose objects are read as copies: no slot, but room for a spare.
    #[cfg(feature = "plain")]
    #[inline]
    pub(in crate::pool) fn partner<T>(self) -> Self {
        let half = ShapeOf::<T>::SLOTS as usize / 2;
        // SAFETY: within the chunk: such a pool has slots in the lower half only (`Shape::build`).
        Self(unsafe { self.0.cast::<SlotOf<T>>().add(half) }.cast())
    }

    /// The address of the object, of any type.
    pub(in crate::pool) fn object_erased(self) -> *mut u8 {
        self.object_in(self.chunk().shape)
    }

    /// Like [`object_erased`](Self::object_erased), but for a pool of that shape, and without an access to the slot.
    pub(in crate::pool) fn object_in(self, shape: &Shape) -> *mut u8 {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(shape.object) }.as_ptr()
    }

    /// The highest life that was ever visible. `chunk` is the slot's.
    pub(in crate::pool) fn highest_life(self, chunk: &Chunk) -> Floor {
        self.life().snapshot().highest(chunk.floor())
    }

    /// The highest life that a key was ever made for. The life after the highest visible one may have been promised to
    /// a leaked reservation.
    pub(in crate::pool) fn highest_promised(self, chunk: &Chunk) -> Floor {
        let snapshot = self.life().snapshot();
        let next = u32::from(snapshot.has_lives() && snapshot.current().is_none());
        Floor(self.highest_life(chunk).0 + next)
    }

    /// The count of owners beyond the first, if an owner in `chunk` was ever cloned. `chunk` is the slot's.
    #[inline]
    pub(in crate::pool) fn more_owners(self, chunk: &Chunk) -> Option<&MoreOwners> {
        // Not without the mark: a look at the count would map its page.
        (chunk.tag() & tag::SHARED != 0).then(|| chunk.more_owners(self.index()))
    }

    /// Counts one more owner. `chunk` is the slot's.
    #[inline]
    pub(in crate::pool) fn add_owner(self, chunk: &Chunk) {
        chunk.set_shared();
        chunk.more_owners(self.index()).add();
    }

    /// Whether an owner that no other thread uses now is the only access to the object: there is no other owner, and no
    /// key was ever made. `chunk` is the slot's.
    #[inline]
    pub(in crate::pool) fn is_private(self, chunk: &Chunk) -> bool {
        // The order matters: another owner might make a key and leave between the two checks.
        self.has_sole_owner(chunk) && !self.life().is_exposed()
    }

    /// Whether the caller is the only owner. `chunk` is the slot's.
    #[inline]
    pub(in crate::pool) fn has_sole_owner(self, chunk: &Chunk) -> bool {
        self.more_owners(chunk).is_none_or(MoreOwners::is_none)
    }

    /// The number of owners. `chunk` is the slot's.
    pub(in crate::pool) fn owners(self, chunk: &Chunk) -> usize {
        1 + self.more_owners(chunk).map_or(0, MoreOwners::count)
    }

    /// Records, in builds with debug assertions, where the object was allocated.
    #[inline]
    pub(in crate::pool) fn note_allocated_at(self, place: &'static Location<'static>) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_allocated(self.life().key().life(), place);
        let _ = place;
    }

    /// Records, in builds with debug assertions, where the object was freed. It has no other owner.
    #[inline]
    pub(in crate::pool) fn note_freed_at(self, place: &'static Location<'static>) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_freed(self.life().key().life(), place);
        let _ = place;
    }
}

/// Whether a chunk of that shape has slot `index`. False only for invented key bits, and never if chunks have all slots.
#[inline]
pub(in crate::pool) const fn has_slot(index: u32, shape: &Shape) -> bool {
    index & ((1 << SLOT_BITS) - 1) < shape.slots
}

/// Prefetches the cache line at `place`, which may be any address. No effect on processors other than x86-64.
#[inline]
fn prefetch<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint, without effect on an unmapped address. Every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(place.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

impl Chunk {
    /// The chunk's slots with their indices.
    pub(in crate::pool) fn slots(chunk: NonNull<Self>) -> impl Iterator<Item = (u32, Slot)> {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        header
            .indices()
            .enumerate()
            .map(move |(place, index)| (index, Slot::at(chunk, place, header.shape)))
    }
}
