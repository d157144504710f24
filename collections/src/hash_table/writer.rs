//! [`TableWriter`]: the contents of a locked table, to change.

use std::mem;

use acedia::Owned;

use super::entries::Entries;
use super::kept::Kept;
use super::ordered::{Ordered, Stored};
use super::table::HashTable;
use crate::key::sealed::Sealed as _;
use crate::lock::Writing;
use crate::place::Place;
use crate::release::{Contents as _, Taken};
use crate::{Item, Key, Reason, Refused};

/// A table that is locked for changing: the result of [`HashTable::write`](crate::HashTable::write). Dereferences to
/// [`Entries`], which has the methods that only read.
///
/// Methods that change the table and have no other result return `&mut Self`, so that calls can be chained.
///
/// # Panics
///
/// [`set`](Self::set), `extend` and [`entry`](Self::entry) panic if a collection would own itself, or if this [cannot be
/// checked](crate::Reason::Busy). Their `try_` forms return an error instead. An item that is not a collection is never refused.
///
/// # Cost
///
/// As for [`ListWriter`](crate::ListWriter#cost): inserting a collection may search for a cycle.
///
/// ```
/// use acedia_collections::HashTable;
///
/// let table = HashTable::from([("lives", 3), ("score", 10)]);
/// let mut entries = table.write();
/// entries.reserve(10).set("name", "Bob");
/// let (_, before) = entries.try_set("lives", 2).unwrap().unwrap();
/// assert_eq!(before.as_int(), Some(3));
/// assert!(entries.try_set("me", table.clone()).is_err(), "it would own itself");
/// assert_eq!(entries.entry("score").or_insert(0).as_int(), Some(10));
/// assert_eq!(entries.entry("kills").or_insert_with(|| 0).as_int(), Some(0));
/// assert!(entries.remove("name") && !entries.remove("name"));
/// let (key, _) = entries.take_entry("kills").unwrap();
/// assert_eq!(key.to_string().as_deref(), Some("kills"));
/// entries.retain(|_, value| value.as_int() > Some(5));
/// assert_eq!((entries.sweep(), entries.len()), (0, 1));
/// assert_eq!(entries.drain().count(), 1);
/// assert!(entries.clear().is_empty());
/// ```
pub struct TableWriter<'a> {
    pub(super) entries: Writing<'a, Entries>,
    pub(super) home: &'a Place,
}

impl HashTable {
    /// A table of these entries. If keys are equal, the last one wins. Entries whose key is none are left out.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2), ("a", 3)]);
    /// assert_eq!((table.read().len(), table.read()["a"].as_int()), (2, Some(3)));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[track_caller]
    #[doc(alias = "NewHashTable")]
    #[doc(alias = "NewAssociativeArray")]
    pub fn from<K: Into<Item>, V: Into<Item>>(entries: impl IntoIterator<Item = (K, V)>) -> Owned<Self> {
        let table = Self::new();
        table.write().extend(entries);
        table
    }
}

/// For `collect`:
///
/// ```
/// use acedia::Owned;
/// use acedia_collections::HashTable;
///
/// let lengths: Owned<HashTable> =
///     ["rope", "sword"].map(|word| (word, word.len())).into_iter().collect();
/// assert_eq!((lengths.read().len(), lengths.get("sword").as_int()), (2, Some(5)));
/// ```
///
/// Items that are not pairs do not compile:
///
/// ```compile_fail,E0277
/// use acedia::Owned;
/// use acedia_collections::HashTable;
///
/// let table: Owned<HashTable> = [1, 2].into_iter().collect();
/// ```
impl<K: Into<Item>, V: Into<Item>> Extend<(K, V)> for HashTable {
    #[track_caller]
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.write().extend(entries);
    }
}

