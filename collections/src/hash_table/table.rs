//! [`HashTable`]: items by key, behind a lock.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use acedia_allocator::{Object, Owned, allocate_with, class};

use super::entries::Entries;
use super::shape::Shape;
use crate::lock::Lock;
use crate::place::Place;
use crate::release::release;
use crate::stack::Stack;

/// Items by key, as an object: see [`Item`](crate::Item) for what can stand in it, and [`Key`](crate::Key) for what finds it.
///
/// ```
/// use acedia_collections::HashTable;
///
/// let config = HashTable::from([("volume", 0.5)]);
/// config.write().set("name", "Bob").set(7, HashTable::from([("nested", true)]));
/// let entries = config.read();
/// assert_eq!(entries["volume"].as_float(), Some(0.5));
/// assert_eq!(entries["name"].as_string().as_deref(), Some("Bob"));
/// assert_eq!(entries[7].as_table().unwrap().read()["nested"].as_bool(), Some(true));
/// assert!(entries["nobody"].is_none());
/// ```
///
/// Keys are items too. Texts are found by their characters, boxes and numbers by class and value, and everything else as
/// the very object. A key that is only watched takes its entry along when it is freed. The order of the entries is no order.
///
/// Equal to itself alone; [`Item::same_content`](crate::Item::same_content) compares what is in it.
///
/// # Strangers' keys
///
/// Hashes of texts, numbers, boxes and arrays of them are keyed by a number drawn when the process begins, so nobody can
/// choose keys that collide. Classes with a hash of their own may have been given a bad one. Then the table gets slow, and
/// stays right: [`collisions`](Entries::collisions) tells.
///
/// # Threads
///
/// As for [`ArrayList`](crate::ArrayList#threads). What a class says of equality and hash runs under the lock too, and cannot
/// use the same table.
///
/// # Memory
///
/// A freed table releases its keys and items at once, to any depth. It keeps up to 4 KiB for its next life, unless that is one
/// in which it shares its keys with others, as tables do that JSON was read into.
#[derive(Default)]
#[doc(alias = "AssociativeArray")]
pub struct HashTable {
    pub(super) entries: Lock<Entries>,
    pub(super) place: Place,
}

impl Object for HashTable {
    class!(HashTable, "AcediaCore.HashTable");

    const FINALIZER: Option<fn(&mut Self)> = Some(|table| {
        release(table.entries.get_mut());
        table.entries.unlock();
    });

    #[inline]
    fn constructor(&mut self) {
        self.place.reset();
    }
}

impl HashTable {
    /// An empty table.
    #[track_caller]
    #[doc(alias = "EmptyHashTable")]
    #[doc(alias = "EmptyAssociativeArray")]
    pub fn new() -> Owned<Self> {
        Self::allocate()
    }

    /// The entries, to be read. Others can read them at the same time; who wants to change them waits.
    ///
    /// Readers overtake who waits to change the table, so that a thread may read what it is reading already. Who forgets what
    /// this gives lets nobody change the table again in this life.
    ///
    /// # Panics
    ///
    /// If waiting would have no end: see [threads](crate::ArrayList#threads).
    #[track_caller]
    pub fn read(&self) -> impl Deref<Target = Entries> + fmt::Debug + '_ {
        self.entries.read()
    }

    /// What is in it, as a table that is no object. Leaves it empty.
    #[cfg(feature = "serde")]
    pub(crate) fn take(&self) -> Self {
        let mut taken = Self::default();
        std::mem::swap(taken.entries.get_mut(), &mut self.entries.write());
        taken
    }

    pub(crate) fn try_read(&self) -> Option<impl Deref<Target = Entries> + '_> {
        self.entries.try_read()
    }

    pub(crate) fn try_read_for(&self, patience: Duration) -> Option<impl Deref<Target = Entries> + '_> {
        self.entries.try_read_for(patience)
    }

    pub(crate) fn try_write(&self) -> Option<impl DerefMut<Target = Entries> + '_> {
        self.entries.try_write()
    }

    /// The entries, without a lock: nobody else can reach them.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> &mut Entries {
        self.entries.get_mut()
    }

    /// A table of the keys of a shape, and of the last of `values` for them: those from `start` on. Collections among them
    /// must be [marked](Place::mark).
    pub(crate) fn of_shape(shape: &Owned<Shape>, values: &mut Stack, start: usize) -> Owned<Self> {
        allocate_with(|table: &mut Self| table.entries.get_mut().fill(shape.clone(), values, start))
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }
}
