//! Freed slots made ready again.

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::{Local, len_u32};
use crate::pool::list::magazine::Magazine;
use crate::pool::reading::{flags, mode};
use crate::sync::bug;

/// Magazines of scattered slots that leave the limbo together.
const TOGETHER: usize = 16;

impl Depot {
    /// Turns the thread's freed slots into ready ones, if nobody is reading.
    pub(in crate::pool) fn refill(&self, local: &Local) {
        flags::fence_before_look();
        if flags::oldest() == u64::MAX {
            mode::note_calm(local.ready_freed(!self.guarding.is_nobody()));
        }
    }

    /// Slots from the limbo whose readers have left.
    pub(in crate::pool) fn take_limbo(&self) -> Option<Box<Magazine>> {
        // As many as there were: what cannot be taken yet goes back to the end.
        for _ in 0..self.stock.limbo_len() {
            let early = bug("scan_before_pop").then(flags::oldest);
            let (mut magazine, stamp) = self.stock.pop_limbo()?;
            // After the pop: the scan must come after the stamp.
            let oldest = early.unwrap_or_else(flags::oldest);
            if !stamp.has_passed(oldest) {
                self.stock.push_limbo(magazine, stamp);
                // The limbo is roughly in order: the rest is younger.
                return None;
            }
            if let Some(guarded) = self.take_guarded(&mut magazine) {
                self.stock.push_limbo(guarded, stamp);
            }
            if magazine.len() > 0 {
                return Some(magazine);
            }
        }
        None
    }

    /// Slots that came from the limbo, by way of the shelf if they are scattered: other ones then, or none if others were faster.
    pub(in crate::pool) fn put_in_order(&self, first: Box<Magazine>) -> Option<Box<Magazine>> {
        if !self.stock.puts_in_order(&first) {
            return Some(first);
        }
        self.stock.push_ready(first);
        // Few would stay scattered.
        (1..TOGETHER)
            .map_while(|_| self.take_limbo())
            .for_each(|more| self.stock.push_ready(more));
        self.stock.pop_ready()
    }

    /// Makes room in a thread's full list of freed slots.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let mut freed = local.take_freed(self.stock.empty());
        flags::fence_before_look();
        if flags::oldest() != u64::MAX {
            return self.stock.push_limbo(freed, flags::stamp());
        }
        mode::note_calm(len_u32(freed.len()));
        if let Some(guarded) = self.take_guarded(&mut freed) {
            // Through the limbo, not back on the list: guards may be held for long.
            self.stock.push_limbo(guarded, flags::stamp());
        }
        self.give(local, freed);
    }

    /// Puts slots among the thread's ready ones, or on the shelf if there is no room.
    pub(in crate::pool) fn give(&self, local: &Local, magazine: Box<Magazine>) {
        let Some(left) = local.accept(magazine) else { return };
        if left.len() > 0 {
            self.stock.push_ready(left);
        } else {
            self.stock.keep_empty(left);
        }
    }
}
