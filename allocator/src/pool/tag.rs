//! The tag: a number that identifies the pool of a chunk.
//!
//! ```text
//!    63       62    61 ────── 20 │ 19 ───── 0
//! ┌────────┬─────────┬───────────┬────────────┐
//! │ SHARED │ COUNTED │ serial    │ index      │
//! └────────┴─────────┴───────────┴────────────┘
//! ```
//!
//! A serial is never reused. The index is the pool's, in the per-thread tables.

use crate::sync::plain::{AtomicU64, Mutex, Ordering};

/// The index is the low part, so that a mask gives it.
const POOL_BITS: u32 = 20;
/// The tag of a pool without memory. No chunk has it, and its index is beyond every table.
pub(super) const NONE: u64 = u64::MAX;
/// The mark of a chunk in which an owner was cloned. A marked tag misses the per-thread tables.
pub(super) const SHARED: u64 = 1 << 63;
/// The mark of a pool that counts its objects, because of an exact limit or a bound. It has the same effect.
pub(super) const COUNTED: u64 = 1 << 62;

static SERIAL: AtomicU64 = AtomicU64::new(1);
/// The indices. 0 stands for no pool.
static INDICES: Mutex<Ids<u32>> = Mutex::new(Ids::from(1));

/// The tag of a new pool. `None` if the process already has a million pools.
pub(super) fn borrow() -> Option<u64> {
    let index = INDICES.lock().borrow(pool_index(NONE), |index| index)?;
    // Relaxed: only uniqueness matters.
    let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
    Some(serial << POOL_BITS | u64::from(index))
}

/// Returns the index of a dropped pool for reuse.
pub(super) fn return_index(tag: u64) {
    INDICES.lock().give_back(pool_index(tag));
}

/// The index, which is the pool's number in the directory, too. Unique among living pools, and not 0.
#[inline]
pub(super) const fn pool_index(tag: u64) -> u32 {
    (tag & ((1 << POOL_BITS) - 1)) as u32
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
