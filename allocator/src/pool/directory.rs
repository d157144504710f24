//! The directory: from a chunk's number to its memory, for every pool of the process.
//!
//! ```text
//! slot index   31 30 │ 29 ───── 12 │ 11 ────── 0
//!               0  0 │   chunk     │ slot in it
//!                          │
//!                          ▼
//!             DIRECTORY: (tag of the pool, address of the chunk)
//! ```
//!
//! Chunk numbers are given out process-wide, so a key of another pool is found out by comparing tags: the look-up that
//! keeps foreign bits memory-safe is the same one that tells pools of one type apart. When a pool is dropped its numbers
//! are used again, by pools that start their lives above the highest that the number has seen.

use std::ptr::NonNull;

use super::chunk::Chunk;
use crate::sync::plain::{AtomicPtr, AtomicU64, Ordering};
use std::sync::Mutex;

/// Slots per chunk number; a chunk of large objects uses only the first few.
pub(super) const SLOT_BITS: u32 = 12;
const CHUNK_BITS: u32 = if cfg!(miri) || usize::BITS < 64 { 10 } else { 18 };
/// One more than the highest slot index of the process.
pub(super) const MAX_SLOTS: u32 = 1 << (SLOT_BITS + CHUNK_BITS);
const CHUNKS: usize = 1 << CHUNK_BITS;

/// Which pool a chunk belongs to: a number that is never used again, and the pool's place in the threads' tables.
pub(super) mod tag {
    /// Where the place begins, and its bits: shifted, so that the low part is an offset into a table of 16-byte entries.
    const PLACE_SHIFT: u32 = 4;
    const PLACE_BITS: u32 = 20;
    /// The tag of a pool that has no memory yet. Belongs to no chunk, and its place is beyond every table.
    pub(in crate::pool) const NONE: u64 = u64::MAX;
    /// Marks of a tag that has to miss the threads' tables, in the bits below the place. An owner in the chunk was cloned:
    pub(in crate::pool) const SHARED: u64 = 1;
    /// The pool is managed (see [`crate::pool::policy`]).
    pub(in crate::pool) const MANAGED: u64 = 2;
    /// One more than the highest place.
    pub(in crate::pool) const PLACES: u32 = (1 << PLACE_BITS) - 1;

    pub(in crate::pool) const fn new(serial: u64, place: u32) -> u64 {
        serial << (PLACE_BITS + PLACE_SHIFT) | (place as u64) << PLACE_SHIFT
    }

    #[inline]
    pub(in crate::pool) const fn place(tag: u64) -> usize {
        (tag >> PLACE_SHIFT & ((1 << PLACE_BITS) - 1)) as usize
    }
}

struct Entry {
    /// Written last when a chunk is entered, first when it leaves. 0 belongs to no pool.
    tag: AtomicU64,
    chunk: AtomicPtr<Chunk>,
}

/// Zeroed, so that it costs no memory before its pages are used.
static DIRECTORY: [Entry; CHUNKS] = [const {
    Entry {
        tag: AtomicU64::new(0),
        chunk: AtomicPtr::new(std::ptr::null_mut()),
    }
}; CHUNKS];

/// Numbers that were given back, and the highest life each of them has seen.
static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers {
    next: 0,
    returned: Vec::new(),
});

struct Numbers {
    next: u32,
    returned: Vec<(u32, u32)>,
}

/// A chunk number on loan.
#[derive(Debug)]
pub(super) struct Number {
    pub(super) number: u32,
    /// Lives of this number's slots start above it.
    pub(super) floor: u32,
}

/// Takes a chunk number, or `None` when the process has used them all.
pub(super) fn borrow_number() -> Option<Number> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((number, floor)) = numbers.returned.pop() {
        return Some(Number { number, floor });
    }
    let number = numbers.next;
    if number as usize == CHUNKS {
        return None;
    }
    numbers.next += 1;
    Some(Number { number, floor: 0 })
}

/// Gives a number back. One whose lives are used up is kept for ever.
pub(super) fn return_number(number: &Number) {
    if number.floor < i32::MAX.unsigned_abs() {
        let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        numbers.returned.push((number.number, number.floor));
    }
}

/// Makes a chunk findable.
pub(super) fn enter(number: u32, tag: u64, chunk: NonNull<Chunk>) {
    let entry = &DIRECTORY[number as usize];
    entry.chunk.store(chunk.as_ptr(), Ordering::Relaxed);
    // Release pairs with `find` (Acquire): who sees the tag sees the address and the chunk's header.
    entry.tag.store(tag, Ordering::Release);
}

/// Makes a chunk unfindable. The pool is being dropped: nobody can be looking it up under its tag.
pub(super) fn leave(number: u32) {
    // Relaxed: look-ups under another tag refuse either value.
    DIRECTORY[number as usize].tag.store(0, Ordering::Relaxed);
}

#[inline]
fn entry(index: u32) -> &'static Entry {
    // Masked and not checked: every index below `MAX_SLOTS`, and keys have no other, keeps its entry.
    &DIRECTORY[(index >> SLOT_BITS) as usize & (CHUNKS - 1)]
}

/// The chunk that holds slot `index`, if it belongs to the pool of `tag`.
#[inline]
pub(super) fn find(index: u32, tag: u64) -> Option<NonNull<Chunk>> {
    // Acquire pairs with `enter` (Release).
    (entry(index).tag.load(Ordering::Acquire) == tag).then(|| chunk_of(index))
}

/// The chunk that holds slot `index`, which belongs to a living pool of the caller's.
#[inline]
pub(super) fn chunk_of(index: u32) -> NonNull<Chunk> {
    let chunk = entry(index).chunk.load(Ordering::Relaxed);
    debug_assert!(!chunk.is_null());
    // SAFETY: the slot belongs to a living pool (it was on one of its lists, or the tag says so), so its chunk was
    // entered before, and stays.
    unsafe { NonNull::new_unchecked(chunk) }
}

/// Whether slot `index` belongs to another pool than that of `tag`, as opposed to none.
pub(super) fn is_foreign(index: u32, own: u64) -> bool {
    // Relaxed: for a message only.
    let tag = entry(index).tag.load(Ordering::Relaxed);
    tag != 0 && tag != own
}
