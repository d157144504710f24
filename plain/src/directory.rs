//! Where the chunks of all pools are, by the upper half of a slot's index.

use std::ptr;

use crate::handle::LAST_LIFE;
use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, const_fn, lock, process_static};

/// Bits of an index that count the slots of a chunk. The others are the chunk's number.
pub(crate) const LOCAL_BITS: u32 = 16;
/// A chunk has at most so many slots.
pub(crate) const LOCALS: usize = 1 << LOCAL_BITS;

/// No chunk has number 0, because a link of 0 is the end of a list, nor the last one, so that an index plus one is an index.
const CHUNKS: usize = if cfg!(acedia_loom) { 6 } else { 1 << 16 };

/// Whose chunk has this number, and where. Zeros: nobody's.
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

/// The numbers that were given so far, and those that came back.
struct Numbers {
    given: u32,
    free: Vec<Number>,
}

/// The number of a chunk. Lives in it begin above `floor`: the lives up to it were issued under this number.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) number: u32,
    pub(crate) floor: u32,
}

process_static! {
    static NUMBERS: Mutex<Numbers> = Mutex::new(Numbers { given: 0, free: Vec::new() });
}

/// The pool of no entry. A pool with chunks is named by the number of its first one.
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

/// Hides a chunk. A pool hides all of its chunks before it returns one of their numbers: the next pool with its own number must
/// not find the others.
pub(crate) fn withdraw(number: u32) {
    // Relaxed: the lock of the numbers comes before the next pool of this number, and that before its readers (see
    // `PlainPool::find`).
    ENTRIES[number as usize].pool.store(0, Ordering::Relaxed);
}

/// Takes back a number, whose lives end with `floor`. Without lives it is not used again.
pub(crate) fn return_number(number: Number) {
    if number.floor < LAST_LIFE {
        lock(&NUMBERS).free.push(number);
    }
}

/// Lets handles find a chunk of so many slots.
pub(crate) fn publish(number: u32, pool: u32, slots: u32, base: *mut AtomicU64) {
    let entry = &ENTRIES[number as usize];
    // Relaxed, both: the pool publishes them.
    entry.mask.store(slots - 1, Ordering::Relaxed);
    entry.base.store(base, Ordering::Relaxed);
    // Release pairs with `find`: a reader of this pool that sees its number sees the place, and words that are initialised.
    entry.pool.store(pool, Ordering::Release);
}

/// The base of the chunk and the slot's number in it, if the chunk is one of this pool. Any index gives a slot that exists: whether
/// it is the slot of this index, its life says.
#[inline]
pub(crate) fn find(index: u32, pool: u32) -> Option<(*mut AtomicU64, u32)> {
    let entry = &ENTRIES[(index >> LOCAL_BITS) as usize % CHUNKS];
    // Acquire pairs with `publish`.
    (entry.pool.load(Ordering::Acquire) == pool).then(|| place(entry, index))
}

/// The same for an index that is one of the caller's, or that need not lead to a slot.
#[inline]
pub(crate) fn place_of(index: u32) -> (*mut AtomicU64, u32) {
    place(&ENTRIES[(index >> LOCAL_BITS) as usize % CHUNKS], index)
}

#[inline]
fn place(entry: &Entry, index: u32) -> (*mut AtomicU64, u32) {
    // Relaxed, both: the caller has seen the pool, or has the index from a thread that had.
    (
        entry.base.load(Ordering::Relaxed),
        index & entry.mask.load(Ordering::Relaxed),
    )
}
