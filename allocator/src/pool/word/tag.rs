//! Which pool a chunk belongs to, in a number: the tag.
//!
//! ```text
//!    63       62    61 ────── 17 │ 16 ───── 0
//! ┌────────┬─────────┬───────────┬────────────┐
//! │ SHARED │ MANAGED │ serial    │ place      │
//! └────────┴─────────┴───────────┴────────────┘
//! ```
//!
//! The serial is never used again; the place is the pool's in the threads' tables.

use crate::sync::plain::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The place is lowest, so that masking gives an index into the threads' tables.
const PLACE_BITS: u32 = 17;
/// The tag of a pool that has no memory yet. Belongs to no chunk, and its place is beyond every table.
pub(in crate::pool) const NONE: u64 = u64::MAX;
/// Marks of a tag that has to miss the threads' tables. An owner in the chunk was cloned:
pub(in crate::pool) const SHARED: u64 = 1 << 63;
/// The pool is managed (see [`PoolPolicy`](crate::PoolPolicy)).
pub(in crate::pool) const MANAGED: u64 = 1 << 62;
/// One more than the highest place.
const PLACES: u32 = (1 << PLACE_BITS) - 2;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// Places that were given back, and the next new one.
static FREE: Mutex<(Vec<u32>, u32)> = Mutex::new((Vec::new(), 0));

/// Why there is no tag for a new pool.
#[derive(Debug)]
pub(in crate::pool) enum Refused {
    /// The process has as many pools as there are places.
    Places,
    /// There is no memory for the list of places, which needs so many bytes.
    Memory(usize),
}

/// The tag of a new pool.
pub(in crate::pool) fn borrow() -> Result<u64, Refused> {
    let place = borrow_place()?;
    // Relaxed: only that they differ counts.
    Ok(SERIAL.fetch_add(1, Ordering::Relaxed) << PLACE_BITS | u64::from(place))
}

fn borrow_place() -> Result<u32, Refused> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let (returned, next) = &mut *free;
    if let Some(place) = returned.pop() {
        return Ok(place);
    }
    if *next == PLACES {
        return Err(Refused::Places);
    }
    // Room for all that are taken: giving one back allocates nothing.
    let room = *next as usize + 1;
    let reserved = returned.try_reserve(room);
    reserved.map_err(|_| Refused::Memory(room * size_of::<u32>()))?;
    *next += 1;
    Ok(*next - 1)
}

/// The pool is gone; its place is another's.
pub(in crate::pool) fn give_back(tag: u64) {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    free.0.push(place(tag));
}

#[inline]
pub(in crate::pool) const fn place(tag: u64) -> u32 {
    (tag & ((1 << PLACE_BITS) - 1)) as u32
}

/// The number of the pool among those that live, for the directory. Neither 0 nor [`NOBODY`](crate::pool::memory::directory::NOBODY).
pub(in crate::pool) const fn number(tag: u64) -> u32 {
    place(tag) + 1
}
