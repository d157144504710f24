//! [`Store`]: the items of a list, released without visiting each if none of them has an object.

use std::mem::{self, ManuallyDrop};
use std::ops::RangeBounds;
use std::slice;

use acedia::__private::drop_all;

use crate::Item;
use crate::few::Few;
use crate::release::Contents;
use crate::stack::Stack;

/// The items of a list.
///
/// ```text
/// items         1   2   3   4        the vector drops none of them
/// has_objects   no                   so forgetting them all is enough
/// ```
///
/// Looking at each number before it is dropped would cost as much as pushing it.
///
/// A [filled](Self::fill) store may keep a few items inline, and then its vector is empty and has no memory. So an
/// operation that finds an item in the vector, or spare capacity in it, need not check for inline items.
#[derive(Default)]
pub(crate) struct Store {
    items: Vec<ManuallyDrop<Item>>,
    few: Few<ManuallyDrop<Item>, FEW>,
    /// Whether an item with an object was put into the vector since it was last empty.
    has_objects: bool,
}

/// Four items are enough for coordinates and colors.
const FEW: usize = 4;

/// The items in order.
pub(super) type Iter<'a> = slice::Iter<'a, ManuallyDrop<Item>>;

impl Store {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.items.len() + self.few.len()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&Item> {
        match self.items.get(index) {
            Some(item) => Some(item),
            None => self.get_of_few(index),
        }
    }

    /// Out of line, to keep the path of items in the vector short.
    #[cold]
    #[inline(never)]
    fn get_of_few(&self, index: usize) -> Option<&Item> {
        self.few.all().get(index).map(|item| &**item)
    }

    #[inline]
    pub(super) fn iter(&self) -> Iter<'_> {
        let all = if self.items.is_empty() {
            self.few.all()
        } else {
            &self.items
        };
        all.iter()
    }

    /// The items in order, for mutable access. The caller must not replace an item.
    #[inline]
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Item> {
        let all = if self.items.is_empty() {
            self.few.all_mut()
        } else {
            &mut self.items
        };
        all.iter_mut().map(|item| &mut **item)
    }

    /// Fills an empty store with the items on the stack from `start` on.
    #[inline]
    pub(super) fn fill(&mut self, items: &mut Stack, start: usize) {
        let items = items.last(start);
        if self.few.fill(items, |item| ManuallyDrop::new(mem::take(item))) {
            // With spare capacity in the vector, `push` would not notice the inline items.
            self.items = Vec::new();
        } else {
            self.extend(items.iter_mut().map(mem::take));
        }
    }

    /// The vector, after moving inline items into it.
    #[inline]
    pub(super) fn many(&mut self) -> &mut Vec<ManuallyDrop<Item>> {
        if self.few.len() > 0 {
            self.leave_few();
        }
        &mut self.items
    }

    /// Reserves capacity for one more item.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.many().reserve(1);
    }

    #[cold]
    #[inline(never)]
    fn leave_few(&mut self) {
        self.has_objects = true;
        self.items.extend(self.few.take());
    }

    /// Notes whether an item that is about to be put in has an object.
    #[inline]
    fn kept(&mut self, item: Item) -> ManuallyDrop<Item> {
        self.has_objects |= item.has_object();
        ManuallyDrop::new(item)
    }

    #[inline]
    pub(super) fn push(&mut self, item: Item) {
        let item = self.kept(item);
        if self.items.len() == self.items.capacity() {
            self.make_room();
        }
        self.items.push(item);
    }

    /// Adds items at the end.
    #[inline]
    pub(super) fn extend(&mut self, items: impl Iterator<Item = Item>) {
        self.many();
        let has_objects = &mut self.has_objects;
        self.items.extend(items.map(|item| {
            *has_objects |= item.has_object();
            ManuallyDrop::new(item)
        }));
    }

    pub(super) fn insert(&mut self, index: usize, item: Item) {
        let item = self.kept(item);
        self.many().insert(index, item);
    }

    /// Inserts `count` items that are none at `index`.
    pub(super) fn insert_none(&mut self, index: usize, count: usize) {
        self.reserve(count);
        let nothings = std::iter::repeat_n(ManuallyDrop::new(Item::NONE), count);
        self.many().splice(index..index, nothings);
    }

    /// Replaces an item and returns the old one. The index must be in the list.
    #[inline]
    pub(super) fn replace(&mut self, index: usize, item: Item) -> Item {
        let has_object = item.has_object();
        let replaced = mem::replace(&mut *self.many()[index], item);
        self.has_objects |= has_object;
        replaced
    }

    pub(super) fn remove(&mut self, index: usize) -> Item {
        ManuallyDrop::into_inner(self.many().remove(index))
    }

    pub(super) fn drain(&mut self, range: impl RangeBounds<usize>) -> Vec<Item> {
        self.many().drain(range).map(ManuallyDrop::into_inner).collect()
    }

    /// Removes the items that `keep` rejects, and returns the removed items that have objects.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Item) -> bool) -> Vec<Item> {
        let mut released = Vec::new();
        self.many().retain_mut(|item| {
            let kept = keep(item);
            if !kept && item.has_object() {
                released.push(mem::take(&mut **item));
            }
            kept
        });
        released
    }

    pub(super) fn resize(&mut self, len: usize) {
        if len < self.len() {
            drop_all(self.drain(len..).into_iter());
        } else {
            self.reserve(len - self.len());
            self.many().resize(len, ManuallyDrop::new(Item::NONE));
        }
    }

    /// Reserves capacity for `additional` more items. If there is no memory, panics before anything has changed: an index may
    /// come from a script, and one far out of range must not abort the process.
    pub(super) fn reserve(&mut self, additional: usize) {
        let len = self.len();
        let is_there = self.many().try_reserve(additional).is_ok();
        assert!(
            is_there,
            "no memory for {additional} more items in a list of {len} items"
        );
    }

    /// Releases everything, and keeps the memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        drop_all(self.few.take().map(ManuallyDrop::into_inner));
        if self.has_objects {
            self.release();
        } else {
            self.items.clear();
        }
    }

    #[inline(never)]
    fn release(&mut self) {
        let mut items = self.take();
        drop_all(items.drain(..));
        self.items = items.into_iter().map(ManuallyDrop::new).collect();
    }
}

impl Contents for Store {
    fn release(&mut self) {
        self.clear();
    }

    /// All items, in the same allocation: both kinds of vectors have the same layout, so nothing is copied.
    fn take(&mut self) -> Vec<Item> {
        let items = mem::take(self.many());
        self.has_objects = false;
        items.into_iter().map(ManuallyDrop::into_inner).collect()
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests;
