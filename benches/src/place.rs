//! Places with an object each, which threads read while another thread puts a new object in the place of the old one.

use crate::payload::{Payload, Words};

/// The number of places.
pub(crate) const PLACES: u64 = 1024;

/// An object: 16 bytes.
pub(crate) type Object = Words<2>;

/// The object at `place` in that round.
pub(crate) fn object(place: u64, round: u64) -> Object {
    Object::make(place + PLACES * round)
}

/// One way to keep them. They live as long as the process, so that a pin needs no lifetime.
pub(crate) trait Places: Sized + Sync + 'static {
    /// The name in the tables.
    const NAME: &'static str;
    /// Held around any number of reads; `()` where every read protects itself.
    type Pin;

    /// Every place with its object of round 0.
    fn new() -> Self;

    /// Begins a series of reads.
    fn pin(&'static self) -> Self::Pin;

    /// A function that reads under the pin: the first word of the object that is at a place now.
    fn reader(&'static self, pin: &Self::Pin) -> impl Fn(u64) -> u64;

    /// Puts the object of that round there, and ends the one that was there.
    fn replace(&self, place: u64, round: u64);
}

/// A place in a list with one for each of them.
pub(crate) fn at<T>(list: &[T], place: u64) -> &T {
    &list[usize::try_from(place).expect("there are few places")]
}
