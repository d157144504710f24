//! [`Deeper`] and [`Depth`]: how deep the collection is that is being written or read.

use std::cell::Cell;
use std::fmt;

/// More levels than this are an error, because `serde` uses stack for each, and collections that watch each other have
/// infinitely many.
pub(super) const DEEPEST: u32 = 128;

thread_local! {
    static DEPTH: Cell<Depth> = const { Cell::new(Depth::TOP) };
}

/// A number of levels.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    collections: u32,
    /// `Some`s and newtypes around a value, inside the innermost collection. A type may consist of nothing else.
    wrappers: u32,
}

impl Depth {
    pub(super) const TOP: Self = Self {
        collections: 0,
        wrappers: 0,
    };

    /// Inside one more collection.
    pub(super) fn inside(self) -> Result<Self, TooDeep> {
        let (collections, wrappers) = (self.collections + 1, 0);
        Self { collections, wrappers }.checked()
    }

    /// Inside one more `Some` or newtype.
    pub(super) fn wrapped(self) -> Result<Self, TooDeep> {
        let wrappers = self.wrappers + 1;
        Self { wrappers, ..self }.checked()
    }

    fn checked(self) -> Result<Self, TooDeep> {
        if self.collections.max(self.wrappers) > DEEPEST {
            return Err(TooDeep);
        }
        Ok(self)
    }
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

/// One level deeper on this thread, until it is dropped.
pub(super) struct Deeper(Depth);

impl Deeper {
    /// Fails if this is too deep. The caller makes an error of the format of it.
    pub(super) fn new() -> Result<Self, TooDeep> {
        Self::by(Depth::inside)
    }

    /// Like [`new`](Self::new), but for a `Some` or newtype.
    pub(super) fn wrapped() -> Result<Self, TooDeep> {
        Self::by(Depth::wrapped)
    }

    fn by(step: fn(Depth) -> Result<Depth, TooDeep>) -> Result<Self, TooDeep> {
        let before = DEPTH.get();
        DEPTH.set(step(before)?);
        Ok(Self(before))
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}

/// For tests: whether every level was left again.
#[cfg(test)]
pub(super) fn is_at_the_top() -> bool {
    let Depth { collections, wrappers } = DEPTH.get();
    (collections, wrappers) == (0, 0)
}
