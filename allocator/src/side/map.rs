//! [`SecondaryMap`]: values of objects, by handle.

use std::fmt;

use super::lives::Lives;
use super::store::Pages;
use crate::pool::Handle;

/// Associates values with the objects of a class or pool, by handle.
///
/// An entry ends with the life of its object. From that moment on, no method returns the value (but see [`Lives`] for
/// a map of handles alone). The value is dropped when a value for a later object in the slot is inserted, or by
/// [`prune`](Self::prune), [`retain`](Self::retain) or [`clear`](Self::clear). So a program that removes no entries
/// should call `prune` from time to time.
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
///
/// While an object is reserved or borrowed exclusively, handles do not resolve to it, but its life and its entry have not
/// ended. Another thread may free the object right after a look-up in the map has returned its value.
///
/// [`new`](Self::new) makes a map of a class, and [`of`](Self::of) a map of a pool. A map of a `&Pool` borrows the pool. To
/// keep a map and its pool in one struct, put the pool into an `Arc`, which the map shares. While a map of a `&Pool` or an
/// `Arc<Pool>` exists, the pool cannot be borrowed mutably; a map of [handles alone](Lives) allows it. The methods are named
/// as in `slotmap`, but [`get_or_insert_with`](Self::get_or_insert_with) replaces its `entry`.
///
/// # Cost
///
/// A look-up takes two indexed loads, and loads the life of the object, as [`Handle::is_allocated`](crate::Handle::is_allocated)
/// does.
///
/// The map consists of pages of 4,096 slots. For each slot up to the last one that ever had a value, a page takes the size
/// of a value plus 8 bytes. Slot indices are unique among all pools, so the table of pages takes 24 bytes for each 4,096
/// slots of all pools. If few of many objects have a value, a `HashMap` with handles as keys is smaller; its values stay
/// until you remove them.
#[doc(alias = "slotmap")]
pub struct SecondaryMap<T: Lives, V> {
    entries: Pages<(Handle<T::Object>, V)>,
    pool: T::Pool,
}

impl<T: Lives<Pool = ()>, V> SecondaryMap<T, V> {
    /// Creates an empty map of the objects of a class.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Lives<Pool = ()>, V> Default for SecondaryMap<T, V> {
    fn default() -> Self {
        Self::beside(())
    }
}

impl<P: Lives<Pool = P>, V> SecondaryMap<P, V> {
    /// Creates an empty map of the objects of a pool, from a `&Pool` or an `Arc<Pool>`. For a class, call [`new`](Self::new).
    #[must_use]
    pub fn of(pool: P) -> Self {
        Self::beside(pool)
    }
}

impl<T: Lives, V> SecondaryMap<T, V> {
    fn beside(pool: T::Pool) -> Self {
        Self {
            entries: Pages::default(),
            pool,
        }
    }

    fn goes_on(&self, handle: Handle<T::Object>) -> bool {
        !T::has_ended(&self.pool, handle)
    }

    /// Sets the value of the object, and returns the previous value. If the life has ended, `value` is dropped: see
    /// [`try_insert`](Self::try_insert).
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// assert_eq!(names.insert(owner.handle(), "a"), None);
    /// assert_eq!(names.insert(owner.handle(), "b"), Some("a"));
    /// ```
    pub fn insert(&mut self, handle: Handle<T::Object>, value: V) -> Option<V> {
        self.try_insert(handle, value).unwrap_or_default()
    }

