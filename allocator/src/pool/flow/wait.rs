//! The pools in which objects wait singly for pins, in the order of their stamps: the end of a pin finds them here.

use std::cmp::Ordering as Order;
use std::collections::BinaryHeap;

use crate::pool::depot::depot::Depot;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::reading::domain::Pins;
use crate::pool::reading::flags::{self, Stamp};
use crate::pool::reading::pin;
use crate::pool::reading::who::Thread;
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
pub(in crate::pool) fn remember(depot: &Depot, stamp: Stamp) {
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
        depot: depot.weak.clone(),
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
        pools.retain(|listed| listed.depot.address() != depot.weak.address());
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
fn drain_domain(pins: &'static Pins, thread: &Thread) {
    // A finalizer that pins and unpins must not recurse: the loop finishes the objects that it leaves.
    if thread.finishing.replace(true) {
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
    thread.finishing.set(false);
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
