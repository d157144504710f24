//! Objects that wait for readers, and the list of pools in which they wait singly.
//!
//! ```text
//! life ended ─► a pin? ──► deferred, with a stamp ──► every pin is newer ─┐
//!                 │                                                      ├─► guards? ──► DEFER bit: the last guard finishes it
//!                 └─────────── none ─────────────────────────────────────┘      └──────► finished here
//! ```

use std::cmp::Ordering as Order;
use std::collections::BinaryHeap;

use crate::pool::depot::depot::Depot;
use crate::pool::list::deferred::{Entry, First};
use crate::pool::list::magazine::Magazine;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::domain::Pins;
use crate::pool::reading::flags::{self, Stamp};
use crate::pool::reading::pin;
use crate::sync::plain::Ordering;
use crate::sync::{Mutex, process_static};

process_static! {
    /// Pools with objects that wait singly for a pin to end, by domain. The lock is never held while user code runs or while
    /// the thread waits for another lock.
    static WAITING: Mutex<Waiting> = Mutex::new(Waiting(Vec::new()));
}

/// The few domains with such pools, by their addresses.
struct Waiting(Vec<(usize, BinaryHeap<Listed>)>);

/// A pool, and the stamp of its object that waits longest. The entry is stale if the pool's own note ([`Depot::waits_since`]) has
/// another stamp.
struct Listed {
    stamp: Stamp,
    depot: WeakShared<Depot>,
}

impl Ord for Listed {
    /// The oldest stamp is the greatest, so that it is the first of a heap.
    fn cmp(&self, other: &Self) -> Order {
        other.stamp.cmp(&self.stamp)
    }
}

impl PartialOrd for Listed {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        self.stamp == other.stamp
    }
}

impl Eq for Listed {}

