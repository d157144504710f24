//! Turns slots in limbo into ready ones.

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags;

impl Depot {
    /// Turns the thread's slots in limbo into ready ones, if no thread is pinned.
    pub(in crate::pool) fn refill(&self, local: &Local) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            local.ready_limbo(|slots| self.leave_guarded(slots));
        }
    }

    /// Makes room in a thread's full limbo.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let mut limbo = local.take_limbo(self.stock.empty());
        flags::fence_before_look();
        if self.pins.flags.oldest() != u64::MAX {
            return self.defer_together(limbo);
        }
        self.leave_guarded(&mut limbo);
        self.give(local, limbo);
    }

    /// Puts slots among the thread's ready ones, or into the stock if there is no room.
    pub(in crate::pool) fn give(&self, local: &Local, magazine: Box<Magazine>) {
        let Some(left) = local.accept(magazine) else { return };
        if left.len() > 0 {
            self.stock.push_ready(left);
        } else {
            self.stock.keep_empty(left);
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
