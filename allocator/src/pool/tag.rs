//! The tag: a number that identifies the pool of a chunk.
//!
//! ```text
//!    63       62    61 ────── 20 │ 19 ───── 0
//! ┌────────┬─────────┬───────────┬────────────┐
//! │ SHARED │ COUNTED │ serial    │ place      │
//! └────────┴─────────┴───────────┴────────────┘
//! ```
//!
//! A serial is never reused. The place is the pool's index in the per-thread tables.

use crate::sync::plain::{AtomicU64, Mutex, Ordering};

/// The place is the low part, so that a mask gives the index into the per-thread tables.
const PLACE_BITS: u32 = 20;
/// The tag of a pool without memory. No chunk has it, and its place is beyond every table.
pub(super) const NONE: u64 = u64::MAX;
/// The mark of a chunk in which an owner was cloned. A marked tag misses the per-thread tables.
pub(super) const SHARED: u64 = 1 << 63;
/// The mark of a pool that counts its objects, because of an exact limit or a bound. It has the same effect.
pub(super) const COUNTED: u64 = 1 << 62;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// The places. 0 stands for no pool.
static PLACES: Mutex<Ids<u32>> = Mutex::new(Ids::from(1));

/// The tag of a new pool. `None` if the process already has a million pools.
pub(super) fn borrow() -> Option<u64> {
    let place = PLACES.lock().borrow(place(NONE), |place| place)?;
    // Relaxed: only uniqueness matters.
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    Some(serial << PLACE_BITS | u64::from(place))
}

/// Returns the place of a dropped pool for reuse.
pub(super) fn return_place(tag: u64) {
    PLACES.lock().give_back(place(tag));
}

/// The place, which is the pool's number in the directory, too. Unique among living pools, and not 0.
#[inline]
pub(super) const fn place(tag: u64) -> u32 {
    (tag & ((1 << PLACE_BITS) - 1)) as u32
}

/// Borrowed ids from `next` downwards, those that came back included. `N` is a number, perhaps with a note.
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

    /// A number that came back, or a new one below `end`. `None` if all are borrowed.
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
