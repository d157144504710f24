//! The search for a slot when the thread has none ready.
//!
//! ```text
//! previous magazine ─► limbo of this thread ─► in the stock ─► without an object: own, of the pool, of a new chunk
//!                                             ▲
//!                    pool's limbo ────────────┘ no pin protects them any more
//! ```

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::list::local::Local;
use crate::pool::memory::slot::Slot;
use crate::sync::yield_now;

/// A slot for a new life.
#[derive(Clone, Copy, Debug)]
pub(in crate::pool) enum Found {
    /// With the object of an earlier life; its new life is counted.
    Begun(Slot),
    /// With the object of an earlier life.
    Made(u32),
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

impl Depot {
    /// A slot for a new life.
    ///
    /// With `reuse`, slots with the object of an earlier life come first.
    pub(in crate::pool) fn acquire(&self, local: Option<&Local>, reuse: bool) -> Result<Found, AllocateError> {
        if self.is_managed() {
            // This may drop objects on behalf of other callers.
            self.contained(|| self.apply_limit(local));
        }
        let mut searches = 0;
        loop {
            if let Some(found) = reuse.then(|| self.find_made(local)).flatten() {
                return Ok(found);
            }
            let Some(limit) = self.exceeded() else {
                return self.find_empty(local).map(Found::Empty);
            };
            if searches > 0 {
                // Without a pin, another thread may be putting objects back: they are counted, and in no place that a search looks at.
                if searches == SEARCHES || self.pins.flags.oldest() != u64::MAX {
                    return Err((limit.error)(self));
                }
                yield_now();
            }
            // The search finished a few of the objects whose readers have left. This finishes all.
            self.drain_limbo();
            searches += 1;
        }
    }

    /// A slot with a free object.
    fn find_made(&self, local: Option<&Local>) -> Option<Found> {
        // Slots whose pins have ended come back first, so that the pool does not grow while they wait.
        self.drain(TOGETHER);
        // Under a limit, threads keep no lists.
        if self.is_managed() {
            let mut locked = self.locked.lock();
            let found = locked.kept.pop().map(Found::Made);
            let far = !self.room.is_limited() && self.is_far(&locked);
            drop(locked);
            if far {
                self.judge_again();
            }
            return found;
        }
        // A thread that has ended has no lists either: it takes one slot, and leaves the rest of the magazine.
        let Some(local) = local else {
            let mut magazine = self.stock.pop_ready()?;
            let slot = magazine.pop();
            if magazine.len() > 0 {
                self.stock.put(magazine.slots());
            }
            return slot.map(|slot| Found::Made(slot.index()));
        };
        // There may be a ready slot: a thread that used many other pools since comes here, too.
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        // For a few slots in limbo, a fence costs more than it gains while there are fresh slots.
        let is_worth_a_fence = || local.limbo_is_worth_a_fence() || !local.has_fresh() || self.holds_too_many();
        if !local.advance() && local.has_limbo() && is_worth_a_fence() {
            self.refill(local);
        }
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        // At last a magazine that another thread filled.
        if self.has_put_nothing_away() {
            return None;
        }
        let magazine = self.stock.pop_ready()?;
        self.give(local, magazine);
        local.begin_ready().map(Found::Begun)
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
