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

use std::alloc::Layout;
use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::census::Census;
use super::depot::Depot;
use super::directory::{self, SLOT_BITS, chunk_of, tag};
use super::hooks::Hooks;
use super::key::Key;
use super::pages;
use super::state::{Life, MoreOwners, Readers};
use crate::AllocateError;
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Most slots of a chunk. A model checker builds every word by hand, so it gets few.
pub(super) const MOST_SLOTS: u32 = if cfg!(acedia_loom) { 8 } else { 1 << SLOT_BITS };
/// Objects are packed into about this much memory per chunk.
const OBJECT_BYTES: usize = 256 * 1024;

const HEADER: usize = 128;
/// The least alignment of a chunk, so that slots start on a cache line.
const LINE: usize = 64;
/// A chunk of no more bytes is aligned to its size, rounded up to a power of two: the address of a slot then leads to the
/// chunk without the directory.
const MOST_ALIGNED: usize = 1 << 20;
/// The commonest size of a page; where it is another one, a little memory stays unused.
const PAGE: usize = 4096;

/// A slot of a pool of `T`, for its layout.
#[repr(C)]
struct Room<T> {
    life: Life,
    object: MaybeUninit<T>,
}

/// Where things are in a chunk of `T`.
struct Place<T>(std::marker::PhantomData<T>);

impl<T> Place<T> {
    const ALIGN: usize = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
    /// The first life word; its object follows at the next multiple of the object's alignment.
    const FIRST: usize = HEADER.next_multiple_of(Self::ALIGN);
    const OBJECT: usize = std::mem::offset_of!(Room<T>, object);
    const STRIDE: usize = size_of::<Room<T>>();
    /// A power of two, so that any index below it is in the chunk without a comparison, for small objects.
    const SLOTS: u32 = slots_of(Self::STRIDE);
    /// How many of them are used: the header takes the room of the others, so that the slots end with a page. One page more
    /// for each chunk would be a twenty-fifth for the smallest objects.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is compared with a number of that type"
    )]
    const USED: u32 = {
        let displaced = Self::FIRST.div_ceil(Self::STRIDE);
        if displaced * Self::STRIDE < PAGE && displaced < Self::SLOTS as usize / 16 {
            Self::SLOTS - displaced as u32
        } else {
            Self::SLOTS
        }
    };
    /// The first reader word, behind the slots; `None` if the address space is too small for a chunk.
    const READERS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => bytes.checked_add(Self::FIRST),
        None => None,
    };
    const LAYOUT: Option<Layout> = match Self::READERS {
        Some(bytes) => match bytes.checked_add(Self::SLOTS as usize * size_of::<Readers>()) {
            Some(total) => {
                let mut align = Self::ALIGN;
                if align < total && total <= MOST_ALIGNED {
                    align = total.next_power_of_two();
                }
                match Layout::from_size_align(total, align) {
                    Ok(layout) => Some(layout),
                    Err(_) => None,
                }
            }
            None => None,
        },
        None => None,
    };
    /// The low bits of a slot's address that are its place in the chunk, if they are.
    const INSIDE: Option<usize> = match Self::LAYOUT {
        Some(layout) if layout.size() <= layout.align() => Some(layout.align() - 1),
        _ => None,
    };
}

/// What hooks say of their objects: [`Hooks::about`].
pub(super) type About = &'static (dyn Any + Send + Sync);

