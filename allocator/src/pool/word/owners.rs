//! [`MoreOwners`]: the count of an object's owners beyond the first.

use crate::sync::{AtomicU32, Ordering};

/// Owners beyond the first. Counted outside the slot, because few objects ever have any.
#[repr(transparent)]
#[derive(Debug)]
pub(in crate::pool) struct MoreOwners(pub(in crate::pool::word) AtomicU32);

impl MoreOwners {
    #[cfg(acedia_loom)]
    pub(in crate::pool) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Counts one more owner.
    pub(in crate::pool) fn add(&self) {
        // Relaxed: the new owner comes from an existing one, as with `Arc`.
        if self.0.fetch_add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// Whether the caller is the only owner.
    #[inline]
    pub(in crate::pool) fn is_none(&self) -> bool {
        // Acquire pairs with `remove` (Release).
        self.0.load(Ordering::Acquire) == 0
    }

    /// Counts one owner less. `true` if the caller was the last one: it then owns the object alone.
    pub(in crate::pool) fn remove(&self) -> bool {
        if self.is_none() {
            return true;
        }
        // Release pairs with `is_none` and the load below (Acquire): every owner's accesses happen before the end.
        if self.0.fetch_sub(1, Ordering::Release) == 0 {
            // Another owner left between the check and the subtraction, so the caller is the only owner. Acquire pairs
            // with the Release above in that owner. It is a load and not a fence, because ThreadSanitizer does not
            // model fences.
            self.0.load(Ordering::Acquire);
            self.0.store(0, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// The current number of owners beyond the first.
    pub(in crate::pool) fn count(&self) -> usize {
        // Relaxed: informational.
        self.0.load(Ordering::Relaxed) as usize
    }
}
