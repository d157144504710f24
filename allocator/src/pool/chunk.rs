//! One chunk: the memory of up to 4,096 slots, allocated once and never moved.
//!
//! ```text
//! ┌────────┬──────────────────┬──────────────────┬─────────────────────────────┐
//! │ header │ life words       │ reader words     │ objects                     │
//! │ 128 B  │ 4 B each         │ 4 B each         │ size_of::<T>() each         │
//! └────────┴──────────────────┴──────────────────┴─────────────────────────────┘
//!            given back by      never given back:  given back by
//!            a collection       a late guard may   a collection
//!                               still count there
//! ```
//!
//! The words stand apart from the objects so that a 64-byte object fills a cache line instead of straddling two, and so
//! that nothing is lost to alignment: 8 bytes per object, whatever its size. Pages nobody touched cost nothing, and the
//! reader words are touched by guards only.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ptr::NonNull;

use super::depot::Depot;
use super::directory::SLOT_BITS;
use super::hooks::Hooks;
use super::state::{Life, MoreOwners, Readers};
use crate::sync::plain::{AtomicPtr, AtomicU32, Ordering};

/// Most slots of a chunk. A model checker builds every word by hand, so it gets few.
pub(super) const MOST_SLOTS: u32 = if cfg!(acedia_loom) { 8 } else { 1 << SLOT_BITS };
/// Objects are packed into about this much memory per chunk.
const OBJECT_BYTES: usize = 256 * 1024;

const HEADER: usize = 128;
const LIVES: usize = HEADER;
const READERS: usize = LIVES + MOST_SLOTS as usize * size_of::<Life>();
const OBJECTS: usize = READERS + MOST_SLOTS as usize * size_of::<Readers>();
/// Objects start on a cache line.
const LINE: usize = 64;

/// What the type-erased parts of a pool know about its objects.
pub(super) struct Shape {
    pub(super) slots: u32,
    pub(super) size: usize,
    objects: usize,
    layout: Option<Layout>,
    align: usize,
    pub(super) end: Option<unsafe fn(*mut u8)>,
    pub(super) drop: unsafe fn(*mut u8),
    pub(super) type_name: fn() -> &'static str,
}

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        let size = size_of::<T>();
        let align = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
        let slots = slots_of(size);
        let objects = OBJECTS.next_multiple_of(align);
        let layout = match size.checked_mul(slots as usize) {
            Some(bytes) => match bytes.checked_add(objects + align) {
                // Aligned to 16 only, and by hand above that: a zeroed allocation of larger alignment is written by
                // hand in std, and would touch every page.
                Some(total) => match Layout::from_size_align(total, 16) {
                    Ok(layout) => Some(layout),
                    Err(_) => None,
                },
                None => None,
            },
            None => None,
        };
        Self {
            slots,
            size,
            objects,
            layout,
            align,
            end: if H::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: drop_erased::<T>,
            type_name: std::any::type_name::<T>,
        }
    }

    /// Bytes that one live object costs: itself and its two words.
    pub(super) fn bytes_per_slot(&self) -> usize {
        self.size + size_of::<Life>() + size_of::<Readers>()
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
            self.size
        )
    }
}