/// What the type-erased parts of a pool know about its objects.
pub(super) struct Shape {
    /// Slots of a chunk that may hold objects.
    pub(super) slots: u32,
    /// Slots that made-up keys may name.
    #[cfg(debug_assertions)]
    named: u32,
    first: usize,
    object: usize,
    stride: usize,
    readers: usize,
    layout: Option<Layout>,
    pub(super) end: Option<unsafe fn(*mut u8)>,
    pub(super) drop: unsafe fn(*mut u8),
    pub(super) type_name: fn() -> &'static str,
    /// For [`ErasedOwner`](super::ErasedOwner): of `(T, H)`, what the hooks say, and what ends an owner's share.
    type_id: fn() -> TypeId,
    pub(super) about: fn() -> About,
    pub(super) drop_owner: unsafe fn(NonNull<Chunk>, u32),
}

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: Place::<T>::USED,
            #[cfg(debug_assertions)]
            named: Place::<T>::SLOTS,
            first: Place::<T>::FIRST,
            object: Place::<T>::OBJECT,
            stride: Place::<T>::STRIDE,
            readers: match Place::<T>::READERS {
                Some(readers) => readers,
                // There is no chunk.
                None => 0,
            },
            layout: Place::<T>::LAYOUT,
            end: if H::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: drop_erased::<T>,
            type_name: std::any::type_name::<T>,
            type_id: TypeId::of::<(T, H)>,
            about: H::about,
            drop_owner: super::erased::drop_owner::<T, H>,
        }
    }

    /// Bytes that one object costs, with its life word.
    pub(super) fn bytes_per_slot(&self) -> usize {
        self.stride
    }

    /// That so many bytes were refused.
    pub(super) fn no_memory(&self, bytes: usize) -> AllocateError {
        AllocateError::Memory {
            type_name: (self.type_name)(),
            bytes,
        }
    }

    /// That the process has used up the numbers of slots, or of pools.
    pub(super) fn no_number(&self) -> AllocateError {
        AllocateError::Exhausted {
            type_name: (self.type_name)(),
        }
    }

    /// The layout of a chunk, for reports of exhausted memory.
    pub(super) fn layout(&self) -> Layout {
        self.layout.unwrap_or(Layout::new::<u64>())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} slots of {} ({} bytes)",
            self.slots,
            (self.type_name)(),
            self.stride
        )
    }
}

const fn slots_of(stride: usize) -> u32 {
    let mut slots = MOST_SLOTS;
    while slots > 16 && stride > OBJECT_BYTES / slots as usize {
        slots /= 2;
    }
    slots
}

/// # Safety
/// `object` points to a `T` that nobody else looks at.
unsafe fn end_erased<T, H: Hooks<T>>(object: *mut u8) {
    if let Some(end) = H::END {
        // SAFETY: the caller's promise.
        end(unsafe { &mut *object.cast::<T>() });
    }
}

/// # Safety
/// `object` points to a `T` that nobody else looks at; it is gone afterwards.
unsafe fn drop_erased<T>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().drop_in_place() };
}

/// The header of a chunk.
#[repr(C, align(64))]
pub(super) struct Chunk {
    /// The pool it belongs to, with marks that keep the hot path from freeing alone: see [`tag`].
    tag: AtomicU64,
    /// Who counts owners of the pool's objects.
    pub(super) counting: Census,
    /// Index of its first slot.
    pub(super) base: u32,
    /// The highest life that may have been issued before the life words were last given back.
    pub(super) floor: AtomicU32,
    /// The pool's shared part, which owns the chunk.
    depot: NonNull<Depot>,
    pub(super) shape: &'static Shape,
    /// Owners beyond the first, per slot; null until an owner is cloned.
    more_owners: AtomicPtr<MoreOwners>,
    /// What the shape's functions say, found without a call.
    pub(super) type_id: TypeId,
    pub(super) about: About,
    #[cfg(debug_assertions)]
    sites: Box<[super::site::Site]>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER);

