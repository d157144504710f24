//! [`HashTable`]: items by key, behind a lock.

use std::mem;

use acedia::{Object, Owned};

use super::entries::Entries;
use super::ordered::Stored;
use super::shape::Shape;
use crate::key::sealed::Sealed as _;
use crate::lock::{Lock, locked_face};
use crate::place::Place;
use crate::stack::Stack;
use crate::{Item, Key};

/// A pooled table of items by key: see [`Item`](crate::Item) for its elements, and [`Key`](crate::Key) for lookups.
///
/// | To | Call |
/// |---|---|
/// | allocate | [`new`](Self::new), [`from`](Self::from) |
/// | read | [`read`](Self::read), then the methods of [`Entries`]: [`get`](Entries::get), [`contains_key`](Entries::contains_key), [`iter`](Entries::iter), [`len`](Entries::len) |
/// | change | [`write`](Self::write), then the methods of [`TableWriter`](crate::TableWriter): [`set`](crate::TableWriter::set), [`remove`](crate::TableWriter::remove), [`entry`](crate::TableWriter::entry), [`retain`](crate::TableWriter::retain), [`clear`](crate::TableWriter::clear) |
/// | control the memory | [`reserve`](crate::TableWriter::reserve), [`set_minimal_capacity`](crate::TableWriter::set_minimal_capacity), [`capacity`](Entries::capacity); limit the number of freed tables with `acedia::configure` |
/// | maintain | [`sweep`](crate::TableWriter::sweep) drops entries whose key was freed, [`collisions`](Entries::collisions) counts keys with a bad hash, [`collect_garbage`](acedia::collect_garbage) drops freed tables |
///
/// ```
/// use acedia_collections::HashTable;
///
/// let config = HashTable::from([("volume", 0.5)]);
/// config.write().set("name", "Bob").set(7, HashTable::from([("nested", true)]));
/// let entries = config.read();
/// assert_eq!(entries["volume"].as_float(), Some(0.5));
/// assert_eq!(entries["name"].to_string().as_deref(), Some("Bob"));
/// assert_eq!(entries[7].to_table().unwrap().read()["nested"].as_bool(), Some(true));
/// assert!(entries["nobody"].is_none());
/// ```
///
/// Keys are items too. A text is found by its characters, a box or number by class and value, and every other object by its
/// class's equality, by default identity. If the key is only watched, the entry disappears when the key is freed.
///
/// The entries are in the order in which their keys were inserted. An entry that is replaced keeps its place, and a removal does
/// not change the order of the others.
///
/// A table is equal only to itself; [`Item::same_content`](crate::Item::same_content) compares contents.
///
/// # Untrusted keys
///
/// Hashes of texts, numbers, boxes and array boxes use a random key drawn once per process, so an attacker cannot
/// choose keys that collide. If a class has a bad hash of its own, the table stays correct but gets slow:
/// [`collisions`](Entries::collisions) counts such keys.
///
/// # Threads
///
/// The rules of [`ArrayList`](crate::ArrayList#threads) apply. The equality and hash functions of a key's class run under the
/// lock, too, and must not use the same table.
///
/// # Memory
///
/// A freed table releases its keys and items at once, to any depth. It keeps up to 5 KiB for its next life, unless the
/// next life is a table from JSON that shares its keys with other tables.
#[derive(Default)]
#[doc(alias = "AssociativeArray")]
#[doc(alias = "EmptyHashTable")]
#[doc(alias = "EmptyAssociativeArray")]
pub struct HashTable {
    pub(crate) contents: Lock<Entries>,
    pub(crate) place: Place,
}

impl HashTable {
    /// A copy of the item of a key, or none if there is no such entry. The table is locked only during the call, so the body of an
    /// `if` on its result may change the table.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("level", 7)]);
    /// if let Some(level) = table.get("level").as_int() {
    ///     table.write().set("level", level + 1);
    /// }
    /// assert_eq!(table.get("level").as_int(), Some(8));
    /// assert!(table.get("name").is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`read`](Self::read).
    ///
    /// # Cost
    ///
    /// One lock and one look-up. A copy of an item that owns an object is a new owner.
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetItem")]
    pub fn get(&self, key: impl Key) -> Item {
        self.read()[key].clone()
    }

    /// Makes a table from the keys of a shape and the values on the stack from `start` on. Collections among the values must be
    /// [marked](Place::mark).
    #[doc(hidden)]
    pub fn of_shape(shape: &Owned<Shape>, values: &mut Stack, start: usize) -> Owned<Self> {
        Self::allocate_with(|table| table.contents.get_mut().0.fill(shape.clone(), values, start))
    }

    /// Makes a table from the stack, where keys and values alternate, beginning at `start`. The keys are texts; if a key occurs
    /// twice, its last value wins. Collections among the values must be [marked](Place::mark).
    #[doc(hidden)]
    pub fn of_pairs(both: &mut Stack, start: usize) -> Owned<Self> {
        let both = both.last(start);
        let len = both.len() / 2;
        Self::allocate_with(|table| {
            let entries = both.chunks_exact_mut(2).filter_map(|pair| {
                let (key, value) = (mem::take(&mut pair[0]), mem::take(&mut pair[1]));
                let hash = key.key_hash()?;
                Some(Stored { hash, key, value })
            });
            table.contents.get_mut().fill_own(len, entries);
        })
    }
}

locked_face!(
    HashTable,
    "AcediaCore.HashTable",
    Entries,
    TableWriter { entries },
    "table"
);
