//! The tag: a number that identifies the pool of a chunk.
//!
//! ```text
//!    63       62    61 ────── 20 │ 19 ───── 0
//! ┌────────┬─────────┬───────────┬────────────┐
//! │ SHARED │ MANAGED │ serial    │ place      │
//! └────────┴─────────┴───────────┴────────────┘
//! ```
//!
//! A serial is never reused. The place is the pool's index in the per-thread tables.

use crate::sync::plain::Mutex;
use crate::sync::plain::{AtomicU64, Ordering};

/// The place is the low part, so that a mask gives the index into the per-thread tables.
const PLACE_BITS: u32 = 20;
/// The tag of a pool without memory. No chunk has it, and its place is beyond every table.
pub(in crate::pool) const NONE: u64 = u64::MAX;
/// The mark of a chunk in which an owner was cloned. A marked tag misses the per-thread tables.
pub(in crate::pool) const SHARED: u64 = 1 << 63;
/// The mark of a managed pool (see [`PoolPolicy`](crate::PoolPolicy)). It has the same effect.
pub(in crate::pool) const MANAGED: u64 = 1 << 62;
/// One more than the highest place.
const PLACES: u32 = (1 << PLACE_BITS) - 2;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// The returned places, and the next unused place.
static FREE: Mutex<(Vec<u32>, u32)> = Mutex::new((Vec::new(), 0));

/// The reason why a new pool gets no tag.
#[derive(Debug)]
pub(in crate::pool) enum Refused {
    /// Every place is in use.
    Places,
    /// There is no memory for the list of places, which needs this many bytes.
    Memory(usize),
}

/// The tag of a new pool.
pub(in crate::pool) fn borrow() -> Result<u64, Refused> {
    let place = borrow_place()?;
    // Relaxed: only uniqueness matters.
    Ok(SERIAL.fetch_add(1, Ordering::Relaxed) << PLACE_BITS | u64::from(place))
}

fn borrow_place() -> Result<u32, Refused> {
    let mut free = FREE.lock();
    let (returned, next) = &mut *free;
    if let Some(place) = returned.pop() {
        return Ok(place);
    }
    if *next == PLACES {
        return Err(Refused::Places);
    }
    // Capacity for every place in use: returning one allocates nothing.
    let room = *next as usize + 1;
    let reserved = returned.try_reserve(room);
    reserved.map_err(|_| Refused::Memory(room * size_of::<u32>()))?;
    *next += 1;
    Ok(*next - 1)
}

/// Returns the place of a dropped pool for reuse.
pub(in crate::pool) fn return_place(tag: u64) {
    let mut free = FREE.lock();
    free.0.push(place(tag));
}

#[inline]
pub(in crate::pool) const fn place(tag: u64) -> u32 {
    (tag & ((1 << PLACE_BITS) - 1)) as u32
}

/// The pool's number in the directory, unique among living pools. Neither 0 nor
/// [`NOBODY`](crate::pool::memory::directory::NOBODY).
pub(in crate::pool) const fn number(tag: u64) -> u32 {
    place(tag) + 1
}
