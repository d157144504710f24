//! [`Entries`]: the contents of a table, to read.

use std::fmt;
use std::iter::Zip;
use std::mem;
use std::ops::Index;
use std::slice;

use acedia::__private::{drop_all, uncommon};
use acedia::AnyOwned;
use acedia_text::{Text, is_exact};

use super::kept::Kept;
use super::ordered::{Ordered, Stored};
use super::shape::{Shape, ShapeKey};
use crate::key::sealed::Sealed as _;
use crate::release::Contents;
use crate::{Item, Key};

/// The contents of a [`HashTable`](crate::HashTable). [`read`](crate::HashTable::read) returns them, and so does
/// [`write`](crate::HashTable::write), with further methods that change them.
#[derive(Default)]
///
/// ```
/// use acedia_collections::{HashTable, Item};
///
/// let table = HashTable::from([("lives", Item::from(3)), ("weapon", Item::NONE)]);
/// let entries = table.read();
/// assert_eq!(
///     (entries.len(), entries.iter().count(), entries.iter_some().count()),
///     (2, 2, 1)
/// );
/// assert!(
///     entries.contains_key("weapon") && !entries.is_some("weapon") && !entries.is_empty()
/// );
/// assert_eq!(entries.get_entry("lives").unwrap().1.as_int(), Some(3));
/// assert!(entries.keys().all(|key| key.to_string().is_some()));
/// assert_eq!(entries.values().filter_map(Item::as_int).sum::<i32>(), 3);
/// assert!(entries.capacity() >= 2 && entries.minimal_capacity() <= entries.capacity());
/// ```
pub struct Entries(pub(super) Kept);

/// The entries of a table: the keys of its shape and an item for each, or pairs of key and item.
#[expect(clippy::exhaustive_enums, reason = "the crates of this workspace alone use it")]
#[allow(missing_debug_implementations, reason = "for this workspace alone")]
pub enum ByShape<'a, V, E> {
    /// The shape, and the values in the order of its keys.
    Shaped(&'a Shape, V),
    /// Keys and values.
    Other(E),
}

/// A new key counts as a collision if at least this number of other keys have its hash.
const CROWD: usize = 16;

