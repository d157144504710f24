//! What is looked into when something is printed: not too deep, and through handles each collection once, so that a graph of
//! them takes no more than it has.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use crate::place::Place;

/// Collections deeper inside each other than this are not looked into.
const DEEPEST: u32 = 8;

thread_local! {
    /// How many collections are being printed inside each other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The collections that were begun since there was none.
    static BEGUN: RefCell<HashSet<usize>> = RefCell::default();
}

/// Prints a collection, told whether that is too deep to look into it.
pub(crate) fn printing<R>(place: &Place, print: impl FnOnce(bool) -> R) -> R {
    /// One level up again, also when whatever is written to panics.
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
    if around < DEEPEST {
        let _ = BEGUN.try_with(|begun| begun.borrow_mut().insert(place.address()));
    }
    print(around >= DEEPEST)
}

/// Whether what is being printed shows this collection already, so that a handle to it need not.
pub(super) fn is_shown(place: &Place) -> bool {
    BEGUN
        .try_with(|begun| begun.borrow().contains(&place.address()))
        .unwrap_or(false)
}
