//! [`SideMap`]: values of objects, by key or handle.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use super::lives::Lives;
use super::store::{Pages, Store};
use crate::LifeVersion;
use crate::pool::Key;

/// A [`SideMap`] for when most objects of a class or pool have values. A look-up takes two indexed loads.
///
/// The map consists of pages of 4,096 slots. For each slot up to its last one with a value, a page takes the size of a value
/// plus 8 bytes. Slot numbers are unique among all pools, so a table of pages adds 24 bytes for each 4,096 slots of all
/// pools. If few of many objects have a value, [`SparseSecondaryMap`] is smaller.
///
/// ```
/// use acedia::{Object, SecondaryMap, class};
///
/// #[derive(Default)]
/// struct Pawn;
/// impl Object for Pawn {
///     class!(Pawn, "Doc.MappedPawn");
/// }
///
/// let mut threat: SecondaryMap<Pawn, f32> = SecondaryMap::new();
/// let (orc, elf) = (Pawn::allocate(), Pawn::allocate());
/// threat.insert(orc.handle(), 0.9);
/// threat.insert(elf.handle(), 0.1);
/// *threat.get_mut(elf.handle()).unwrap() += 0.1;
/// assert_eq!(threat.get(elf.handle()), Some(&0.2));
///
/// let handle = orc.handle();
/// drop(orc);
/// assert_eq!(threat.get(handle), None);
/// assert_eq!(threat.values().sum::<f32>(), 0.2);
/// ```
pub type SecondaryMap<T, V> = SideMap<T, V, Pages<<T as Lives>::Key, V>>;

/// A [`SideMap`] for when few objects of a class or pool have values: a hash table of `std`.
///
/// ```
/// use acedia::SparseSecondaryMap;
/// use acedia::pool::Pool;
///
/// let pool: Pool<String> = Pool::new();
/// let mut notes: SparseSecondaryMap<&Pool<String>, &str> = SparseSecondaryMap::of(&pool);
/// let owner = pool.allocate();
/// notes.insert(owner.key(), "written twice");
/// assert!(notes.contains_key(owner.key()));
/// drop(owner);
/// assert_eq!((notes.iter().count(), notes.len()), (0, 1));
/// notes.prune();
/// assert_eq!(notes.len(), 0);
/// ```
pub type SparseSecondaryMap<T, V> = SideMap<T, V, HashMap<u32, (<T as Lives>::Key, V)>>;

/// Associates values with the objects of a class or pool, by handle or key: [`SecondaryMap`] or [`SparseSecondaryMap`].
///
/// An entry ends with the life of its object. From that moment no method returns the value, on any thread. The value is dropped
/// when a value for a later object in the slot is inserted, or by [`prune`](Self::prune), [`retain`](Self::retain) or
/// [`clear`](Self::clear). So a program that removes no entries should call `prune` now and then.
///
/// While an object is reserved or borrowed exclusively, handles do not resolve to it, but its life and its entry have not
/// ended. Another thread may free the object right after a look-up in the map has returned its value.
///
/// [`new`](Self::new) makes a map of a class, and [`of`](Self::of) a map of a pool. A map of a `&Pool` borrows the pool. To
/// keep a map and its pool in one struct, put the pool into an `Arc`, which the map shares. While a map of a `&Pool` or an
/// `Arc<Pool>` exists, the pool cannot be borrowed mutably; a map of [keys alone](Lives) allows it. The methods are named
/// as in `slotmap`.
///
/// # Cost
///
/// Each look-up also loads the life of the object, as [`Handle::is_allocated`](crate::Handle::is_allocated) does.
#[doc(alias = "slotmap")]
pub struct SideMap<T: Lives, V, S: Store<T::Key, V>> {
    store: S,
    pool: T::Pool,
    value: PhantomData<V>,
}

impl<T: Lives<Pool = ()>, V, S: Store<T::Key, V>> SideMap<T, V, S> {
    /// Creates an empty map of the objects of a class.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Lives<Pool = ()>, V, S: Store<T::Key, V>> Default for SideMap<T, V, S> {
    fn default() -> Self {
        Self::beside(())
    }
}

impl<P: Lives<Pool = P>, V, S: Store<P::Key, V>> SideMap<P, V, S> {
    /// Creates an empty map of the objects of a pool: of a `&Pool` or an `Arc<Pool>`.
    #[must_use]
    pub fn of(pool: P) -> Self {
        Self::beside(pool)
    }
}

fn index<K: Into<Key>>(key: K) -> u32 {
    key.into().index()
}

