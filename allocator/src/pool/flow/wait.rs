//! Objects that wait for readers one by one, and the pools that have some.
//!
//! ```text
//! life ended ─► a pin? ──► deferred, with a stamp ──► every pin is newer ─┐
//!                 │                                                      ├─► guards? ──► DEFER bit: the last guard finishes it
//!                 └─────────── none ─────────────────────────────────────┘      └──────► finished here
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::pool::depot::depot::Depot;
use crate::pool::list::deferred::First;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags::{self, Stamp};
use crate::pool::reading::{mode, pin};
use crate::sync::plain::Ordering;
use crate::sync::{Mutex, bug, process_static, thread_static};

process_static! {
    /// Pools with objects that wait for a pin to end, by the stamp of the one that waits longest. Never held while user code or
    /// another lock's owner runs.
    static WAITING: Mutex<Waiting> = Mutex::new(Waiting::new());
}

type Waiting = BTreeMap<(Stamp, usize), WeakShared<Depot>>;

thread_static! {
    /// This thread runs what waited for pins.
    static FINISHING: Cell<bool> = Cell::new(false);
}

/// Has outermost pins finish what waits for them, from now on.
pub(in crate::pool) fn prepare() {
    pin::finish_waiting_with(finish_waiting);
}

/// Remembers a pool in which objects wait for pins to end, one of them since `stamp`. A pin that ended and did not find it
/// there is seen to have ended by a look after this: the lock orders the two.
fn remember(depot: &Depot, stamp: Stamp) {
    let mut waiting = WAITING.lock();
    let known = depot.waits_since.get();
    if known.is_some_and(|known| known <= stamp) {
        return;
    }
    let address = depot.me.address();
    let weak = known.and_then(|known| waiting.remove(&(known, address)));
    waiting.insert((stamp, address), weak.unwrap_or_else(|| depot.me.clone()));
    depot.waits_since.set(Some(stamp));
    note_first(&waiting);
}

/// The end of [`remember`], for a pool that ends.
pub(in crate::pool) fn forget(depot: &Depot) {
    let mut waiting = WAITING.lock();
    if let Some(known) = depot.waits_since.get() {
        waiting.remove(&(known, depot.me.address()));
        note_first(&waiting);
    }
}

#[cfg(all(test, not(acedia_loom)))]
pub(in crate::pool) fn is_remembered(depot: &WeakShared<Depot>) -> bool {
    WAITING.lock().values().any(|known| known.ptr_eq(depot))
}

/// Tells pins that end how long the pools wait. The caller holds the lock.
fn note_first(waiting: &Waiting) {
    let first = waiting.first_key_value().map(|(&(stamp, _), _)| stamp);
    flags::note_first_wait(first);
}

/// A pool that waits since `end` or before, for no pin that is still there. It is not remembered any more.
fn next_waiting(end: Stamp) -> Option<Shared<Depot>> {
    let mut waiting = WAITING.lock();
    loop {
        let first = waiting.first_entry()?;
        let (stamp, _) = *first.key();
        // Behind the lock: the scan must come after the stamp.
        if stamp > end || !stamp.has_passed(flags::oldest()) {
            return None;
        }
        let depot = first.remove().upgrade();
        note_first(&waiting);
        if let Some(depot) = depot {
            depot.waits_since.set(None);
            return Some(depot);
        }
    }
}

/// An unpin finishes so many generations of objects, each freed under a pin by finalizers of the one before. The rest waits for
/// the next: an endless chain must not keep a thread for ever.
const GENERATIONS: usize = 100;

/// Runs what waited for pins that have ended, in every pool.
#[cold]
fn finish_waiting() {
    // A finalizer that pins and unpins must not start over from inside: the loop comes to what it leaves.
    if FINISHING.with(|finishing| finishing.replace(true)) {
        return;
    }
    for _ in 0..GENERATIONS {
        // What finalizers leave in this round is for the next.
        let end = flags::now();
        while let Some(depot) = next_waiting(end) {
            // It is remembered again if something in it still waits.
            depot.finish_remembered();
        }
        if !flags::is_wait_over() {
            break;
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
        let stamp = self.deferred.push(index);
        // The last pin may have ended between the look and this, without seeing it.
        remember(self, stamp);
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
                remember(self, stamp);
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
