//! [`Note`]: what a thread knows of the locks that it holds.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::MutexGuard;

use super::circle;
use crate::sync::{bug, thread_static};

/// One lock, as a thread holds or wants it: its address, and in the lowest bit whether to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Access(usize);

impl Access {
    #[inline]
    pub(super) fn new(address: usize, writes: bool) -> Self {
        debug_assert!(address % 2 == 0, "locks are aligned");
        Self(address | usize::from(writes))
    }

    pub(super) fn address(self) -> usize {
        self.0 & !1
    }

    pub(super) fn writes(self) -> bool {
        self.0 % 2 == 1
    }

    /// Whether two threads can't have both at a time.
    pub(super) fn excludes(self, other: Self) -> bool {
        self.address() == other.address() && (self.writes() || other.writes() || bug("readers_exclude"))
    }
}

/// That a thread has a lock since a certain time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) access: Access,
    /// How many times guards had been found forgotten then: see [`circle::times_forgotten`].
    pub(super) since: usize,
}

/// Notes that stand side by side. Further ones are slower.
const NEAR: usize = 32;

/// The notes of a thread: the first `count` of these.
struct Near {
    count: Cell<usize>,
    notes: [Cell<Held>; NEAR],
}

thread_static! {
    static HELD: Near = Near { count: Cell::new(0), notes: [const { Cell::new(Held { access: Access(0), since: 0 }) }; NEAR] };
}

thread_static! {
    /// The notes that there was no room for.
    static FURTHER: RefCell<Vec<Held>> = RefCell::new(Vec::new());
}

/// That this thread holds a lock, until it is dropped. Can't go to other threads, even where somebody has switched on that
/// `parking_lot`'s guards can.
#[derive(Debug)]
pub(super) struct Note(Held, PhantomData<MutexGuard<'static, ()>>);

impl Note {
    #[inline]
    pub(super) fn leave(access: Access) -> Self {
        let note = Held {
            access,
            since: circle::times_forgotten(),
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
                Some(place) if place.get() == self.0 => held.count.set(last),
                _ => take_away(held, self.0),
            }
        });
    }
}

/// A thread that is past its thread-locals goes without.
#[cold]
fn leave_further(note: Held) {
    let _ = FURTHER.try_with(|further| further.borrow_mut().push(note));
}

/// Guards were not dropped in the opposite order. Any note that says the same is as good as their own.
#[cold]
fn take_away(held: &Near, gone: Held) {
    let notes = &held.notes[..held.count.get()];
    if let Some(own) = notes.iter().rposition(|note| note.get() == gone) {
        notes[own].swap(&notes[notes.len() - 1]);
        held.count.set(notes.len() - 1);
        return;
    }
    let _ = FURTHER.try_with(|further| {
        let mut further = further.borrow_mut();
        let own = further.iter().rposition(|note| *note == gone);
        own.map(|own| further.swap_remove(own))
    });
}

/// What this thread holds.
pub(super) fn held() -> Vec<Held> {
    let mut all = HELD.with(|held| {
        let notes = held.notes.iter().take(held.count.get());
        notes.map(Cell::get).collect::<Vec<_>>()
    });
    let _ = FURTHER.try_with(|further| all.extend_from_slice(&further.borrow()));
    all
}

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use super::*;

    /// Whatever `parking_lot` says of its guards.
    #[test]
    fn notes_stay_on_their_thread() {
        trait Ambiguous<A> {
            const IS_CLEAR: bool = true;
        }
        impl<T> Ambiguous<()> for T {}
        impl<T: Send> Ambiguous<u8> for T {}
        // Does not compile if a note can be sent.
        const { assert!(<Note as Ambiguous<_>>::IS_CLEAR) };
    }

    #[test]
    fn an_access_is_an_address_and_a_bit() {
        let (read, write) = (Access::new(64, false), Access::new(64, true));
        assert_eq!((read.address(), write.address()), (64, 64));
        assert!(!read.writes() && write.writes());
        assert!(!read.excludes(read) && read.excludes(write) && write.excludes(read) && write.excludes(write));
        assert!(!write.excludes(Access::new(128, true)));
    }

    #[test]
    fn notes_are_taken_away_in_any_order() {
        let all: Vec<_> = (0..3 * NEAR).map(|at| Access::new(16 * at, at % 3 == 0)).collect();
        for first in [0, 1, NEAR - 1, NEAR, NEAR + 1, 2 * NEAR] {
            let mut notes: Vec<_> = all.iter().copied().map(Note::leave).collect();
            let accesses = || held().iter().map(|note| note.access).collect::<Vec<_>>();
            assert_eq!(accesses(), all);
            notes.rotate_left(first);
            for (gone, note) in notes.into_iter().enumerate() {
                drop(note);
                let mut held = accesses();
                held.sort_unstable_by_key(|access| access.address());
                let is_gone = |at: &usize| (at + all.len() - first) % all.len() <= gone;
                let left: Vec<_> = (0..all.len()).filter(|at| !is_gone(at)).map(|at| all[at]).collect();
                assert_eq!(held, left);
            }
        }
        // Two that say the same.
        let (outer, inner) = (Note::leave(all[1]), Note::leave(all[1]));
        drop(outer);
        assert_eq!(held().iter().map(|note| note.access).collect::<Vec<_>>(), [all[1]]);
        drop(inner);
        assert!(held().is_empty());
    }
}