const fn slots_of(size: usize) -> u32 {
    let mut slots = MOST_SLOTS;
    while slots > 16 && size > OBJECT_BYTES / slots as usize {
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
    /// The pool it belongs to.
    pub(super) tag: u64,
    /// Index of its first slot.
    pub(super) base: u32,
    /// The highest life that may have been issued before the life words were last given back.
    pub(super) floor: AtomicU32,
    /// The pool's shared part, which owns the chunk.
    pub(super) depot: NonNull<Depot>,
    pub(super) shape: &'static Shape,
    /// Owners beyond the first, per slot; null until an owner is cloned.
    more_owners: AtomicPtr<MoreOwners>,
    /// What the allocator gave.
    memory: NonNull<u8>,
    #[cfg(debug_assertions)]
    sites: Box<[super::site::Site]>,
}

const _: () = assert!(size_of::<Chunk>() <= HEADER);

impl Chunk {
    /// A chunk of slots without objects, or `None` if there is no memory for it.
    pub(super) fn create(
        shape: &'static Shape,
        tag: u64,
        base: u32,
        floor: u32,
        depot: NonNull<Depot>,
    ) -> Option<NonNull<Self>> {
        let layout = shape.layout?;
        // SAFETY: the layout has a size above zero: it holds at least the header.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        let pad = memory.align_offset(shape.align);
        // SAFETY: the layout has `align` bytes to spare.
        let start = unsafe { memory.add(pad) };
        let chunk: NonNull<Self> = start.cast();
        let header = Self {
            tag,
            base,
            floor: AtomicU32::new(floor),
            depot,
            shape,
            more_owners: AtomicPtr::new(std::ptr::null_mut()),
            memory,
            #[cfg(debug_assertions)]
            sites: (0..shape.slots).map(|_| super::site::Site::default()).collect(),
        };
        // SAFETY: the memory is fresh, large enough, and aligned to 64.
        unsafe { chunk.write(header) };
        // Zeroed memory is a valid word of std's atomics; loom's have to be built.
        #[cfg(acedia_loom)]
        for offset in 0..shape.slots as usize {
            // SAFETY: in bounds, as every slot's words are.
            unsafe { start.add(LIVES).cast::<Life>().add(offset).write(Life::new()) };
            // SAFETY: as above.
            unsafe { start.add(READERS).cast::<Readers>().add(offset).write(Readers::new()) };
        }
        Some(chunk)
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
        let (memory, layout) = (header.memory, header.shape.layout());
        drop(header);
        // SAFETY: allocated by `create` with this very layout.
        unsafe { dealloc(memory.as_ptr(), layout) };
    }
}

/// One slot: a chunk and a number in it. Copies of it say nothing about who owns the object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) chunk: NonNull<Chunk>,
    pub(super) index: u32,
}

impl Slot {
    /// Slot `index` of the pool whose list it was taken from.
    #[inline]
    pub(super) fn of_own(index: u32) -> Self {
        Self {
            chunk: super::directory::chunk_of(index),
            index,
        }
    }

    #[inline]
    fn offset(self) -> usize {
        (self.index & ((1 << SLOT_BITS) - 1)) as usize
    }

    /// The chunk's header.
    #[inline]
    pub(super) fn chunk(&self) -> &Chunk {
        // SAFETY: a slot is made from a chunk of a living pool, and used no longer than the pool lives.
        unsafe { self.chunk.as_ref() }
    }

    #[inline]
    pub(super) fn life(&self) -> &Life {
        let start = self.chunk.cast::<u8>();
        // SAFETY: within the chunk: every slot's offset is below the chunk's number of slots (see `find`).
        let word = unsafe { start.add(LIVES + self.offset() * size_of::<Life>()) };
        // SAFETY: initialised by `create`; atomic, so shared access is fine.
        unsafe { word.cast::<Life>().as_ref() }
    }

    #[inline]
    pub(super) fn readers(&self) -> &Readers {
        let start = self.chunk.cast::<u8>();
        // SAFETY: as in `life`.
        let word = unsafe { start.add(READERS + self.offset() * size_of::<Readers>()) };
        // SAFETY: as in `life`.
        unsafe { word.cast::<Readers>().as_ref() }
    }

    /// Where the object is, or will be, for a pool of `T`.
    #[inline]
    pub(super) fn object<T>(self) -> NonNull<T> {
        let objects = OBJECTS.next_multiple_of(if align_of::<T>() > LINE { align_of::<T>() } else { LINE });
        let start = self.chunk.cast::<u8>();
        // SAFETY: within the chunk, as in `life`; `Shape::build` computed the same place.
        unsafe { start.add(objects + self.offset() * size_of::<T>()) }.cast()
    }

    /// Where the object is, whatever its type.
    pub(super) fn object_erased(self) -> *mut u8 {
        let shape = self.chunk().shape;
        // SAFETY: as in `object`.
        unsafe { self.chunk.cast::<u8>().add(shape.objects + self.offset() * shape.size) }.as_ptr()
    }

    /// The depot of the slot's pool.
    #[inline]
    pub(super) fn depot(&self) -> &Depot {
        // SAFETY: the depot owns its chunks, so it outlives every use of one.
        unsafe { self.chunk().depot.as_ref() }
    }

