//! A pool's census of guards: freeing checks slots for guards only in pools that have had guards.
//!
//! ```text
//! freeing: life = ended; no guards, or only this thread's and the slot has no readers? → reuse
//!                        else FENCE, and check the guard word
//! guard:   enter the census; guards += 1; life == mine? → read …
//! ```
//!
//! If a thread freed an object before the census changed, a later guard sees that the life has ended: see [`Threads`]. A
//! thread sees its own guards without a fence, even after they have moved to another thread. The census never falls, because
//! a guard raises no flag.

use crate::hint::likely;
use crate::pool::depot::depot::Depot;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::participant;
use crate::pool::reading::pins::Threads;

impl Threads {
    /// Whether `slot` of the pool, whose life this thread has ended, has no guards. `false` may be wrong, because the
    /// check has no fence.
    ///
    /// The caller has called [`is_solo`](crate::pool::reading::pins::is_solo) since it ended the life. This keeps the compiler from moving the check
    /// before the end of the life.
    #[inline]
    pub(in crate::pool) fn is_unguarded(&self, slot: Slot) -> bool {
        likely(self.is_none()) || (self.is_only(participant::id()) && slot.guards().quiet())
    }
}

impl Depot {
    /// From now on, every thread that frees an object of this pool checks for guards of this thread.
    #[inline]
    pub(in crate::pool) fn expect_guards(&self) {
        if !self.guarding.includes(participant::id()) {
            self.raise_census();
        }
    }

    /// Raises the pool's census of guards, and each thread's copy of it, to include this thread.
    #[cold]
    fn raise_census(&self) {
        let id = participant::identify();
        // The lock keeps other threads from changing the word and from adding copies.
        let locked = self.locked.lock();
        if !self.guarding.includes(id) {
            self.guarding.raise(id, |value| {
                locked.locals.iter().for_each(|local| local.guarding.set(value));
            });
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
