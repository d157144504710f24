//! `kovan::Atom`: an allocation for every object, epochs in slots for readers.

use crate::{
    payload::Payload,
    place::{Object, PLACES, Places, at, object},
};

use kovan::{Atom, Guard};
use std::fmt;

/// An atom for each place.
pub(crate) struct Atoms(Vec<Atom<Object>>);

impl fmt::Debug for Atoms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Atoms").finish_non_exhaustive()
    }
}

impl Places for Atoms {
    const NAME: &'static str = "kovan";
    type Pin = Guard;

    fn new() -> Self {
        Self((0..PLACES).map(|place| Atom::new(object(place, 0))).collect())
    }

    #[inline]
    fn pin(&'static self) -> Guard {
        kovan::pin()
    }

    // Each read pins as well, which under the pin is a count of the thread's own.
    #[inline]
    fn reader(&'static self, _: &Guard) -> impl Fn(u64) -> u64 {
        |place| at(&self.0, place).peek(Payload::first)
    }

    #[inline]
    fn replace(&self, place: u64, round: u64) {
        at(&self.0, place).store(object(place, round));
    }
}
