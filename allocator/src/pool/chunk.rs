//! [`Chunk`]: the memory of up to 4,096 slots, in a [block](super::arena) that never moves. [`Slot`]: the address of one slot.
//! [`Shape`]: the layout of the chunks of one type, known at compile time.
//!
//! ```text
//! ┌────────┬──────┬────────┬──────┬────────┬───────────────┬─────┬─────────────┬───────────┐
//! │ header │ life │ object │ life │ object │ …             │ gap │ guard words │ owners    │
//! │ 128 B  │ word │        │ word │        │               │     │ 8 B each    │ 4 B each  │
//! └────────┴──────┴────────┴──────┴────────┴───────────────┴─────┴─────────────┴───────────┘
//!          ├────── a collection returns whole pages of it ───────┤ never returned: a guard
//!                                                                 may still count there
//! ```
//!
//! The life word precedes its object, so a look-up touches one cache line. The guard words are apart, because a
//! collection returns the pages of slots to the operating system. Only guards and operations by handle touch the guard words,
//! and only clones of owners touch the counts. An untouched page costs nothing.
//!
//! [`ShapeOf`] knows the type, for the hot paths. [`Shape`] is its type-erased form, for all other code, with the functions that act on an
//! object of the type.

use std::any::Any;
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::Location;
use std::ptr::{self, NonNull};
#[cfg(debug_assertions)]
use std::sync::Once;
use std::sync::OnceLock;

use crate::AllocateError;
use crate::hint::unlikely;
use crate::pool::arena::Block;
use crate::pool::directory::Number;
use crate::pool::handle::{Handle, SLOT_BITS, offset};
use crate::pool::life::{Ended, Floor, Guards, Life, MoreOwners};
use crate::pool::pins::Pins;
use crate::pool::{arena, directory};
#[cfg(debug_assertions)]
use crate::report::site::Site;
use crate::sync::AtomicPtr;
use crate::sync::plain::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// The maximum number of slots of a chunk.
pub(super) const MOST_SLOTS: u32 = 1 << SLOT_BITS;
/// The maximum number of bytes of a chunk's slots, unless it has only sixteen slots.
const SLOT_BYTES: usize = 256 * 1024;
/// The maximum number of bytes of a chunk's slots, unless it has only one slot.
const FEW_SLOT_BYTES: usize = 1024 * 1024;

/// The guard words begin at a multiple of this many bytes: a page of most systems. So the page of the last slots contains no
/// guard words, and can be returned.
const PAGE: usize = 4096;
/// Bytes before the first slot.
pub(super) const HEADER: usize = 128;
/// The minimum alignment of the first slot: a cache line.
pub(super) const LINE: usize = 64;

/// Bytes for each slot behind all slots: the guard word and the count of owners.
const COUNTS: usize = size_of::<Guards>() + size_of::<MoreOwners>();

/// The layout of a slot of a pool of `T`.
#[repr(C)]
pub(super) struct SlotOf<T> {
    life: Life,
    object: MaybeUninit<T>,
}

/// The offsets in a chunk of `T`.
pub(super) struct ShapeOf<T>(std::marker::PhantomData<T>);

impl<T> ShapeOf<T> {
    const ALIGN: usize = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
    /// The offset of the first life word. Its object follows at the next multiple of the object's alignment.
    pub(super) const FIRST: usize = HEADER.next_multiple_of(Self::ALIGN);
    pub(super) const OBJECT: usize = std::mem::offset_of!(SlotOf<T>, object);
    pub(super) const STRIDE: usize = size_of::<SlotOf<T>>();
    /// Slots of a chunk, a power of two.
    pub(super) const SLOTS: u32 = slots_of(Self::STRIDE);
    /// The offset of the guard words, behind the slots.
    pub(super) const GUARDS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => match bytes.checked_add(Self::FIRST) {
            Some(end) => end.checked_next_multiple_of(PAGE),
            None => None,
        },
        None => None,
    };
    /// All bytes of a chunk, a power of two. `None` if the address space is too small for them.
    pub(super) const BYTES: Option<usize> = match Self::GUARDS {
        Some(guards) => match guards.checked_add(Self::SLOTS as usize * COUNTS) {
            Some(bytes) => bytes.checked_next_power_of_two(),
            None => None,
        },
        None => None,
    };
    /// The mask of the low bits of a slot's address, which are its offset in the chunk.
    pub(super) const INSIDE: usize = match Self::BYTES {
        Some(bytes) => bytes - 1,
        None => usize::MAX,
    };
}

