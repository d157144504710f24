//! [`Reach`]: an item in a collection that is being printed, and who else can reach it.

use crate::{ArrayList, HashTable, Item};

/// An item in a collection that is being printed. A `&mut Item` cannot be reached by anybody else meanwhile, because the
/// collection is locked as for changing, or cannot be reached itself. A `&Item` can.
pub(super) trait Reach {
    fn item(&self) -> &Item;

    /// The collection that the item owns, if nobody else can reach that one either.
    fn alone(&mut self) -> Option<Alone<'_>>;
}

/// A collection that nobody else can reach, and so needs no lock: two locked instructions, which wait for everything that was
/// written before.
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
