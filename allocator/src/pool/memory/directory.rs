//! The directory: from a chunk's number to its memory, for every pool of the process.
//!
//! ```text
//! slot index   31 │ 30 ──────── 12 │ 11 ────── 0
//!               0 │     chunk      │ slot in it
//!                 └───────┬────────┘
//!                         ▼
//!          DIRECTORY:   pools  │ origins              │ chunks
//!                       whose  │ + index · stride     │ the header
//!                              │   = the life word    │
//! ```
//!
//! Chunk numbers are given out process-wide, so a key of another pool is found out by comparing pools: the look-up that
//! keeps foreign bits memory-safe is the same one that tells pools of one type apart. A look-up by key asks whose the
//! chunk is and where its slots begin. When a pool is dropped its numbers are used again, by pools that start their lives
//! above the highest that the number has seen.

use std::collections::TryReserveError;
use std::ptr::NonNull;
use std::sync::Mutex;

use crate::pool::memory::chunk::Chunk;
use crate::pool::word::index::{CHUNK_BITS, MAX_SLOTS, SLOT_BITS};
use crate::pool::word::tag;
use crate::sync::plain::{AtomicPtr, AtomicU32, Ordering};

const CHUNKS: usize = 1 << CHUNK_BITS;

/// The number of no pool, and in no entry of the directory.
pub(in crate::pool) const NOBODY: u32 = u32::MAX;

/// What each chunk number stands for, in tables: a look-up by key reads two of them, everything else the third. Zeroed, so that
/// they cost no memory before their pages are used.
struct Directory {
    /// The number of the chunk's pool, or 0.
    pools: [AtomicU32; CHUNKS],
    /// The chunk's origin: see [`enter_chunk`].
    origins: [AtomicPtr<u8>; CHUNKS],
    chunks: [AtomicPtr<Chunk>; CHUNKS],
}

static DIRECTORY: Directory = Directory {
    pools: [const { AtomicU32::new(0) }; CHUNKS],
    origins: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
    chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
};

/// Numbers that were given back, and the highest life each of them has seen.
static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers {
    // No slot has index 0: see `state.rs`.
    next: 1,
    returned: Vec::new(),
});

struct Numbers {
    next: u32,
    returned: Vec<(u32, u32)>,
}

/// A chunk number on loan.
#[derive(Debug)]
pub(in crate::pool) struct Number {
    pub(in crate::pool) number: u32,
    /// Lives of this number's slots start above it.
    pub(in crate::pool) floor: u32,
}

/// Takes a chunk number, or `None` when the process has used them all. An error if there is no memory to take it back in.
pub(in crate::pool) fn borrow_number() -> Result<Option<Number>, TryReserveError> {
    let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((number, floor)) = numbers.returned.pop() {
        return Ok(Some(Number { number, floor }));
    }
    let number = numbers.next;
    if number == 1 << CHUNK_BITS {
        return Ok(None);
    }
    // Room for all that are on loan: giving one back allocates nothing.
    numbers.returned.try_reserve(number as usize)?;
    numbers.next += 1;
    Ok(Some(Number { number, floor: 0 }))
}

/// Gives a number back. One whose lives are used up is kept for ever.
pub(in crate::pool) fn return_number(number: &Number) {
    if number.floor < i32::MAX.unsigned_abs() {
        let mut numbers = NUMBERS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        numbers.returned.push((number.number, number.floor));
    }
}

/// Makes the chunk of slot `index` findable, from that origin, for the pool of `tag`.
fn enter(index: u32, tag: u64, chunk: NonNull<Chunk>, origin: *mut u8) {
    // Relaxed, both: nobody reads them before the pool's number.
    entry(&DIRECTORY.chunks, index).store(chunk.as_ptr(), Ordering::Relaxed);
    entry(&DIRECTORY.origins, index).store(origin, Ordering::Relaxed);
    // Release pairs with `find` (Acquire): who sees the pool sees the rest of the entry, and the chunk's header.
    entry(&DIRECTORY.pools, index).store(tag::number(tag), Ordering::Release);
}

/// Makes that chunk unfindable. The pool is being dropped: nobody can be looking it up under its number.
pub(in crate::pool) fn leave(index: u32) {
    // Relaxed: look-ups by other pools refuse either value.
    entry(&DIRECTORY.pools, index).store(0, Ordering::Relaxed);
}

/// The entry for slot `index` in one of the tables.
#[inline]
fn entry<E>(table: &'static [E; CHUNKS], index: u32) -> &'static E {
    debug_assert!(index < MAX_SLOTS);
    // Not `get_unchecked`: of what it asserts the compiler makes a mask.
    // SAFETY: slots and keys have no index from `MAX_SLOTS` on, whatever bits a key is made of (see `Key`).
    let entry = unsafe { table.as_ptr().add((index >> SLOT_BITS) as usize) };
    // SAFETY: in the table, as above.
    unsafe { &*entry }
}

/// The origin ([`enter_chunk`]) of slot `index`, if it belongs to the pool with that number.
#[inline]
pub(in crate::pool) fn find(index: u32, pool: u32) -> Option<*mut u8> {
    // Acquire pairs with `enter` (Release).
    let found = entry(&DIRECTORY.pools, index).load(Ordering::Acquire) == pool;
    // Relaxed: stored before the pool's number, and not again while that pool lives.
    found.then(|| entry(&DIRECTORY.origins, index).load(Ordering::Relaxed))
}

/// Where [`find`] sends whoever asks for slot `index` of any pool. Nobody may follow it but who holds that slot; others may ask
/// for the memory ahead of its use.
#[inline]
pub(in crate::pool) fn origin_of(index: u32) -> *mut u8 {
    // Relaxed: stored before anybody had the slot.
    entry(&DIRECTORY.origins, index).load(Ordering::Relaxed)
}

/// The chunk that holds slot `index`, which belongs to a living pool of the caller's.
#[inline]
pub(in crate::pool) fn chunk_of(index: u32) -> NonNull<Chunk> {
    let chunk = entry(&DIRECTORY.chunks, index).load(Ordering::Relaxed);
    debug_assert!(!chunk.is_null());
    // SAFETY: the slot belongs to a living pool (it was on one of its lists, or `find` knew it), so its chunk was
    // entered before, and stays.
    unsafe { NonNull::new_unchecked(chunk) }
}

/// Whether slot `index` belongs to another pool than the one with that number, as opposed to none.
pub(in crate::pool) fn is_foreign(index: u32, own: u32) -> bool {
    // Relaxed: for a message only.
    let pool = entry(&DIRECTORY.pools, index).load(Ordering::Relaxed);
    pool != 0 && pool != own
}

/// Makes the chunk findable for the pool of `tag`.
///
/// Its origin is where slot 0 of the process would be, if all slots were as far apart as these: outside the chunk, as a rule.
/// From there a slot's whole index leads to its life word.
pub(in crate::pool) fn enter_chunk(chunk: NonNull<Chunk>, tag: u64) {
    // SAFETY: the caller holds a chunk of a living pool.
    let header = unsafe { chunk.as_ref() };
    let first = header.indices().start;
    let start = chunk.cast::<u8>().as_ptr().wrapping_add(header.shape.first);
    let origin = start.wrapping_sub((first as usize).wrapping_mul(header.shape.stride));
    enter(first, tag, chunk, origin);
}