/// The value that hooks attach to their objects: [`Hooks::about`](crate::pool::Hooks::about).
pub(super) type About = &'static (dyn Any + Send + Sync);

/// The functions and numbers of a pool's type, for the type-erased parts of the pool. A layer above constructs it.
pub(super) struct Shape {
    /// Slots of a chunk.
    pub(super) slots: u32,
    pub(super) first: usize,
    pub(super) object: usize,
    /// Bytes of one object, with its life word.
    pub(super) stride: usize,
    /// The offset of the guard words in a chunk.
    pub(super) guards: usize,
    /// Bytes of a chunk, a power of two. `None` if the address space is too small for a chunk.
    pub(super) bytes: Option<usize>,
    /// Makes the object, in memory without one.
    pub(super) make: unsafe fn(*mut u8),
    pub(super) finalizer: Option<unsafe fn(*mut u8)>,
    pub(super) drop: unsafe fn(*mut u8),
    /// Whether `drop` does anything.
    pub(super) needs_drop: bool,
    pub(super) name: fn() -> &'static str,
    /// For [`ErasedOwned`](crate::pool::ErasedOwned): the hooks' value, and the function that ends an owner's share.
    pub(super) about: fn() -> About,
    pub(super) drop_owner: unsafe fn(u32),
    /// Finishes an ended life of the slot with that life word.
    pub(super) finish: fn(NonNull<Life>, Ended),
    /// The pins that may protect the pool's objects.
    pub(super) pins: fn() -> &'static Pins,
    pub(super) is_unpinned: fn() -> bool,
}

impl Shape {
    /// Whether a chunk has slot `index`. False only for invented handle bits, and never if a chunk has [`MOST_SLOTS`].
    #[inline]
    pub(super) const fn has_slot(&self, index: u32) -> bool {
        index & ((1 << SLOT_BITS) - 1) < self.slots
    }

    /// The error for a refused allocation of `bytes` bytes.
    pub(super) fn no_memory(&self, bytes: usize) -> AllocateError {
        AllocateError::Memory {
            type_name: (self.name)(),
            bytes,
        }
    }

    /// The error for a process that has used up the slot numbers, or the pool numbers.
    pub(super) fn no_number(&self) -> AllocateError {
        AllocateError::Exhausted {
            type_name: (self.name)(),
        }
    }
}

const fn slots_of(stride: usize) -> u32 {
    let mut slots = MOST_SLOTS;
    while slots > 16 && stride > SLOT_BYTES / slots as usize {
        slots /= 2;
    }
    while slots > 1 && stride > FEW_SLOT_BYTES / slots as usize {
        slots /= 2;
    }
    slots
}

/// The mark of a chunk in which an owner was cloned. A marked tag misses the per-thread tables.
pub(super) const SHARED: u64 = 1 << 63;
/// The mark of a pool that counts its objects, because of an exact limit or a bound. It has the same effect as [`SHARED`].
pub(super) const COUNTED: u64 = 1 << 62;

/// The header of a chunk.
#[repr(C, align(64))]
pub(super) struct Chunk {
    /// The tag of the chunk's pool, with marks that keep frees off the hot path: [`SHARED`] and [`COUNTED`].
    pub(super) tag: AtomicU64,
    /// The chunk's number in the directory.
    pub(super) number: u32,
    /// The number of slots, from the first one on, that threads have taken to make objects in. The slots behind them were never touched.
    used: AtomicU32,
    /// See [`floor`](Self::floor).
    floor: AtomicU32,
    /// Whether a guard word was ever used.
    has_guards: AtomicBool,
    /// As in its [`Block`].
    resident: u16,
    /// The chunk that the pool made after this one, or null.
    pub(super) next: AtomicPtr<Chunk>,
    /// The pool's record, which owns the chunk. A layer above defines its type.
    pub(super) depot: NonNull<()>,
    pub(super) shape: &'static Shape,
    /// The guard words of the chunk's slots, in the order of their indices.
    guards: NonNull<Guards>,
    /// Owners beyond the first, in the order of the slots.
    more_owners: NonNull<MoreOwners>,
    /// The cached hashes of the chunk's objects, in the order of the slots. Made when the first one is computed.
    #[expect(clippy::box_collection, reason = "one word in the header")]
    hashes: OnceLock<Box<Vec<UnsafeCell<OnceLock<i32>>>>>,
    /// The result of [`Shape::about`], available without a call.
    pub(super) about: About,
    #[cfg(debug_assertions)]
    sites: Box<Sites>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER && align_of::<MoreOwners>() <= align_of::<Guards>());

