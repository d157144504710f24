//! One slot: its address, and the words and object at fixed offsets from it.

use std::panic::Location;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::hint::unlikely;
use crate::pool::chunk::{self, Chunk, Shape, ShapeOf, SlotOf};
use crate::pool::directory::{self, chunk_of};
use crate::pool::handle::{Key, SLOT_BITS, offset};
use crate::pool::life::{Floor, Life};
use crate::pool::life::{Guards, MoreOwners};

/// One slot: the address of its life word, from which the rest follows. Copies of it do not affect ownership of the
/// object.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Slot(NonNull<Life>);

impl Slot {
    /// Slot `index`, taken from a list of its pool.
    pub(super) fn of_own(index: u32) -> Self {
        // SAFETY: the caller's slot belongs to a living pool.
        let stride = unsafe { chunk_of(index).as_ref() }.shape.stride;
        let at = directory::origin_of(index).wrapping_add((index as usize).wrapping_mul(stride));
        // SAFETY: the caller holds the slot, so this is the origin of its chunk.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// Slot number `nth` of a chunk of that shape.
    #[inline]
    pub(super) fn at(chunk: NonNull<Chunk>, nth: usize, shape: &Shape) -> Self {
        // SAFETY: within the chunk: `nth` is below the chunk's number of slots.
        let at = unsafe { chunk.cast::<u8>().add(shape.first + nth * shape.stride) };
        Self(at.cast())
    }

    /// The slots of a chunk that may ever have had an object, with their indices.
    pub(super) fn used_in(chunk: NonNull<Chunk>) -> impl Iterator<Item = (u32, Self)> {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        header
            .used()
            .enumerate()
            .map(move |(nth, index)| (index, Self::at(chunk, nth, header.shape)))
    }

    /// Slot `index` of a pool of `T`, in the chunk with that origin, which has such a slot.
    #[inline]
    pub(super) fn at_origin<T>(origin: *mut u8, index: u32) -> Self {
        // Indexed by type and not by bytes: the compiler then finds the addressing mode that multiplies.
        let at = origin.cast::<SlotOf<T>>().wrapping_add(index as usize);
        // SAFETY: within the chunk: the origin is that of its slots, and the caller's promise.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// Prefetches the slot that `key` names, if its pool is one of `T`: the life word, and the beginning of the object,
    /// which may be on the next cache line.
    #[inline]
    pub(super) fn prefetch<T>(key: Key) {
        let origin = directory::origin_of(key.index());
        let slot = origin.cast::<SlotOf<T>>().wrapping_add(key.index() as usize);
        prefetch(slot);
        prefetch(slot.cast::<u8>().wrapping_add(ShapeOf::<T>::OBJECT));
    }

    /// Like [`of_own`](Self::of_own), but for a pool of `T`.
    #[inline]
    pub(super) fn of_own_in<T>(index: u32) -> Self {
        Self::at_origin::<T>(directory::origin_of(index), index)
    }

    /// The slot as a word of memory; [`from_raw`](Self::from_raw) reverses it.
    #[inline]
    pub(super) fn into_raw(self) -> NonNull<Life> {
        self.0
    }

    #[inline]
    pub(super) fn from_raw(at: NonNull<Life>) -> Self {
        Self(at)
    }

    /// The slot's index. The slot has or had an object, and its chunk was not given back since.
    #[inline]
    pub(super) fn index(self) -> u32 {
        self.life().index()
    }

    /// Like [`chunk`](Self::chunk), but for a pool of `T`.
    #[inline]
    pub(super) fn chunk_of<T>(&self) -> &Chunk {
        let start: *mut Chunk = self.0.cast().as_ptr();
        // SAFETY: a chunk is aligned to its size; for the rest see `chunk`.
        unsafe { &*start.map_addr(|at| at & !ShapeOf::<T>::INSIDE) }
    }

    /// The chunk's header.
    #[inline]
    pub(super) fn chunk(&self) -> &Chunk {
        // SAFETY: a slot comes from a chunk of a living pool, and is used no longer than the pool lives.
        unsafe { chunk_of(self.index()).as_ref() }
    }

    #[inline]
    pub(super) fn life(&self) -> &Life {
        // SAFETY: initialised by `Chunk::create`; atomic, so shared access is fine.
        unsafe { self.0.as_ref() }
    }

    /// The word that counts the guards of the slot's object.
    #[inline]
    pub(super) fn guards(&self) -> &Guards {
        self.chunk().guards(self.index())
    }

    /// Like [`guards`](Self::guards), but for a pool of `T` and the slot that `key` names. Before it writes, the caller calls
    /// [`Chunk::mark_guards`].
    #[inline]
    pub(super) fn guards_of<T>(&self, key: Key) -> &Guards {
        let start = self.0.as_ptr().map_addr(|at| at & !ShapeOf::<T>::INSIDE);
        let at = start.wrapping_byte_add(ShapeOf::<T>::GUARDS.unwrap_or(0));
        // SAFETY: every slot has a word there; atomic, so shared access is fine.
        unsafe { &*at.cast::<Guards>().wrapping_add(offset(key.index())) }
    }

    /// The address of the object, or of the memory for it, in a pool of `T`.
    #[inline]
    pub(super) fn object<T>(self) -> NonNull<T> {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(ShapeOf::<T>::OBJECT) }.cast()
    }

    /// The address of the object, of any type.
    pub(super) fn object_erased(self) -> *mut u8 {
        self.object_in(self.chunk().shape)
    }

    /// Like [`object_erased`](Self::object_erased), but for a pool of that shape, and without an access to the slot.
    pub(super) fn object_in(self, shape: &Shape) -> *mut u8 {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(shape.object) }.as_ptr()
    }

