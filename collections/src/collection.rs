//! [`Collection`]: a list or a table as an item of another collection.

use std::collections::{HashMap, hash_map};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use acedia::{AnyOwned, Pinned};
use acedia_text::Keyed;

use crate::place::{Node, Place};
use crate::{ArrayList, HashTable, Item, Key, OwnedOrGuard, Refused};

/// How long the search for cycles waits for each collection that another thread is changing. A change normally ends
/// much earlier. If two threads would close a cycle together and wait for each other, their items are refused after this time.
const PATIENCE: Duration = Duration::from_millis(50);

#[expect(
    clippy::exhaustive_enums,
    reason = "the crates of this workspace alone use it, and must handle both classes"
)]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]
#[derive(Clone, Copy)]
pub enum Collection<'a> {
    List(&'a ArrayList),
    Table(&'a HashTable),
}

#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]
impl<'a> Collection<'a> {
    #[inline]
    pub fn of(object: &'a AnyOwned) -> Option<Self> {
        let list = object.downcast_ref().map(Self::List);
        list.or_else(|| object.downcast_ref().map(Self::Table))
    }

    /// The collection that the item owns or watches: see [`Item::reach`].
    pub fn reach(item: &'a Item, pinned: &'a mut Option<Pinned>) -> Option<Self> {
        if let Some(object) = item.object() {
            return Self::of(object);
        }
        if item.is::<ArrayList>() {
            item.reach(pinned).map(Self::List)
        } else {
            item.reach(pinned).map(Self::Table)
        }
    }

    /// The result of `read` on the collection that the item owns or watches.
    pub fn with<R>(item: &Item, read: impl FnOnce(Collection<'_>) -> R) -> Option<R> {
        Collection::reach(item, &mut None).map(read)
    }

    /// As [`Place::mark`].
    #[inline]
    pub fn mark(self) {
        self.place().mark();
    }

    #[inline]
    pub(crate) fn place(self) -> &'a Place {
        match self {
            Self::List(list) => &list.place,
            Self::Table(table) => &table.place,
        }
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Table(table) => table.len(),
        }
    }

    /// A copy of the content, for readers that must not hold the lock meanwhile.
    pub(crate) fn content(self) -> Content {
        match self {
            Self::List(list) => Content::List(list.read().iter().cloned().collect()),
            Self::Table(table) => {
                let entries = table.read();
                let entries = entries.iter().map(|(key, item)| (key.clone(), item.clone()));
                Content::Table(entries.collect())
            }
        }
    }

    /// Calls `visit` with every object that the collection owns. `None` if it stays locked for [`PATIENCE`].
    fn owned(self, visit: &mut dyn FnMut(&AnyOwned)) -> Option<()> {
        match self {
            Self::List(list) => {
                let items = list.contents.try_read_for(PATIENCE)?;
                items.iter().filter_map(Item::object).for_each(visit);
            }
            Self::Table(table) => {
                let entries = table.contents.try_read_for(PATIENCE)?;
                let both = entries.iter().flat_map(|(key, value)| [key, value]);
                both.filter_map(Item::object).for_each(visit);
            }
        }
        Some(())
    }
}

/// The items or entries of a collection.
pub(crate) enum Content {
    List(Vec<Item>),
    Table(Vec<(Item, Item)>),
}

impl Node for AnyOwned {
    type Mark = AtomicBool;

    fn place(&self) -> Option<&Place> {
        Collection::of(self).map(Collection::place)
    }

    fn owned(&self, visit: &mut dyn FnMut(&Self)) -> Option<()> {
        Collection::of(self).map_or(Some(()), |collection| collection.owned(visit))
    }
}

impl Place {
    /// The item, if the collection here [admits](Self::admit) it. Most items own no collection, and are always admitted.
    #[inline]
    pub(crate) fn admitted(&self, item: Item) -> Result<Item, Refused> {
        match item.object().filter(|object| Collection::of(object).is_some()) {
            Some(child) => match self.admit(child) {
                Ok(()) => Ok(item),
                Err(reason) => Err(Refused::new(item, reason)),
            },
            None => Ok(item),
        }
    }
}

impl Item {
    /// How deeply collections are nested in this item. The collection that the item owns is level 1. A collection that stays
    /// locked for [`PATIENCE`] counts as empty.
    #[doc(hidden)]
    #[must_use]
    pub fn levels(&self) -> usize {
        let mut levels = HashMap::with_hasher(Keyed);
        let mut last = 0;
        let mut open = Vec::from_iter(self.object().cloned().map(|object| (object, None::<Vec<usize>>)));
        // Each collection is met twice: before the collections in it, and with their addresses after them.
        while let Some((object, inner)) = open.pop() {
            let Some(address) = Node::place(&object).map(Place::address) else {
                continue;
            };
            if let Some(inner) = inner {
                last = 1 + inner.iter().filter_map(|inner| levels.get(inner)).max().unwrap_or(&0);
                levels.insert(address, last);
            } else if let hash_map::Entry::Vacant(place) = levels.entry(address) {
                place.insert(0);
                let (mut inner, mut ahead) = (Vec::new(), Vec::new());
                Node::owned(&object, &mut |object| {
                    if let Some(place) = Node::place(object) {
                        inner.push(place.address());
                        ahead.push((object.clone(), None));
                    }
                });
                open.push((object, Some(inner)));
                open.append(&mut ahead);
            }
        }
        last
    }

    /// The list that the item owns or watches. [`to_owned_as`](Self::to_owned_as) returns an owner, but only of an owned list.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = ArrayList::from([1]);
    /// for item in [Item::from(&list), list.handle().into()] {
    ///     item.to_list().unwrap().write().push(2);
    ///     assert!(item.to_table().is_none());
    /// }
    /// assert_eq!(list.len(), 3);
    /// ```
    #[must_use]
    #[doc(alias = "GetArrayList")]
    #[doc(alias = "GetDynamicArray")]
    pub fn to_list(&self) -> Option<OwnedOrGuard<ArrayList>> {
        self.owned_or_guard()
    }

    /// A copy of an item of the list or table that this item owns or watches. The key of a list's item is its index. If there is no such
    /// item, returns [`NONE`](Self::NONE), so calls can be chained. `Item` does not implement `Index`, because the reference would
    /// outlive the lock of the collection.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, HashTable, Item};
    ///
    /// let last = HashTable::from([("b", Item::NONE)]);
    /// let list = ArrayList::from([Item::from(1), 2.into(), last.into()]);
    /// let document = Item::from(HashTable::from([("a", Item::from(list)), ("7", true.into())]));
    /// assert_eq!(document.get("a").get(1).as_int(), Some(2));
    /// assert!(document.get("a").get("b").is_none() && document.get(7).is_none());
    /// assert!(document.get("a").get(2).get("b").get("c").is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ArrayList::read`].
    ///
    /// # Cost
    ///
    /// One lock and one look-up.
    #[must_use]
    #[track_caller]
    #[doc(alias = "Index")]
    pub fn get(&self, key: impl Key) -> Self {
        let item = match Collection::reach(self, &mut None) {
            Some(Collection::List(list)) => key.index().map(|index| list.get(index)),
            Some(Collection::Table(table)) => Some(table.get(key)),
            None => None,
        };
        item.unwrap_or_default()
    }

    /// The table that the item owns or watches, as [`to_list`](Self::to_list) returns a list.
    #[must_use]
    #[doc(alias = "GetHashTable")]
    #[doc(alias = "GetAssociativeArray")]
    pub fn to_table(&self) -> Option<OwnedOrGuard<HashTable>> {
        self.owned_or_guard()
    }
}