impl Chunk {
    /// A chunk of slots without objects, or `None` if there is no memory for it.
    pub(super) fn create(depot: &Depot, base: u32, floor: u32) -> Option<NonNull<Self>> {
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
        &self.sites[offset(index)]
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

/// Where the first slot of a chunk is, for look-ups that take every key for one of that chunk's: the life word that they find is a
/// whole key, and says whose it is. Null if there is no such chunk.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Span(*mut u8);

impl Span {
    pub(super) const NONE: Self = Self(std::ptr::null_mut());

    pub(super) fn of(chunk: NonNull<Chunk>) -> Self {
        // SAFETY: the caller holds a chunk of a living pool.
        let first = unsafe { chunk.as_ref() }.shape.first;
        // SAFETY: within the chunk.
        Self(unsafe { chunk.cast::<u8>().add(first) }.as_ptr())
    }

    pub(super) fn from_raw(first: *mut u8) -> Self {
        Self(first)
    }

    pub(super) fn into_raw(self) -> *mut u8 {
        self.0
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        self.0.is_null()
    }

    /// The slot that `key` would name if it were one of the chunk's, which is of a pool of `T`.
    #[inline]
    pub(super) fn slot<T>(self, key: Key) -> Option<Slot> {
        let first = NonNull::new(self.0)?.cast::<Room<T>>();
        let place = key.index() & (Place::<T>::SLOTS - 1);
        // SAFETY: within the chunk, which has room for so many slots, a power of two.
        let room = unsafe { first.add(place as usize) };
        Some(Slot(room.cast()))
    }
}

/// One slot: where its life word is, which says the rest. Copies of it say nothing about who owns the object.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Slot(NonNull<Life>);

impl Slot {
    /// Slot `index` of a pool from whose list it was taken.
    pub(super) fn of_own(index: u32) -> Self {
        Self::of_chunk(chunk_of(index), index)
    }

    /// Slot `index` of its chunk.
    pub(super) fn of_chunk(chunk: NonNull<Chunk>, index: u32) -> Self {
        // SAFETY: the caller holds a chunk of a living pool.
        let shape = unsafe { chunk.as_ref() }.shape;
        // SAFETY: within the chunk: the offset is below the chunk's number of slots.
        let at = unsafe { chunk.cast::<u8>().add(shape.first + offset(index) * shape.stride) };
        Self(at.cast())
    }

    /// The slot that `key` names, in the chunk of that origin, of a pool of `T`.
    #[inline]
    pub(super) fn of_key<T>(origin: *mut u8, key: Key) -> Self {
        // Of a type, and not so many bytes: the compiler then finds the addressing mode that multiplies.
        let at = origin.cast::<Room<T>>().wrapping_add(key.index() as usize);
        // SAFETY: within the chunk: the origin is that of its slots, and the caller has asked `has_slot`.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// Asks for the memory of the slot that `key` names, if its pool is one of `T`, ahead of its use: of the life word, and of where
    /// the object begins, which may be the next cache line's.
    #[inline]
    pub(super) fn prefetch<T>(key: Key) {
        let origin = directory::hint(key.index());
        let room = origin.cast::<Room<T>>().wrapping_add(key.index() as usize);
        prefetch(room);
        prefetch(room.cast::<u8>().wrapping_add(Place::<T>::OBJECT));
    }

    /// As [`of_chunk`](Self::of_chunk), of a pool of `T`.
    #[inline]
    pub(super) fn of_chunk_of<T>(chunk: NonNull<Chunk>, index: u32) -> Self {
        // SAFETY: within the chunk, which has the slot.
        let at = unsafe {
            chunk
                .cast::<u8>()
                .add(Place::<T>::FIRST + offset(index) * Place::<T>::STRIDE)
        };
        Self(at.cast())
    }

    /// For a word of memory; [`from_raw`](Self::from_raw) makes a slot of it again.
    #[inline]
    pub(super) fn into_raw(self) -> NonNull<Life> {
        self.0
    }

    #[inline]
    pub(super) fn from_raw(at: NonNull<Life>) -> Self {
        Self(at)
    }

    /// The slot's number. The slot has or had an object, and its chunk was not given back since.
    #[inline]
    pub(super) fn index(self) -> u32 {
        self.life().index()
    }

    /// As [`chunk`](Self::chunk), for a pool of `T`.
    #[inline]
    pub(super) fn chunk_of<T>(&self) -> &Chunk {
        let Some(inside) = Place::<T>::INSIDE else {
            return self.chunk();
        };
        let start: *mut Chunk = self.0.cast().as_ptr();
        // SAFETY: a chunk of this layout is aligned to more than its size; for the rest see `chunk`.
        unsafe { &*start.map_addr(|at| at & !inside) }
    }

    /// The chunk's header.
    #[inline]
    pub(super) fn chunk(&self) -> &Chunk {
        // SAFETY: a slot is made from a chunk of a living pool, and used no longer than the pool lives.
        unsafe { chunk_of(self.index()).as_ref() }
    }

    #[inline]
    pub(super) fn life(&self) -> &Life {
        // SAFETY: initialised by `Chunk::create`; atomic, so shared access is fine.
        unsafe { self.0.as_ref() }
    }

    /// The word in which the guards of the slot's object count themselves.
    #[inline]
    pub(super) fn readers(&self) -> &Readers {
        let index = self.index();
        // SAFETY: the pool lives as long as the slot is used; atomic, so shared access is fine.
        unsafe { readers_of(chunk_of(index), index).as_ref() }
    }

    /// Where the object is, or will be, for a pool of `T`.
    #[inline]
    pub(super) fn object<T>(self) -> NonNull<T> {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(Place::<T>::OBJECT) }.cast()
    }

    /// Where the object is, whatever its type.
    pub(super) fn object_erased(self) -> *mut u8 {
        // SAFETY: within the slot.
        unsafe { self.0.cast::<u8>().add(self.chunk().shape.object) }.as_ptr()
    }

    /// The depot of the slot's pool.
    #[inline]
    pub(super) fn depot(&self) -> &Depot {
        self.chunk().depot()
    }

    /// The highest life that was ever visible, 0 if none was. `chunk` is the slot's.
    pub(super) fn highest_life(self, chunk: &Chunk) -> u32 {
        let floor = chunk.floor.load(Ordering::Relaxed);
        self.life().snapshot().highest(floor)
    }

    /// The highest life that a key was ever made for: the next one may have been promised to a leaked reservation.
    pub(super) fn highest_promised(self, chunk: &Chunk) -> u32 {
        let snapshot = self.life().snapshot();
        let next = u32::from(snapshot.is_made() && snapshot.current().is_none());
        self.highest_life(chunk) + next
    }

    /// The count of owners beyond the first, if any owner in `chunk`, which is the slot's, was ever cloned.
    #[inline]
    pub(super) fn more_owners<'c>(&self, chunk: &'c Chunk) -> Option<&'c MoreOwners> {
        // Acquire pairs with `share` (Release). An owner that was cloned sees the table: the clone came after it.
        let table = NonNull::new(chunk.more_owners.load(Ordering::Acquire))?;
        // SAFETY: the table has an entry for each slot of the chunk.
        let entry = unsafe { table.add(offset(self.index())) };
        // SAFETY: made with the table; atomic, so shared access is fine.
        Some(unsafe { entry.as_ref() })
    }