impl Entries {
    /// The number of entries, including those whose item is none.
    ///
    /// # Cost
    ///
    /// Constant time. Linear if the table watches keys, because their objects may have been freed.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Own(own) if own.watched == 0 => own.table.len(),
            Kept::Own(_) => self.iter().count(),
            Kept::Few(..) | Kept::Many(..) => self.0.values().len(),
        }
    }

    /// Whether there are no entries. Stops at the first one.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether the key has an entry, even if the item of the entry is none.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", Some(1)), ("b", None)]);
    /// let entries = table.read();
    /// assert_eq!(["a", "b", "c"].map(|key| entries.contains_key(key)), [true, true, false]);
    /// assert_eq!(["a", "b", "c"].map(|key| entries.is_some(key)), [true, false, false]);
    /// ```
    #[inline]
    #[must_use]
    #[doc(alias = "HasKey")]
    pub fn contains_key(&self, key: impl Key) -> bool {
        self.find(key).is_some()
    }

    /// The item of a key. `None` if there is no such entry, or its item is none. In both cases `entries[key]` is
    /// [`Item::NONE`].
    ///
    /// ```
    /// use acedia_collections::{HashTable, Item};
    ///
    /// let table = HashTable::from([("a", Some(1)), ("b", None)]);
    /// let entries = table.read();
    /// assert_eq!(entries.get("a"), Some(&Item::from(1)));
    /// assert!(entries.get("b").is_none() && entries.contains_key("b"));
    /// assert_eq!(entries["b"].as_int(), None);
    /// ```
    ///
    /// A clone of an owning item is a new owner of its object.
    ///
    /// # Cost
    ///
    /// A string is hashed and compared, without making an object. A text computes its hash once in its life.
    #[inline]
    #[must_use]
    #[doc(alias = "GetItem")]
    #[doc(alias = "BorrowItem")]
    pub fn get(&self, key: impl Key) -> Option<&Item> {
        let value = self.find(key)?;
        value.is_some().then_some(value)
    }

    /// The stored key and its item.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    /// use acedia_text::Text;
    ///
    /// let key = Text::from("a");
    /// let table = HashTable::from([(&key, 1)]);
    /// let entries = table.read();
    /// let (stored, item) = entries.get_entry("a").unwrap();
    /// assert!(stored.to_text().unwrap().is_same(&key) && item.as_int() == Some(1));
    /// ```
    #[must_use]
    #[doc(alias = "GetEntry")]
    pub fn get_entry(&self, key: impl Key) -> Option<(&Item, &Item)> {
        let place = self.place(&key)?;
        match (self.0.own(), self.0.shape()) {
            (Some(own), _) => own.table.at(place).map(Stored::pair),
            (None, shape) => Some((&shape?.keys()[place].item, self.value_at(place))),
        }
    }

    /// Whether the key has an entry whose item is not none.
    #[must_use]
    #[doc(alias = "IsSomething")]
    pub fn is_some(&self, key: impl Key) -> bool {
        self.get(key).is_some()
    }

    /// The entries in the order in which their keys were inserted. Skips entries whose keys have been freed.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2)]);
    /// let sum: i32 = table.read().iter().filter_map(|(_, item)| item.as_int()).sum();
    /// assert_eq!(sum, 3);
    /// ```
    ///
    /// # Cost
    ///
    /// Linear in the number of entries passed. An entry whose key was freed counts until the table
    /// [removes it](crate::TableWriter::sweep). A removed entry behind the first one counts until the removed entries outnumber the
    /// others.
    #[doc(alias = "Iterate")]
    #[doc(alias = "CollectionIterator")]
    #[doc(alias = "IncrementIndex")]
    #[doc(alias = "GetItemByIndex")]
    #[doc(alias = "GetKeyByIndex")]
    #[doc(alias = "IsSomethingByIndex")]
    pub fn iter(&self) -> impl Iterator<Item = (&Item, &Item)> + Clone {
        let keys = self.0.shape().map_or(&[][..], Shape::keys);
        Iter {
            shaped: keys.iter().zip(self.0.values()),
            stored: self.0.own().map_or(&[][..], |own| own.table.all()).iter(),
            is_whole: self.0.own().is_some_and(|own| own.watched == 0 && own.table.is_whole()),
        }
    }

    /// The entries whose item is not none.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", Some(1)), ("b", None)]);
    /// assert_eq!((table.read().iter().count(), table.read().iter_some().count()), (2, 1));
    /// ```
    #[doc(alias = "LeaveOnlyNotNone")]
    pub fn iter_some(&self) -> impl Iterator<Item = (&Item, &Item)> + Clone {
        self.iter().filter(|(_, item)| item.is_some())
    }

    /// The keys, in the order in which they were inserted.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2)]);
    /// let keys: Vec<_> = table.read().keys().filter_map(|key| key.to_string()).collect();
    /// assert_eq!(keys, ["a", "b"]);
    /// ```
    #[doc(alias = "GetKeys")]
    #[doc(alias = "GetTextKeys")]
    #[doc(alias = "CopyTextKeys")]
    #[doc(alias = "GetKey")]
    pub fn keys(&self) -> impl Iterator<Item = &Item> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The items in the order of their keys.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1), ("b", 2)]);
    /// assert_eq!(table.read().values().filter_map(|item| item.as_int()).max(), Some(2));
    /// ```
    pub fn values(&self) -> impl Iterator<Item = &Item> + Clone {
        self.iter().map(|(_, item)| item)
    }

    /// The capacity set by [`set_minimal_capacity`](crate::TableWriter::set_minimal_capacity).
    #[must_use]
    #[doc(alias = "GetMinimalCapacity")]
    pub fn minimal_capacity(&self) -> usize {
        self.0.own().map_or(0, |own| own.minimal_capacity)
    }

    /// The number of entries that the table can hold without rebuilding its index. Like hashbrown's, it may fall after many
    /// removals, even below [`minimal_capacity`](Self::minimal_capacity).
    #[must_use]
    pub fn capacity(&self) -> usize {
        match self.0.own() {
            Some(own) => own.table.capacity(),
            None => self.0.values().len(),
        }
    }

    /// How many new keys had the same hash as 16 or more other keys. The number is 0 unless a class of keys has a bad
    /// hash.
    ///
    /// Such keys make the table slow: a lookup among them takes time linear in their number. The hashes of texts,
    /// numbers, boxes, and objects without a hash of their own never collide like this.
    ///
    /// ```
    /// use acedia::kind::ValueHash;
    /// use acedia::{Object, class};
    /// use acedia_collections::HashTable;
    ///
    /// #[derive(Default, PartialEq)]
    /// struct Coin(i32);
    /// impl Object for Coin {
    ///     class!(Coin, "Doc.Coin", kind = Value);
    /// }
    /// impl ValueHash for Coin {
    ///     fn value_hash(&self) -> i32 {
    ///         self.0 % 10 // ten hashes for all coins
    ///     }
    /// }
    ///
    /// let purse = HashTable::new();
    /// for number in 0..200 {
    ///     purse.write().set(Coin::allocate_with(|coin| coin.0 = number), number);
    /// }
    /// // Each hash belongs to 20 keys. All but the first 16 of them are counted.
    /// assert_eq!(purse.read().collisions(), 40);
    /// ```
    #[must_use]
    pub fn collisions(&self) -> usize {
        self.0.own().map_or(0, |own| own.collisions)
    }

    /// The item of a key.
    ///
    /// Only short texts in an ordinary table are looked up inline, to keep this path short. The path has no taken
    /// branches, which makes a miss faster.
    #[inline]
    fn find(&self, key: impl Key) -> Option<&Item> {
        if let Kept::Own(own) = &self.0 {
            if let Some(hash) = key.exact_hash() {
                let stored = own.table.at(own.table.find(hash, |_| true)?)?;
                // A watched key that was freed leaves its hash behind.
                if own.watched == 0 {
                    return Some(&stored.value);
                }
            }
            uncommon();
            return own.get(key);
        }
        uncommon();
        self.find_shared(key)
    }

    /// Like [`find`](Self::find), but for a short text in a table that shares its keys. Other keys are looked up in a tail
    /// call, so that no registers are spilled before it.
    #[inline(never)]
    fn find_shared(&self, key: impl Key) -> Option<&Item> {
        if let Kept::Few(Some(shape), few) = &self.0 {
            if let Some(hash) = key.exact_hash() {
                return few.get(shape.position_of_exact(hash)?);
            }
        }
        self.find_by_key(key)
    }

    /// Like [`find`](Self::find), but for any key in any table.
    #[inline(never)]
    fn find_by_key(&self, key: impl Key) -> Option<&Item> {
        Some(self.value_at(self.place(&key)?))
    }

    #[inline]
    pub(super) fn value_at_mut(&mut self, place: usize) -> &mut Item {
        match &mut self.0 {
            Kept::Own(own) => &mut own.table.at_mut(place).value,
            shared => &mut shared.values_mut()[place],
        }
    }

    /// The place of the entry of a key.
    #[inline]
    pub(super) fn place(&self, key: &impl Key) -> Option<usize> {
        self.place_of(key.key_hash()?, key)
    }

    /// Like [`place`](Self::place), for a key that has this hash.
    #[inline(never)]
    pub(super) fn place_of(&self, hash: u64, key: &impl Key) -> Option<usize> {
        match &self.0 {
            Kept::Own(own) => own.place(hash, key),
            shared => shared.shape()?.position(hash, key),
        }
    }

    /// The item at a [`place`](Self::place).
    pub(super) fn value_at(&self, place: usize) -> &Item {
        let value = match self.0.own() {
            Some(own) => own.table.at(place).map(|stored| &stored.value),
            None => self.0.values().get(place),
        };
        value.unwrap_or(&Item::NONE)
    }

    /// The entries by their storage, including dead entries and holes, whose keys are none.
    #[inline]
    #[doc(hidden)]
    pub fn by_shape(&self) -> ByShape<'_, slice::Iter<'_, Item>, impl Iterator<Item = (&Item, &Item)>> {
        match (self.0.shape(), self.0.own()) {
            (Some(shape), _) => ByShape::Shaped(shape, self.0.values().iter()),
            (None, own) => {
                let stored = own.map_or(&[][..], |own| own.table.all());
                ByShape::Other(stored.iter().map(Stored::pair))
            }
        }
    }

    /// Like [`by_shape`](Self::by_shape), but with mutable access to the items.
    #[inline]
    #[doc(hidden)]
    pub fn by_shape_mut(&mut self) -> ByShape<'_, slice::IterMut<'_, Item>, impl Iterator<Item = (&Item, &mut Item)>> {
        let stored = match &mut self.0 {
            Kept::Few(Some(shape), few) => return ByShape::Shaped(shape, few.all_mut().iter_mut()),
            Kept::Many(shape, items) => return ByShape::Shaped(shape, items.iter_mut()),
            Kept::Few(None, _) => &mut [],
            Kept::Own(own) => own.table.all_mut(),
        };
        ByShape::Other(stored.iter_mut().map(|stored| (&stored.key, &mut stored.value)))
    }

    /// Fills a new table with at most `len` entries whose keys are owned texts. Of equal keys, the last one wins.
    pub(super) fn fill_own(&mut self, len: usize, entries: impl Iterator<Item = Stored>) {
        let table = &mut self.0.own_mut().table;
        table.reserve(len);
        for entry in entries {
            let is_told = is_exact(entry.hash);
            match table.find(entry.hash, |stored| is_told || entry.key == stored.key) {
                Some(place) => *table.at_mut(place) = entry,
                None => table.push(entry),
            }
        }
    }

    /// Inserts an entry, or replaces the key and item of an equal key and returns the old ones. Does nothing if the key is
    /// none.
    pub(super) fn insert(&mut self, key: Item, value: Item) -> Option<(Item, Item)> {
        self.insert_hashed(key.key_hash()?, key, value)
    }

    /// Like [`insert`](Self::insert), for a key that has this hash.
    pub(super) fn insert_hashed(&mut self, hash: u64, mut key: Item, value: Item) -> Option<(Item, Item)> {
        match self.0.shape().map(|shape| shape.position(hash, &key)) {
            // A table of a document keeps the keys that it shares, if the new key cannot be told from the shared one.
            Some(Some(place)) if is_plain(&mut key) => {
                let before = mem::replace(&mut self.0.values_mut()[place], value);
                return Some((key, before));
            }
            // If no other table has the shape of this one, the new key is added to the shape.
            Some(None) if key.object().is_some_and(AnyOwned::is::<Text>) => {
                if let Some((shape, few)) = self.0.growing() {
                    shape.push(hash, key, &[]);
                    few.push(value);
                    return None;
                }
            }
            _ => {}
        }
        let is_watched = key.watched().is_some();
        let own = self.0.own_mut();
        let is_told = own.is_told_by(hash);
        // Counts the other keys with this hash, because a class with a bad hash makes the table slow.
        let mut crowd = 0;
        let found = own.table.find(hash, |stored| {
            let found = is_told || key.finds(&stored.key);
            crowd += usize::from(!found);
            found
        });
        if let Some(place) = found {
            let stored = own.table.at_mut(place);
            let before = (
                mem::replace(&mut stored.key, key),
                mem::replace(&mut stored.value, value),
            );
            own.watched += usize::from(is_watched);
            own.watched -= usize::from(before.0.watched().is_some());
            self.release_front();
            return Some(before);
        }
        own.collisions += usize::from(crowd >= CROWD);
        // Removes dead keys, so that the table does not grow for them.
        if own.table.is_full() {
            self.sweep();
            self.0.own_mut().table.make_room();
        }
        let own = self.0.own_mut();
        own.table.push(Stored { hash, key, value });
        own.watched += usize::from(is_watched);
        self.release_front();
        None
    }

    /// The item of the entry that was inserted last.
    pub(super) fn last(&self) -> &Item {
        let last = match self.0.own() {
            Some(own) => own.table.all().last().map(|stored| &stored.value),
            None => self.0.values().last(),
        };
        last.unwrap_or(&Item::NONE)
    }

    /// Removes an entry, and returns its place, key and item.
    pub(super) fn remove_by(
        &mut self,
        key: &impl Key,
        remove: fn(&mut Ordered, usize) -> Stored,
    ) -> Option<(usize, [Item; 2])> {
        self.0.own_mut();
        let place = self.place(key)?;
        let own = self.0.own_mut();
        let stored = remove(&mut own.table, place);
        own.watched -= usize::from(stored.key.watched().is_some());
        Some((place, stored.both()))
    }

    /// Removes the dead keys before the first living one. So the first entry of a table of watched keys is found at once, even if many
    /// keys have died before it.
    #[inline]
    pub(super) fn release_front(&mut self) {
        if self.0.own().is_some_and(|own| own.watched > 0) {
            self.release_dead_front();
        }
    }

    #[inline(never)]
    fn release_dead_front(&mut self) {
        let mut released: Vec<Item> = Vec::new();
        let own = self.0.own_mut();
        while own.watched > 0 {
            let first = own.table.places().start;
            if own.table.at(first).is_none_or(|first| first.key.is_some()) {
                break;
            }
            let removed = own.table.take_out(first);
            own.watched -= usize::from(removed.key.watched().is_some());
            released.extend(removed.both());
        }
        drop_all(released.into_iter());
    }

    /// Removes the entries whose keys are dead, and returns their number.
    pub(super) fn sweep(&mut self) -> usize {
        let Some(before) = self.0.own().filter(|own| own.watched > 0).map(|own| own.table.len()) else {
            return 0;
        };
        self.retain(|_, _| true);
        before - self.0.own_mut().table.len()
    }

    /// Removes the entries that `keep` rejects, and those whose keys are dead. They are released after the last call of
    /// `keep`.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&Item, &Item) -> bool) {
        let own = self.0.own_mut();
        let mut released: Vec<Item> = Vec::new();
        for place in own.table.places() {
            let Some(stored) = own.table.at(place).filter(|stored| !stored.key.is_hole()) else {
                continue;
            };
            if !(stored.key.is_some() && keep(&stored.key, &stored.value)) {
                let removed = own.table.take_out(place);
                own.watched -= usize::from(removed.key.watched().is_some());
                released.extend(removed.both());
            }
        }
        own.table.fill_holes();
        drop_all(released.into_iter());
    }
}

