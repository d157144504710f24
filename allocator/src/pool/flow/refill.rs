//! Turns freed slots into ready ones.

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags;

impl Depot {
    /// Turns the thread's freed slots into ready ones, if no thread is pinned.
    pub(in crate::pool) fn refill(&self, local: &Local) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            local.ready_freed(|freed| self.leave_guarded(freed));
        }
    }

    /// Makes room in a thread's full list of freed slots.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let mut freed = local.take_freed(self.stock.empty());
        flags::fence_before_look();
        if self.pins.flags.oldest() != u64::MAX {
            return self.defer_together(freed);
        }
        self.leave_guarded(&mut freed);
        self.give(local, freed);
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
