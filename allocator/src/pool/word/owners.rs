//! [`MoreOwners`]: the count of an object's owners beyond the first.

use crate::sync::{AtomicU32, Ordering, bug};

/// Owners beyond the first, counted outside the slot because few objects ever have any.
#[repr(transparent)]
#[derive(Debug)]
pub(in crate::pool) struct MoreOwners(pub(in crate::pool::word) AtomicU32);

impl MoreOwners {
    pub(in crate::pool) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// One owner more.
    pub(in crate::pool) fn add(&self) {
        // Relaxed: the new owner comes from an existing one, as with `Arc`.
        if self.0.fetch_add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// Whether the caller is the only owner.
    pub(in crate::pool) fn is_none(&self) -> bool {
        // Acquire pairs with `leave` (Release).
        let order = if bug("relaxed_is_none") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) == 0
    }

    /// One owner less. `true` if the caller was the last: it owns the object alone.
    pub(in crate::pool) fn leave(&self) -> bool {
        if self.is_none() {
            return true;
        }
        let order = if bug("relaxed_drop") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // Release pairs with `is_none` and the load below (Acquire): every owner's use comes before the end.
        if self.0.fetch_sub(1, order) == 0 {
            // Another owner left between the look and the subtraction: the caller is alone, and the count is its own.
            // Acquire pairs with the Release above in that owner. A load and not a fence, which ThreadSanitizer cannot see.
            if !bug("relaxed_last_owner") {
                self.0.load(Ordering::Acquire);
            }
            self.0.store(0, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// How many there are at this moment.
    pub(in crate::pool) fn count(&self) -> usize {
        // Relaxed: for information.
        self.0.load(Ordering::Relaxed) as usize
    }
}