fn life<K: Into<Key>>(key: K) -> LifeVersion {
    key.into().life()
}

impl<T: Lives, V, S: Store<T::Key, V>> SideMap<T, V, S> {
    fn beside(pool: T::Pool) -> Self {
        Self {
            store: S::default(),
            pool,
            value: PhantomData,
        }
    }

    fn goes_on(&self, key: T::Key) -> bool {
        !T::has_ended(&self.pool, key)
    }

    /// Sets the value of the object, and returns the previous value. If the life has ended, `value` is dropped: see
    /// [`try_insert`](Self::try_insert).
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// assert_eq!(names.insert(owner.key(), "a"), None);
    /// assert_eq!(names.insert(owner.key(), "b"), Some("a"));
    /// ```
    pub fn insert(&mut self, key: T::Key, value: V) -> Option<V> {
        self.try_insert(key, value).unwrap_or_default()
    }

    /// Like [`insert`](Self::insert), but returns the value in the error.
    ///
    /// ```
    /// use acedia::SecondaryMap;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut files = SecondaryMap::of(&pool);
    /// let owner = pool.allocate();
    /// assert_eq!(files.try_insert(owner.key(), "a"), Ok(None));
    /// assert_eq!(files.try_insert(owner.key(), "b"), Ok(Some("a")));
    /// let stale = owner.key();
    /// drop(owner);
    /// assert_eq!(files.try_insert(stale, "c"), Err("c"));
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended, or the key belongs to another pool. Nothing has changed.
    pub fn try_insert(&mut self, key: T::Key, value: V) -> Result<Option<V>, V> {
        let is_before = |later: &(T::Key, V)| life(later.0) > life(key);
        if !self.goes_on(key) || self.store.at(index(key)).is_some_and(is_before) {
            return Err(value);
        }
        let last = self.store.put(index(key), (key, value));
        Ok(last.filter(|last| last.0 == key).map(|last| last.1))
    }

    /// The value of the object.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// let key = owner.key();
    /// names.insert(key, "a");
    /// assert_eq!(names.get(key), Some(&"a"));
    /// drop(owner);
    /// assert_eq!(names.get(key), None);
    /// ```
    #[must_use]
    pub fn get(&self, key: T::Key) -> Option<&V> {
        let (own, value) = self.store.at(index(key))?;
        (*own == key && self.goes_on(key)).then_some(value)
    }

    /// Mutable access to the value of the object.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut hits, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// hits.insert(owner.key(), 1);
    /// *hits.get_mut(owner.key()).unwrap() += 1;
    /// assert_eq!(hits.get(owner.key()), Some(&2));
    /// ```
    #[must_use]
    pub fn get_mut(&mut self, key: T::Key) -> Option<&mut V> {
        if !self.goes_on(key) {
            return None;
        }
        let (own, value) = self.store.at_mut(index(key))?;
        (*own == key).then_some(value)
    }

    /// Mutable access to the value of the object. If there is no value, `make` makes one first. Returns `None` if the life
    /// has ended, or, in a map of [keys alone](Lives), if the slot already has the value of a later object.
    ///
    /// ```
    /// use acedia::SparseSecondaryMap;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut hits = SparseSecondaryMap::of(&pool);
    /// let owner = pool.allocate();
    /// for _ in 0..3 {
    ///     *hits.get_or_insert_with(owner.key(), || 0).unwrap() += 1;
    /// }
    /// assert_eq!(hits.remove(owner.key()), Some(3));
    /// ```
    #[doc(alias = "entry")]
    pub fn get_or_insert_with(&mut self, key: T::Key, make: impl FnOnce() -> V) -> Option<&mut V> {
        if !self.goes_on(key) {
            return None;
        }
        match self.store.at(index(key)) {
            Some((own, _)) if *own == key => {}
            Some((own, _)) if life(*own) > life(key) => return None,
            _ => _ = self.store.put(index(key), (key, make())),
        }
        let (_, value) = self.store.at_mut(index(key))?;
        Some(value)
    }

    /// Removes the value of the object, and returns it. If the life has ended, the value is dropped.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.key(), "a");
    /// assert_eq!(names.remove(owner.key()), Some("a"));
    /// assert_eq!(names.remove(owner.key()), None);
    /// ```
    pub fn remove(&mut self, key: T::Key) -> Option<V> {
        let (own, _) = self.store.at(index(key))?;
        if *own != key {
            return None;
        }
        let (_, value) = self.store.take(index(key))?;
        self.goes_on(key).then_some(value)
    }

