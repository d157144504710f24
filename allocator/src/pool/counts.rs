//! [`Guards`]: the word that counts the guards of a slot. [`MoreOwners`]: the count of its owners beyond the first.
//!
//! ```text
//! Guards (u64), changed by guards, by frees by key, and by an owner that must wait for guards
//!
//!     63            32  31       30       29                          0
//! ┌───────────────────┬────────┬────────┬─────────────────────────────┐
//! │ manual life       │ CLOSED │ MANUAL │ guards that may be reading  │
//! └───────────────────┴────────┴────────┴─────────────────────────────┘
//! ```
//!
//! While MANUAL is set, the bits above it are the life of the manual share. An operation by key compares that life and takes the
//! share in one step, so it needs no pin. The share of a later life does not match.
//!
//! CLOSED is set at the end of a life, when the manual share has been taken, so MANUAL is never set beside it.

use crate::LifeVersion;
use crate::pool::key::INDEX_BITS;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// A slot's guard word. See the drawing of the [module](self).
#[repr(transparent)]
pub(super) struct Guards(pub(super) AtomicU64);

const CLOSED: u64 = 1 << 31;
const MANUAL: u64 = 1 << 30;
pub(super) const COUNT: u64 = MANUAL - 1;

/// The bits of the manual share of `life`.
#[inline]
const fn share(life: LifeVersion) -> u64 {
    (life.get() as u64) << INDEX_BITS | MANUAL
}

impl Guards {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Announces a guard. `Life::confirm` must follow. If that fails, `leave` must follow.
    #[inline]
    pub(super) fn enter(&self) {
        let before = self.0.fetch_add(1, Self::entering());
        if before & COUNT > COUNT / 2 {
            // As in `Arc`: reachable only by leaking half a billion guards of one object.
            std::process::abort();
        }
    }

    /// `SeqCst`: the first half of Dekker's pattern; see `Life::confirming`.
    #[inline]
    fn entering() -> Ordering {
        Ordering::SeqCst
    }

    /// Withdraws a guard. `true` if the object waited for this guard only: the caller must then finish it.
    #[inline]
    pub(super) fn leave(&self) -> bool {
        // Release pairs with `quiet` and `claim` (Acquire): the guard's reads happen before the next owner's writes.
        self.0.fetch_sub(1, Ordering::Release) == CLOSED | 1 && self.claim()
    }

    /// Whether the object has no guards. The caller has ended its life and fenced since.
    #[inline]
    pub(super) fn quiet(&self) -> bool {
        // Acquire pairs with `leave` (Release).
        self.0.load(Ordering::Acquire) & (CLOSED | COUNT) == 0
    }

    /// Defers the object to its last guard. `true` if no guard is left: the caller must finish it itself.
    pub(super) fn close(&self) -> bool {
        // Release pairs with `claim` (Acquire): the finishing thread sees the owner's writes.
        self.0.fetch_or(CLOSED, Ordering::Release) & COUNT == 0 && self.claim()
    }

    /// Whether the object is deferred to its last guard. Only for a dropped pool: every guard that remains was
    /// forgotten.
    pub(super) fn is_closed(&self) -> bool {
        // Relaxed: no other thread uses the pool.
        self.0.load(Ordering::Relaxed) & CLOSED != 0
    }

    /// Selects the thread that finishes the object among those that saw the last guard leave.
    fn claim(&self) -> bool {
        // Acquire pairs with `leave` and `close` (Release).
        self.0
            .compare_exchange(CLOSED, 0, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Converts an owner's share into the manual share of `life`. `false` if the object already has a manual share.
    pub(super) fn set_manual(&self, life: LifeVersion) -> bool {
        // Release pairs with `take_manual` (Acquire): the thread that frees by key sees the owner's writes.
        self.0
            .fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
                (word & MANUAL == 0).then_some(word | share(life))
            })
            .is_ok()
    }

    /// Like [`set_manual`](Self::set_manual), but for an object without a share, in a pool that the caller holds by `&mut`.
    #[inline]
    pub(super) fn set_manual_alone(&self, life: LifeVersion) {
        // Relaxed, both: no other thread uses the pool, and the caller's `&mut` orders the others before.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert_eq!(word & MANUAL, 0, "a new object has no manual share");
        self.0.store(word | share(life), Ordering::Relaxed);
    }

    /// Like [`take_manual`](Self::take_manual), but for an object without guards, in a pool that the caller holds by `&mut`.
    #[inline]
    pub(super) fn take_manual_alone(&self, life: LifeVersion) -> bool {
        // Relaxed, both: as in `set_manual_alone`. There are no guards, so the word is 0 without the share.
        let has_share = self.0.load(Ordering::Relaxed) == share(life);
        if has_share {
            self.0.store(0, Ordering::Relaxed);
        }
        has_share
    }

    /// Takes the manual share of `life`. `false` if there is none.
    pub(super) fn take_manual(&self, life: LifeVersion) -> bool {
        // A guard that comes or goes changes the word, too.
        let without = |word: u64| (word & !(CLOSED | COUNT) == share(life)).then_some(word & (CLOSED | COUNT));
        // Acquire pairs with `set_manual` (Release).
        self.0
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, without)
            .is_ok()
    }
}

/// Owners beyond the first. Counted outside the slot, because few objects ever have any.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct MoreOwners(pub(super) AtomicU32);

impl MoreOwners {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Counts one more owner.
    pub(super) fn add(&self) {
        // Relaxed: the new owner comes from an existing one, as with `Arc`.
        if self.0.fetch_add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// Whether the caller is the only owner.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        // Acquire pairs with `remove` (Release).
        self.0.load(Ordering::Acquire) == 0
    }

    /// Counts one owner less. `true` if the caller was the last one: it then owns the object alone.
    pub(super) fn remove(&self) -> bool {
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
    pub(super) fn count(&self) -> usize {
        // Relaxed: informational.
        self.0.load(Ordering::Relaxed) as usize
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;

#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
mod tests;
