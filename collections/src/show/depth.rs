//! Limits of printing: collections are printed to a depth of eight, and through handles each collection once, so that
//! printing a graph takes time in proportion to its size.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use acedia_text::Keyed;

use crate::place::Place;

/// Collections nested deeper than this are not printed.
const DEEPEST: u32 = 8;

thread_local! {
    /// How many collections are being printed inside each other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The collections whose printing has begun since [`DEPTH`] was 0.
    static BEGUN: RefCell<HashSet<usize, Keyed>> = RefCell::default();
}

/// Prints a collection. The argument of `print` says whether the collection is nested too deep to be looked into.
pub(crate) fn printing<R>(place: &Place, print: impl FnOnce(bool) -> R) -> R {
    /// Restores the depth when it is dropped, even during a panic of the writer.
    struct Deeper(u32);
    impl Drop for Deeper {
        fn drop(&mut self) {
            DEPTH.set(self.0);
            if self.0 == 0 {
                let _ = BEGUN.try_with(RefCell::take);
            }
        }
    }
    let around = DEPTH.get();
    DEPTH.set(around + 1);
    let _deeper = Deeper(around);
    // A collection that is too deep here is not noted, so that a handle elsewhere still leads to it.
    if around < DEEPEST {
        let _ = BEGUN.try_with(|begun| begun.borrow_mut().insert(place.address()));
    }
    print(around >= DEEPEST)
}

/// Whether this collection is printed elsewhere already, so that a handle to it need not be followed.
pub(super) fn is_shown(place: &Place) -> bool {
    BEGUN
        .try_with(|begun| begun.borrow().contains(&place.address()))
        .unwrap_or(false)
}
