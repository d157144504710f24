//! The slow paths of freeing.
//!
//! ```text
//! life ended ─► may it still be read? ──────────── no ──────────► END ─► place: kept for reuse, or dropped by the policy
//!                │ no finalizer    │ a finalizer, or a limit       ▲
//!                ▼                 ▼                               │
//!       thread's limbo ──full──► pool's limbo, with a stamp ──► every pin is newer ─► guards? ─► CLOSED bit: the last one does it
//!                └── no pin, at an allocation ──► ready again  └── slots that wait together ──► stock
//! ```
//!
//! User code (finalizers, drops) runs here with no lock held and no list half changed. The functions take only the slot and
//! look up the rest, so that the hot path keeps nothing in registers for them.

use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables::{self, Tables};
use crate::pool::flow::{leave, wait};
use crate::pool::list::limbo::Entry;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::Magazine;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags::{self, Epoch};
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
        // An object that was never visible, or of which readers take copies, has no readers to wait for.
        let is_alone = || (self.shape.is_solo)() && self.guarding.is_unguarded(slot);
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

// The thread's own limbo: slots without a finalizer, and without a stamp.
impl Depot {
    /// Turns the thread's slots in limbo into ready ones, if no thread is pinned.
    pub(in crate::pool) fn refill(&self, local: &Local) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            local.ready_limbo(|slots| self.keep_unguarded(slots));
        }
    }

    /// Makes room in a thread's limbo that is full, or has no magazine yet.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let Some(mut limbo) = local.take_limbo(Magazine::try_empty()) else {
            return;
        };
        flags::fence_before_look();
        if self.pins.flags.oldest() != u64::MAX {
            return self.defer_together(limbo);
        }
        self.keep_unguarded(&mut limbo);
        self.give(local, limbo);
    }

    /// Puts slots among the thread's ready ones, or into the stock if there is no room.
    pub(in crate::pool) fn give(&self, local: &Local, magazine: Box<Magazine>) {
        if let Some(left) = local.accept(magazine).filter(|left| left.len() > 0) {
            self.stock.push_ready(left);
            self.watch_limit();
        }
    }
}

// The pool's limbo: slots with a stamp, which wait until every pin is newer.
impl Depot {
    /// Finishes an object at once if it has no readers; otherwise it is finished after the last of them.
    pub(in crate::pool) fn finalize_or_wait(&self, slot: Slot) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            if slot.guards().quiet() || self.close(slot) {
                self.finalize(slot);
            }
        } else {
            self.defer(slot.index());
        }
    }

    /// Defers a slot whose life is over until all current pins have ended. The caller has fenced since.
    pub(in crate::pool) fn defer(&self, index: u32) {
        // Counted first: the thread that takes the slot subtracts from the count.
        self.held.add(1);
        let stamp = self.limbo.push(Entry::One(index), &self.pins.flags);
        // The last pin may have ended since the caller's look, without seeing the slot.
        wait::remember(self, stamp);
        if stamp.has_passed(self.pins.flags.oldest()) {
            self.drain_limbo();
        }
    }

    /// Defers slots without finalizers until all current pins have ended. The caller has fenced since their lives ended. Unless the
    /// pool has a limit, the end of a pin does not look for them, but an allocation does.
    pub(in crate::pool) fn defer_together(&self, slots: Box<Magazine>) {
        // A limit is set under this lock. A later one finds the slots.
        let locked = self.locked.lock();
        if self.is_managed() {
            drop(locked);
            return slots.slots().for_each(|slot| self.defer(slot.index()));
        }
        self.held.add(slots.len() as u64);
        self.limbo.push(Entry::Many(slots), &self.pins.flags);
        drop(locked);
        self.pins.flags.note_pins();
    }

    /// Finishes all objects that waited for pins that have ended. Returns the stamp of the object that waits longest now, if
    /// there is one.
    pub(in crate::pool) fn drain_limbo(&self) -> Option<Epoch> {
        self.drain(usize::MAX)
    }

    /// As [`drain_limbo`](Self::drain_limbo), for at most `most` entries.
    pub(in crate::pool) fn drain(&self, most: usize) -> Option<Epoch> {
        // At most as many as there are now: objects that finalizers add are for the next call.
        for _ in 0..self.limbo.len().min(most) {
            match self.limbo.pop(|stamp| stamp.has_passed(self.pins.flags.oldest())) {
                Ok(Some(Entry::One(index))) => self.finalize_unguarded(Slot::of_own(index)),
                Ok(Some(Entry::Many(slots))) => self.put_back(slots),
                Ok(None) => return None,
                Err(stamp) => return Some(stamp),
            }
        }
        None
    }

    /// Puts slots whose pins have ended into the stock, or places them singly under a limit.
    fn put_back(&self, mut slots: Box<Magazine>) {
        // As in `defer_together`.
        let locked = self.locked.lock();
        if self.is_managed() {
            drop(locked);
            return slots.slots().for_each(|slot| self.finalize_unguarded(slot));
        }
        let count = slots.len() as u64;
        self.keep_unguarded(&mut slots);
        self.stock.put(slots.slots());
        self.held.remove(count);
        drop(locked);
        self.watch_limit();
    }

    /// Finishes an object whose pins have ended, or leaves it to its guards, which may outlast them.
    fn finalize_unguarded(&self, slot: Slot) {
        // The life ended long before, and a fence came since.
        if slot.guards().quiet() || slot.guards().close() {
            self.finalize_contained(slot);
        }
    }

    /// As [`drain_limbo`](Self::drain_limbo), and lists the pool, which is not listed, as long as objects wait singly or under
    /// a limit.
    pub(in crate::pool) fn drain_listed(&self) {
        while let Some(stamp) = self.drain_limbo() {
            if !self.limbo.has_single() && !self.is_managed() {
                break;
            }
            // While the pool was not in the list, the last pin may have ended without finding it: see `remember`.
            wait::remember(self, stamp);
            if !stamp.has_passed(self.pins.flags.oldest()) {
                break;
            }
        }
    }

    /// As [`finalize`](Self::finalize), for an object that another caller freed: a panic is counted and contained.
    #[cold]
    pub(in crate::pool) fn finalize_contained(&self, slot: Slot) {
        self.held.remove(1);
        self.contained(|| self.finalize(slot));
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
