//! The pools in which objects wait singly for pins, in the order of their stamps: the end of a pin finds them here.

use std::collections::VecDeque;

use crate::pool::depot::depot::Depot;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::reading::participant::Participant;
use crate::pool::reading::pins::{self, Epoch, Pins};
use crate::sync::{Mutex, process_static};

process_static! {
    /// Pools with objects that wait singly for a pin to end. The lock is never held while user code runs or while the thread waits
    /// for another lock.
    static WAITING: Mutex<Waiting> = Mutex::new(Waiting::new());
}

/// The pools in the order of their places. Each is here once, with the stamp of its object which waits longest. A queue, not a tree, which
/// is 12 KB of code: a pool mostly comes at the end of its domain's stretch and leaves at the beginning, and others move 32 bytes for
/// each pool between them and an end of the queue.
struct Waiting(VecDeque<(Place, WeakShared<Depot>)>);

/// The address of the domain, the stamp of the object, and the address of the pool.
type Place = (usize, Epoch, usize);

fn place(depot: &Depot, stamp: Epoch) -> Place {
    (depot.pins.address(), stamp, depot.weak.address())
}

impl Waiting {
    const fn new() -> Self {
        Self(VecDeque::new())
    }

    /// The position of that place.
    #[inline(never)]
    fn find(&self, place: Place) -> usize {
        self.0.partition_point(|&(other, _)| other < place)
    }

    fn insert(&mut self, place: Place, depot: WeakShared<Depot>) {
        self.0.insert(self.find(place), (place, depot));
    }

    #[inline(never)]
    fn remove(&mut self, place: Place) -> Option<WeakShared<Depot>> {
        let at = self.find(place);
        let (found, _) = self.0.get(at)?;
        if *found != place {
            return None;
        }
        self.0.remove(at).map(|(_, depot)| depot)
    }

    /// Publishes the oldest stamp of a domain, that of its first place, for its pins that end. The caller holds the lock.
    #[inline(never)]
    fn note_first(&self, pins: &Pins) {
        pins.note_first_wait(self.places(pins).next().map(|(_, stamp, _)| stamp));
    }

    /// The places of a domain, the one with the oldest stamp first.
    fn places(&self, pins: &Pins) -> impl Iterator<Item = Place> {
        let domain = pins.address();
        let places = self.0.range(self.find((domain, Epoch::FIRST, 0))..);
        places
            .map(|&(place, _)| place)
            .take_while(move |place| place.0 == domain)
    }
}

/// Adds to the list a pool in which objects wait for pins to end, one of them since `stamp`. If the end of a pin took the lock of the
/// list and did not find the pool, a scan after this sees that the pin has ended, because the lock orders the two. If the check without the
/// lock (`Pins::is_wait_over`) missed the pool, a later unpin, free, allocation or collection finds it. A pool with a queue for capacity
/// cannot wait for that, and fences the ends of pins.
pub(in crate::pool) fn remember(depot: &Depot, stamp: Epoch) {
    enter(depot, stamp);
    if depot.bound.is_some() && depot.locked.lock().room.is_awaited() {
        pins::fence_ends_of_pins();
    }
}

fn enter(depot: &Depot, stamp: Epoch) {
    let mut waiting = WAITING.lock();
    let known = depot.waits_since.get();
    if known.is_some_and(|known| known <= stamp) {
        return;
    }
    if let Some(later) = known {
        waiting.remove(place(depot, later));
    }
    waiting.insert(place(depot, stamp), depot.weak.clone());
    depot.waits_since.set(Some(stamp));
    depot.pins.note_wait(stamp);
    depot.pins.note_pins();
}

/// Removes a pool that ends from the list.
pub(in crate::pool) fn forget(depot: &Depot) {
    let mut waiting = WAITING.lock();
    if let Some(since) = depot.waits_since.take() {
        waiting.remove(place(depot, since));
        waiting.note_first(depot.pins);
    }
}

#[cfg(all(test, not(acedia_loom)))]
pub(in crate::pool) fn is_remembered(depot: &WeakShared<Depot>) -> bool {
    WAITING.lock().0.iter().any(|(_, listed)| listed.ptr_eq(depot))
}

/// Removes a pool of the domain from the list that waits since `end` or before, for pins that have all ended.
fn next_waiting(pins: &Pins, end: Epoch) -> Option<Shared<Depot>> {
    loop {
        let mut waiting = WAITING.lock();
        let mut places = waiting.places(pins);
        let place = places.next()?;
        drop(places);
        let (_, stamp, _) = place;
        // Under the lock: the scan must come after the stamp.
        if stamp > end || !stamp.has_passed(pins.oldest()) {
            return None;
        }
        let depot = waiting.remove(place)?.upgrade();
        waiting.note_first(pins);
        // Without an owner, the pool is ending.
        if let Some(depot) = depot {
            depot.waits_since.set(None);
            return Some(depot);
        }
    }
}

/// The generations of objects that one unpin finishes; finalizers of one generation free the next under a pin. The rest
/// waits for the next unpin, so that an endless chain does not occupy a thread for ever.
const GENERATIONS: usize = 100;

/// Finishes objects that waited for pins that have ended, in every pool of the domain. `thread` has ended its outermost pin.
#[cold]
#[inline(never)]
pub(in crate::pool) fn drain_domain(pins: &'static Pins, thread: &Participant) {
    // A finalizer that pins and unpins must not recurse: the loop finishes the objects that it leaves.
    if thread.finishing.replace(true) {
        return;
    }
    for _ in 0..GENERATIONS {
        // Objects that finalizers leave in this round are for the next.
        let end = pins.now();
        while let Some(depot) = next_waiting(pins, end) {
            // The pool is listed again if some of its objects still wait.
            depot.drain_listed();
        }
        if !pins.is_wait_over() {
            break;
        }
    }
    thread.finishing.set(false);
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
