//! [`Reach`]: an item of a collection that is being printed, and whether other threads can reach it.

use acedia_collections::{ArrayList, HashTable, Item};

/// An item of a collection that is being printed. Other threads cannot reach a `&mut Item` meanwhile, because its
/// collection is locked for writing, or is itself out of reach. They can reach a `&Item`.
pub(super) trait Reach {
    fn item(&self) -> &Item;

    /// The collection that the item owns, if no other thread can reach it either.
    fn alone(&mut self) -> Option<Alone<'_>>;
}

/// A collection that no other thread can reach. It needs no lock, which saves two atomic read-modify-writes that would wait
/// for all earlier stores.
pub(super) enum Alone<'a> {
    List(&'a mut ArrayList),
    Table(&'a mut HashTable),
}

impl Reach for &Item {
    #[inline]
    fn item(&self) -> &Item {
        self
    }

    #[inline]
    fn alone(&mut self) -> Option<Alone<'_>> {
        None
    }
}

impl Reach for &mut Item {
    #[inline]
    fn item(&self) -> &Item {
        self
    }

    #[inline]
    fn alone(&mut self) -> Option<Alone<'_>> {
        let object = self.object_mut()?;
        if object.is::<HashTable>() {
            object.downcast_mut().map(Alone::Table)
        } else {
            object.downcast_mut().map(Alone::List)
        }
    }
}
