//! [`Entry`]: the result of [`TableWriter::entry`].

use std::{fmt, mem};

use super::writer::TableWriter;
use crate::place::Place;
use crate::{Item, Key, Reason, Refused};

/// The entry of one key in a table, occupied or vacant: the result of [`TableWriter::entry`].
///
/// ```
/// use acedia_collections::HashTable;
///
/// let table = HashTable::from([("lives", 3)]);
/// let mut entries = table.write();
/// let place = entries.entry("name");
/// assert_eq!(*place.key(), "name");
/// assert!(place.try_or_insert("Bob").is_ok());
/// assert_eq!(entries.entry("lives").or_insert_with(|| 5).as_int(), Some(3));
/// assert_eq!(entries.entry("kills").or_insert(0).as_int(), Some(0));
/// ```
#[must_use = "an entry does nothing by itself"]
pub struct Entry<'t, 'a, K> {
    key: K,
    found: Found<'t, 'a>,
}

enum Found<'t, 'a> {
    /// An item that is not none, and the place of its table.
    Item(&'t mut Item, &'a Place),
    /// An item that is none.
    None(&'t mut Item, &'a Place),
    /// No entry: the table, and the hash of the key unless the key is none.
    Nothing(&'t mut TableWriter<'a>, Option<u64>),
}

impl<'t, 'a> Found<'t, 'a> {
    #[inline]
    fn of(item: &'t mut Item, home: &'a Place) -> Self {
        if item.is_some() {
            Self::Item(item, home)
        } else {
            Self::None(item, home)
        }
    }
}

// Without the hash, which depends on the secret of the process.
impl<K: fmt::Debug> fmt::Debug for Entry<'_, '_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = match &self.found {
            Found::Item(item, _) | Found::None(item, _) => Some(item),
            Found::Nothing(..) => None,
        };
        f.debug_struct("Entry")
            .field("key", &self.key)
            .field("item", &item)
            .finish()
    }
}

impl<'a> TableWriter<'a> {
    /// The entry of a key. A `&str` becomes a text only when a new entry is inserted.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// table.write().entry("lives").or_insert(3);
    /// table.write().entry("lives").or_insert(5);
    /// assert_eq!(table.read()["lives"].as_int(), Some(3));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key's hash or equality panics.
    ///
    /// # Cost
    ///
    /// One look-up, and two for a new key. Call [`write`](crate::HashTable::write) once before a loop: counting words takes 1.3 to 2
    /// times as long if each word locks the table (Zen 5).
    #[inline]
    pub fn entry<K: Key + Into<Item>>(&mut self, key: K) -> Entry<'_, 'a, K> {
        let hash = key.key_hash();
        let place = hash.and_then(|hash| self.place_of(hash, &key));
        let found = match place {
            Some(place) => Found::of(self.entries.value_at_mut(place), self.home),
            None => Found::Nothing(self, hash),
        };
        Entry { key, found }
    }
}

impl<'t, K: Key + Into<Item>> Entry<'t, '_, K> {
    /// The key given to [`TableWriter::entry`].
    #[must_use]
    pub fn key(&self) -> &K {
        &self.key
    }

    /// Replaces the item by the result of `change`, unless the item is none. While `change` runs, the item is not in
    /// the table.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Item};
    ///
    /// let counts = HashTable::new();
    /// let mut entries = counts.write();
    /// for word in ["a", "b", "a"] {
    ///     let plus_one = |count: Item| (count.as_int().unwrap_or(0) + 1).into();
    ///     entries.entry(word).and_modify(plus_one).or_insert(1);
    /// }
    /// assert_eq!(entries["a"].as_int(), Some(2));
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](TableWriter#panics).
    #[inline]
    #[track_caller]
    pub fn and_modify(mut self, change: impl FnOnce(Item) -> Item) -> Self {
        if let Found::Item(item, home) = self.found {
            match home.admitted(change(mem::take(item))) {
                // The old item is none, which need not be dropped.
                Ok(changed) => mem::forget(mem::replace(item, changed)),
                Err(refused) => panic!("{refused}"),
            }
            self.found = Found::of(item, home);
        }
        self
    }

    /// Sets the item to `default` if there is no entry or its item is none, and returns the item. An existing entry keeps its key.
    /// If the key is none, inserts nothing and returns none.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// let mut writer = table.write();
    /// assert_eq!(writer.entry("health").or_insert(100).as_int(), Some(100));
    /// assert_eq!(writer.entry("health").or_insert(7).as_int(), Some(100));
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](TableWriter#panics).
    #[inline]
    #[track_caller]
    pub fn or_insert(self, default: impl Into<Item>) -> &'t Item {
        self.or_insert_with(|| default)
    }

    /// Like [`or_insert`](Self::or_insert), but inserts the result of `default`, called only if needed.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, HashTable};
    ///
    /// let teams = HashTable::new();
    /// for (team, player) in [("red", "Ann"), ("blue", "Bob"), ("red", "Cid")] {
    ///     let mut teams = teams.write();
    ///     let players = teams.entry(team).or_insert_with(ArrayList::new);
    ///     players.to_list().unwrap().write().push(player);
    /// }
    /// assert_eq!(teams.read()["red"].to_list().unwrap().read().len(), 2);
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](TableWriter#panics).
    #[inline]
    #[track_caller]
    pub fn or_insert_with<I: Into<Item>>(self, default: impl FnOnce() -> I) -> &'t Item {
        let Self { key, found } = self;
        match found {
            Found::Item(item, _) => item,
            found => Entry { key, found }.filled(default().into()),
        }
    }

    #[inline(never)]
    #[track_caller]
    fn filled(self, item: Item) -> &'t Item {
        match self.try_or_insert(item) {
            Ok(item) => item,
            Err(refused) if refused.reason() == Reason::NoKey => &Item::NONE,
            Err(refused) => panic!("{refused}"),
        }
    }

    /// Like [`or_insert`](Self::or_insert), but returns a refused item in the error.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// assert!(table.write().entry("self").try_or_insert(&table).is_err());
    /// assert!(table.write().entry("seven").try_or_insert(7).is_ok());
    /// assert_eq!(table.read().len(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// The key is none, the key or the item is a collection that would own itself, or this [cannot be
    /// checked](crate::Reason::Busy).
    pub fn try_or_insert(self, default: impl Into<Item>) -> Result<&'t Item, Refused> {
        match self.found {
            Found::Item(item, _) => Ok(item),
            Found::None(item, home) => {
                *item = home.admitted(default.into())?;
                Ok(item)
            }
            Found::Nothing(table, hash) => table.insert_new(hash, self.key.into(), default.into()),
        }
    }
}
