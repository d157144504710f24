//! How deep inside collections something is printed, so that a circle of them comes to an end.

use std::cell::Cell;

/// Collections deeper inside each other than this are not looked into.
const DEEPEST: u32 = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Prints one level deeper, told whether that is too deep to look into a collection.
pub(super) fn deeper<R>(print: impl FnOnce(bool) -> R) -> R {
    /// One level up again, also when whatever is written to panics.
    struct Deeper(u32);
    impl Drop for Deeper {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let _deeper = Deeper(DEPTH.replace(DEPTH.get() + 1));
    print(DEPTH.get() > DEEPEST)
}
