//! The directory of the chunks of all pools, by the upper half of a slot's index.

use std::ptr;

use crate::handle::LAST_LIFE;
use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, const_fn, lock, process_static};

/// The low bits of an index, which number the slots of a chunk. The others are the chunk's number.
pub(crate) const LOCAL_BITS: u32 = 16;
/// The most slots of a chunk.
pub(crate) const LOCALS: usize = 1 << LOCAL_BITS;

/// No chunk has number 0, because a link of 0 ends a list. None has the last number, so that an index plus one is an index.
const CHUNKS: usize = if cfg!(acedia_loom) { 6 } else { 1 << 16 };

/// The pool and the place of the chunk with this number, or zeros.
struct Entry {
    pool: AtomicU32,
    /// The number of slots, a power of two, minus one.
    mask: AtomicU32,
    /// The first slot.
    base: AtomicPtr<AtomicU64>,
}

impl Entry {
    const_fn! {
        const fn new() -> Self {
            Self { pool: AtomicU32::new(0), mask: AtomicU32::new(0), base: AtomicPtr::new(ptr::null_mut()) }
        }
    }
}

#[cfg(not(acedia_loom))]
static ENTRIES: [Entry; CHUNKS] = [const { Entry::new() }; CHUNKS];
#[cfg(acedia_loom)]
loom::lazy_static! {
    static ref ENTRIES: [Entry; CHUNKS] = std::array::from_fn(|_| Entry::new());
}

/// The count of issued numbers, and the returned numbers.
struct Numbers {
    given: u32,
    free: Vec<Number>,
}

/// The number of a chunk. Lives in the chunk begin above `floor`, because lives up to `floor` were issued under this number.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) number: u32,
    pub(crate) floor: u32,
}

process_static! {
    static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers { given: 0, free: Vec::new() });
}

/// The number of a pool without chunks. A pool with chunks has the number of its first chunk.
pub(crate) const NO_POOL: u32 = u32::MAX;

/// A number for a new chunk, if one is left.
pub(crate) fn borrow_number() -> Option<Number> {
    let mut numbers = lock(&NUMBERS);
    if let Some(number) = numbers.free.pop() {
        return Some(number);
    }
    if numbers.given as usize + 2 == CHUNKS {
        return None;
    }
    numbers.given += 1;
    Some(Number {
        number: numbers.given,
        floor: 0,
    })
}

/// Hides a chunk. A pool hides all of its chunks before it returns one of their numbers: the next pool with the same number must
/// not find the other chunks.
pub(crate) fn withdraw(number: u32) {
    // Relaxed: the lock of the numbers orders this before the next pool of this number, and `PlainPool::find` orders that pool
    // before its readers.
    ENTRIES[number as usize].pool.store(0, Ordering::Relaxed);
}

/// Takes back a number. It is used again unless its `floor` is the last life.
pub(crate) fn return_number(number: Number) {
    if number.floor < LAST_LIFE {
        lock(&NUMBERS).free.push(number);
    }
}

/// Lets handles find a chunk.
pub(crate) fn publish(number: u32, pool: u32, slots: u32, base: *mut AtomicU64) {
    let entry = &ENTRIES[number as usize];
    // Relaxed, both: the store to `pool` publishes them.
    entry.mask.store(slots - 1, Ordering::Relaxed);
    entry.base.store(base, Ordering::Relaxed);
    // Release pairs with `find`: a reader that sees this pool's number here also sees the place, and initialised words.
    entry.pool.store(pool, Ordering::Release);
}

/// The base of the chunk and the slot's number in it, if the chunk is one of this pool. Any index gives a slot that exists. The
/// slot's life says whether it is the slot of this index.
#[inline]
pub(crate) fn find(index: u32, pool: u32) -> Option<(*mut AtomicU64, u32)> {
    let entry = &ENTRIES[(index >> LOCAL_BITS) as usize % CHUNKS];
    // Acquire pairs with `publish`.
    (entry.pool.load(Ordering::Acquire) == pool).then(|| place(entry, index))
}

/// The same for an index of the caller's own pool, without the check.
#[inline]
pub(crate) fn place_of(index: u32) -> (*mut AtomicU64, u32) {
    place(&ENTRIES[(index >> LOCAL_BITS) as usize % CHUNKS], index)
}

#[inline]
fn place(entry: &Entry, index: u32) -> (*mut AtomicU64, u32) {
    // Relaxed, both: the caller has acquired the pool's number, or has the index from a thread that had.
    (
        entry.base.load(Ordering::Relaxed),
        index & entry.mask.load(Ordering::Relaxed),
    )
}
