//! The directory: from a chunk's number to its memory, for every pool of the process.
//!
//! ```text
//! slot index   31 ──────── 12 │ 11 ────── 0
//!                    chunk     │ slot in it
//!              └──────┬───────┘
//!                     ▼
//!      DIRECTORY:   pools  │ origins              │ chunks
//!                   number │ + index · stride     │ the header
//!                          │   = the life word    │
//! ```
//!
//! Chunk numbers are unique in the process. A look-up by handle loads the chunk's pool and its origin. Comparing the pool
//! refuses a handle of another pool, even one of the same type, and keeps invented bits memory-safe. When a pool is dropped,
//! other pools reuse its chunk numbers. Their lives start above the highest life issued under the number.
//!
//! A pool has a number, too, which is part of its *tag*:
//!
//! ```text
//!    63       62    61 ────── 20 │ 19 ───────── 0
//! ┌────────┬─────────┬───────────┬────────────────┐
//! │ SHARED │ COUNTED │ serial    │ pool's number  │
//! └────────┴─────────┴───────────┴────────────────┘
//! ```
//!
//! A serial is never reused, so a tag names one pool forever: the table of each thread is indexed by the number, and compares the
//! tag. The marks are those of `chunk.rs`.

use std::ptr::NonNull;

use crate::pool::handle::{CHUNK_BITS, SLOT_BITS, is_possible};
use crate::pool::life::Floor;
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering};

const CHUNKS: usize = 1 << CHUNK_BITS;

/// The last possible slot index.
const LAST: u32 = u32::MAX >> (u32::BITS - CHUNK_BITS - SLOT_BITS);

/// The number of no pool. No entry of the directory contains it.
pub(super) const NOBODY: u32 = u32::MAX;

/// The entries of all chunk numbers, in three tables. A look-up by handle reads `pools` and `origins`. The tables are zeroed, so that
/// pages cost no memory before they are used. `chunks` is in reverse order, so that its first entries are next to those of `origins`: the
/// first object of a process touches one page less.
#[repr(C)]
struct Directory {
    /// The number of the chunk's pool, or 0.
    pools: [AtomicU32; CHUNKS],
    chunks: [AtomicPtr<u8>; CHUNKS],
    /// The chunk's origin: see [`insert`].
    origins: [AtomicPtr<u8>; CHUNKS],
}

static DIRECTORY: Directory = Directory {
    pools: [const { AtomicU32::new(0) }; CHUNKS],
    chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
    origins: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
};

/// A chunk's number, borrowed from the directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) number: u32,
    /// The highest life issued under it: lives of this number's slots start above it.
    pub(super) floor: Floor,
}

/// The returned numbers, each with the highest life issued under it.
///
/// The first number is 1, because no slot has index 0: see `life.rs`.
static NUMBERS: Mutex<Ids<Number>> = Mutex::new(Ids::from(1));

/// Takes a chunk number. `None` if the process has used up the slot numbers.
pub(super) fn borrow_number() -> Option<Number> {
    // The last number is not used: the index behind its last slot would be 2³².
    let end = (1 << CHUNK_BITS) - 1;
    NUMBERS.lock().borrow(end, |number| Number {
        number,
        floor: Floor(0),
    })
}

/// Returns a number. A number whose lives are exhausted is never reused.
pub(super) fn return_number(number: Number) {
    if number.floor < Floor::LAST {
        NUMBERS.lock().give_back(number);
    }
}

// The numbers of pools.

/// The number is the low part, so that a mask gives it.
const POOL_BITS: u32 = 20;
/// The tag of a pool without memory. No chunk has it, and its number is beyond every table.
pub(super) const NO_TAG: u64 = u64::MAX;
static SERIAL: AtomicU64 = AtomicU64::new(1);
/// 0 stands for no pool.
static POOL_NUMBERS: Mutex<Ids<u32>> = Mutex::new(Ids::from(1));

/// The tag of a new pool. `None` if the process already has a million pools.
pub(super) fn borrow_tag() -> Option<u64> {
    let number = POOL_NUMBERS.lock().borrow(pool_number(NO_TAG), |number| number)?;
    // Relaxed: only uniqueness matters. The caches of all threads compare tags, so that a thread never takes the lists of a dropped pool
    // for those of the next pool with that number.
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    Some(serial << POOL_BITS | u64::from(number))
}

/// Returns the number of a dropped pool for reuse.
pub(super) fn return_pool_number(tag: u64) {
    POOL_NUMBERS.lock().give_back(pool_number(tag));
}

/// The pool's number. Unique among living pools, and not 0.
#[inline]
pub(super) const fn pool_number(tag: u64) -> u32 {
    (tag & ((1 << POOL_BITS) - 1)) as u32
}

/// Numbers. Those from `next` on were never borrowed. `N` is a number, alone or with a floor.
pub(super) struct Ids<N> {
    next: u32,
    returned: Vec<N>,
}

impl<N> Ids<N> {
    pub(super) const fn from(first: u32) -> Self {
        Self {
            next: first,
            returned: Vec::new(),
        }
    }

    /// A returned number, or a new one below `end`. `None` if all are borrowed.
    pub(super) fn borrow(&mut self, end: u32, new: impl FnOnce(u32) -> N) -> Option<N> {
        if let Some(number) = self.returned.pop() {
            return Some(number);
        }
        if self.next == end {
            return None;
        }
        self.next += 1;
        Some(new(self.next - 1))
    }

