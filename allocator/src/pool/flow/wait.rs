//! Objects that wait for readers one by one, and the pools that have some.
//!
//! ```text
//! life ended ─► a pin? ──► deferred, with a stamp ──► every pin is newer ─┐
//!                 │                                                      ├─► guards? ──► DEFER bit: the last guard finishes it
//!                 └─────────── none ─────────────────────────────────────┘      └──────► finished here
//! ```

use std::cell::Cell;

use crate::pool::depot::depot::Depot;
use crate::pool::list::deferred::First;
use crate::pool::memory::shared::WeakShared;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags::{self, PINS, Stamp};
use crate::pool::reading::{mode, pin};
use crate::sync::plain::Ordering;
use crate::sync::{Mutex, bug, process_static, thread_static};

process_static! {
    /// Pools with objects that wait for a pin to end. Never held while user code or another lock's owner runs.
    static WAITING: Mutex<Vec<WeakShared<Depot>>> = Mutex::new(Vec::new());
}

thread_static! {
    /// This thread runs what waited for pins.
    static FINISHING: Cell<bool> = Cell::new(false);
}

/// Has outermost pins finish what waits for them, from now on.
pub(in crate::pool) fn prepare() {
    pin::finish_waiting_with(finish_waiting);
}

/// Counts an object that waits for a pin to end. `remember` must follow once it can be found.
pub(in crate::pool) fn count_waiting() {
    PINS.pending.fetch_add(1, Ordering::Relaxed);
}

/// Remembers a pool in which objects wait for pins to end. A pin that ended and did not find it there is seen to have
/// ended by whoever looks after this: the lock orders the two.
pub(in crate::pool) fn remember(depot: &WeakShared<Depot>) {
    let mut waiting = WAITING.lock();
    if !waiting.iter().any(|known| known.ptr_eq(depot)) {
        waiting.push(depot.clone());
    }
}

#[cfg(all(test, not(acedia_loom)))]
pub(in crate::pool) fn is_remembered(depot: &WeakShared<Depot>) -> bool {
    WAITING.lock().iter().any(|known| known.ptr_eq(depot))
}

/// The end of [`remember`], for a pool that ends.
pub(in crate::pool) fn forget(depot: &WeakShared<Depot>) {
    WAITING.lock().retain(|known| !known.ptr_eq(depot));
}

/// Takes back what [`count_waiting`] counted.
pub(in crate::pool) fn sub_waiting(count: usize) {
    PINS.pending.fetch_sub(count, Ordering::Relaxed);
}

/// Runs what waited for pins to end, in whatever pool.
#[cold]
fn finish_waiting() {
    // A finalizer that pins and unpins must not start over from inside.
    if FINISHING.with(|finishing| finishing.replace(true)) {
        return;
    }
    let pools = std::mem::take(&mut *WAITING.lock());
    for weak in pools {
        // It is remembered again if something in it still waits.
        if let Some(depot) = weak.upgrade() {
            depot.finish_remembered();
        }
    }
    FINISHING.with(|finishing| finishing.set(false));
}

impl Depot {
    /// Finishes an object at once if nobody is looking, else leaves it to whoever looks last.
    pub(in crate::pool) fn finish_or_defer(&self, slot: Slot) {
        flags::fence_before_look();
        if flags::oldest() == u64::MAX {
            mode::note_calm(1);
            if slot.readers().quiet() {
                self.finish(slot);
            } else {
                self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
                if slot.readers().defer() {
                    self.finish_late(slot);
                }
            }
        } else {
            self.defer(slot.index());
        }
    }

    /// Leaves a slot whose life is over to whoever ends the last pin that there is. The caller has fenced since.
    pub(in crate::pool) fn defer(&self, index: u32) {
        // Counted first: who takes it takes the count back.
        self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
        count_waiting();
        let stamp = self.deferred.push(index);
        // The last pin may have ended between the look and this, without seeing it.
        remember(&self.me);
        if stamp.has_passed(flags::oldest()) {
            self.finish_deferred();
        }
    }

    /// Finishes what waited for pins that have ended. The stamp of what waits longest now, if anything does.
    pub(in crate::pool) fn finish_deferred(&self) -> Option<Stamp> {
        // As many as there are: finalizers may add more, for the next time.
        for _ in 0..self.deferred.len() {
            let index = match self.deferred.pop() {
                First::Free(index) => index,
                First::Waits(stamp) => return Some(stamp),
                First::None => return None,
            };
            sub_waiting(1);
            let slot = Slot::of_own(index);
            // Guards may hold it beyond the pins. The life ended long before, and a fence came since.
            if slot.readers().quiet() || slot.readers().defer() {
                self.finish_late(slot);
            }
        }
        None
    }

    /// As [`finish_deferred`](Self::finish_deferred), by who took the pool from those that are remembered: it is remembered again
    /// as long as something waits.
    pub(in crate::pool) fn finish_remembered(&self) {
        while let Some(stamp) = self.finish_deferred() {
            // While nobody remembered the pool, the last pin may have ended and found none. The lock in `remember` orders the
            // two: either that thread finds it now, or this one sees the pin's end.
            if !bug("deferred_not_looked_at_again") {
                remember(&self.me);
            }
            if bug("deferred_not_looked_at_again") || !stamp.has_passed(flags::oldest()) {
                break;
            }
        }
    }

    /// As [`finish`](Self::finish), for an object somebody else freed: a panic goes no further.
    #[cold]
    pub(in crate::pool) fn finish_late(&self, slot: Slot) {
        self.numbers.leaving.fetch_sub(1, Ordering::Relaxed);
        self.for_others(|| self.finish(slot));
    }
}
