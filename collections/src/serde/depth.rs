//! [`Deeper`]: the depth of the collection that this thread is writing or reading.

use std::cell::Cell;
use std::fmt;

/// More levels than this are an error, because `serde` uses stack for each, and collections that watch each other have
/// infinitely many.
pub(super) const DEEPEST: u32 = 128;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

pub(super) struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "collections are nested deeper than {DEEPEST}; print and parse deeper ones with `acedia-json`"
        )
    }
}

/// One level deeper, until it is dropped.
pub(super) struct Deeper(());

impl Deeper {
    /// Fails if this is too deep. The caller makes an error of the format of it.
    pub(super) fn new() -> Result<Self, TooDeep> {
        let depth = DEPTH.get();
        if depth >= DEEPEST {
            return Err(TooDeep);
        }
        DEPTH.set(depth + 1);
        Ok(Self(()))
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// For tests: whether every level was left again.
#[cfg(test)]
pub(super) fn is_at_the_top() -> bool {
    DEPTH.get() == 0
}