    pub(super) fn give_back(&mut self, number: N) {
        self.returned.push(number);
    }
}

/// For the store of a pool's number, in an entry or in the pool. Release pairs with [`finding`].
///
/// A thread that finds the number in an entry sees the rest of the entry and the chunk's header. A thread that finds it
/// in the pool sees that the chunks of the previous pool with this number are removed.
pub(super) fn publishing() -> Ordering {
    Ordering::Release
}

/// For the load of a pool's number. Acquire pairs with [`publishing`].
#[inline]
pub(super) fn finding() -> Ordering {
    Ordering::Acquire
}

/// Removes the chunk of slot `index`. Its pool is being dropped, so no thread looks up handles in it.
pub(super) fn remove(index: u32) {
    // Relaxed: look-ups by other pools refuse either value, the number of the pool that ends and 0. The next pool borrows the number after
    // this store. A thread that loads the number from that pool sees the 0: see `publishing`.
    entry(&DIRECTORY.pools, index).store(0, Ordering::Relaxed);
}

/// The entry for slot `index` in one of the tables.
#[inline]
fn entry<E>(table: &'static [E; CHUNKS], index: u32) -> &'static E {
    debug_assert!(is_possible(index));
    // Not `get_unchecked`: the compiler turns its assertion into a mask.
    // SAFETY: slots and handles have a possible index, also handles made of arbitrary bits (see `Handle`).
    let entry = unsafe { table.as_ptr().add((index >> SLOT_BITS) as usize) };
    // SAFETY: in the table, as above.
    unsafe { &*entry }
}

/// The origin ([`insert`]) of slot `index`, if it belongs to the pool with that number.
#[inline]
pub(super) fn find(index: u32, pool: u32) -> Option<*mut u8> {
    find_by(index, pool, finding())
}

/// Like [`find`], but for a caller that borrows the pool mutably, or that has an owner of the slot's object in a `'static` pool.
#[inline]
pub(super) fn find_alone(index: u32, pool: u32) -> Option<*mut u8> {
    // Relaxed: the caller's `&mut` comes after the stores of the pool's entries, and after the removal of the entries of an earlier pool
    // with this number. The entry of an owned object was stored before the owner was given to this thread, and stays. The compiler can
    // keep values in registers across a Relaxed load, but not across an Acquire load.
    find_by(index, pool, Ordering::Relaxed)
}

#[inline]
fn find_by(index: u32, pool: u32, order: Ordering) -> Option<*mut u8> {
    // A thread got its handle of the pool after the number was stored, and so finds it. With foreign or invented bits, it finds
    // another number or 0, even if the entry changes at this moment.
    let found = entry(&DIRECTORY.pools, index).load(order) == pool;
    // Relaxed: stored before the pool's number, and not changed while that pool lives.
    found.then(|| entry(&DIRECTORY.origins, index).load(Ordering::Relaxed))
}

/// Whether two slots whose objects have owners, in `'static` pools, belong to the same pool.
#[inline]
pub(super) fn is_one_pool(left: u32, right: u32) -> bool {
    // Relaxed: as in `find_alone`.
    let pool = |index| entry(&DIRECTORY.pools, index).load(Ordering::Relaxed);
    pool(left) == pool(right)
}

/// The origin ([`find`]) of slot `index` of any pool. Only a holder of that slot may dereference it. Other callers may
/// use it for a prefetch.
#[inline]
pub(super) fn origin_of(index: u32) -> *mut u8 {
    // Relaxed: stored before any thread had the slot.
    entry(&DIRECTORY.origins, index).load(Ordering::Relaxed)
}

/// The start of the chunk that holds slot `index`, which belongs to a living pool of the caller's: see `Chunk::of`.
#[inline]
pub(super) fn chunk_of(index: u32) -> NonNull<u8> {
    // Relaxed: as in `origin_of`.
    let chunk = entry(&DIRECTORY.chunks, index ^ LAST).load(Ordering::Relaxed);
    debug_assert!(!chunk.is_null());
    // SAFETY: the slot belongs to a living pool (it was on one of its lists, or `find` returned its origin), so its
    // chunk was entered before, and remains.
    unsafe { NonNull::new_unchecked(chunk) }
}

/// Whether slot `index` belongs to a pool other than the one with that number. False if it belongs to no pool.
pub(super) fn is_foreign(index: u32, own: u32) -> bool {
    // Relaxed: for a message only, which names the wrong reason if a pool begins or ends at this moment.
    let pool = entry(&DIRECTORY.pools, index).load(Ordering::Relaxed);
    pool != 0 && pool != own
}

/// Publishes the chunk of the slots from `first` on, which begins at `chunk`, to look-ups by the pool of `tag`.
///
/// The origin is the address that slot 0 of the process would have if all slots had the stride of this chunk. It is usually outside the
/// chunk. A slot's life word is at origin + index · stride.
pub(super) fn insert(first: u32, chunk: NonNull<u8>, origin: *mut u8, tag: u64) {
    // Relaxed, both: no thread reads them before the pool's number. A look-up by handle that loads the number before the last store finds
    // another pool's number or 0, and refuses the handle. No valid handle of these slots exists yet.
    entry(&DIRECTORY.chunks, first ^ LAST).store(chunk.as_ptr(), Ordering::Relaxed);
    entry(&DIRECTORY.origins, first).store(origin, Ordering::Relaxed);
    entry(&DIRECTORY.pools, first).store(pool_number(tag), publishing());
}