impl Chunk {
    /// A chunk of slots without objects, or `None` if there is no memory for it. It is not in the directory yet.
    ///
    /// `tag` and `depot` are the pool's.
    pub(super) fn create(
        (shape, about): (&'static Shape, About),
        (tag, depot): (u64, NonNull<()>),
        Number { number, floor }: Number,
    ) -> Option<NonNull<Self>> {
        #[cfg(debug_assertions)]
        let sites = Sites::new(shape.slots as usize)?;
        let Block { start, resident } = arena::allocate(shape.bytes?)?;
        // SAFETY: within the block.
        let guards: NonNull<Guards> = unsafe { start.add(shape.guards) }.cast();
        // SAFETY: as above.
        let more_owners: NonNull<MoreOwners> = unsafe { guards.add(shape.slots as usize) }.cast();
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag: AtomicU64::new(tag),
            number,
            used: AtomicU32::new(0),
            has_guards: AtomicBool::new(false),
            resident,
            next: AtomicPtr::new(ptr::null_mut()),
            floor: AtomicU32::new(floor.0),
            depot,
            shape,
            guards,
            more_owners,
            hashes: OnceLock::new(),
            about,
            #[cfg(debug_assertions)]
            sites,
        };
        // Plain writes: no other thread reaches the chunk before `directory::insert`.
        // SAFETY: the block is fresh, large enough, and aligned to its size.
        unsafe { chunk.write(header) };
        // Zeroed memory is a valid word of std's atomics. loom's atomics must be constructed.
        #[cfg(acedia_loom)]
        for offset in 0..shape.slots as usize {
            // SAFETY: in bounds, as every slot's words are.
            let life = unsafe { start.add(shape.first + offset * shape.stride) };
            // SAFETY: fresh memory, aligned for any word.
            unsafe { life.cast::<Life>().write(Life::new()) };
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

    /// The chunk that holds slot `index`, which belongs to a living pool of the caller's.
    #[inline]
    pub(super) fn of(index: u32) -> NonNull<Self> {
        directory::chunk_of(index).cast()
    }

    /// Publishes a chunk of the pool of `tag`: from here on, handles of its slots find it.
    pub(super) fn publish(chunk: NonNull<Self>, tag: u64) {
        // SAFETY: the caller holds a chunk of a living pool.
        let header = unsafe { chunk.as_ref() };
        let first = header.indices().start;
        let start: NonNull<u8> = chunk.cast();
        let slots = start.as_ptr().wrapping_add(header.shape.first);
        let origin = slots.wrapping_sub((first as usize).wrapping_mul(header.shape.stride));
        directory::insert(first, start, origin, tag);
    }

    /// The indices of the chunk's slots.
    pub(super) fn indices(&self) -> Range<u32> {
        let base = self.number << SLOT_BITS;
        base..base + self.shape.slots
    }

    /// The indices of the slots that may ever have had an object.
    #[inline]
    pub(super) fn used(&self) -> Range<u32> {
        let base = self.number << SLOT_BITS;
        // Relaxed: a thread that knows of an object, such as by its handle, sees the words stored before the object was made.
        base..base + self.used.load(Ordering::Relaxed)
    }

    /// Records that a thread takes slots up to `end` to make objects in them. The caller holds the depot's lock.
    pub(super) fn use_up_to(&self, end: u32) {
        let used = end - (self.number << SLOT_BITS);
        // Relaxed, both: changed under the depot's lock. An iteration that loads the old number at this moment skips the new slots, whose
        // objects become visible after the store.
        if used > self.used.load(Ordering::Relaxed) {
            self.used.store(used, Ordering::Relaxed);
        }
    }

    /// The word that counts the guards of slot `index`.
    #[inline]
    pub(super) fn guards(&self, index: u32) -> &Guards {
        self.mark_guards();
        // SAFETY: every index of the chunk's slots has a word.
        let guards = unsafe { self.guards.add(offset(index)) };
        // SAFETY: as above; atomic, so shared access is fine.
        unsafe { guards.as_ref() }
    }

    /// Records that a guard word is used.
    #[inline]
    pub(super) fn mark_guards(&self) {
        // Relaxed, both: only the end of the pool reads it, to decide which memory to clear, and that comes after all uses. Several threads
        // may store it: they store the same value. A load comes first, so that guards on several threads do not write to the header.
        if unlikely(!self.has_guards.load(Ordering::Relaxed)) {
            self.has_guards.store(true, Ordering::Relaxed);
        }
    }

    /// The count of owners beyond the first of slot `index`.
    #[inline]
    pub(super) fn more_owners(&self, index: u32) -> &MoreOwners {
        // SAFETY: every index of the chunk's slots has a count.
        let count = unsafe { self.more_owners.add(offset(index)) };
        // SAFETY: as above; atomic, so shared access is fine.
        unsafe { count.as_ref() }
    }

    /// Whether the hash of an object of the chunk was ever computed.
    #[inline]
    pub(super) fn has_hashes(&self) -> bool {
        self.hashes.get().is_some()
    }

    /// The cached hash of the object in slot `index`, if the chunk has any.
    pub(super) fn hash(&self, index: u32) -> Option<&UnsafeCell<OnceLock<i32>>> {
        Some(&self.hashes.get()?[offset(index)])
    }

    /// Like [`hash`](Self::hash), for an object whose hash is needed.
    pub(super) fn hash_or_make(&self, index: u32) -> &UnsafeCell<OnceLock<i32>> {
        let make = || Box::new((0..self.shape.slots).map(|_| UnsafeCell::default()).collect());
        &self.hashes.get_or_init(make)[offset(index)]
    }

    /// The pool's tag, with [`SHARED`] if an owner of any object in this chunk was ever cloned, and with
    /// [`COUNTED`] if the pool is counted.
    #[inline]
    pub(super) fn tag(&self) -> u64 {
        // Relaxed: the mark SHARED is set before the clone exists, and the cloned owner is borrowed until then. So a thread that gets either
        // owner sees the mark. The mark COUNTED takes effect once a thread's load finds it: see `set_counted`.
        self.tag.load(Ordering::Relaxed)
    }

    /// The highest life that may have been issued before the life words were last reset.
    #[inline]
    pub(super) fn floor(&self) -> Floor {
        // Relaxed, here and below: the caller took its slot from a list, and so sees the floor at the time when the slot was put there.
        Floor(self.floor.load(Ordering::Relaxed))
    }

    /// Raises the floor. Another collection may be at work on other pages of the chunk.
    pub(super) fn raise_floor(&self, floor: Floor) {
        // Relaxed: as in `floor`. The slots go back to a list, under the depot's lock, after this. A refused look-up also loads the floor,
        // for its error. With the old floor and a life word that is already 0, the error says that the handle was never issued.
        self.floor.fetch_max(floor.0, Ordering::Relaxed);
    }

    /// The whole pages in the memory of adjacent slots, as bytes from the chunk's start, and the slots whose life words
    /// are in them. `None` if there is no such page or slot.
    pub(super) fn whole_pages(&self, slots: Range<u32>) -> Option<(Range<u32>, Range<usize>)> {
        let Shape {
            first, stride, guards, ..
        } = *self.shape;
        let Range { start: base, end: last } = self.indices();
        // A chunk is aligned to a page.
        let page = arena::page();
        let start = (first + offset(slots.start) * stride).next_multiple_of(page);
        // Between the last slot and the guard words there is only a gap.
        let end = if slots.end == last {
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
    pub(super) fn site(&self, index: u32) -> &Site {
        self.sites.of(offset(index))
    }

    /// Sets the mark of a chunk in which an owner is cloned, before the clone exists.
    #[inline]
    pub(super) fn set_shared(&self) {
        if unlikely(self.tag() & SHARED == 0) {
            // Relaxed: a thread that gets the clone sees the mark. A free of another object of the chunk, without clones, may load the tag
            // before or after this: with the mark it takes the slow path, and finds a count of 0.
            self.tag.fetch_or(SHARED, Ordering::Relaxed);
        }
    }

    /// Sets or clears the mark of a counted pool.
    pub(super) fn set_counted(&self, counted: bool) {
        // Relaxed, both. A free that loads the tag before the mark is set keeps its object in the thread's lists, as before the limit. Once a
        // load of that thread finds the mark, the thread moves its lists to the depot (`limit_local`). A free that still finds the mark
        // after it was cleared comes to the depot in vain.
        if counted {
            self.tag.fetch_or(COUNTED, Ordering::Relaxed);
        } else {
            self.tag.fetch_and(!COUNTED, Ordering::Relaxed);
        }
    }

    /// Destroys the chunk. Objects are not dropped.
    ///
    /// # Safety
    /// The chunk and its slots are not used again.
    pub(super) unsafe fn destroy(chunk: NonNull<Self>) {
        // SAFETY: the caller's promise; the header was written by `create`.
        let header = unsafe { chunk.read() };
        let Some(bytes) = header.shape.bytes else { return };
        let Shape {
            first,
            stride,
            guards,
            slots,
            ..
        } = *header.shape;
        // The parts that were ever written: the header and the slots, the guard words, and the counts of owners.
        let used = header.used().len();
        let more_owners = guards + slots as usize * size_of::<Guards>();
        let if_any = |any: bool| if any { used } else { 0 };
        let written = [
            (0, first + used * stride),
            (
                guards,
                if_any(header.has_guards.load(Ordering::Relaxed)) * size_of::<Guards>(),
            ),
            (
                more_owners,
                if_any(header.tag() & SHARED != 0) * size_of::<MoreOwners>(),
            ),
        ];
        let block = Block {
            start: chunk.cast(),
            resident: header.resident,
        };
        // SAFETY: from `create`, with the same number of bytes; for the rest the caller's promise.
        unsafe { arena::free(block, bytes, &written) };
    }
}

/// The sites of a chunk's slots. The sites of a group of slots are made when the first of them is used, because the sites of 4,096 slots
/// take 300 KB, and most pools have few objects.
#[cfg(debug_assertions)]
struct Sites {
    /// The memory of all sites. Its length stays 0.
    all: Vec<UnsafeCell<Site>>,
    groups: Box<[Once]>,
}

#[cfg(debug_assertions)]
impl Sites {
    /// Slots of a group.
    const GROUP: usize = 64;

    /// `None` if there is no memory.
    fn new(slots: usize) -> Option<Box<Self>> {
        let groups: Box<_> = (0..slots.div_ceil(Self::GROUP)).map(|_| Once::new()).collect();
        let mut all = Vec::new();
        all.try_reserve_exact(slots).ok()?;
        Some(Box::new(Self { all, groups }))
    }

    fn slots(&self, group: usize) -> Range<usize> {
        let first = group * Self::GROUP;
        first..self.all.capacity().min(first + Self::GROUP)
    }

    fn at(&self, nth: usize) -> *mut Site {
        // SAFETY: the memory has room for the sites of all slots.
        UnsafeCell::raw_get(unsafe { self.all.as_ptr().add(nth) })
    }

    fn of(&self, nth: usize) -> &Site {
        let group = nth / Self::GROUP;
        // If the group is made already, `call_once` orders its writes, which are the only ones, before this.
        self.groups[group].call_once(|| {
            for nth in self.slots(group) {
                // SAFETY: within the memory, and no other thread uses the group before this has ended.
                unsafe { self.at(nth).write(Site::default()) };
            }
        });
        // SAFETY: made above.
        unsafe { &*self.at(nth) }
    }
}

#[cfg(debug_assertions)]
impl Drop for Sites {
    fn drop(&mut self) {
        for group in (0..self.groups.len()).filter(|group| self.groups[*group].is_completed()) {
            // SAFETY: made, and not used again.
            self.slots(group)
                .for_each(|nth| unsafe { self.at(nth).drop_in_place() });
        }
    }
}

/// Returns whole pages of a chunk ([`Chunk::whole_pages`]) to the operating system. The result is the number of those bytes.
///
/// Every handle of their slots stays stale: the life words are already zero, and the next lives start above the chunk's floor.
pub(super) fn discard_pages(chunk: NonNull<Chunk>, bytes: Range<usize>) -> usize {
    // SAFETY: within the chunk.
    let start = unsafe { chunk.cast::<u8>().add(bytes.start) };
    // SAFETY: no slot in the range holds an object, and the life words in it are zero.
    unsafe { arena::discard(start.as_ptr(), bytes.len()) }
}

/// One slot: the address of its life word, from which the rest follows. Copies of it do not affect ownership of the
/// object.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Slot(NonNull<Life>);

impl Slot {
    /// Slot `index`, taken from a list of its pool.
    pub(super) fn of_own(index: u32) -> Self {
        // SAFETY: the caller's slot belongs to a living pool.
        Self::of_shape(index, unsafe { Chunk::of(index).as_ref() }.shape)
    }

    /// Like [`of_own`](Self::of_own), but for a pool of that shape.
    #[inline]
    pub(super) fn of_shape(index: u32, shape: &Shape) -> Self {
        let at = directory::origin_of(index).wrapping_add((index as usize).wrapping_mul(shape.stride));
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
        // Indexed by type and not by bytes: the compiler then uses an addressing mode that multiplies.
        let at = origin.cast::<SlotOf<T>>().wrapping_add(index as usize);
        // SAFETY: within the chunk, because the origin belongs to it, and it has such a slot: the caller's promise.
        Self(unsafe { NonNull::new_unchecked(at) }.cast())
    }

    /// The slot of `handle` in the chunk with that origin, without a branch. If the bits of the handle are invented, and the chunk has no slot
    /// of its index, the result is another slot. Its life word never equals the handle, because the word contains the slot's own index.
    #[inline]
    pub(super) fn named<T>(origin: *mut u8, handle: Handle<T>) -> Self {
        let beyond = MOST_SLOTS - ShapeOf::<T>::SLOTS;
        Self::at_origin::<T>(origin, handle.index() & !beyond)
    }

    /// Prefetches the slot that `handle` names, if its pool is one of `T`: the life word, and the beginning of the object,
    /// which may be on the next cache line.
    #[inline]
    pub(super) fn prefetch<T>(handle: Handle<T>) {
        let origin = directory::origin_of(handle.index());
        let slot = origin.cast::<SlotOf<T>>().wrapping_add(handle.index() as usize);
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

    /// The slot's index. The slot has or had an object, and its page was not returned since.
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
        unsafe { Chunk::of(self.index()).as_ref() }
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

    /// Like [`guards`](Self::guards), but for a pool of `T` and the slot that `handle` names. Before it writes, the caller calls
    /// [`Chunk::mark_guards`].
    #[inline]
    pub(super) fn guards_of<T>(&self, handle: Handle<()>) -> &Guards {
        let start = self.0.as_ptr().map_addr(|at| at & !ShapeOf::<T>::INSIDE);
        let at = start.wrapping_byte_add(ShapeOf::<T>::GUARDS.unwrap_or(0));
        // SAFETY: every slot has a word there; atomic, so shared access is fine.
        unsafe { &*at.cast::<Guards>().wrapping_add(offset(handle.index())) }
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

    /// The highest life that a handle was ever made for. The life after the highest visible one may have been promised to
    /// a leaked reservation.
    pub(super) fn highest_promised(self, chunk: &Chunk) -> Floor {
        let snapshot = self.life().snapshot();
        let next = u32::from(snapshot.has_lives() && snapshot.current().is_none());
        Floor(self.highest_life(chunk).0 + next)
    }

    /// The count of owners beyond the first, if an owner in `chunk` was ever cloned. `chunk` is the slot's.
    #[inline]
    pub(super) fn more_owners(self, chunk: &Chunk) -> Option<&MoreOwners> {
        // Not without the mark: reading the count would map its page. A clone sets the mark before it counts, so if an object has several
        // owners, each of them finds the mark.
        (chunk.tag() & SHARED != 0).then(|| chunk.more_owners(self.index()))
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
    /// handle was ever made. `chunk` is the slot's.
    #[inline]
    pub(super) fn is_private(self, chunk: &Chunk) -> bool {
        // The order matters: another owner might make a handle and leave between the two checks.
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
            .set_allocated(self.life().handle().version(), place);
        let _ = place;
    }

    /// Records, in builds with debug assertions, where the object was freed. It has no other owner.
    #[inline]
    pub(super) fn note_freed_at(self, place: &'static Location<'static>) {
        #[cfg(debug_assertions)]
        self.chunk()
            .site(self.index())
            .set_freed(self.life().handle().version(), place);
        let _ = place;
    }

    /// Records the place of the allocation again for the slot's next life, in which the object of `ended` goes on.
    #[inline]
    pub(super) fn note_goes_on(self, ended: Handle<()>) {
        #[cfg(debug_assertions)]
        if let Some(places) = self.chunk().site(self.index()).of(ended.version()) {
            self.note_allocated_at(places.allocated);
        }
        let _ = ended;
    }
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
