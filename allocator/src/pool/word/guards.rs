//! [`Guards`]: the word that counts the guards of a slot.
//!
//! ```text
//! Guards (u64), changed by guards, by frees by key, and by an owner that must wait for guards
//!
//!     63  62          32  31       30       29                          0
//! ┌──────┬──────────────┬────────┬────────┬─────────────────────────────┐
//! │ LOAN │ manual life  │ CLOSED │ MANUAL │ guards that may be reading  │
//! └──────┴──────────────┴────────┴────────┴─────────────────────────────┘
//! ```
//!
//! While MANUAL is set, the bits above it are the life of the manual share. An operation by key compares that life and takes the
//! share in one step, so it needs no pin. The share of a later life does not match.
//!
//! A free or a take by key must look at other words before it knows whether it may end the life. Until then it borrows the
//! share: LOAN is set beside MANUAL. It returns the share, or ends the life and then uses the share up. Another operation by the
//! same key waits for that, so it never finds an object that is alive and seems to have an owner. No user code runs meanwhile.
//!
//! CLOSED is set at the end of a life, when the manual share has been taken, so MANUAL is never set beside it.

use crate::LifeVersion;
use crate::pool::word::index::INDEX_BITS;
use crate::sync::fork::Patience;
use crate::sync::{AtomicU64, Ordering};

/// A slot's guard word. See the drawing of the [module](self).
#[repr(transparent)]
pub(in crate::pool) struct Guards(pub(in crate::pool::word) AtomicU64);

const CLOSED: u64 = 1 << 31;
const MANUAL: u64 = 1 << 30;
pub(in crate::pool) const COUNT: u64 = MANUAL - 1;
const LOAN: u64 = 1 << 63;

/// The bits of the manual share of `life`.
#[inline]
const fn share(life: LifeVersion) -> u64 {
    (life.get() as u64) << INDEX_BITS | MANUAL
}

impl Guards {
    #[cfg(acedia_loom)]
    pub(in crate::pool) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Announces a guard. `Life::confirm` must follow. If that fails, `leave` must follow.
    #[inline]
    pub(in crate::pool) fn enter(&self) {
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
    pub(in crate::pool) fn leave(&self) -> bool {
        // Release pairs with `quiet` and `claim` (Acquire): the guard's reads happen before the next owner's writes.
        self.0.fetch_sub(1, Ordering::Release) == CLOSED | 1 && self.claim()
    }

    /// Whether the object has no guards. The caller has ended its life and fenced since.
    #[inline]
    pub(in crate::pool) fn quiet(&self) -> bool {
        // Acquire pairs with `leave` (Release).
        self.0.load(Ordering::Acquire) & (CLOSED | COUNT) == 0
    }

    /// Defers the object to its last guard. `true` if no guard is left: the caller must finish it itself.
    pub(in crate::pool) fn close(&self) -> bool {
        // Release pairs with `claim` (Acquire): the finishing thread sees the owner's writes.
        self.0.fetch_or(CLOSED, Ordering::Release) & COUNT == 0 && self.claim()
    }

    /// Whether the object is deferred to its last guard. Only for a dropped pool: every guard that remains was
    /// forgotten.
    pub(in crate::pool) fn is_closed(&self) -> bool {
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
    pub(in crate::pool) fn set_manual(&self, life: LifeVersion) -> bool {
        // Release pairs with `take_manual` (Acquire): the thread that frees by key sees the owner's writes.
        self.0
            .fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
                (word & MANUAL == 0).then_some(word | share(life))
            })
            .is_ok()
    }

    /// Like [`set_manual`](Self::set_manual), but for an object without a share, in a pool that the caller holds by `&mut`.
    #[inline]
    pub(in crate::pool) fn set_manual_alone(&self, life: LifeVersion) {
        // Relaxed, both: no other thread uses the pool, and the caller's `&mut` orders the others before.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert_eq!(word & MANUAL, 0, "a new object has no manual share");
        self.0.store(word | share(life), Ordering::Relaxed);
    }

    /// Like [`take_manual`](Self::take_manual), but for an object without guards, in a pool that the caller holds by `&mut`.
    #[inline]
    pub(in crate::pool) fn take_manual_alone(&self, life: LifeVersion) -> bool {
        // Relaxed, both: as in `set_manual_alone`. There are no guards, so the word is 0 without the share.
        let has_share = self.0.load(Ordering::Relaxed) == share(life);
        if has_share {
            self.0.store(0, Ordering::Relaxed);
        }
        has_share
    }

    /// Takes the manual share of `life`. `false` if there is none.
    pub(in crate::pool) fn take_manual(&self, life: LifeVersion) -> bool {
        self.change_manual(life, |word| word & (CLOSED | COUNT))
    }

    /// Borrows the manual share of `life`. `false` if there is none. `return_manual` or `use_manual` must follow soon: other
    /// operations by key wait for it.
    pub(in crate::pool) fn borrow_manual(&self, life: LifeVersion) -> bool {
        self.change_manual(life, |word| word | LOAN)
    }

    fn change_manual(&self, life: LifeVersion, change: impl Fn(u64) -> u64) -> bool {
        // Acquire pairs with `set_manual` and `return_manual` (Release). It pairs with `use_manual` (Release) if there is no share
        // any more: a thread that comes too late sees the end of the life.
        let has_share = |word: u64| word & MANUAL != 0 && (word & !LOAN) >> INDEX_BITS == u64::from(life.get());
        let mut patience = Patience::default();
        let mut word = self.0.load(Ordering::Acquire);
        while has_share(word) {
            if word & LOAN != 0 {
                patience.wait();
                word = self.0.load(Ordering::Acquire);
                continue;
            }
            // A guard that comes or goes changes the word, too.
            match self
                .0
                .compare_exchange(word, change(word), Ordering::Acquire, Ordering::Acquire)
            {
                Ok(_) => return true,
                Err(now) => word = now,
            }
        }
        false
    }

    /// Returns the borrowed share: the object is manual again.
    pub(in crate::pool) fn return_manual(&self) {
        // Release pairs with `change_manual` (Acquire): the next borrower sees the life word that this one hid and showed again.
        self.0.fetch_and(!LOAN, Ordering::Release);
    }

    /// Ends the borrowed share. The caller has ended the life.
    pub(in crate::pool) fn use_manual(&self) {
        // Release pairs with `change_manual` (Acquire).
        self.0.fetch_and(CLOSED | COUNT, Ordering::Release);
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