    /// Whether an owner, which nobody else is using now, is the only way to the object: there is no other, and no key was
    /// ever made. `chunk` is the slot's.
    #[inline]
    pub(super) fn is_private(self, chunk: &Chunk) -> bool {
        // In this order: another owner might make a key and leave between the two looks.
        self.more_owners(chunk).is_none_or(MoreOwners::is_none) && !self.life().is_exposed()
    }

    /// As [`more_owners`](Self::more_owners), making the table at first use. Aborts if there is no memory for it.
    #[cold]
    pub(super) fn share(&self) -> &MoreOwners {
        if self.more_owners(self.chunk()).is_none() {
            let fresh: Box<[MoreOwners]> = (0..self.chunk().shape.slots).map(|_| MoreOwners::new()).collect();
            let fresh = Box::into_raw(fresh);
            let null = std::ptr::null_mut();
            let table = &self.chunk().more_owners;
            // Before the table: who finds a table relies on the mark.
            self.chunk().tag.fetch_or(tag::SHARED, Ordering::Relaxed);
            // Release pairs with `more_owners` (Acquire): the entries, and the mark.
            if table
                .compare_exchange(null, fresh.cast(), Ordering::Release, Ordering::Relaxed)
                .is_err()
            {
                // SAFETY: made above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
        match self.more_owners(self.chunk()) {
            Some(count) => count,
            None => unreachable!("the table was made above and is never unmade"),
        }
    }

    /// Remembers, in builds with debug assertions, that the caller's caller allocated the object.
    #[inline]
    #[track_caller]
    pub(super) fn note_allocated(self) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_allocated(self.life().key().life(), std::panic::Location::caller());
    }

    /// Remembers, in builds with debug assertions, that the caller's caller frees the object, whose only owner it is.
    #[inline]
    #[track_caller]
    pub(super) fn note_freed(self) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_freed(self.life().key().life(), std::panic::Location::caller());
    }
}

/// The reader word of slot `index` of its chunk.
#[inline]
pub(super) fn readers_of(chunk: NonNull<Chunk>, index: u32) -> NonNull<Readers> {
    // SAFETY: the caller holds a chunk of a living pool.
    let readers = unsafe { chunk.as_ref() }.shape.readers;
    // SAFETY: within the chunk: every slot has a reader word.
    let word = unsafe { chunk.cast::<u8>().add(readers + offset(index) * size_of::<Readers>()) };
    word.cast()
}

#[inline]
fn offset(index: u32) -> usize {
    (index & ((1 << SLOT_BITS) - 1)) as usize
}

/// Whether a chunk of `T` has slot `index`; false only for made-up bits, and for no bits at all if chunks are full size.
#[inline]
pub(super) const fn has_slot<T>(index: u32) -> bool {
    index & ((1 << SLOT_BITS) - 1) < Place::<T>::SLOTS
}

/// Asks for the cache line at `place`, which may be anywhere, ahead of its use. Nothing where the processor is another one.
#[inline]
fn prefetch<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint; of an address that is not mapped, nothing comes. Every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(place.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.life().fmt(f)
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
