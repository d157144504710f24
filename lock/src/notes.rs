//! [`Note`]: one lock that a thread holds, in the thread's list of such notes.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::MutexGuard;

use crate::sync::{AtomicUsize, Ordering, thread_static};

/// One lock, as a thread holds or wants it: its address, and in the lowest bit whether for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Access(usize);

impl Access {
    #[inline]
    pub(crate) fn new(address: usize, writes: bool) -> Self {
        debug_assert!(address % 2 == 0, "locks are aligned");
        Self(address | usize::from(writes))
    }

    pub(crate) fn address(self) -> usize {
        self.0 & !1
    }

    pub(crate) fn writes(self) -> bool {
        self.0 % 2 == 1
    }

    /// Whether two threads cannot have these accesses at the same time.
    pub(crate) fn excludes(self, other: Self) -> bool {
        self.address() == other.address() && (self.writes() || other.writes())
    }
}

/// A lock that a thread holds, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) access: Access,
    /// By the clock [`times_forgotten`].
    pub(crate) since: usize,
    /// The call that took the lock.
    pub(crate) place: &'static Location<'static>,
}

impl Held {
    /// Equal notes are interchangeable, except in the message of a panic.
    #[inline]
    fn is_equal(self, other: Self) -> bool {
        self.access == other.access && self.since == other.since
    }
}

/// Counts the discoveries of forgotten guards: a clock that hardly ever ticks.
static TIMES_FORGOTTEN: AtomicUsize = AtomicUsize::new(0);

/// The time for a new note.
#[inline]
fn times_forgotten() -> usize {
    // Relaxed: the thread that counts (`count_forgotten`) has the lock alone. So it counts after every earlier use of the
    // lock, and before every use of a later lock at its address.
    TIMES_FORGOTTEN.load(Ordering::Relaxed)
}

/// A forgotten guard was found. The time is now this number; notes of the guard are older.
pub(crate) fn count_forgotten() -> usize {
    // Relaxed, as in `times_forgotten`.
    TIMES_FORGOTTEN.fetch_add(1, Ordering::Relaxed) + 1
}

/// How many notes a thread keeps in place. Further ones go to a `Vec` and are slower.
const NEAR: usize = 32;

/// The notes of a thread: the first `count` cells of `notes`.
struct Near {
    count: Cell<usize>,
    notes: [Cell<Held>; NEAR],
}

const NO_NOTE: Held = Held {
    access: Access(0),
    since: 0,
    place: Location::caller(),
};

thread_static! {
    static HELD: Near = Near { count: Cell::new(0), notes: [const { Cell::new(NO_NOTE) }; NEAR] };
}

thread_static! {
    /// The notes beyond [`NEAR`].
    static FURTHER: RefCell<Vec<Held>> = RefCell::new(Vec::new());
}

/// This thread holds a lock until the note is dropped. Never `Send`, even if another crate enables `parking_lot`'s feature
/// `send_guard`.
#[derive(Debug)]
pub(crate) struct Note(Held, PhantomData<MutexGuard<'static, ()>>);

impl Note {
    #[inline]
    pub(crate) fn leave(access: Access, place: &'static Location<'static>) -> Self {
        let note = Held {
            access,
            since: times_forgotten(),
            place,
        };
        HELD.with(|held| {
            let count = held.count.get();
            match held.notes.get(count) {
                Some(place) => {
                    place.set(note);
                    held.count.set(count + 1);
                }
                None => leave_further(note),
            }
        });
        Self(note, PhantomData)
    }
}

impl Drop for Note {
    #[inline]
    fn drop(&mut self) {
        HELD.with(|held| {
            let last = held.count.get().wrapping_sub(1);
            match held.notes.get(last) {
                Some(place) if place.get().is_equal(self.0) => held.count.set(last),
                _ => take_away(held, self.0),
            }
        });
    }
}

/// Adds a note beyond [`NEAR`]. Does nothing on a thread whose thread-locals are gone.
#[cold]
fn leave_further(note: Held) {
    let _ = FURTHER.try_with(|further| further.borrow_mut().push(note));
}

/// Removes a note that is beyond [`NEAR`], or whose guard was not dropped in the reverse order.
#[cold]
fn take_away(held: &Near, gone: Held) {
    let notes = &held.notes[..held.count.get()];
    if let Some(own) = notes.iter().rposition(|note| note.get().is_equal(gone)) {
        notes[own].swap(&notes[notes.len() - 1]);
        held.count.set(notes.len() - 1);
        return;
    }
    let _ = FURTHER.try_with(|further| {
        let mut further = further.borrow_mut();
        let own = further.iter().rposition(|note| note.is_equal(gone));
        own.map(|own| further.swap_remove(own))
    });
}

/// The locks that this thread holds.
pub(crate) fn held() -> Vec<Held> {
    let mut all = HELD.with(|held| {
        let notes = held.notes.iter().take(held.count.get());
        notes.map(Cell::get).collect::<Vec<_>>()
    });
    let _ = FURTHER.try_with(|further| all.extend_from_slice(&further.borrow()));
    all
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
