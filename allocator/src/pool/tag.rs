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

use std::sync::{Mutex, PoisonError};

use super::shape::Shape;
use crate::AllocateError;
use crate::sync::plain::{AtomicU64, Ordering};

/// The place is lowest, so that masking gives an index into the threads' tables.
const PLACE_BITS: u32 = 17;
/// The tag of a pool that has no memory yet. Belongs to no chunk, and its place is beyond every table.
pub(super) const NONE: u64 = u64::MAX;
/// Marks of a tag that has to miss the threads' tables. An owner in the chunk was cloned:
pub(super) const SHARED: u64 = 1 << 63;
/// The pool is managed (see [`crate::pool::policy`]).
pub(super) const MANAGED: u64 = 1 << 62;
/// One more than the highest place.
const PLACES: u32 = (1 << PLACE_BITS) - 2;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// Places that were given back, and the next new one.
static FREE: Mutex<(Vec<u32>, u32)> = Mutex::new((Vec::new(), 0));

/// The tag of a new pool, unless the process has too many, or no memory to take it back in.
pub(super) fn borrow(shape: &Shape) -> Result<u64, AllocateError> {
    let place = borrow_place(shape)?;
    // Relaxed: only that they differ counts.
    Ok(SERIAL.fetch_add(1, Ordering::Relaxed) << PLACE_BITS | u64::from(place))
}

fn borrow_place(shape: &Shape) -> Result<u32, AllocateError> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let (returned, next) = &mut *free;
    if let Some(place) = returned.pop() {
        return Ok(place);
    }
    if *next == PLACES {
        return Err(shape.no_number());
    }
    // Room for all that are taken: giving one back allocates nothing.
    let room = *next as usize + 1;
    let reserved = returned.try_reserve(room);
    reserved.map_err(|_| shape.no_memory(room * size_of::<u32>()))?;
    *next += 1;
    Ok(*next - 1)
}

/// The pool is gone; its place is another's.
pub(super) fn give_back(tag: u64) {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    free.0.push(place(tag));
}

#[inline]
pub(super) const fn place(tag: u64) -> u32 {
    (tag & ((1 << PLACE_BITS) - 1)) as u32
}

/// The number of the pool among those that live, for the directory. Neither 0 nor [`NOBODY`](super::directory::NOBODY).
pub(super) const fn number(tag: u64) -> u32 {
    place(tag) + 1
}
