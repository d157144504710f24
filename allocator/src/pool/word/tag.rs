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

use std::collections::TryReserveError;

use crate::pool::word::ids::Ids;
use crate::sync::plain::{AtomicU64, Mutex, Ordering};

/// The place is the low part, so that a mask gives the index into the per-thread tables.
const PLACE_BITS: u32 = 20;
/// The tag of a pool without memory. No chunk has it, and its place is beyond every table.
pub(in crate::pool) const NONE: u64 = u64::MAX;
/// The mark of a chunk in which an owner was cloned. A marked tag misses the per-thread tables.
pub(in crate::pool) const SHARED: u64 = 1 << 63;
/// The mark of a managed pool (see [`PoolPolicy`](crate::PoolPolicy)). It has the same effect.
pub(in crate::pool) const MANAGED: u64 = 1 << 62;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// The places. 0 stands for no pool.
static PLACES: Mutex<Ids<u32>> = Mutex::new(Ids::from(1));

/// The tag of a new pool: see [`Ids::borrow`].
pub(in crate::pool) fn borrow() -> Result<Option<u64>, TryReserveError> {
    let place = PLACES.lock().borrow(place(NONE), |place| place)?;
    // Relaxed: only uniqueness matters.
    let serial = || SERIAL.fetch_add(1, Ordering::Relaxed);
    Ok(place.map(|place| serial() << PLACE_BITS | u64::from(place)))
}

/// Returns the place of a dropped pool for reuse.
pub(in crate::pool) fn return_place(tag: u64) {
    PLACES.lock().give_back(place(tag));
}

/// The place, which is the pool's number in the directory, too. Unique among living pools, and not 0.
#[inline]
pub(in crate::pool) const fn place(tag: u64) -> u32 {
    (tag & ((1 << PLACE_BITS) - 1)) as u32
}
