//! Turns freed slots into ready ones.

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::{Local, len_u32};
use crate::pool::list::magazine::Magazine;
use crate::pool::reading::flags;
use crate::sync::bug;

/// Magazines of scattered slots that leave the limbo together.
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

    /// Slots from the limbo whose readers have left.
    pub(in crate::pool) fn take_limbo(&self) -> Option<Box<Magazine>> {
        // At most as many as there are now: a magazine that still waits goes back to the end.
        for _ in 0..self.stock.limbo_len() {
            let early = bug("scan_before_pop").then(|| self.pins.flags.oldest());
            let (mut magazine, stamp) = self.stock.pop_limbo()?;
            // The scan comes after the pop, and so after the stamp.
            let oldest = early.unwrap_or_else(|| self.pins.flags.oldest());
            if !stamp.has_passed(oldest) {
                self.stock.push_limbo(magazine, stamp);
                // The limbo is roughly in order, so the rest is younger.
                return None;
            }
            self.leave_guarded(&mut magazine);
            if magazine.len() > 0 {
                return Some(magazine);
            }
        }
        None
    }

    /// Puts scattered slots from the limbo in order, by way of the shelf. This may return other slots, or `None` if other
    /// threads took them.
    pub(in crate::pool) fn put_in_order(&self, first: Box<Magazine>) -> Option<Box<Magazine>> {
        if !self.stock.puts_in_order(&first) {
            return Some(first);
        }
        self.stock.push_ready(first);
        // A few slots would stay scattered, so take more.
        (1..TOGETHER)
            .map_while(|_| self.take_limbo())
            .for_each(|more| self.stock.push_ready(more));
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

#[cfg(all(test, acedia_loom))]
mod models;
