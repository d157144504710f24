//! Turns freed slots into ready ones.

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::{Local, len_u32};
use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags;
use crate::sync::bug;

/// Magazines that leave the limbo together: their slots may be of any chunks, and a few would stay scattered.
const TOGETHER: usize = 16;

impl Depot {
    /// Turns the thread's freed slots into ready ones, if no thread is pinned.
    pub(in crate::pool) fn refill(&self, local: &Local) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            self.pins
                .note_calm(local.ready_freed(|freed| self.leave_guarded(freed)));
        }
    }

    /// Slots whose readers have left, in the order of their memory: by way of the shelf, to which this moves some magazines
    /// from the limbo. `None` also if other threads took the slots from there.
    pub(in crate::pool) fn take_limbo(&self) -> Option<Box<Magazine>> {
        // At most as many as there are now: a magazine that still waits goes back to the end.
        for _ in 0..self.stock.limbo_len().min(TOGETHER) {
            let early = bug("scan_before_pop").then(|| self.pins.flags.oldest());
            let Some((mut magazine, stamp)) = self.stock.pop_limbo() else {
                break;
            };
            // The scan comes after the pop, and so after the stamp.
            let oldest = early.unwrap_or_else(|| self.pins.flags.oldest());
            if !stamp.has_passed(oldest) {
                self.stock.push_limbo(magazine, stamp);
                // The limbo is roughly in order, so the rest is younger.
                break;
            }
            self.leave_guarded(&mut magazine);
            self.stock.push_cold(magazine);
        }
        self.stock.pop_ready()
    }

    /// Makes room in a thread's full list of freed slots.
    pub(in crate::pool) fn make_room(&self, local: &Local) {
        let mut freed = local.take_freed(self.stock.empty());
        let early = bug("stamp_before_fence").then(|| {
            let stamp = self.pins.flags.stamp();
            // loom switches threads before a load and not before a fence.
            let _ = self.pins.flags.oldest();
            stamp
        });
        flags::fence_before_look();
        if self.pins.flags.oldest() != u64::MAX {
            let stamp = early.unwrap_or_else(|| self.pins.flags.stamp());
            return self.stock.push_limbo(freed, stamp);
        }
        self.pins.note_calm(len_u32(freed.len()));
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
