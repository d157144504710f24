//! The slow paths of freeing.
//!
//! ```text
//! life ended ─► may it still be read? ────no──► END ─► place: kept for reuse, or dropped by the policy
//!                    │ a pin              │ guards
//!                    ▼                    ▼
//!                 limbo               DEFER bit: the last guard does it
//! ```
//!
//! User code (finalizers, drops) runs here with no lock held and no list half changed. The functions take only the slot and
//! look up the rest, so that the hot path keeps nothing in registers for them.

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables::{self, Tables};
use crate::pool::flow::leave;
use crate::pool::list::local::Local;
use crate::pool::memory::slot::Slot;
use crate::pool::word::life::Ended;

/// Ends a life whose last owner is gone, without the fast path.
#[cold]
#[inline(never)]
pub(in crate::pool) fn free(slot: Slot) {
    end_slowly(slot, slot.life().end());
}

/// Finishes an ended life that the fast path cannot finish.
#[cold]
#[inline(never)]
pub(in crate::pool) fn end_slowly(slot: Slot, ended: Ended) {
    tables::with(|tables| slot.depot().end_slowly(slot, ended, tables));
}

/// Puts away a slot whose object is finished and for which the fast path has no room.
#[cold]
#[inline(never)]
pub(in crate::pool) fn place(slot: Slot) {
    let depot = slot.depot();
    tables::with(|tables| depot.place(slot, tables.local(depot.tag)));
}

impl Depot {
    /// Finishes a life that the fast path could not finish: see the diagram of the [module](self).
    fn end_slowly(&self, slot: Slot, ended: Ended, tables: &Tables) {
        // A thread that only frees has magazines, too: full ones go to threads that allocate.
        let local = tables
            .local(self.tag)
            .or_else(|| leave::join(tables, &self.weak.upgrade()?));
        let solo = || self.pins.with(|thread| thread.solo.get());
        let is_alone = || self.pins.mode.is_solo(solo) && self.guarding.is_unguarded(slot);
        let alone = ended == Ended::Unseen || self.shape.by_copy || is_alone();
        if alone {
            self.finalize(slot);
        } else if ended == Ended::Seen && self.shape.end.is_none() && !self.is_managed() {
            self.quarantine(slot, local);
        } else {
            self.finalize_or_wait(slot);
        }
        if self.is_managed() {
            // Last, because this runs user code, too. The magazines are looked up again, because user code may have changed
            // the thread's table.
            self.contained(|| self.apply_limit(tables.local(self.tag)));
        }
    }

    /// Keeps an object that needs no finalizer until its readers have left.
    fn quarantine(&self, slot: Slot, local: Option<&Local>) {
        if let Some(local) = local {
            if local.push_limbo(slot) {
                return;
            }
            self.make_room(local);
            if local.push_limbo(slot) {
                return;
            }
        }
        self.finalize_or_wait(slot);
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
