//! The search for a slot when the thread has none ready.
//!
//! ```text
//! ready behind ─► freed by this thread ─► ready in the stock ─► kept ─► limbo ─► without an object: own, blank, fresh, a new chunk
//! ```

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::list::capacity::Wait;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::{MAGAZINE, Magazine};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags;
use crate::sync::bug;
use crate::sync::plain::Ordering;

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

/// Of what threads without magazines put away, a thread takes no fewer at a time.
const FEWEST: usize = if cfg!(acedia_loom) { MAGAZINE } else { 4 };

impl Depot {
    /// A slot for a new life, counted against the capacity.
    ///
    /// `reuse` asks for the object of an earlier life where there is one.
    pub(in crate::pool) fn acquire(
        &self,
        local: Option<&Local>,
        reuse: bool,
        wait: Wait,
    ) -> Result<Found, AllocateError> {
        // What waits for readers is not in use any more once they have left.
        self.capacity
            .enter(wait, || {
                self.finish_deferred();
            })
            .map_err(|capacity| AllocateError::Full {
                type_name: (self.shape.type_name)(),
                capacity,
            })?;
        if self.is_managed() {
            // What others have freed is dropped for it.
            self.for_others(|| self.obey_limit(local));
        }
        if let Some(found) = reuse.then(|| self.find_made(local)).flatten() {
            return Ok(found);
        }
        match self.find_empty(local) {
            Ok(index) => Ok(Found::Empty(index)),
            Err(error) => {
                self.capacity.leave();
                Err(error)
            }
        }
    }

    /// A slot with a free object.
    fn find_made(&self, local: Option<&Local>) -> Option<Found> {
        self.finish_deferred();
        if self.is_managed() {
            return self.cold.lock().kept.pop().map(Found::Made);
        }
        let Some(local) = local else {
            let mut magazine = self.pop_shelved().or_else(|| self.take_limbo())?;
            let slot = magazine.pop();
            if magazine.len() > 0 {
                self.stock.push_ready(magazine);
            }
            return slot.map(|slot| Found::Made(slot.index()));
        };
        // There may be one: the way here is also for a thread that used many other pools since.
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        // A fence for a few slots would cost more than it gains, while there are others.
        if !local.advance() && local.has_freed() && (local.freed_is_worth_a_fence() || !local.has_fresh()) {
            self.refill(local);
        }
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        if self.has_put_nothing_away() {
            return None;
        }
        let magazine = self.pop_shelved().or_else(|| {
            // While the pin that stood in the way is still the oldest, its limbo is, too.
            let oldest = flags::oldest();
            let worth_it = oldest == u64::MAX || oldest != local.blocked_by.get();
            let magazine = worth_it.then(|| self.take_limbo()).flatten();
            local.blocked_by.set(if magazine.is_none() { oldest } else { u64::MAX });
            self.put_in_order(magazine?)
        })?;
        self.give(local, magazine);
        local.begin_ready().map(Found::Begun)
    }

    /// Whether there are no free objects but those on threads' lists. Asking each queue would be a fence for each.
    fn has_put_nothing_away(&self) -> bool {
        // Around a plain load loom explores next to nothing: there, models ask the queues.
        #[cfg(acedia_loom)]
        if !crate::sync::loads_are_rmw() {
            return false;
        }
        // Relaxed, both: a miss leaves them to the next look.
        self.stock.slots() == 0 && !self.any_kept.load(Ordering::Relaxed) || bug("put_away_forgotten")
    }

    /// Whether there is no free object that [`acquire`](Self::acquire) would give to a thread that has none ready.
    pub(in crate::pool) fn has_nothing_for(&self, local: &Local) -> bool {
        self.has_put_nothing_away() && self.deferred.is_empty() && !local.has_some_behind()
    }

    /// Slots that may be reused at once and that no thread holds.
    fn pop_shelved(&self) -> Option<Box<Magazine>> {
        self.stock.pop_ready().or_else(|| self.take_kept())
    }

    /// What threads without magazines put away, and what a limit that was lifted has left.
    fn take_kept(&self) -> Option<Box<Magazine>> {
        // Relaxed: a miss leaves them to the next look.
        if !self.any_kept.load(Ordering::Relaxed) || bug("kept_forgotten") {
            return None;
        }
        // Without memory for one, they stay where they are.
        let mut magazine = self.stock.try_empty()?;
        {
            let mut cold = self.cold.lock();
            // This thread's share: if many threads want a few each, one must not have them all.
            let share = (cold.kept.len() / cold.locals.len().max(1)).clamp(FEWEST, MAGAZINE);
            let rest = cold.kept.len().saturating_sub(share);
            cold.kept
                .drain(rest..)
                .for_each(|index| magazine.push(Slot::of_own(index)));
            self.any_kept.store(rest > 0, Ordering::Relaxed);
        }
        (magazine.len() > 0).then_some(magazine)
    }

    /// A slot without an object.
    fn find_empty(&self, local: Option<&Local>) -> Result<u32, AllocateError> {
        if let Some(index) = local.and_then(Local::take_fresh) {
            return Ok(index);
        }
        let mut cold = self.cold.lock();
        if let Some(local) = local {
            self.note_peak(local, &cold);
        }
        if let Some(index) = cold.blank.pop() {
            return Ok(index);
        }
        let (first, end) = match cold.fresh.pop() {
            Some(run) => run,
            None => self.grow(&mut cold)?,
        };
        // Many from one place, so that threads do not write to the same cache lines.
        let share = if local.is_some() {
            end.min(first + SHARE)
        } else {
            first + 1
        };
        if share < end {
            cold.fresh.push((share, end));
        }
        if let Some(local) = local {
            local.fresh.set((first + 1, share));
        }
        Ok(first)
    }
}
