//! [`Deeper`]: how deep the collection is that is being written or read.

use std::cell::Cell;
use std::thread::LocalKey;

use serde::ser::Error as _;

use super::error::ItemError;

/// More levels than this are an error, because `serde` uses stack for each, and collections that watch each other have
/// infinitely many.
pub(super) const DEEPEST: u32 = 128;

thread_local! {
    /// Around the items that a format writes or reads.
    pub(super) static ITEMS: Cell<Depth> = const { Cell::new(Depth::TOP) };
    /// Around the values that become items, or are made of items. The values may be items, too, so these levels are counted apart.
    pub(super) static VALUES: Cell<Depth> = const { Cell::new(Depth::TOP) };
}

/// A number of levels.
#[derive(Clone, Copy, Debug, PartialEq)]
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
}

/// Deeper on this thread, until it is dropped.
pub(super) struct Deeper {
    around: &'static LocalKey<Cell<Depth>>,
    before: Depth,
}

impl Deeper {
    /// Inside so many more collections.
    pub(super) fn inside(around: &'static LocalKey<Cell<Depth>>, levels: u32) -> Result<Self, ItemError> {
        let (collections, wrappers) = (around.get().collections + levels, 0);
        Self::at(around, Depth { collections, wrappers })
    }

    /// Inside one more `Some` or newtype.
    pub(super) fn wrapped(around: &'static LocalKey<Cell<Depth>>) -> Result<Self, ItemError> {
        let before = around.get();
        let wrappers = before.wrappers + 1;
        Self::at(around, Depth { wrappers, ..before })
    }

    fn at(around: &'static LocalKey<Cell<Depth>>, depth: Depth) -> Result<Self, ItemError> {
        if depth.collections.max(depth.wrappers) > DEEPEST {
            return Err(ItemError::custom(format_args!(
                "collections are nested deeper than {DEEPEST}; print and parse deeper ones with `acedia-json`"
            )));
        }
        let before = around.replace(depth);
        Ok(Self { around, before })
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        self.around.set(self.before);
    }
}