    /// Whether the object has a value.
    #[must_use]
    pub fn contains_key(&self, key: T::Key) -> bool {
        self.get(key).is_some()
    }

    /// The number of values in the map. The value of a freed object counts until it is dropped. To leave out the values of
    /// freed objects, use `iter().count()`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether the map holds no value: see [`len`](Self::len).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of objects whose lives have not ended, in no particular order.
    ///
    /// ```
    /// use acedia::SecondaryMap;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut names = SecondaryMap::of(&pool);
    /// let owners = ["anna", "ben"].map(|name| {
    ///     let owner = pool.allocate();
    ///     names.insert(owner.key(), name);
    ///     owner
    /// });
    /// for (key, name) in names.iter_mut().filter(|(key, _)| *key == owners[1].key()) {
    ///     *name = "bea";
    ///     assert_eq!(pool.with(key, |number| *number), Some(0));
    /// }
    /// assert!(names.keys().all(|key| pool.contains(key)));
    /// drop(owners);
    /// assert_eq!((names.iter().count(), names.values().next()), (0, None));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (T::Key, &V)> {
        let entries = self.store.each().map(|(key, value)| (*key, value));
        entries.filter(|(key, _)| self.goes_on(*key))
    }

    /// Like [`iter`](Self::iter), but with mutable access to the values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (T::Key, &mut V)> {
        let pool = &self.pool;
        let entries = self.store.each_mut().map(|(key, value)| (*key, value));
        entries.filter(|(key, _)| !T::has_ended(pool, *key))
    }

    /// The keys of [`iter`](Self::iter).
    pub fn keys(&self) -> impl Iterator<Item = T::Key> {
        self.iter().map(|(key, _)| key)
    }

    /// The values of [`iter`](Self::iter).
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The values of [`iter_mut`](Self::iter_mut).
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.iter_mut().map(|(_, value)| value)
    }

    /// Drops each value for which `keep` returns `false`, and each value of an object whose life has ended.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut hits, owners) = (SecondaryMap::of(&pool), [pool.allocate(), pool.allocate()]);
    /// hits.extend(owners.iter().map(|owner| owner.key()).zip([1, 2]));
    /// hits.retain(|_, count| *count > 1);
    /// assert_eq!(hits.values().collect::<Vec<_>>(), [&2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `keep` or the drop of a value panics. The remaining values stay.
    pub fn retain(&mut self, mut keep: impl FnMut(T::Key, &mut V) -> bool) {
        let pool = &self.pool;
        self.store
            .retain(|(key, value)| !T::has_ended(pool, *key) && keep(*key, value));
    }

    /// Drops the values of objects whose lives have ended.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.key(), "a");
    /// drop(owner);
    /// assert_eq!(names.len(), 1);
    /// names.prune();
    /// assert!(names.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// If the drop of a value panics. The remaining values stay.
    ///
    /// # Cost
    ///
    /// Visits each entry; a [`SecondaryMap`] visits each slot of its pages.
    pub fn prune(&mut self) {
        self.retain(|_, _| true);
    }

    /// Drops all values, and frees the map's memory.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.key(), "a");
    /// names.clear();
    /// assert!(!names.contains_key(owner.key()));
    /// ```
    pub fn clear(&mut self) {
        self.store = S::default();
    }

    /// Empties the map, and returns the keys and values of objects whose lives have not ended.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.key(), "a");
    /// assert_eq!(names.drain().collect::<Vec<_>>(), [(owner.key(), "a")]);
    /// assert!(names.is_empty());
    /// ```
    pub fn drain(&mut self) -> impl Iterator<Item = (T::Key, V)> {
        let pool = &self.pool;
        let entries = std::mem::take(&mut self.store).into_entries();
        entries.filter(|(key, _)| !T::has_ended(pool, *key))
    }
}

impl<T: Lives<Pool: Clone>, V, S: Store<T::Key, V> + Clone> Clone for SideMap<T, V, S> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            pool: self.pool.clone(),
            value: PhantomData,
        }
    }
}

impl<T: Lives, V, S: Store<T::Key, V>> Extend<(T::Key, V)> for SideMap<T, V, S> {
    fn extend<I: IntoIterator<Item = (T::Key, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<T: Lives<Pool = ()>, V, S: Store<T::Key, V>> FromIterator<(T::Key, V)> for SideMap<T, V, S> {
    fn from_iter<I: IntoIterator<Item = (T::Key, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<T: Lives, V: fmt::Debug, S: Store<T::Key, V>> fmt::Debug for SideMap<T, V, S> {
    /// The entries of objects whose lives have not ended. Never reads an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