    /// The highest life that was ever visible, 0 if none was.
    pub(super) fn highest_life(self) -> u32 {
        let floor = self.chunk().floor.load(Ordering::Relaxed);
        self.life().snapshot().highest(floor)
    }

    /// The count of owners beyond the first, if any owner in this chunk was ever cloned.
    #[inline]
    pub(super) fn more_owners(&self) -> Option<&MoreOwners> {
        // Acquire pairs with `share` (Release). An owner that was cloned sees the table: the clone came after it.
        let table = NonNull::new(self.chunk().more_owners.load(Ordering::Acquire))?;
        // SAFETY: the table has an entry for each slot of the chunk.
        Some(unsafe { table.add(self.offset()).as_ref() })
    }

    /// As [`more_owners`](Self::more_owners), making the table at first use. Aborts if there is no memory for it.
    pub(super) fn share(&self) -> &MoreOwners {
        if self.more_owners().is_none() {
            let fresh: Box<[MoreOwners]> = (0..self.chunk().shape.slots).map(|_| MoreOwners::new()).collect();
            let fresh = Box::into_raw(fresh);
            let null = std::ptr::null_mut();
            let table = &self.chunk().more_owners;
            // Release pairs with `more_owners` (Acquire).
            if table
                .compare_exchange(null, fresh.cast(), Ordering::Release, Ordering::Relaxed)
                .is_err()
            {
                // SAFETY: made above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
        match self.more_owners() {
            Some(count) => count,
            None => unreachable!("the table was made above and is never unmade"),
        }
    }

    #[cfg(debug_assertions)]
    pub(super) fn site(&self) -> &super::site::Site {
        &self.chunk().sites[self.offset()]
    }
}

/// Whether a chunk of `T` has slot `index`; false only for made-up bits, and for no bits at all if chunks are full size.
#[inline]
pub(super) const fn has_slot<T>(index: u32) -> bool {
    index & ((1 << SLOT_BITS) - 1) < slots_of(size_of::<T>())
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}: {:?}, {:?}", self.index, self.life(), self.readers())
    }
}

/// Returns the pages of a chunk without objects to the operating system. Gives the bytes returned.
///
/// Every stale handle keeps reading as dead: `with_lives` is allowed once the life words are zero, and the next lives
/// start above the chunk's floor.
pub(super) fn give_back(chunk: NonNull<Chunk>, with_lives: bool) -> usize {
    // SAFETY: the caller holds the pool's lock over its chunks.
    let header = unsafe { chunk.as_ref() };
    let start = chunk.cast::<u8>().as_ptr();
    let slots = header.shape.slots as usize;
    // SAFETY: within the chunk.
    let objects = unsafe { start.add(header.shape.objects) };
    // SAFETY: no slot holds an object.
    let mut bytes = unsafe { give_back_range(objects, slots * header.shape.size) };
    if with_lives {
        // SAFETY: within the chunk.
        let lives = unsafe { start.add(LIVES) };
        // SAFETY: the words are zero already.
        bytes += unsafe { give_back_range(lives, slots * size_of::<Life>()) };
    }
    bytes
}

/// # Safety
/// The range is memory of the caller's that holds nothing but zeroes or rubbish.
#[cfg(all(target_os = "linux", not(miri), not(acedia_loom)))]
unsafe fn give_back_range(start: *mut u8, bytes: usize) -> usize {
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let first = start.align_offset(page);
    let whole = bytes.saturating_sub(first) / page * page;
    if whole == 0 {
        return 0;
    }
    // SAFETY: within the range.
    let start = unsafe { start.add(first) };
    // SAFETY: whole pages of our own private memory; they read as zero afterwards.
    let result = unsafe { libc::madvise(start.cast(), whole, libc::MADV_DONTNEED) };
    if result == 0 { whole } else { 0 }
}

/// Elsewhere the memory is only ready for reuse.
///
/// # Safety
/// As on Linux.
#[cfg(not(all(target_os = "linux", not(miri), not(acedia_loom))))]
unsafe fn give_back_range(_start: *mut u8, _bytes: usize) -> usize {
    0
}