impl Waiting {
    /// The pools of a domain.
    fn of(&mut self, pins: &Pins) -> &mut BinaryHeap<Listed> {
        let domain = pins.address();
        let at = self.0.iter().position(|&(one, _)| one == domain);
        let at = at.unwrap_or_else(|| {
            self.0.push((domain, BinaryHeap::new()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

/// From now on, the end of an outermost pin finishes objects that waited for it.
pub(in crate::pool) fn prepare() {
    pin::drain_domains_with(drain_domain);
}

/// Adds to the list a pool in which objects wait for pins to end, one of them since `stamp`. If a pin ended and did not
/// find the pool there, a look after this sees that the pin has ended: the lock orders the two.
fn remember(depot: &Depot, stamp: Stamp) {
    enter(depot, stamp);
    if depot.room.is_awaited() {
        flags::fence_ends_of_pins();
    }
}

fn enter(depot: &Depot, stamp: Stamp) {
    let mut waiting = WAITING.lock();
    let known = depot.waits_since.get();
    if known.is_some_and(|known| known <= stamp) {
        return;
    }
    let pools = waiting.of(depot.pins);
    // An entry with a later stamp stays, and is stale from now on.
    pools.push(Listed {
        stamp,
        depot: depot.me.clone(),
    });
    depot.waits_since.set(Some(stamp));
    note_first(pools, depot.pins);
    depot.pins.flags.note_pins();
}

/// Removes a pool that ends from the list.
pub(in crate::pool) fn forget(depot: &Depot) {
    let mut waiting = WAITING.lock();
    if depot.waits_since.get().is_some() {
        let pools = waiting.of(depot.pins);
        pools.retain(|listed| listed.depot.address() != depot.me.address());
        note_first(pools, depot.pins);
    }
}

#[cfg(all(test, not(acedia_loom)))]
pub(in crate::pool) fn is_remembered(depot: &WeakShared<Depot>) -> bool {
    let waiting = WAITING.lock();
    let mut all = waiting.0.iter().flat_map(|(_, pools)| pools);
    all.any(|listed| listed.depot.ptr_eq(depot))
}

/// Publishes the oldest stamp of a domain for its pins that end. The caller holds the lock.
fn note_first(pools: &BinaryHeap<Listed>, pins: &Pins) {
    pins.flags.note_first_wait(pools.peek().map(|listed| listed.stamp));
}

/// Removes a pool of the domain from the list that waits since `end` or before, for pins that have all ended.
fn next_waiting(pins: &Pins, end: Stamp) -> Option<Shared<Depot>> {
    loop {
        let mut waiting = WAITING.lock();
        let pools = waiting.of(pins);
        let stamp = pools.peek()?.stamp;
        // Under the lock: the scan must come after the stamp.
        if stamp > end || !stamp.has_passed(pins.flags.oldest()) {
            return None;
        }
        let depot = pools.pop()?.depot.upgrade();
        note_first(pools, pins);
        let current = depot.as_ref().filter(|depot| depot.waits_since.get() == Some(stamp));
        let is_current = current.is_some_and(|depot| depot.waits_since.take().is_some());
        // Before `depot`, which may be the last owner of the pool: the end of a pool takes the lock.
        drop(waiting);
        if is_current {
            return depot;
        }
    }
}

/// The generations of objects that one unpin finishes; finalizers of one generation free the next under a pin. The rest
/// waits for the next unpin, so that an endless chain does not occupy a thread for ever.
const GENERATIONS: usize = 100;

/// Finishes objects that waited for pins that have ended, in every pool of the domain.
#[cold]
fn drain_domain(pins: &'static Pins) {
    // A finalizer that pins and unpins must not recurse: the loop finishes the objects that it leaves.
    if pins.with(|thread| thread.finishing.replace(true)) {
        return;
    }
    for _ in 0..GENERATIONS {
        // Objects that finalizers leave in this round are for the next.
        let end = pins.flags.now();
        while let Some(depot) = next_waiting(pins, end) {
            // The pool is listed again if some of its objects still wait.
            depot.drain_listed();
        }
        if !pins.flags.is_wait_over() {
            break;
        }
    }
    pins.with(|thread| thread.finishing.set(false));
}

impl Depot {
    /// Finishes an object at once if it has no readers; otherwise it is finished after the last of them.
    pub(in crate::pool) fn finalize_or_wait(&self, slot: Slot) {
        flags::fence_before_look();
        if self.pins.flags.oldest() == u64::MAX {
            if slot.readers().quiet() {
                self.finalize(slot);
            } else {
                self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
                if slot.readers().defer() {
                    self.finalize_for_others(slot);
                }
            }
        } else {
            self.defer(slot.index());
        }
    }

    /// Defers a slot whose life is over until all current pins have ended. The caller has fenced since.
    pub(in crate::pool) fn defer(&self, index: u32) {
        // Counted first: the thread that takes the slot subtracts from the count.
        self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
        let stamp = self.deferred.push(Entry::One(index), &self.pins.flags);
        // The last pin may have ended since the caller's look, without seeing the slot.
        remember(self, stamp);
        if stamp.has_passed(self.pins.flags.oldest()) {
            self.drain_deferred();
        }
    }

    /// Defers slots without finalizers until all current pins have ended. The caller has fenced since their lives ended. Unless the
    /// pool has a limit, the end of a pin does not look for them, but an allocation does.
    pub(in crate::pool) fn defer_together(&self, slots: Box<Magazine>) {
        // A limit is set under this lock. A later one finds the slots.
        let cold = self.cold.lock();
        if self.is_managed() {
            drop(cold);
            return slots.slots().for_each(|slot| self.defer(slot.index()));
        }
        self.numbers.leaving.fetch_add(slots.len() as u64, Ordering::Relaxed);
        self.deferred.push(Entry::Many(slots), &self.pins.flags);
    }

    /// Finishes all objects that waited for pins that have ended. Returns the stamp of the object that waits longest now, if
    /// there is one.
    pub(in crate::pool) fn drain_deferred(&self) -> Option<Stamp> {
        self.drain(usize::MAX)
    }

    /// As [`drain_deferred`](Self::drain_deferred), for at most `most` entries.
    pub(in crate::pool) fn drain(&self, most: usize) -> Option<Stamp> {
        // At most as many as there are now: objects that finalizers add are for the next call.
        for _ in 0..self.deferred.len().min(most) {
            match self.deferred.pop(&self.pins.flags) {
                First::Free(Entry::One(index)) => self.finalize_or_leave(Slot::of_own(index)),
                First::Free(Entry::Many(slots)) => self.put_back(slots),
                First::Waits(stamp) => return Some(stamp),
                First::None => return None,
            }
        }
        None
    }

    /// Puts slots whose pins have ended into the stock, or places them singly under a limit.
    fn put_back(&self, mut slots: Box<Magazine>) {
        // As in `defer_together`.
        let cold = self.cold.lock();
        if self.is_managed() {
            drop(cold);
            return slots.slots().for_each(|slot| self.finalize_or_leave(slot));
        }
        let count = slots.len() as u64;
        self.leave_guarded(&mut slots);
        self.stock.push_cold(slots);
        self.numbers.leaving.fetch_sub(count, Ordering::Relaxed);
    }

    /// Finishes an object whose pins have ended, or leaves it to its guards, which may outlast them.
    fn finalize_or_leave(&self, slot: Slot) {
        // The life ended long before, and a fence came since.
        if slot.readers().quiet() || slot.readers().defer() {
            self.finalize_for_others(slot);
        }
    }

    /// As [`drain_deferred`](Self::drain_deferred), and lists the pool, which is not listed, as long as objects wait singly or under
    /// a limit.
    pub(in crate::pool) fn drain_listed(&self) {
        while let Some(stamp) = self.drain_deferred() {
            if !self.deferred.has_single() && !self.is_managed() {
                break;
            }
            // While the pool was not in the list, the last pin may have ended without finding it. The lock in `remember`
            // orders the two threads: either the other thread finds the pool now, or this one sees the pin's end.
            remember(self, stamp);
            if !stamp.has_passed(self.pins.flags.oldest()) {
                break;
            }
        }
    }

    /// As [`finalize`](Self::finalize), for an object that another caller freed: a panic is counted and contained.
    #[cold]
    pub(in crate::pool) fn finalize_for_others(&self, slot: Slot) {
        self.numbers.leaving.fetch_sub(1, Ordering::Relaxed);
        self.for_others(|| self.finalize(slot));
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
