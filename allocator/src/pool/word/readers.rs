//! [`Readers`]: the word in which the guards of a slot count themselves.
//!
//! ```text
//! Readers (u32), changed by guards, by frees by key, and by an owner that must wait for guards
//!
//!    31      30     29                                   0
//! ┌───────┬────────┬──────────────────────────────────────┐
//! │ DEFER │ MANUAL │ guards that may be looking           │
//! └───────┴────────┴──────────────────────────────────────┘
//! ```

use std::fmt;

use crate::sync::{AtomicU32, Ordering, bug};

/// A slot's word of readers. See the drawing of the [module](self).
#[repr(transparent)]
pub(in crate::pool) struct Readers(pub(in crate::pool::word) AtomicU32);

const DEFER: u32 = 1 << 31;
const MANUAL: u32 = 1 << 30;
pub(in crate::pool) const GUARDS: u32 = MANUAL - 1;

impl Readers {
    #[cfg(acedia_loom)]
    pub(in crate::pool) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Announces a guard. `Life::confirm` must follow, and `leave` if it refuses.
    #[inline]
    pub(in crate::pool) fn enter(&self) {
        let before = self.0.fetch_add(1, Self::entering());
        if before & GUARDS > GUARDS / 2 {
            // As `Arc` does: only leaking half a billion guards of one object leads here.
            std::process::abort();
        }
    }

    /// `SeqCst`: the first half of Dekker's pattern; see `Life::confirming`.
    #[inline]
    fn entering() -> Ordering {
        if bug("guard_not_seqcst") || bug("acq_rel_enter") {
            Ordering::AcqRel
        } else {
            Ordering::SeqCst
        }
    }

    /// Withdraws a guard. `true` if the object waited for exactly this one: the caller must then finish it.
    #[inline]
    pub(in crate::pool) fn leave(&self) -> bool {
        // Release pairs with `quiet` and `claim` (Acquire): the guard's reads come before the next owner's writes.
        let order = if bug("relaxed_leave") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_sub(1, order) == DEFER | 1 && self.claim()
    }

    /// Whether nobody guards the object. The caller has ended its life and fenced since.
    #[inline]
    pub(in crate::pool) fn quiet(&self) -> bool {
        if bug("readers_ignored") {
            return true;
        }
        // Acquire pairs with `leave` (Release).
        let order = if bug("relaxed_quiet") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) & !MANUAL == 0
    }

    /// Leaves the object to its last guard. `true` if there is none any more: the caller must finish it itself.
    pub(in crate::pool) fn defer(&self) -> bool {
        // Release pairs with `claim` (Acquire): whoever finishes sees what the owner wrote.
        let order = if bug("relaxed_defer") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_or(DEFER, order) & GUARDS == 0 && self.claim()
    }

    /// Whether the object is left to its last guard. For a pool that is gone, and every guard with it that was not forgotten.
    pub(in crate::pool) fn is_deferred(&self) -> bool {
        // Relaxed: nobody else is there.
        self.0.load(Ordering::Relaxed) & DEFER != 0 && !bug("late_guard_forgotten")
    }

    /// Among all who saw that nobody is left, the one who finishes the object.
    fn claim(&self) -> bool {
        if bug("claim_twice") {
            return true;
        }
        // Acquire pairs with `leave` and `defer` (Release).
        let order = if bug("relaxed_claim") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.compare_exchange(DEFER, 0, order, Ordering::Relaxed).is_ok()
    }

    /// An owner turns its share into a manual one. `false` if there was one already.
    pub(in crate::pool) fn set_manual(&self) -> bool {
        // Release pairs with `take_manual` (Acquire): who frees by key sees what the owner wrote.
        let order = if bug("relaxed_set_manual") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.fetch_or(MANUAL, order) & MANUAL == 0
    }

    /// Takes the manual share. The caller is pinned and has seen the life it asks for, so the slot is still in it.
    pub(in crate::pool) fn take_manual(&self) -> bool {
        // Acquire pairs with `set_manual` (Release).
        if bug("manual_unclaimed") {
            return self.0.load(Ordering::Acquire) & MANUAL != 0;
        }
        let order = if bug("relaxed_take_manual") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.fetch_and(!MANUAL, order) & MANUAL != 0
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: printing decides nothing.
        let word = self.0.load(Ordering::Relaxed);
        write!(f, "{} guards", word & GUARDS)?;
        if word & MANUAL != 0 {
            f.write_str(", manual")?;
        }
        if word & DEFER != 0 {
            f.write_str(", last one finishes")?;
        }
        Ok(())
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
