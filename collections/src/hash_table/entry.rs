//! [`Entry`]: the entry of one key in a table, occupied or vacant.

use super::writer::TableWriter;
use crate::{Item, Refused};

/// The entry of one key in a table, occupied or vacant: the result of [`TableWriter::entry`].
#[derive(Debug)]
#[must_use = "an entry does nothing by itself"]
///
/// ```
/// use acedia_collections::HashTable;
///
/// let table = HashTable::from([("lives", 3)]);
/// let mut entries = table.write();
/// let place = entries.entry("name");
/// assert_eq!(place.key().to_string().as_deref(), Some("name"));
/// assert!(place.try_or_insert("Bob").is_ok());
/// assert_eq!(entries.entry("lives").or_insert_with(|| 5).as_int(), Some(3));
/// assert_eq!(entries.entry("kills").or_insert(0).as_int(), Some(0));
/// ```
pub struct Entry<'t, 'a> {
    table: &'t mut TableWriter<'a>,
    key: Item,
}

impl<'a> TableWriter<'a> {
    /// The entry of a key, occupied or vacant.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::new();
    /// table.write().entry("lives").or_insert(3);
    /// table.write().entry("lives").or_insert(5);
    /// assert_eq!(table.read()["lives"].as_int(), Some(3));
    /// ```
    pub fn entry(&mut self, key: impl Into<Item>) -> Entry<'_, 'a> {
        Entry::new(self, key.into())
    }
}

impl<'t, 'a> Entry<'t, 'a> {
    fn new(table: &'t mut TableWriter<'a>, key: Item) -> Self {
        Self { table, key }
    }

    /// The key given to [`TableWriter::entry`].
    #[must_use]
    pub fn key(&self) -> &Item {
        &self.key
    }

    /// Replaces the item by the result of `change`, unless the item is none. While `change` runs, the item is not in
    /// the table.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Item};
    ///
    /// let counts = HashTable::new();
    /// for word in ["a", "b", "a"] {
    ///     let plus_one = |count: Item| (count.as_int().unwrap_or(0) + 1).into();
    ///     counts.write().entry(word).and_modify(plus_one).or_insert(1);
    /// }
    /// assert_eq!(counts.read()["a"].as_int(), Some(2));
    /// ```
    ///
    /// # Panics
    ///
    /// If a collection is [refused](TableWriter#panics).
    #[track_caller]
    pub fn and_modify(self, change: impl FnOnce(Item) -> Item) -> Self {
        if let Err(refused) = self.table.modify(&self.key, change) {
            panic!("{refused}");
        }
        self
    }

    /// Sets the item to `default` if the entry has no item, and returns the item.
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
    #[track_caller]
    pub fn or_insert(self, default: impl Into<Item>) -> &'t Item {
        self.or_insert_with(|| default)
    }

    /// Like [`or_insert`](Self::or_insert), but inserts the result of `default`, which is called only if the entry has no item.
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
    #[track_caller]
    pub fn or_insert_with<I: Into<Item>>(self, default: impl FnOnce() -> I) -> &'t Item {
        match self.table.place_of_some(&self.key) {
            Some(place) => self.table.value_at(place),
            None => &self.table.set(&self.key, default())[&self.key],
        }
    }

    /// Like [`or_insert`](Self::or_insert), but returns a refused collection in the error.
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
    /// The item is a collection that would own itself, or this [cannot be checked](crate::Reason::Busy).
    pub fn try_or_insert(self, default: impl Into<Item>) -> Result<&'t Item, Refused> {
        if !self.table.is_some(&self.key) {
            self.table.try_set(&self.key, default)?;
        }
        Ok(&self.table[&self.key])
    }
}
