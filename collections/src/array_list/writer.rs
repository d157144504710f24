//! [`ListWriter`]: the contents of a locked list, to change.

use std::cmp::Ordering;
use std::ops::RangeBounds;

use acedia::__private::drop_all;
use acedia::Owned;

use super::items::Items;
use super::list::ArrayList;
use crate::lock::Writing;
use crate::place::Place;
use crate::release::Taken;
use crate::{Item, Key, Reason, Refused};

/// A list that is locked for changing: the result of [`ArrayList::write`](crate::ArrayList::write). Dereferences to
/// [`Items`], which has the methods that only read.
///
/// Methods that change the list and have no other result return `&mut Self`, so that calls can be chained.
///
/// # Panics
///
/// [`push`](Self::push), [`set`](Self::set), [`insert`](Self::insert) and `extend` panic if a collection would own itself, or if this
/// [cannot be checked](crate::Reason::Busy). Their `try_` forms return an error instead. An item that is not a collection is never
/// refused.
///
/// # Cost
///
/// An item that is not a collection costs one comparison of its class. If a collection is put into a collection that is itself an
/// item of another one, the call searches for a cycle. The search visits every collection that the new item owns, and waits up to
/// 50 ms for each collection that another thread is changing. A structure that is built from the innermost collection outwards
/// needs no search.
///
/// ```
/// use acedia_boxes::IntBox;
/// use acedia_collections::{ArrayList, Item};
///
/// let list = ArrayList::from([1, 2, 3]);
/// let mut items = list.write();
/// items.reserve(10).set_len(4).insert(0, "first").insert_none(1, 1).swap(0, 1);
/// assert!(items.try_push(4.5).is_ok() && items.try_insert(0, true).is_ok());
/// assert!(items.try_push(list.clone()).is_err(), "it would own itself");
/// assert_eq!(items.try_set(0, false).unwrap().as_bool(), Some(true)); // the replaced item
/// assert_eq!(items.len(), 8);
/// assert!(items.remove_first(2) && !items.remove_first(2));
/// items.remove_many(0, 2).set_len(3).retain(|item| item.is_some());
/// items.push(IntBox::new(3));
/// assert_eq!(items.drain(1..).filter(|item| item.as_int() == Some(3)).count(), 2);
/// assert_eq!(items[0].to_string().as_deref(), Some("first"));
/// assert!(items.clear().is_empty());
/// ```
pub struct ListWriter<'a> {
    pub(super) items: Writing<'a, Items>,
    pub(super) home: &'a Place,
}

impl ArrayList {
    /// A list of these items.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::from(["a", "b"]);
    /// let mixed = ArrayList::from([Item::from(1), Item::NONE, Item::from(&list)]);
    /// assert_eq!((list.read().len(), mixed.read().len()), (2, 3));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[track_caller]
    #[doc(alias = "NewArrayList")]
    #[doc(alias = "NewDynamicArray")]
    pub fn from<T: Into<Item>>(items: impl IntoIterator<Item = T>) -> Owned<Self> {
        let list = Self::new();
        list.write().extend(items);
        list
    }
}

/// For `collect`:
///
/// ```
/// use acedia::Owned;
/// use acedia_collections::ArrayList;
///
/// let squares: Owned<ArrayList> = (1..4).map(|i| i * i).collect();
/// assert_eq!((squares.read().len(), squares.get(2).as_int()), (3, Some(9)));
/// ```
impl<T: Into<Item>> Extend<T> for ArrayList {
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.write().extend(items);
    }
}

/// An item that owns a list of these values.
///
/// ```
/// use acedia_collections::Item;
///
/// let tags = Item::from(vec!["red".to_owned(), "fast".to_owned()]);
/// assert_eq!(tags.get(1).to_string().as_deref(), Some("fast"));
/// assert_eq!(Item::from(vec![[1, 2], [3, 4]]).get(1).get(0).as_int(), Some(3));
/// assert_eq!(Item::from(vec![0.5]).get(0).as_double(), Some(0.5));
/// ```
impl<T: Into<Item>> From<Vec<T>> for Item {
    #[track_caller]
    fn from(items: Vec<T>) -> Self {
        ArrayList::from(items).into()
    }
}

