//! The limits of a pool: [`Limit`], the most free objects that it keeps, and [`Room`], the most objects in use.
//!
//! A limit below [`EXACT`] is exact. The free objects then stand in a row of [cells](super::stock::Cells), of which as many are used as the limit allows, for all threads, and
//! a thread keeps none for itself. A free that finds no cell drops its object. A higher limit applies to the stock; each
//! thread that uses the pool keeps up to 766 free objects besides. It is compared with the stock each time that a thread puts
//! a magazine there.
//!
//! A pool with an exact limit or with a bound is *counted*: its tag and those of its chunks have a mark, so each allocation and each
//! free leaves the hot path and comes to the depot. Dropping an object, and making one in an empty slot, takes the lock; keeping one
//! and taking a kept one does not.

use crate::policy::PoolPolicy;
use crate::sync::Ordering;
use crate::sync::{self, plain::AtomicUsize};

/// A limit below this number is exact.
pub(super) const EXACT: usize = if cfg!(acedia_loom) { 2 } else { 4096 };

/// The most free objects that a pool keeps; `usize::MAX` without a limit.
pub(super) struct Limit(AtomicUsize);

impl Limit {
    pub(super) fn new(policy: PoolPolicy) -> Self {
        Self(AtomicUsize::new(policy.limit().unwrap_or(usize::MAX)))
    }

    pub(super) fn get(&self) -> usize {
        // Relaxed: a thread that misses a change at that moment keeps an object too many, until the next allocation or change.
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the pool keeps all free objects in cells.
    pub(super) fn is_exact(&self) -> bool {
        self.get() < EXACT
    }

    pub(super) fn set(&self, policy: PoolPolicy) {
        self.0.store(policy.limit().unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// The most slots in the stock.
    pub(super) fn of_stock(&self) -> usize {
        if self.is_exact() { 0 } else { self.get() }
    }
}

/// The number of objects in use, in a pool with a bound.
pub(super) struct Room {
    pub(super) bound: Option<usize>,
    used: sync::AtomicUsize,
}

impl Room {
    pub(super) fn new(bound: Option<usize>) -> Self {
        Self {
            bound,
            used: sync::AtomicUsize::new(0),
        }
    }

    /// Counts one more object in use. `false` if there are as many as the bound allows.
    pub(super) fn enter(&self) -> bool {
        let Some(bound) = self.bound else { return true };
        // Acquire pairs with `leave` (Release): the object whose place this one takes is finished.
        let more = |used| (used < bound).then_some(used + 1);
        self.used
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, more)
            .is_ok()
    }

    /// Counts one object less, which is kept or dropped now.
    pub(super) fn leave(&self) {
        if self.bound.is_some() {
            // Release pairs with `enter` (Acquire).
            self.used.fetch_sub(1, Ordering::Release);
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