    /// The highest life that was ever visible. `chunk` is the slot's.
    pub(super) fn highest_life(self, chunk: &Chunk) -> Floor {
        self.life().snapshot().highest(chunk.floor())
    }

    /// The highest life that a key was ever made for. The life after the highest visible one may have been promised to
    /// a leaked reservation.
    pub(super) fn highest_promised(self, chunk: &Chunk) -> Floor {
        let snapshot = self.life().snapshot();
        let next = u32::from(snapshot.has_lives() && snapshot.current().is_none());
        Floor(self.highest_life(chunk).0 + next)
    }

    /// The count of owners beyond the first, if an owner in `chunk` was ever cloned. `chunk` is the slot's.
    #[inline]
    pub(super) fn more_owners(self, chunk: &Chunk) -> Option<&MoreOwners> {
        // Not without the mark: a look at the count would map its page. A clone sets the mark before it counts, so an owner that exists
        // beside others finds it.
        (chunk.tag() & chunk::SHARED != 0).then(|| chunk.more_owners(self.index()))
    }

    /// The hash of the object that was computed in this life, or the result of `compute`, which is kept. The caller may read the object.
    pub(super) fn cached_hash(self, compute: impl FnOnce() -> i32) -> i32 {
        let hash = self.chunk().hash_or_make(self.index());
        // SAFETY: only `forget_hash` changes it otherwise, when no thread may read the object.
        *unsafe { &*hash.get() }.get_or_init(compute)
    }

    /// Forgets the hash of an object that begins a life or may be changed: no other thread may read it. `chunk` is the slot's.
    #[inline]
    pub(super) fn forget_hash(self, chunk: &Chunk) {
        if unlikely(chunk.has_hashes()) {
            self.clear_hash(chunk);
        }
    }

    /// Out of line, so that the start of a life stays small.
    #[inline(never)]
    fn clear_hash(self, chunk: &Chunk) {
        if let Some(hash) = chunk.hash(self.index()) {
            // SAFETY: `cached_hash` is called only by threads that may read the object.
            unsafe { hash.get().write(OnceLock::new()) };
        }
    }

    /// Counts one more owner. `chunk` is the slot's.
    #[inline]
    pub(super) fn add_owner(self, chunk: &Chunk) {
        chunk.set_shared();
        chunk.more_owners(self.index()).add();
    }

    /// Whether an owner that no other thread uses now is the only access to the object: there is no other owner, and no
    /// key was ever made. `chunk` is the slot's.
    #[inline]
    pub(super) fn is_private(self, chunk: &Chunk) -> bool {
        // The order matters: another owner might make a key and leave between the two checks.
        self.has_sole_owner(chunk) && !self.life().is_exposed()
    }

    /// Whether the caller is the only owner. `chunk` is the slot's.
    #[inline]
    pub(super) fn has_sole_owner(self, chunk: &Chunk) -> bool {
        self.more_owners(chunk).is_none_or(MoreOwners::is_none)
    }

    /// The number of owners. `chunk` is the slot's.
    pub(super) fn owners(self, chunk: &Chunk) -> usize {
        1 + self.more_owners(chunk).map_or(0, MoreOwners::count)
    }

    /// Records, in builds with debug assertions, where the object was allocated.
    #[inline]
    pub(super) fn note_allocated_at(self, place: &'static Location<'static>) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_allocated(self.life().key().life(), place);
        let _ = place;
    }

    /// Records, in builds with debug assertions, where the object was freed. It has no other owner.
    #[inline]
    pub(super) fn note_freed_at(self, place: &'static Location<'static>) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_freed(self.life().key().life(), place);
        let _ = place;
    }
}

/// Whether a chunk of that shape has slot `index`. False only for invented key bits, and never if chunks have all slots.
#[inline]
pub(super) const fn has_slot(index: u32, shape: &Shape) -> bool {
    index & ((1 << SLOT_BITS) - 1) < shape.slots
}

/// Prefetches the cache line at `address`, which may be any address. No effect on processors other than x86-64.
#[inline]
fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint, without effect on an unmapped address. Every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
