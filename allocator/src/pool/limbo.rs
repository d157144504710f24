//! [`Limbo`]: the slots of a pool that wait until every pin is newer than the end of their lives.
//!
//! ```text
//!   push ──► queue: (slots, stamp), (slots, stamp) … ──► is every pin newer? ── yes ──► take
//!                                                              │ no
//!                                                              ▼
//!                                        young: the entry that was taken last and was too young
//! ```
//!
//! A queue cannot be looked into, so the entry that was found too young stays beside it, and is looked at before the queue. Its stamp
//! is also in a word of its own: while a pin is held, one load and a scan of the pins say that there is nothing to take.
//!
//! The stamps rise along the queue, but for threads that push at the same moment, and for an entry that a thread could not put back
//! because another entry was put back first. Such an entry may wait longer than its own stamp says, never shorter: each entry is
//! compared with its own stamp.

use std::ptr::{self, NonNull};

use crate::pool::pins::{Pins, Stamp};
use crate::pool::stock::Magazine;
use crate::sync::{AtomicPtr, AtomicU64, Ordering, Queue};

/// The slots of a pool that wait for pins to end.
pub(super) struct Limbo {
    queue: Queue<Entry>,
    /// An entry that was too young, or null.
    young: AtomicPtr<Entry>,
    /// The stamp of the entry that was put into `young` last, or shortly before (`put_back`). It stays when the entry is taken: then it has
    /// passed, but for a pin that read an old epoch, which only delays.
    young_since: AtomicU64,
    /// The entries. Raised before an entry comes and lowered after it has gone.
    entries: AtomicU64,
    /// Of these, the entries with a single slot.
    singles: AtomicU64,
}

/// Slots that wait together, and their stamp.
struct Entry {
    slots: Waiting,
    since: Stamp,
}

/// Slots whose lives have ended.
pub(super) enum Waiting {
    /// A slot whose object has a finalizer, is in a counted pool, was in its last life, was freed on a thread without lists, or was one of a few
    /// in a thread's limbo that was emptied (`Depot::empty_local`).
    One(u32),
    /// Slots of other objects.
    Many(Box<Magazine>),
}

/// The result of [`Limbo::take`].
pub(super) enum Taken {
    Slots(Waiting),
    /// There is no entry, or another thread has the only one and may put it back.
    Nothing,
    /// An entry with this stamp is too young.
    Young(Stamp),
    /// As `Young`, but other threads may have missed the entry meanwhile.
    PutBack(Stamp),
}

impl Limbo {
    pub(super) fn new() -> Self {
        Self {
            queue: Queue::new(),
            young: AtomicPtr::new(ptr::null_mut()),
            young_since: AtomicU64::new(0),
            entries: AtomicU64::new(0),
            singles: AtomicU64::new(0),
        }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> u64 {
        // Relaxed: after a miss, the next look finds the entry.
        self.entries.load(Ordering::Relaxed)
    }

    /// Whether a slot waits singly.
    pub(super) fn has_single(&self) -> bool {
        // Relaxed: its callers are ordered after the push, by the exchange of `Depot::is_listed` or by the pop of the entry.
        self.singles.load(Ordering::Relaxed) > 0
    }

    /// Adds slots whose lives have ended. The caller has fenced since. Returns their stamp.
    pub(super) fn push(&self, slots: Waiting, pins: &Pins) -> Stamp {
        let since = pins.stamp();
        // Before the entry comes: a thread that takes it lowers the numbers afterwards (`without`), and so never below 0. Relaxed, there and
        // here: see `len` and `has_single`, the only readers.
        if let Waiting::One(_) = slots {
            self.singles.fetch_add(1, Ordering::Relaxed);
        }
        self.entries.fetch_add(1, Ordering::Relaxed);
        // A push happens before the pop of its entry (crossbeam), as Release and Acquire: the thread that pops it comes after the ends of the
        // lives and after the fence.
        self.queue.push(Entry { slots, since });
        since
    }

    /// Takes slots for which every pin is newer.
    pub(super) fn take(&self, pins: &Pins) -> Taken {
        // Relaxed: an old stamp only makes this thread take the entry and put it back.
        let since = Stamp::of(self.young_since.load(Ordering::Relaxed));
        if !since.has_passed(pins.oldest()) {
            return Taken::Young(since);
        }
        let Some(entry) = self.take_first() else {
            return Taken::Nothing;
        };
        // The scan comes after the pop, and so after the stamp. A pin that it misses has a later fence than the thread that pushed the entry,
        // and finds the lives ended.
        let since = entry.since;
        if since.has_passed(pins.oldest()) {
            return Taken::Slots(self.without(entry));
        }
        self.put_back(entry);
        Taken::PutBack(since)
    }

    /// Takes any slots, at the end of the pool.
    pub(super) fn take_any(&self) -> Option<Waiting> {
        self.take_first().map(|entry| self.without(entry))
    }

    fn take_first(&self) -> Option<Entry> {
        self.take_young().or_else(|| self.queue.pop())
    }

    /// The slots of an entry, which is counted no more.
    fn without(&self, entry: Entry) -> Waiting {
        // After the entry has gone: a thread that loads the numbers before this looks once in vain.
        self.entries.fetch_sub(1, Ordering::Relaxed);
        if let Waiting::One(_) = entry.slots {
            self.singles.fetch_sub(1, Ordering::Relaxed);
        }
        entry.slots
    }

    fn take_young(&self) -> Option<Entry> {
        // Acquire pairs with `put_back` (Release). Of two threads that exchange, one gets the entry, and the other goes on to the queue.
        let young = NonNull::new(self.young.swap(ptr::null_mut(), Ordering::Acquire))?;
        // SAFETY: `put_back` put a box there, and the exchange removed it, so this thread alone has it.
        Some(*unsafe { Box::from_raw(young.as_ptr()) })
    }

    /// Puts back an entry that is too young: before the others, unless another thread put one back first.
    fn put_back(&self, entry: Entry) {
        let since = entry.since;
        let raw = Box::into_raw(Box::new(entry));
        // Release pairs with `take_young` (Acquire): the thread that takes the entry sees its slots and the ends of their lives.
        if self
            .young
            .compare_exchange(ptr::null_mut(), raw, Ordering::Release, Ordering::Relaxed)
            .is_ok()
        {
            // Relaxed: `take` loads it, to decide whether a look pays, and compares the entry with its own stamp. Before this store it
            // finds an older stamp, and looks in vain. Another thread may have taken the entry since the exchange, and may have put back
            // one with another stamp. Then this is the stamp of an entry that is gone: an older one makes a thread look in vain, a newer
            // one makes the entry wait longer.
            self.young_since.store(since.number(), Ordering::Relaxed);
        } else {
            // SAFETY: from the box above; the exchange did not store it.
            self.queue.push(*unsafe { Box::from_raw(raw) });
        }
    }
}

impl Drop for Limbo {
    fn drop(&mut self) {
        self.take_young();
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