impl TableWriter<'_> {
    /// Inserts an entry. If the table has an equal key, the key and its item are both replaced, and the old key and item are
    /// released. If the key is none or its object was freed, the item is released; [`try_set`](Self::try_set) returns it in the
    /// error instead. Tables of one JSON document that have the same keys share them. Such a table keeps the shared key, unless
    /// the new key has formats, another owner or a handle.
    ///
    /// ```
    /// use acedia_boxes::IntRef;
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// table.write().set("lives", 3).set("lives", 2).set("nothing", None::<i32>);
    /// assert_eq!(table.read()["lives"].as_int(), Some(2));
    /// assert!(table.read().contains_key("nothing"));
    ///
    /// let pawn = IntRef::new(100);
    /// table.write().set(pawn.handle(), "a note"); // goes when the pawn goes
    /// assert_eq!(table.read().len(), 3);
    /// drop(pawn);
    /// assert_eq!(table.read().len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](Self#panics), or if the key's hash or equality panics. Nothing has changed then.
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
    pub fn set(&mut self, key: impl Into<Item>, item: impl Into<Item>) -> &mut Self {
        match self.try_set(key, item) {
            Err(refused) if refused.reason() != Reason::NoKey => panic!("{refused}"),
            _ => self,
        }
    }

    /// Like [`set`](Self::set), but returns the replaced key and item, or an error with the refused item.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Reason};
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// let (_, before) = table.write().try_set("a", 2).unwrap().unwrap();
    /// assert_eq!(before.as_int(), Some(1));
    /// assert!(table.write().try_set("self", &table).is_err());
    /// let refused = table.write().try_set(None::<i32>, 7).unwrap_err();
    /// assert_eq!((refused.reason(), refused.into_item().as_int()), (Reason::NoKey, Some(7)));
    /// ```
    ///
    /// # Errors
    ///
    /// The key is none or its object was freed, the key or the item is a collection that would own itself, or this [cannot be
    /// checked](crate::Reason::Busy).
    ///
    /// # Panics
    ///
    /// If the key's hash or equality panics. Nothing has changed then.
    #[inline]
    pub fn try_set(&mut self, key: impl Into<Item>, item: impl Into<Item>) -> Result<Option<(Item, Item)>, Refused> {
        let (key, item) = (key.into(), item.into());
        if key.is_none() {
            return Err(Refused::new(item, Reason::NoKey));
        }
        let (key, item) = (self.home.admitted(key)?, self.home.admitted(item)?);
        Ok(self.entries.insert(key, item))
    }

    /// Replaces the item of a key that is in the table, and returns the old item. The entry keeps its key, so a `&str` key is
    /// not converted into a text.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Reason};
    ///
    /// let table = HashTable::from([("score", 3)]);
    /// assert_eq!(table.write().replace("score", 4).unwrap().as_int(), Some(3));
    /// let refused = table.write().replace("lives", 1).unwrap_err();
    /// assert_eq!((refused.reason(), table.read().len()), (Reason::NoKey, 1));
    /// ```
    ///
    /// # Errors
    ///
    /// The key is not in the table, the item is a collection that would own itself, or this [cannot be checked](crate::Reason::Busy).
    /// The error contains the item.
    ///
    /// # Panics
    ///
    /// If the key's hash or equality panics. Nothing has changed then.
    ///
    /// # Cost
    ///
    /// One look-up. If the key is a short string, it is twice as fast as [`set`](Self::set) (Zen 5).
    pub fn replace(&mut self, key: impl Key, item: impl Into<Item>) -> Result<Item, Refused> {
        let item = self.home.admitted(item.into())?;
        match self.entries.place(&key) {
            Some(place) => Ok(mem::replace(self.entries.value_at_mut(place), item)),
            None => Err(Refused::new(item, Reason::NoKey)),
        }
    }

    /// Inserts an entry with a key that the table does not have and that has this hash, and returns its item.
    pub(super) fn insert_new(&mut self, hash: Option<u64>, key: Item, item: Item) -> Result<&Item, Refused> {
        // The object of a handle may have been freed since it was hashed.
        let Some(hash) = hash.filter(|_| key.is_some()) else {
            return Err(Refused::new(item, Reason::NoKey));
        };
        let (key, item) = (self.home.admitted(key)?, self.home.admitted(item)?);
        self.entries.insert_hashed(hash, key, item);
        Ok(self.entries.last())
    }

    /// Removes an entry, releases its key, and returns its item. The other entries stay in order.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// assert_eq!(table.write().take("a").as_int(), Some(1));
    /// assert!(table.write().take("a").is_none());
    /// ```
    ///
    /// # Cost
    ///
    /// Amortized constant time. If most entries have been removed, a call moves those that are left.
    #[doc(alias("TakeItem", "remove"))]
    pub fn take(&mut self, key: impl Key) -> Item {
        self.take_entry(key).map(|(_, item)| item).unwrap_or_default()
    }

    /// Removes an entry and returns its key and item.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// let (key, item) = table.write().take_entry("a").unwrap();
    /// assert_eq!((key.to_string().as_deref(), item.as_int()), (Some("a"), Some(1)));
    /// ```
    #[doc(alias = "TakeEntry")]
    pub fn take_entry(&mut self, key: impl Key) -> Option<(Item, Item)> {
        let removed = self.entries.remove_by(&key, Ordered::remove);
        // Even if there was no entry: the key may be one of those that have died.
        self.entries.release_front();
        removed.map(|(_, [key, item])| (key, item))
    }

    /// Removes an entry, and releases its item and its key. Returns whether there was such an entry. [`take`](Self::take) returns
    /// the item.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// assert!(table.write().remove("a"));
    /// assert!(!table.write().remove("a"));
    /// ```
    #[doc(alias = "RemoveItem")]
    pub fn remove(&mut self, key: impl Key) -> bool {
        self.take_entry(key).is_some()
    }

    /// Removes an entry, and returns its place, for [`put_back`](Self::put_back). No entry moves until [`close`](Self::close).
    #[doc(hidden)]
    pub fn take_out(&mut self, key: impl Key) -> Option<(usize, [Item; 2])> {
        self.entries.remove_by(&key, Ordered::take_out)
    }

    /// Undoes a [`take_out`](Self::take_out). All later changes must have been undone before, so that the order is as before.
    #[doc(hidden)]
    pub fn put_back(&mut self, place: usize, [key, item]: [Item; 2]) -> Result<(), Refused> {
        let value = self.home.admitted(item)?;
        // If the key has an entry again, its item is replaced.
        if self.contains_key(&key) {
            self.entries.insert(key, value);
        } else if let Some(hash) = key.key_hash() {
            let is_watched = key.watched().is_some();
            let own = self.entries.0.own_mut();
            own.table.put_back(place, Stored { hash, key, value });
            own.watched += usize::from(is_watched);
        }
        Ok(())
    }

    /// Closes the holes of [`take_out`](Self::take_out).
    #[doc(hidden)]
    pub fn close(&mut self) {
        if let Kept::Own(own) = &mut self.entries.0 {
            own.table.fill_many_holes();
        }
    }

    /// Releases all keys and items, and frees the memory beyond the minimal capacity.
    ///
    /// # Cost
    ///
    /// Linear in the capacity.
    #[doc(alias = "Empty")]
    pub fn clear(&mut self) -> &mut Self {
        if self.entries.0.own().is_none() {
            self.entries.0.release();
        }
        drop(self.drain());
        self.fit();
        self
    }

    /// Removes the entries that `keep` rejects.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2)]);
    /// table.write().retain(|_, item| item.as_int() > Some(1));
    /// assert!(table.read().len() == 1 && table.read().contains_key("b"));
    /// ```
    ///
    /// # Cost
    ///
    /// Linear in the capacity.
    pub fn retain(&mut self, keep: impl FnMut(&Item, &Item) -> bool) -> &mut Self {
        self.entries.retain(keep);
        self
    }

    /// Removes all entries and iterates over them. Dropping the iterator releases the entries that it has not returned.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2)]);
    /// let drained: Vec<_> = table.write().drain().collect();
    /// assert!(drained.len() == 2 && table.read().is_empty());
    /// ```
    pub fn drain(&mut self) -> impl Iterator<Item = (Item, Item)> {
        let own = self.entries.0.own_mut();
        own.watched = 0;
        let all = own.table.drain(own.minimal_capacity).map(Stored::both);
        Taken(all.map(|[key, item]| (key, item))).filter(|(key, _)| key.is_some())
    }

    /// Removes the entries whose keys have been freed, releases their items, and returns their number. No lookup finds such an entry.
    /// The table also removes them before it grows, and each insertion and removal removes those before the first living key.
    ///
    /// ```
    /// use acedia_boxes::IntRef;
    /// use acedia_collections::HashTable;
    ///
    /// let (pawn, note) = (IntRef::new(100), IntRef::new(7));
    /// let notes = HashTable::from([(pawn.handle(), &note)]);
    /// drop(pawn);
    /// assert!(notes.read().is_empty() && note.owners() == 2);
    /// assert_eq!(notes.write().sweep(), 1);
    /// assert_eq!(note.owners(), 1);
    /// ```
    ///
    /// # Cost
    ///
    /// Linear if the table watches keys, otherwise constant time.
    pub fn sweep(&mut self) -> usize {
        self.entries.sweep()
    }

    /// Reserves capacity for `additional` more entries.
    ///
    /// # Panics
    ///
    /// If there is no memory for them. Nothing has changed then.
    pub fn reserve(&mut self, additional: usize) -> &mut Self {
        self.entries.0.own_mut().table.reserve(additional);
        self
    }

    /// Reserves capacity for `capacity` entries in all, keeps that capacity for the rest of this life, and frees the
    /// surplus.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// table.write().set_minimal_capacity(1000).set("a", 1).clear();
    /// assert!(table.read().capacity() >= 1000);
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no memory for these entries. Nothing has changed then.
    #[doc(alias = "SetMinimalCapacity")]
    pub fn set_minimal_capacity(&mut self, capacity: usize) -> &mut Self {
        let len = self.entries.0.own_mut().table.len();
        self.reserve(capacity.saturating_sub(len));
        self.entries.0.own_mut().minimal_capacity = capacity;
        self.fit();
        self
    }

    /// Shrinks or grows the table to its minimal capacity, or to its length if that is more.
    fn fit(&mut self) {
        self.sweep();
        let own = self.entries.0.own_mut();
        own.table.shrink_to(own.minimal_capacity);
        let missing = own.minimal_capacity.saturating_sub(own.table.len());
        own.table.reserve(missing);
    }
}

impl<K: Into<Item>, V: Into<Item>> Extend<(K, V)> for TableWriter<'_> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        let entries = entries.into_iter();
        self.reserve(entries.size_hint().0);
        entries.for_each(|(key, item)| {
            self.set(key, item);
        });
    }
}