/// Whether nothing distinguishes this key from an equal one of a shape: it is a text without formats, has no other owner, and no
/// handle to it was ever made.
fn is_plain(key: &mut Item) -> bool {
    let text = key.object_mut().and_then(AnyOwned::downcast_mut::<Text>);
    text.is_some_and(|text| !text.has_formats())
}

impl Drop for Entries {
    /// For a table that is not a pooled object. A pooled table is empty by then.
    fn drop(&mut self) {
        self.0.release();
    }
}

impl<K: Key> Index<K> for Entries {
    type Output = Item;

    /// The item, or [`Item::NONE`] if the key is not there.
    #[inline]
    fn index(&self, key: K) -> &Item {
        self.find(key).unwrap_or(&Item::NONE)
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// [`Entries::iter`].
#[derive(Clone)]
struct Iter<'a> {
    // `shaped` or `stored` is empty.
    shaped: Zip<slice::Iter<'a, ShapeKey>, slice::Iter<'a, Item>>,
    stored: slice::Iter<'a, Stored>,
    /// Whether no stored key can be none: there are no holes and no watched keys.
    is_whole: bool,
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Item, &'a Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let is_whole = self.is_whole;
        if let Some(stored) = self.stored.find(|stored| is_whole || stored.key.is_some()) {
            return Some(stored.pair());
        }
        let (key, item) = self.shaped.next()?;
        Some((&key.item, item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let shaped = self.shaped.len();
        (shaped, Some(shaped + self.stored.len()))
    }

    /// As repeated `next`, without a check at each entry whether the table has a shape, or holes.
    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, first: B, mut step: F) -> B {
        let folded = self
            .shaped
            .fold(first, |folded, (key, item)| step(folded, (&key.item, item)));
        if self.is_whole {
            return self.stored.map(Stored::pair).fold(folded, step);
        }
        let stored = self.stored.filter(|stored| stored.key.is_some()).map(Stored::pair);
        stored.fold(folded, step)
    }
}

#[cfg(test)]
mod tests;