    /// Like [`insert`](Self::insert), but returns the value in the error.
    ///
    /// ```
    /// use acedia::{Pool, SecondaryMap};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut files = SecondaryMap::of(&pool);
    /// let owner = pool.allocate();
    /// assert_eq!(files.try_insert(owner.handle(), "a"), Ok(None));
    /// assert_eq!(files.try_insert(owner.handle(), "b"), Ok(Some("a")));
    /// let stale = owner.handle();
    /// drop(owner);
    /// assert_eq!(files.try_insert(stale, "c"), Err("c"));
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended, or the handle belongs to another pool. Nothing has changed.
    pub fn try_insert(&mut self, handle: Handle<T::Object>, value: V) -> Result<Option<V>, V> {
        let is_before = |later: &(Handle<T::Object>, V)| later.0.life() > handle.life();
        if !self.goes_on(handle) || self.entries.at(handle.index()).is_some_and(is_before) {
            return Err(value);
        }
        let last = self.entries.put(handle.index(), (handle, value));
        Ok(last.filter(|last| last.0 == handle).map(|last| last.1))
    }

    /// The value of the object.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// let handle = owner.handle();
    /// names.insert(handle, "a");
    /// assert_eq!(names.get(handle), Some(&"a"));
    /// drop(owner);
    /// assert_eq!(names.get(handle), None);
    /// ```
    #[must_use]
    pub fn get(&self, handle: Handle<T::Object>) -> Option<&V> {
        let (own, value) = self.entries.at(handle.index())?;
        (*own == handle && self.goes_on(handle)).then_some(value)
    }

