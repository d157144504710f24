//! The directory: from a chunk's number to its memory, for every pool of the process.
//!
//! ```text
//! slot index   31 30 │ 29 ───── 12 │ 11 ────── 0
//!               0  0 │   chunk     │ slot in it
//!                          │
//!                          ▼
//!             DIRECTORY:   63 ─────────── 17 │ 16 ── 0
//!                          address of chunk  │ its pool
//! ```
//!
//! Chunk numbers are given out process-wide, so a key of another pool is found out by comparing pools: the look-up that
//! keeps foreign bits memory-safe is the same one that tells pools of one type apart. Chunks are aligned so far that their
//! addresses leave room for the pool's number in the same word: an exclusive or with the number of the pool that asks
//! gives the address, and shows in its low bits whether it is right. When a pool is dropped its numbers
//! are used again, by pools that start their lives above the highest that the number has seen.

use std::collections::TryReserveError;
use std::ptr::NonNull;

use super::chunk::Chunk;
use crate::sync::plain::{AtomicPtr, Ordering};
use std::sync::Mutex;

/// Slots per chunk number; a chunk of large objects uses only the first few.
pub(super) const SLOT_BITS: u32 = 12;
const CHUNK_BITS: u32 = if cfg!(miri) || usize::BITS < 64 { 10 } else { 18 };
/// One more than the highest slot index of the process.
pub(super) const MAX_SLOTS: u32 = 1 << (SLOT_BITS + CHUNK_BITS);
const CHUNKS: usize = 1 << CHUNK_BITS;

/// The alignment of a chunk, at least. Below it an address has room for the number of a living pool.
pub(super) const CHUNK_ALIGN: usize = 1 << 17;
/// The number of no pool.
pub(super) const NOBODY: usize = CHUNK_ALIGN - 1;

/// Which pool a chunk belongs to: a number that is never used again, and the pool's place in the threads' tables.
///
/// ```text
///    63       62    61 ────── 17 │ 16 ───── 0
/// ┌────────┬─────────┬───────────┬────────────┐
/// │ SHARED │ MANAGED │ serial    │ place      │
/// └────────┴─────────┴───────────┴────────────┘
/// ```
pub(super) mod tag {
    /// The place is lowest, so that masking gives an index into the threads' tables.
    const PLACE_BITS: u32 = super::CHUNK_ALIGN.trailing_zeros();
    /// The tag of a pool that has no memory yet. Belongs to no chunk, and its place is beyond every table.
    pub(in crate::pool) const NONE: u64 = u64::MAX;
    /// Marks of a tag that has to miss the threads' tables. An owner in the chunk was cloned:
    pub(in crate::pool) const SHARED: u64 = 1 << 63;
    /// The pool is managed (see [`crate::pool::policy`]).
    pub(in crate::pool) const MANAGED: u64 = 1 << 62;
    /// One more than the highest place.
    pub(in crate::pool) const PLACES: u32 = (1 << PLACE_BITS) - 2;

    pub(in crate::pool) const fn new(serial: u64, place: u32) -> u64 {
        serial << PLACE_BITS | place as u64
    }

    #[inline]
    pub(in crate::pool) const fn place(tag: u64) -> usize {
        (tag & ((1 << PLACE_BITS) - 1)) as usize
    }

    /// The number of the pool among those that live, for the directory. Neither 0 nor [`super::NOBODY`].
    pub(in crate::pool) const fn number(tag: u64) -> usize {
        place(tag) + 1
    }
}

/// Zeroed, so that it costs no memory before its pages are used. In an entry: the address of the chunk, and its pool's
/// number, or 0, in the low bits.
static DIRECTORY: [AtomicPtr<Chunk>; CHUNKS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS];

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

/// Takes a chunk number, or `None` when the process has used them all. An error if there is no memory to take it back in.
pub(super) fn borrow_number() -> Result<Option<Number>, TryReserveError> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((number, floor)) = numbers.returned.pop() {
        return Ok(Some(Number { number, floor }));
    }
    let number = numbers.next;
    if number as usize == CHUNKS {
        return Ok(None);
    }
    // Room for all that are on loan: giving one back allocates nothing.
    numbers.returned.try_reserve(number as usize + 1)?;
    numbers.next += 1;
    Ok(Some(Number { number, floor: 0 }))
}

/// Gives a number back. One whose lives are used up is kept for ever.
pub(super) fn return_number(number: &Number) {
    if number.floor < i32::MAX.unsigned_abs() {
        let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        numbers.returned.push((number.number, number.floor));
    }
}

/// Makes a chunk findable for the pool of `tag`.
pub(super) fn enter(number: u32, tag: u64, chunk: NonNull<Chunk>) {
    let marked = chunk.as_ptr().map_addr(|address| address | tag::number(tag));
    // Release pairs with `find` (Acquire): who sees the entry sees the chunk's header.
    DIRECTORY[number as usize].store(marked, Ordering::Release);
}

/// Makes a chunk unfindable. The pool is being dropped: nobody can be looking it up under its number.
pub(super) fn leave(number: u32) {
    let entry = &DIRECTORY[number as usize];
    // Relaxed: look-ups by other pools refuse either value.
    let marked = entry.load(Ordering::Relaxed);
    entry.store(marked.map_addr(|address| address & !NOBODY), Ordering::Relaxed);
}

#[inline]
fn entry(index: u32) -> &'static AtomicPtr<Chunk> {
    debug_assert!(index < MAX_SLOTS);
    // SAFETY: slots and keys have no index from `MAX_SLOTS` on, whatever bits a key is made of (see `Key`).
    unsafe { DIRECTORY.get_unchecked((index >> SLOT_BITS) as usize) }
}

/// The chunk that holds slot `index`, if it belongs to the pool with that number.
#[inline]
pub(super) fn find(index: u32, pool: usize) -> Option<NonNull<Chunk>> {
    // Acquire pairs with `enter` (Release).
    let chunk = entry(index).load(Ordering::Acquire).map_addr(|marked| marked ^ pool);
    if chunk.addr() & NOBODY != 0 {
        return None;
    }
    // SAFETY: no pool has the number 0, so an empty entry was refused.
    Some(unsafe { NonNull::new_unchecked(chunk) })
}

/// The chunk that holds slot `index`, which belongs to a living pool of the caller's.
#[inline]
pub(super) fn chunk_of(index: u32) -> NonNull<Chunk> {
    let marked = entry(index).load(Ordering::Relaxed);
    let chunk = marked.map_addr(|marked| marked & !NOBODY);
    debug_assert!(!chunk.is_null());
    // SAFETY: the slot belongs to a living pool (it was on one of its lists, or `find` gave it), so its chunk was
    // entered before, and stays.
    unsafe { NonNull::new_unchecked(chunk) }
}

/// Whether slot `index` belongs to another pool than the one with that number, as opposed to none.
pub(super) fn is_foreign(index: u32, own: usize) -> bool {
    // Relaxed: for a message only.
    let pool = entry(index).load(Ordering::Relaxed).addr() & NOBODY;
    pool != 0 && pool != own
}
