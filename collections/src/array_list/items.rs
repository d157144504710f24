//! [`Items`]: the contents of a list, to read.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Index;

use super::store::Store;
use crate::{Item, Key};

/// The contents of an [`ArrayList`](crate::ArrayList). [`read`](crate::ArrayList::read) returns them, and so does
/// [`write`](crate::ArrayList::write), with further methods that change them.
#[derive(Default)]
///
/// ```
/// use acedia_collections::{ArrayList, Item};
///
/// let list = ArrayList::from([Item::from(3), Item::NONE]);
/// let items = list.read();
/// assert!(items.len() == 2 && !items.is_empty() && items.is_none(1));
/// assert_eq!(items.iter().filter_map(Item::as_int).sum::<i32>(), 3);
/// ```
pub struct Items(pub(super) Store);

impl Items {
    /// The number of items, including those that are none.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no items.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at `index`. `None` if `index` is beyond the end, or the item is none. In both cases `items[index]` is
    /// [`Item::NONE`].
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::from([Some(7), None]);
    /// let items = list.read();
    /// assert_eq!(items.get(0), Some(&Item::from(7)));
    /// assert_eq!((items.get(1), items.get(2)), (None, None));
    /// assert_eq!((items[0].as_int(), items[2].as_int()), (Some(7), None));
    /// ```
    ///
    /// A clone of an owning item is a new owner of its object.
    #[inline]
    #[must_use]
    #[doc(alias = "GetItem")]
    #[doc(alias = "BorrowItem")]
    pub fn get(&self, index: usize) -> Option<&Item> {
        self.0.get(index).filter(|item| item.is_some())
    }

    /// Whether `index` is in the list and its item is none. `false` beyond the end.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([Some(7), None]);
    /// let items = list.read();
    /// assert_eq!([0, 1, 2].map(|index| items.is_none(index)), [false, true, false]);
    /// ```
    #[must_use]
    #[doc(alias = "IsNone")]
    pub fn is_none(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(Item::is_none)
    }

    /// The index of the first item that is equal to `wanted`.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::from([Item::from(1), Item::NONE, Item::from("one")]);
    /// let items = list.read();
    /// assert_eq!((items.find(1), items.find("one"), items.find(2)), (Some(0), Some(2), None));
    /// assert_eq!(items.find(Item::NONE), Some(1));
    /// ```
    ///
    /// # Cost
    ///
    /// Compares every item up to the one that it finds.
    #[must_use]
    #[doc(alias = "Find")]
    pub fn find(&self, wanted: impl Key) -> Option<usize> {
        self.iter().position(|item| wanted.finds(item))
    }

    /// The items in order, including those that are none.
    ///
    /// ```compile_fail,E0502
    /// let list = acedia_collections::ArrayList::from([1, 2]);
    /// let mut items = list.write();
    /// for item in items.iter() {
    ///     items.push(item); // while the list is iterated
    /// }
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "Iterate")]
    #[doc(alias = "CollectionIterator")]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Item> + ExactSizeIterator + FusedIterator + Clone {
        self.0.iter().map(|item| &**item)
    }

    /// The index and the item of every item that is not none.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::from([None, Some(7)]);
    /// assert!(list.read().iter_some().eq([(1, &Item::from(7))]));
    /// ```
    #[doc(alias = "LeaveOnlyNotNone")]
    pub fn iter_some(&self) -> impl Iterator<Item = (usize, &Item)> + Clone {
        self.iter().enumerate().filter(|(_, item)| item.is_some())
    }

    /// The items in order, for mutable access. The caller must not replace an item.
    #[inline]
    #[doc(hidden)]
    pub fn items_mut(&mut self) -> impl Iterator<Item = &mut Item> {
        self.0.iter_mut()
    }
}

impl Index<usize> for Items {
    type Output = Item;

    /// The item, or [`Item::NONE`] beyond the end.
    #[inline]
    fn index(&self, index: usize) -> &Item {
        self.0.get(index).unwrap_or(&Item::NONE)
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