    /// Mutable access to the value of the object.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut hits, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// hits.insert(owner.handle(), 1);
    /// *hits.get_mut(owner.handle()).unwrap() += 1;
    /// assert_eq!(hits.get(owner.handle()), Some(&2));
    /// ```
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T::Object>) -> Option<&mut V> {
        if !self.goes_on(handle) {
            return None;
        }
        let (own, value) = self.entries.at_mut(handle.index())?;
        (*own == handle).then_some(value)
    }

    /// Mutable access to the value of the object. If there is no value, `make` makes one first. Returns `None` if the life
    /// has ended, or, in a map of [handles alone](Lives), if the slot already has the value of a later object.
    ///
    /// ```
    /// use acedia::{Pool, SecondaryMap};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut hits = SecondaryMap::of(&pool);
    /// let owner = pool.allocate();
    /// for _ in 0..3 {
    ///     *hits.get_or_insert_with(owner.handle(), || 0).unwrap() += 1;
    /// }
    /// assert_eq!(hits.remove(owner.handle()), Some(3));
    /// ```
    #[doc(alias = "entry")]
    pub fn get_or_insert_with(&mut self, handle: Handle<T::Object>, make: impl FnOnce() -> V) -> Option<&mut V> {
        if !self.goes_on(handle) {
            return None;
        }
        match self.entries.at(handle.index()) {
            Some((own, _)) if *own == handle => {}
            Some((own, _)) if own.life() > handle.life() => return None,
            _ => _ = self.entries.put(handle.index(), (handle, make())),
        }
        let (_, value) = self.entries.at_mut(handle.index())?;
        Some(value)
    }

    /// Removes the value of the object, and returns it. If the life has ended, the value is dropped.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.handle(), "a");
    /// assert_eq!(names.remove(owner.handle()), Some("a"));
    /// assert_eq!(names.remove(owner.handle()), None);
    /// ```
    pub fn remove(&mut self, handle: Handle<T::Object>) -> Option<V> {
        let (own, _) = self.entries.at(handle.index())?;
        if *own != handle {
            return None;
        }
        let (_, value) = self.entries.take(handle.index())?;
        self.goes_on(handle).then_some(value)
    }

    /// Whether the object has a value.
    #[must_use]
    pub fn contains_key(&self, handle: Handle<T::Object>) -> bool {
        self.get(handle).is_some()
    }

    /// The number of values in the map. The value of a freed object counts until it is dropped. To leave out the values of
    /// freed objects, use `iter().count()`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the map holds no value: see [`len`](Self::len).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of objects whose lives have not ended, in no particular order.
    ///
    /// ```
    /// use acedia::{Pool, SecondaryMap};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut names = SecondaryMap::of(&pool);
    /// let owners = ["anna", "ben"].map(|name| {
    ///     let owner = pool.allocate();
    ///     names.insert(owner.handle(), name);
    ///     owner
    /// });
    /// for (handle, name) in names.iter_mut().filter(|(handle, _)| *handle == owners[1].handle()) {
    ///     *name = "bea";
    ///     assert_eq!(pool.with(handle, |number| *number), Some(0));
    /// }
    /// assert!(names.keys().all(|handle| pool.contains(handle)));
    /// drop(owners);
    /// assert_eq!((names.iter().count(), names.values().next()), (0, None));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Handle<T::Object>, &V)> {
        let entries = self.entries.each().map(|(handle, value)| (*handle, value));
        entries.filter(|(handle, _)| self.goes_on(*handle))
    }

    /// Like [`iter`](Self::iter), but with mutable access to the values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<T::Object>, &mut V)> {
        let pool = &self.pool;
        let entries = self.entries.each_mut().map(|(handle, value)| (*handle, value));
        entries.filter(|(handle, _)| !T::has_ended(pool, *handle))
    }

    /// The handles of [`iter`](Self::iter).
    pub fn keys(&self) -> impl Iterator<Item = Handle<T::Object>> {
        self.iter().map(|(handle, _)| handle)
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
    /// hits.extend(owners.iter().map(|owner| owner.handle()).zip([1, 2]));
    /// hits.retain(|_, count| *count > 1);
    /// assert_eq!(hits.values().collect::<Vec<_>>(), [&2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `keep` or the drop of a value panics. The remaining values stay.
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T::Object>, &mut V) -> bool) {
        let pool = &self.pool;
        self.entries
            .retain(|(handle, value)| !T::has_ended(pool, *handle) && keep(*handle, value));
    }

    /// Drops the values of objects whose lives have ended.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.handle(), "a");
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
    /// Visits each slot of the map's pages.
    pub fn prune(&mut self) {
        self.retain(|_, _| true);
    }

    /// Drops all values, and frees the map's memory.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.handle(), "a");
    /// names.clear();
    /// assert!(!names.contains_key(owner.handle()));
    /// ```
    pub fn clear(&mut self) {
        self.entries = Pages::default();
    }

    /// Empties the map, and returns the handles and values of objects whose lives have not ended.
    ///
    /// ```
    /// # use acedia::{SecondaryMap, pool::Pool};
    /// let pool: Pool<u64> = Pool::new();
    /// let (mut names, owner) = (SecondaryMap::of(&pool), pool.allocate());
    /// names.insert(owner.handle(), "a");
    /// assert_eq!(names.drain().collect::<Vec<_>>(), [(owner.handle(), "a")]);
    /// assert!(names.is_empty());
    /// ```
    pub fn drain(&mut self) -> impl Iterator<Item = (Handle<T::Object>, V)> {
        let pool = &self.pool;
        let entries = std::mem::take(&mut self.entries).into_entries();
        entries.filter(|(handle, _)| !T::has_ended(pool, *handle))
    }
}

impl<T: Lives<Pool: Clone>, V: Clone> Clone for SecondaryMap<T, V> {
    fn clone(&self) -> Self {
        Self {
            entries: self.entries.clone(),
            pool: self.pool.clone(),
        }
    }
}

impl<T: Lives, V> Extend<(Handle<T::Object>, V)> for SecondaryMap<T, V> {
    fn extend<I: IntoIterator<Item = (Handle<T::Object>, V)>>(&mut self, entries: I) {
        for (handle, value) in entries {
            self.insert(handle, value);
        }
    }
}

impl<T: Lives<Pool = ()>, V> FromIterator<(Handle<T::Object>, V)> for SecondaryMap<T, V> {
    fn from_iter<I: IntoIterator<Item = (Handle<T::Object>, V)>>(entries: I) -> Self {
        let mut map = Self::default();
        map.extend(entries);
        map
    }
}

impl<T: Lives, V: fmt::Debug> fmt::Debug for SecondaryMap<T, V> {
    /// The entries of objects whose lives have not ended. Never reads an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
