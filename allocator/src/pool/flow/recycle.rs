//! From the end of a life to the next one of the slot: the slow paths of freeing, both limbos, and the search for a slot.
//!
//! ```text
//! life ended ─► may it still be read? ──────────── no ──────────► END ─► place: kept for reuse, or dropped by the policy
//!                │ no finalizer    │ a finalizer, or a limit       ▲
//!                ▼                 ▼                               │
//!       thread's limbo ──full──► pool's limbo, with a stamp ──► every pin is newer ─► guards? ─► CLOSED bit: the last one does it
//!                └── no pin, at an allocation ──► ready again  └── slots that wait together ──► stock
//!
//! an allocation without a ready slot:
//!
//! previous magazine ─► limbo of this thread ─► in the stock ─► without an object: own, of the pool, of a new chunk
//!                                             ▲
//!                    pool's limbo ────────────┘ no pin protects them any more
//! ```
//!
//! User code (finalizers, drops) runs here with no lock held and no list half changed. The functions take only the slot and
//! look up the rest, so that the hot path keeps nothing in registers for them.

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables::{self, Tables};
use crate::pool::flow::{exit, wait};
use crate::pool::list::local::Local;
use crate::pool::list::magazine::Magazine;
use crate::pool::list::stock::Entry;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins::Epoch;
use crate::pool::word::life::Ended;
use crate::sync::yield_now;

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
            .or_else(|| exit::attach(tables, &self.weak.upgrade()?));
        // An object that was never visible, or of which readers take copies, has no readers to wait for.
        let is_alone = || (self.shape.is_solo)() && self.guarding.is_unguarded(slot);
        let alone = ended == Ended::Unseen || self.shape.by_copy || is_alone();
        if alone {
            self.finalize(slot);
        } else if ended == Ended::Seen && self.shape.end.is_none() && !self.is_managed() {
            // Without a step of its own, it waits with others, and needs no fence now.
            self.quarantine(slot, local);
        } else {
            self.finalize_or_wait(slot);
        }
        if self.is_managed() {
            // Last, because this runs user code, too. The magazines are looked up again, because user code may have changed
            // the thread's table.
            self.contained(|| self.limit_local(tables.local(self.tag)));
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
        if !self.pins.may_read() {
            local.ready_limbo(|slots| self.keep_unguarded(slots));
        }
    }

    /// Makes room in a thread's limbo that is full, or has no magazine yet.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let Some(mut limbo) = local.take_limbo(Magazine::try_empty()) else {
            return;
        };
        if self.pins.may_read() {
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
        if self.pins.may_read() {
            self.defer(slot.index());
        } else if slot.guards().quiet() || self.close(slot) {
            self.finalize(slot);
        }
    }

    /// Defers a slot whose life is over until all current pins have ended. The caller has fenced since.
    pub(in crate::pool) fn defer(&self, index: u32) {
        // Counted first: the thread that takes the slot subtracts from the count.
        self.held.add(1);
        let stamp = self.limbo.push(Entry::One(index), self.pins);
        // The last pin may have ended since the caller's look, without seeing the slot.
        wait::remember(self, stamp);
        if stamp.has_passed(self.pins.oldest()) {
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
            return slots.slots().iter().for_each(|slot| self.defer(slot.index()));
        }
        self.held.add(slots.len() as u64);
        self.limbo.push(Entry::Many(slots), self.pins);
        drop(locked);
        self.pins.note_pins();
    }

    /// Finishes all objects that waited for pins that have ended. Returns the stamp of the object that waits longest now, if
    /// there is one.
    pub(in crate::pool) fn drain_limbo(&self) -> Option<Epoch> {
        self.drain(usize::MAX)
    }

    /// Like [`drain_limbo`](Self::drain_limbo), but for at most `most` entries.
    pub(in crate::pool) fn drain(&self, most: usize) -> Option<Epoch> {
        // At most as many as there are now: objects that finalizers add are for the next call.
        for _ in 0..self.limbo.len().min(most) {
            match self.limbo.pop(|stamp| stamp.has_passed(self.pins.oldest())) {
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
            return slots.slots().iter().for_each(|&slot| self.finalize_unguarded(slot));
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

    /// Like [`drain_limbo`](Self::drain_limbo), but also lists the pool, which is not listed, as long as objects wait singly or
    /// under a limit.
    pub(in crate::pool) fn drain_listed(&self) {
        while let Some(stamp) = self.drain_limbo() {
            if !self.limbo.has_single() && !self.is_managed() {
                break;
            }
            // While the pool was not in the list, the last pin may have ended without finding it: see `remember`.
            wait::remember(self, stamp);
            if !stamp.has_passed(self.pins.oldest()) {
                break;
            }
        }
    }

    /// Like [`finalize`](Self::finalize), but for an object that another caller freed: a panic is counted and contained.
    #[cold]
    pub(in crate::pool) fn finalize_contained(&self, slot: Slot) {
        self.held.remove(1);
        self.contained(|| self.finalize(slot));
    }
}

// Guards, which may outlast the pins.
impl Depot {
    /// Removes the slots that have guards from a magazine; the last guard of each finishes it. The caller has ended the
    /// lives of the slots and fenced since.
    pub(in crate::pool) fn keep_unguarded(&self, magazine: &mut Magazine) {
        if !self.guarding.is_none() {
            magazine.retain(|slot| slot.guards().quiet() || self.close(slot));
        }
    }

    /// Defers an object whose life has ended to its last guard. `true` if no guard is left: the caller must finish the
    /// slot.
    pub(in crate::pool) fn close(&self, slot: Slot) -> bool {
        // Counted first: the guard that finishes the slot subtracts from the count.
        self.held.add(1);
        let has_none = slot.guards().close();
        if has_none {
            self.held.remove(1);
        }
        has_none
    }
}

/// A slot for a new life.
pub(in crate::pool) enum Found {
    /// With the object of an earlier life. The new one is counted.
    Made(Slot),
    /// Without an object.
    Empty(u32),
}

/// Slots without an object that a thread takes at a time.
const SHARE: u32 = if cfg!(acedia_loom) { 2 } else { 128 };

/// The maximum number of waiting entries that one allocation takes. More than one, because the slots of a magazine may be
/// of any chunks: the shelf brings those of several into the order of their memory.
const TOGETHER: usize = 16;

/// Searches for a free object before an allocation is refused although no thread is pinned.
const SEARCHES: u32 = if cfg!(acedia_loom) { 1 } else { 64 };

// The search for a slot when the thread has none ready.
impl Depot {
    /// A slot for a new life.
    ///
    /// With `reuse`, slots with the object of an earlier life come first.
    pub(in crate::pool) fn acquire(&self, local: Option<&Local>, reuse: bool) -> Result<Found, AllocateError> {
        if self.is_managed() {
            // This may drop objects on behalf of other callers.
            self.contained(|| self.limit_local(local));
        }
        let mut searches = 0;
        // Usually one round: a free object, or a new one. More only if too many objects wait for readers.
        loop {
            if let Some(slot) = reuse.then(|| self.find_made(local)).flatten() {
                return Ok(Found::Made(slot));
            }
            let Some(limit) = self.exceeded() else {
                return self.find_empty(local).map(Found::Empty);
            };
            if searches > 0 {
                // Without a pin, another thread may be putting objects back: they are counted, and in no place that a search looks at.
                if searches == SEARCHES || self.pins.oldest() != u64::MAX {
                    return Err(limit.error(self));
                }
                yield_now();
            }
            // The search finished a few of the objects whose readers have left. This finishes all.
            self.drain_limbo();
            searches += 1;
        }
    }

    /// A slot with a free object, whose next life is counted.
    fn find_made(&self, local: Option<&Local>) -> Option<Slot> {
        // Slots whose pins have ended come back first, so that the pool does not grow while they wait.
        self.drain(TOGETHER);
        // Under a limit, threads keep no lists.
        if self.is_managed() {
            let mut locked = self.locked.lock();
            let found = locked.kept.pop().map(Slot::of_own);
            let far = self.bound.is_none() && self.is_far(&locked);
            drop(locked);
            if far {
                self.judge_again();
            }
            return found.inspect(|_| self.count_begun(local));
        }
        // A thread that has ended has no lists either: it takes one slot, and leaves the rest of the magazine.
        let Some(local) = local else {
            let mut magazine = self.stock.pop_ready()?;
            let slot = magazine.pop();
            if magazine.len() > 0 {
                self.stock.put(magazine.slots());
            }
            return slot.inspect(|_| self.count_begun(None));
        };
        // There may be a ready slot: a thread that used many other pools since comes here, too.
        if let Some(slot) = local.begin_ready() {
            return Some(slot);
        }
        // For a few slots in limbo, a fence costs more than it gains while there are fresh slots.
        let is_worth_a_fence = || local.limbo_is_worth_a_fence() || !local.has_fresh() || self.holds_too_many();
        if !local.advance() && local.limbo_len() > 0 && is_worth_a_fence() {
            self.refill(local);
        }
        if let Some(slot) = local.begin_ready() {
            return Some(slot);
        }
        // At last a magazine that another thread filled.
        if self.has_put_nothing_away() {
            return None;
        }
        let magazine = self.stock.pop_ready()?;
        self.give(local, magazine);
        local.begin_ready()
    }

    /// Whether the stock is empty. This reads a counter, because a look at each queue would take a fence each.
    fn has_put_nothing_away(&self) -> bool {
        // Loom explores few executions around a plain load, so models look at the queues.
        #[cfg(acedia_loom)]
        if !crate::sync::loads_are_rmw() {
            return false;
        }
        // The next look finds a slot that this one misses.
        self.stock.slots() == 0
    }

    /// Whether [`acquire`](Self::acquire) would find no free object for a thread that has none ready, and may make one.
    pub(in crate::pool) fn makes_next_for(&self, local: &Local) -> bool {
        self.has_put_nothing_away() && self.limbo.is_empty() && !local.has_some_left() && !self.holds_too_many()
    }

    /// A slot without an object.
    pub(in crate::pool) fn find_empty(&self, local: Option<&Local>) -> Result<u32, AllocateError> {
        // From the share that the thread took before.
        if let Some(index) = local.and_then(Local::take_fresh) {
            return Ok(index);
        }
        let mut locked = self.locked.lock();
        // Adjacent slots go to one thread, so that threads do not write to the same cache lines.
        let share = if local.is_some() { SHARE } else { 1 };
        let taken = loop {
            if let Some(taken) = locked.empty.take(share) {
                break taken;
            }
            self.grow(&mut locked)?;
        };
        // The first one is for this object, the others are for the next ones.
        if let Some(local) = local {
            local.fresh.set((taken.start + 1, taken.end));
        }
        Ok(taken.start)
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
