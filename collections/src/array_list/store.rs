//! [`Store`]: the items of a list, which are released without a look at each if none of them has an object.

use std::cmp::Ordering;
use std::mem::{self, ManuallyDrop};
use std::ops::RangeBounds;
use std::slice;

use acedia_allocator::__private::drop_all;

use crate::Item;
use crate::few::Few;
use crate::stack::Stack;

/// The items of a list.
///
/// ```text
/// items         1   2   3   4        the vector drops none of them
/// has_objects   no                   so forgetting them all is enough
/// ```
///
/// To look at each number before it is forgotten would cost as much as to push it.
///
/// A [filled](Self::fill) one may have a few items in the place of the vector, which has no memory then: so whoever finds an item in
/// the vector, or room for one, has not looked for them.
#[derive(Default)]
pub(crate) struct Store {
    items: Vec<ManuallyDrop<Item>>,
    few: Few<ManuallyDrop<Item>, FEW>,
    /// Whether an object ever came into the vector since there was nothing.
    has_objects: bool,
}

/// As many as coordinates and colours have.
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

    /// Apart, so that the way to what stands in the vector stays short.
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

    /// The items in order, in whose places no others may come.
    #[inline]
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Item> {
        let all = if self.items.is_empty() {
            self.few.all_mut()
        } else {
            &mut self.items
        };
        all.iter_mut().map(|item| &mut **item)
    }

    /// Fills it, which was empty, with the last of `items`, from `start` on.
    #[inline]
    pub(super) fn fill(&mut self, items: &mut Stack, start: usize) {
        let items = items.last(start);
        if self.few.fill(items, |item| ManuallyDrop::new(mem::take(item))) {
            // Memory from another life would be farther away.
            self.items = Vec::new();
        } else {
            self.extend(items.iter_mut().map(mem::take));
        }
    }

    /// The vector, with all items.
    #[inline]
    fn many(&mut self) -> &mut Vec<ManuallyDrop<Item>> {
        if self.few.len() > 0 {
            self.leave_few();
        }
        &mut self.items
    }

    /// Makes room for one item more.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.many().reserve(1);
    }

    #[cold]
    #[inline(never)]
    fn leave_few(&mut self) {
        self.has_objects = true;
        self.few.empty(|item| self.items.push(item));
    }

    /// An item that is about to come in.
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

    /// Puts nothings in.
    pub(super) fn insert_none(&mut self, index: usize, count: usize) {
        self.reserve(count);
        let nothings = std::iter::repeat_n(ManuallyDrop::new(Item::NONE), count);
        self.many().splice(index..index, nothings);
    }

    /// Puts an item in the place of another one, which is given. The index must be in the list.
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

    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.many().swap(one, other);
    }

    /// Removes a range of items and gives them.
    pub(super) fn drain(&mut self, range: impl RangeBounds<usize>) -> Vec<Item> {
        self.many().drain(range).map(ManuallyDrop::into_inner).collect()
    }

    /// Removes the items of which `keep` says no, and gives those of them that have objects.
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

    /// Makes room for so many more. Panics if there is none, before anything has changed: indices come from scripts, too, and one
    /// that is far off must not end the process.
    pub(super) fn reserve(&mut self, additional: usize) {
        let len = self.len();
        let is_there = self.many().try_reserve(additional).is_ok();
        assert!(is_there, "no memory for {additional} more items in a list of {len}");
    }

    pub(super) fn sort_by(&mut self, mut compare: impl FnMut(&Item, &Item) -> Ordering) {
        self.many().sort_by(|left, right| compare(left, right));
    }

    /// Releases everything, and keeps the memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.few.empty(|item| drop(ManuallyDrop::into_inner(item)));
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

    /// Everything, in the same memory: both kinds of vectors are laid out alike, so nothing is copied.
    pub(super) fn take(&mut self) -> Vec<Item> {
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
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use acedia_allocator::{Object, class};
    use acedia_boxes::IntRef;

    use super::*;

    #[test]
    fn whatever_leaves_is_released_once() {
        let object = IntRef::new(7);
        let mut store = Store::default();
        let fill = |store: &mut Store| {
            for item in [
                1.into(),
                Item::from(&object),
                2.into(),
                (&object).into(),
                (&object).into(),
            ] {
                store.push(item);
            }
            assert_eq!(object.owners(), 4);
        };
        fill(&mut store);
        assert_eq!(store.remove(1).as_int(), Some(7));
        assert_eq!(object.owners(), 3);
        assert_eq!(store.replace(2, 3.into()).as_int(), Some(7));
        store.insert(0, (&object).into());
        assert_eq!((object.owners(), store.len()), (3, 5));
        store.clear();
        assert_eq!((object.owners(), store.len()), (1, 0));

        fill(&mut store);
        assert_eq!(store.drain(1..4).into_iter().nth(1).unwrap().as_int(), Some(2));
        assert_eq!((object.owners(), store.len()), (2, 2));
        store.insert_none(0, 2);
        assert!(store.get(1).unwrap().is_none() && store.get(3).unwrap().is_owned());
        store.resize(3);
        assert_eq!((object.owners(), store.len()), (1, 3));
        store.clear();

        fill(&mut store);
        drop(store.retain(|item| !item.is_owned()));
        assert_eq!((object.owners(), store.len()), (1, 2));
        store.clear();

        fill(&mut store);
        drop(store.take());
        assert_eq!((object.owners(), store.len()), (1, 0));
        fill(&mut store);
        drop(store);
        assert_eq!(object.owners(), 1);
    }

    /// What happens to a store that has three items.
    const CHANGES: [fn(&mut Store); 11] = [
        |_| {},
        |store| store.push(7.into()),
        |store| store.extend([7.into(), 8.into()].into_iter()),
        |store| store.insert(1, 7.into()),
        |store| store.insert_none(1, 2),
        |store| drop(store.replace(1, 7.into())),
        |store| drop(store.remove(1)),
        |store| store.swap(0, 1),
        |store| drop(store.drain(1..)),
        |store| drop(store.retain(Item::is_owned)),
        |store| store.sort_by(|left, right| left.is_owned().cmp(&right.is_owned())),
    ];

    #[test]
    fn filled_is_like_pushed() {
        let object = IntRef::new(7);
        let items = || {
            [
                1.into(),
                Item::from(&object),
                2.into(),
                3.into(),
                4.into(),
                (&object).into(),
            ]
        };
        let mut filled = Store::default();
        for len in [3, 6, 3, 4, 0, 3] {
            for change in CHANGES {
                let mut pushed = Store::default();
                items().into_iter().take(len).for_each(|item| pushed.push(item));
                let mut all = Stack::default();
                all.extend([Item::from(0)].into_iter().chain(items()).take(1 + len));
                filled.fill(&mut all, 1);
                assert_eq!((all.len(), filled.len()), (1, len));
                assert!(filled.iter().eq(pushed.iter()));
                if len >= 3 {
                    change(&mut filled);
                    change(&mut pushed);
                }
                assert_eq!(filled.len(), pushed.len());
                for index in 0..=filled.len() {
                    assert_eq!(filled.get(index), pushed.get(index));
                }
                assert!(filled.iter_mut().eq(pushed.iter_mut()));
                drop(pushed);
                if len == 4 {
                    drop(filled.take());
                } else {
                    filled.clear();
                }
                assert_eq!((object.owners(), filled.len()), (1, 0));
            }
        }
    }

    #[test]
    fn a_panic_keeps_no_other_item_from_being_released() {
        #[derive(Default)]
        struct Bomb;
        impl Object for Bomb {
            class!(Bomb, "Test.StoredBomb");
            const FINALIZER: Option<fn(&mut Self)> = Some(|_| panic!("is meant"));
        }
        let object = IntRef::new(7);
        let mut store = Store::default();
        for item in [Item::from(&object), Bomb::allocate().into(), (&object).into()] {
            store.push(item);
        }
        let cleared = catch_unwind(AssertUnwindSafe(|| store.clear()));
        assert!(cleared.is_err());
        assert_eq!((object.owners(), store.len()), (1, 0));
    }

    #[test]
    fn the_memory_stays() {
        for last in [Item::from(1), IntRef::new(1).into()] {
            let mut store = Store::default();
            store.reserve(100);
            store.push(last);
            let before = store.items.as_ptr();
            store.clear();
            assert!(store.items.capacity() >= 100 && store.items.as_ptr() == before);
        }
    }
}