/// An item that owns a list of these values.
impl<T: Into<Item>, const LEN: usize> From<[T; LEN]> for Item {
    #[track_caller]
    fn from(items: [T; LEN]) -> Self {
        ArrayList::from(items).into()
    }
}

impl ListWriter<'_> {
    /// Appends an item.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::new();
    /// list.write().push(1).push("two").push(3.5).push(None::<i32>);
    /// assert_eq!(list.read().len(), 4);
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](Self#panics).
    #[inline]
    #[track_caller]
    #[doc(alias = "AddItem")]
    #[doc(alias = "AddBool")]
    #[doc(alias = "AddByte")]
    #[doc(alias = "AddInt")]
    #[doc(alias = "AddFloat")]
    #[doc(alias = "AddVector")]
    #[doc(alias = "AddString")]
    #[doc(alias = "AddFormattedString")]
    pub fn push(&mut self, item: impl Into<Item>) -> &mut Self {
        let pushed = self.try_push(item);
        expect(pushed);
        self
    }

    /// Like [`push`](Self::push), but returns a refused collection in the error.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::new();
    /// assert!(list.write().try_push(7).is_ok());
    /// let refused = list.write().try_push(&list).unwrap_err(); // it would own itself
    /// assert_eq!(refused.into_item(), Item::from(&list));
    /// ```
    ///
    /// # Errors
    ///
    /// The item is a collection that would own itself, or this [cannot be checked](crate::Reason::Busy).
    #[inline]
    pub fn try_push(&mut self, item: impl Into<Item>) -> Result<(), Refused> {
        let item = self.home.admitted(item.into())?;
        self.items.0.push(item);
        Ok(())
    }

    /// Replaces the item at `index` and releases the old item. If `index` is beyond the end, the list grows, and the items in
    /// between are none.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::new();
    /// list.write().set(2, "third");
    /// assert!(list.read().len() == 3 && list.read().is_none(1));
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](Self#panics), the length is out of range, or there is no memory for it.
    #[inline]
    #[track_caller]
    #[doc(alias = "SetItem")]
    #[doc(alias = "CreateItem")]
    #[doc(alias = "SetBool")]
    #[doc(alias = "SetByte")]
    #[doc(alias = "SetInt")]
    #[doc(alias = "SetFloat")]
    #[doc(alias = "SetVector")]
    #[doc(alias = "SetString")]
    #[doc(alias = "SetFormattedString")]
    pub fn set(&mut self, index: usize, item: impl Into<Item>) -> &mut Self {
        expect(self.try_set(index, item));
        self
    }

    /// Like [`set`](Self::set), but returns the replaced item, or an error with a refused collection.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([7]);
    /// let before = list.write().try_set(0, 8).unwrap();
    /// assert_eq!((before.as_int(), list.read()[0].as_int()), (Some(7), Some(8)));
    /// ```
    ///
    /// # Errors
    ///
    /// The item is a collection that would own itself, or this [cannot be checked](crate::Reason::Busy).
    ///
    /// # Panics
    ///
    /// If the length is out of range, or there is no memory for it.
    pub fn try_set(&mut self, index: usize, item: impl Into<Item>) -> Result<Item, Refused> {
        let item = self.home.admitted(item.into())?;
        if index >= self.len() {
            self.set_len(index.saturating_add(1));
        }
        Ok(self.items.0.replace(index, item))
    }

    /// Inserts an item before `index`.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 3]);
    /// list.write().insert(1, 2);
    /// assert!(list.read().iter().map(|item| item.as_int()).eq([Some(1), Some(2), Some(3)]));
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is beyond the end, or a collection is [refused](Self#panics).
    ///
    /// # Cost
    ///
    /// Moves the items after `index`.
    #[track_caller]
    #[doc(alias = "InsertItem")]
    pub fn insert(&mut self, index: usize, item: impl Into<Item>) -> &mut Self {
        expect(self.try_insert(index, item));
        self
    }

    /// Like [`insert`](Self::insert), but returns a refused item in the error.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Reason};
    ///
    /// let list = ArrayList::from([1]);
    /// let refused = list.write().try_insert(9, "nowhere").unwrap_err();
    /// assert_eq!(
    ///     (refused.reason(), refused.into_item().to_string().as_deref()),
    ///     (Reason::Beyond, Some("nowhere"))
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// The index is beyond the end, the item is a collection that would own itself, or this [cannot be checked](crate::Reason::Busy).
    pub fn try_insert(&mut self, index: usize, item: impl Into<Item>) -> Result<(), Refused> {
        let item = item.into();
        if index > self.len() {
            return Err(Refused::new(item, Reason::Beyond));
        }
        let item = self.home.admitted(item)?;
        self.items.0.insert(index, item);
        Ok(())
    }

    /// Inserts `count` items that are none before `index`.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2]);
    /// list.write().insert_none(1, 3);
    /// assert_eq!((list.read().len(), list.read().find(2)), (5, Some(4)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is beyond the end, the length is out of range, or there is no memory for it. Nothing has changed then.
    ///
    /// # Cost
    ///
    /// Moves the items after the range.
    #[track_caller]
    #[doc(alias = "Insert")]
    pub fn insert_none(&mut self, index: usize, count: usize) -> &mut Self {
        let len = self.len();
        assert!(
            index <= len,
            "cannot insert at index {index}, beyond the end of a list of {len} items"
        );
        self.items.0.insert_none(index, count);
        self
    }

    /// Removes the item at `index` and returns it. Returns none if `index` is beyond the end.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2, 3]);
    /// assert_eq!(list.write().remove(0).as_int(), Some(1));
    /// assert!(list.write().remove(2).is_none());
    /// assert_eq!(list.read().len(), 2);
    /// ```
    ///
    /// # Cost
    ///
    /// Moves the items after `index`.
    #[doc(alias = "RemoveIndex")]
    #[doc(alias = "pop")]
    pub fn remove(&mut self, index: usize) -> Item {
        if index < self.len() {
            self.items.0.remove(index)
        } else {
            Item::NONE
        }
    }

    /// Removes and releases `count` items from `index` on, or as many as there are.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2, 3, 4]);
    /// list.write().remove_many(1, 2);
    /// assert!(list.read().iter().map(|item| item.as_int()).eq([Some(1), Some(4)]));
    /// ```
    ///
    /// # Cost
    ///
    /// Moves the items after the range.
    #[doc(alias = "Remove")]
    pub fn remove_many(&mut self, index: usize, count: usize) -> &mut Self {
        let end = index.saturating_add(count).min(self.len());
        if index < end {
            drop_all(self.items.0.drain(index..end).into_iter());
        }
        self
    }

    /// Removes every item that is equal to `unwanted`, and returns their number.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([7, 1, 7]);
    /// assert_eq!(list.write().remove_all(7), 2);
    /// assert_eq!(list.read()[0].as_int(), Some(1));
    /// ```
    ///
    /// # Cost
    ///
    /// Compares every item.
    #[doc(alias = "RemoveItem")]
    pub fn remove_all(&mut self, unwanted: impl Key) -> usize {
        let before = self.len();
        self.retain(|item| !unwanted.finds(item));
        before - self.len()
    }

    /// Removes the first item that is equal to `unwanted`. Returns whether there was one.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from(["a", "b", "a"]);
    /// assert!(list.write().remove_first("a"));
    /// assert_eq!((list.read().find("b"), list.read().find("a")), (Some(0), Some(1)));
    /// ```
    ///
    /// # Cost
    ///
    /// Compares every item up to the removed one, and moves the items after it.
    #[doc(alias = "RemoveItem")]
    pub fn remove_first(&mut self, unwanted: impl Key) -> bool {
        let found = self.find(unwanted);
        found.map(|index| self.items.0.remove(index)).is_some()
    }

    /// Removes and returns the item at `index`, and leaves none in its place, so the length stays the same. [`remove`](Self::remove)
    /// closes the gap.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2]);
    /// assert_eq!(list.write().take(0).as_int(), Some(1));
    /// assert!(list.read().len() == 2 && list.read().is_none(0));
    /// ```
    #[doc(alias = "TakeItem")]
    pub fn take(&mut self, index: usize) -> Item {
        if index < self.len() {
            self.items.0.replace(index, Item::NONE)
        } else {
            Item::NONE
        }
    }

    /// Sets the number of items. Surplus items are released in order, and new items are none.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2, 3]);
    /// list.write().set_len(1).set_len(2);
    /// assert!(list.read()[0].as_int() == Some(1) && list.read().is_none(1));
    /// ```
    ///
    /// # Panics
    ///
    /// If the length is out of range, or there is no memory for it. Nothing has changed then.
    #[track_caller]
    #[doc(alias = "SetLength")]
    #[doc(alias = "Add")]
    pub fn set_len(&mut self, len: usize) -> &mut Self {
        self.items.0.resize(len);
        self
    }

    /// Releases all items.
    #[doc(alias = "Empty")]
    pub fn clear(&mut self) -> &mut Self {
        self.items.0.clear();
        self
    }

    /// Reserves capacity for `additional` more items.
    ///
    /// # Panics
    ///
    /// If there is no memory for them.
    pub fn reserve(&mut self, additional: usize) -> &mut Self {
        self.items.0.reserve(additional);
        self
    }

    /// Removes the items that `keep` rejects. They are released after the last call of `keep`.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, -2, 3]);
    /// list.write().retain(|item| item.as_int() > Some(0));
    /// assert_eq!(list.read().len(), 2);
    /// ```
    pub fn retain(&mut self, keep: impl FnMut(&Item) -> bool) -> &mut Self {
        drop_all(self.items.0.retain(keep).into_iter());
        self
    }

    /// Removes a range of items and iterates over them. Dropping the iterator releases the items that it has not returned.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2, 3]);
    /// let drained: Vec<_> = list.write().drain(1..).collect();
    /// assert_eq!((drained[1].as_int(), list.read().len()), (Some(3), 1));
    /// ```
    ///
    /// # Panics
    ///
    /// If the range begins after its end, or ends beyond the list.
    pub fn drain(
        &mut self,
        range: impl RangeBounds<usize>,
    ) -> impl DoubleEndedIterator<Item = Item> + ExactSizeIterator {
        Taken(self.items.0.drain(range).into_iter())
    }

    /// Sorts the items. The sort is stable. If `compare` is not a total order, the resulting order is unspecified, but no item is lost.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([3, 1, 2]);
    /// list.write().sort_by(|left, right| left.as_int().cmp(&right.as_int()));
    /// assert!(list.read().iter().map(|item| item.as_int()).eq([Some(1), Some(2), Some(3)]));
    /// ```
    ///
    /// # Panics
    ///
    /// If `compare` panics, and possibly if it is not a total order.
    ///
    /// # Cost
    ///
    /// As `slice::sort_by`: `n log n` comparisons.
    pub fn sort_by(&mut self, mut compare: impl FnMut(&Item, &Item) -> Ordering) -> &mut Self {
        self.items.0.many().sort_by(|left, right| compare(left, right));
        self
    }

    /// Swaps two items.
    ///
    /// ```
    /// use acedia_collections::ArrayList;
    ///
    /// let list = ArrayList::from([1, 2]);
    /// list.write().swap(0, 1);
    /// assert_eq!(list.read()[0].as_int(), Some(2));
    /// ```
    ///
    /// # Panics
    ///
    /// If one of the indices is beyond the end.
    #[track_caller]
    pub fn swap(&mut self, one: usize, other: usize) -> &mut Self {
        let len = self.len();
        assert!(
            one.max(other) < len,
            "cannot swap the items at {one} and {other} in a list of {len} items"
        );
        self.items.0.many().swap(one, other);
        self
    }
}

/// The panic of the forms without `try_`.
#[inline]
#[track_caller]
fn expect<T>(done: Result<T, Refused>) {
    if let Err(refused) = done {
        panic!("{refused}");
    }
}

impl<T: Into<Item>> Extend<T> for ListWriter<'_> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        let items = items.into_iter();
        self.items.0.reserve(items.size_hint().0);
        items.for_each(|item| {
            self.push(item);
        });
    }
}
