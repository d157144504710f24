//! [`PlainPool`]: plain data that is read as a copy, and set while other threads read.

use std::any::type_name;
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::pool::{Copies, Home, Hooks, Key, Keys, Owner, Pool, PoolPolicy, Reclaimed, Stats, refuse};
use crate::{AccessError, AllocateError, LifeVersion, Reason};

/// The class of a [`PlainPool`]'s objects: [`NoClass`], or the class of a [`PlainObject`](crate::PlainObject). The trait is
/// sealed.
#[expect(private_bounds, reason = "they seal the trait")]
pub trait PlainHooks<T>: Hooks<Home<T>, Readers = Copies> {
    /// Called before each allocation.
    #[doc(hidden)]
    fn ready() {}
}

/// A [`PlainPool`] with this parameter belongs to no class: see [`PlainHooks`].
#[expect(clippy::exhaustive_enums, reason = "it has no values")]
#[derive(Debug)]
pub enum NoClass {}

impl<T: NoUninit + AnyBitPattern> Hooks<Home<T>> for NoClass {
    type Readers = Copies;

    fn make() -> Home<T> {
        Home::new()
    }

    fn name() -> &'static str {
        type_name::<T>()
    }
}

impl<T: NoUninit + AnyBitPattern> PlainHooks<T> for NoClass {}

/// A pool of plain data: positions, prices, counters. [`load`](Self::load) returns a copy, without a pin, and owners can
/// [`set`](PlainOwner::set) the value while other threads read.
///
/// A copy is never a mix of two values, and always belongs to the life that the key names. Writers never wait for readers:
/// setting a value, freeing an object and reusing its slot all take effect immediately.
///
/// ```
/// use acedia::pool::PlainPool;
/// use bytemuck::{AnyBitPattern, NoUninit};
///
/// #[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
/// #[repr(C)]
/// struct Position {
///     x: f32,
///     y: f32,
/// }
///
/// static POSITIONS: PlainPool<Position> = PlainPool::new();
///
/// let mut soldier = POSITIONS.insert(Position { x: 0.0, y: 0.0 });
/// let key = soldier.key();
/// let reader = std::thread::spawn(move || POSITIONS.load(key).unwrap().x);
/// soldier.set(Position { x: 1.0, y: 2.0 }); // while the other thread reads
/// assert!([0.0, 1.0].contains(&reader.join().unwrap()));
/// soldier.update(|position| position.x += 1.0);
/// assert_eq!(POSITIONS.load(key), Some(Position { x: 2.0, y: 2.0 }));
/// drop(soldier);
/// assert_eq!(POSITIONS.load(key), None);
/// ```
///
/// Limits, maintenance and statistics work as in a [`Pool`]:
///
/// ```
/// use acedia::pool::PlainPool;
/// use acedia::{PoolPolicy, Reason};
///
/// let pool: PlainPool<u64> = PlainPool::new().keep(PoolPolicy::KeepAtMost(100)).bounded(2);
/// let one = pool.try_insert(1)?;
/// let two = pool.insert(2).into_manual();
/// assert!(pool.try_insert(3).is_err(), "the pool is bounded");
/// assert_eq!((pool.len(), pool.is_empty()), (2, false));
/// assert_eq!(pool.keys().next(), Some(two), "`one` has no key yet");
/// let owner = pool.reclaim(two).unwrap();
/// assert_eq!((owner.index(), owner.owners(), owner.load()), (two.index(), 1, 2));
/// assert_eq!(owner.life_version(), two.life());
/// owner.free();
/// assert!(!pool.contains(two));
/// assert_eq!(pool.try_load(two).unwrap_err().reason(), Reason::Freed);
/// pool.set_policy(PoolPolicy::KeepAll)?;
/// assert_eq!((pool.policy(), pool.stats().live), (PoolPolicy::KeepAll, 1));
/// pool.prewarm(10)?;
/// pool.trim();
/// pool.collect();
/// # drop(one);
/// # Ok::<(), acedia::AllocateError>(())
/// ```
///
/// # Where a load may be called
///
/// Everywhere: in a signal handler, in the destructor of a thread-local, in a C callback, in a future.
/// [`load`](Self::load), [`load_field`](Self::load_field), [`load_many`](Self::load_many),
/// [`load_within`](Self::load_within) and [`contains`](Self::contains) access neither thread-locals nor locks, and allocate
/// nothing. A handler that interrupts a [`set`](PlainOwner::set) loads the old value or the new one.
///
/// # Progress
///
/// A writer that is stopped in the middle of a set delays no reader. A set has two steps. A load repeats its copy only if a
/// concurrent set of the same object completed one of these steps during the copy. An attempt takes a few nanoseconds, or a
/// few hundred if the object's cache lines move between processors. [`load_within`](Self::load_within) limits the attempts.
///
/// # Memory
///
/// An object takes 16 bytes plus its value, rounded up to a multiple of eight bytes. The alignment of the value adds no
/// padding. [Setting](PlainOwner::set) a value needs a second copy of it. A page on which any value was ever set therefore
/// takes twice the memory; limits and statistics do not count the second half. A value has at most 256 KiB; a larger type
/// does not compile. A free slot belongs to its pool until the pool is dropped. A [collection](Self::collect) returns pages
/// to the operating system; they then read as zero, and late loads of their slots return `None`.
pub struct PlainPool<T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T> = NoClass> {
    pool: Pool<Home<T>, H>,
}

impl<T: NoUninit + AnyBitPattern + Send> PlainPool<T> {
    /// Creates an empty pool. Costs nothing until the first value is inserted.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_hooks()
    }
}

impl<T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T>> PlainPool<T, H> {
    #[must_use]
    pub(crate) const fn with_hooks() -> Self {
        Self {
            pool: Pool::with_hooks(),
        }
    }

    /// Same as [`Pool::keep`].
    #[must_use]
    pub const fn keep(mut self, policy: PoolPolicy) -> Self {
        self.pool.untyped.keep(policy);
        self
    }

    /// Same as [`Pool::bounded`].
    #[must_use]
    pub const fn bounded(mut self, capacity: usize) -> Self {
        self.pool.untyped.capacity = Some(capacity);
        self
    }

    /// Begins a life with `value`.
    ///
    /// # Panics
    ///
    /// See [`Pool::allocate`].
    #[track_caller]
    #[inline]
    #[must_use = "an object without an owner is freed at once"]
    pub fn insert(&self, value: T) -> PlainOwner<'_, T, H> {
        match self.try_insert(value) {
            Ok(owner) => owner,
            Err(error) => refuse(&error),
        }
    }

    /// Like [`insert`](Self::insert), but returns an error instead of panicking or aborting.
    ///
    /// # Errors
    ///
    /// See [`Pool::try_allocate`].
    #[track_caller]
    #[inline]
    pub fn try_insert(&self, value: T) -> Result<PlainOwner<'_, T, H>, AllocateError> {
        H::ready();
        let owner = self.pool.try_insert_copied(&value)?;
        Ok(PlainOwner(owner))
    }

    /// A copy of the value that `key` names, if the object is alive. [The type](Self) says where loads may be called, and
    /// how long they take.
    #[inline]
    #[must_use]
    pub fn load(&self, key: Key) -> Option<T> {
        self.pool.read_copied(key, 0, u64::MAX).unwrap_or(None)
    }

    /// Loads the values of `keys` in their order, each as [`load`](Self::load) would.
    ///
    /// ```
    /// use acedia::pool::PlainPool;
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let keys: Vec<_> = (0..10_000).map(|n| pool.insert(n).into_manual()).collect();
    /// assert_eq!(pool.load_many(&keys).flatten().sum::<u64>(), (0..10_000).sum());
    /// ```
    ///
    /// # Cost
    ///
    /// If the pool is too large for the processor's caches, the iterator prefetches the next objects while it returns one.
    /// On processors other than x86-64 it takes as long as [`load`](Self::load).
    #[inline]
    pub fn load_many<'a, K: Copy + Into<Key>>(&'a self, keys: &'a [K]) -> impl ExactSizeIterator<Item = Option<T>> {
        self.pool.read_many_copied(keys)
    }

    /// Like [`load`](Self::load), but returns an error that says why there is no value.
    ///
    /// # Errors
    ///
    /// See [`Pool::try_get`].
    pub fn try_load(&self, key: Key) -> Result<T, AccessError> {
        self.load(key)
            .ok_or_else(|| self.pool.untyped.explain(key, Reason::Hidden))
    }

    /// A copy of one field of the value that `key` names, if the object is alive.
    ///
    /// ```
    /// use acedia::field;
    /// use acedia::pool::PlainPool;
    /// # #[derive(Clone, Copy, bytemuck::NoUninit, bytemuck::AnyBitPattern)]
    /// # #[repr(C)]
    /// # struct Instrument { name: [u8; 24], last: f64 }
    ///
    /// let board: PlainPool<Instrument> = PlainPool::new();
    /// let owner = board.insert(Instrument { name: [0; 24], last: 17.5 });
    /// assert_eq!(board.load_field(owner.key(), field!(Instrument, last)), Some(17.5));
    /// ```
    ///
    /// # Cost
    ///
    /// Costs as much as a [`load`](Self::load) of a value of the field's size.
    #[inline]
    #[must_use]
    pub fn load_field<F: AnyBitPattern>(&self, key: Key, field: Field<T, F>) -> Option<F> {
        self.pool.read_copied(key, field.offset, u64::MAX).unwrap_or(None)
    }

    /// Like [`load`](Self::load), but with at most `attempts` attempts (at least one).
    ///
    /// ```
    /// use acedia::pool::PlainPool;
    ///
    /// let pool: PlainPool<[u64; 4]> = PlainPool::new();
    /// let owner = pool.insert([7; 4]);
    /// assert_eq!(pool.load_within(owner.key(), 100), Ok(Some([7; 4])));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Contended`], if a step of a set disturbed each attempt. One set disturbs at most two attempts.
    #[inline]
    pub fn load_within(&self, key: Key, attempts: u32) -> Result<Option<T>, Contended> {
        self.pool
            .read_copied(key, 0, u64::from(attempts.max(1)))
            .map_err(|()| Contended)
    }

    /// Same as [`Pool::contains`].
    #[must_use]
    pub fn contains(&self, key: Key) -> bool {
        self.pool.contains(key)
    }

    pub(crate) fn has_ended(&self, key: Key) -> bool {
        self.pool.has_ended(key)
    }

    /// The pool as the engine knows it.
    pub(crate) const fn engine(&self) -> &Pool<Home<T>, H> {
        &self.pool
    }

    /// Frees a [manual](PlainOwner::into_manual) object, and returns its last value.
    ///
    /// ```
    /// use acedia::pool::PlainPool;
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let key = pool.insert(7).into_manual();
    /// assert_eq!(pool.remove(key), Ok(7));
    /// assert!(pool.remove(key).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Pool::free`].
    #[track_caller]
    pub fn remove(&self, key: Key) -> Result<T, AccessError> {
        self.pool.free_after(key, Location::caller(), Home::last)
    }

    /// Same as [`Pool::reclaim`].
    ///
    /// # Errors
    ///
    /// See [`Pool::reclaim`].
    pub fn reclaim(&self, key: Key) -> Result<PlainOwner<'_, T, H>, AccessError> {
        let owner = self.pool.reclaim(key)?;
        Ok(PlainOwner(owner))
    }

    /// Same as [`Pool::keys`].
    pub fn keys(&self) -> Keys<'_> {
        self.pool.keys()
    }

    /// Iterates over the living objects: each key of [`keys`](Self::keys), with the copy that [`load`](Self::load) returns
    /// for it. Other threads may insert, set and free meanwhile.
    ///
    /// ```
    /// use acedia::pool::PlainPool;
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let keys = [1, 2, 3].map(|number| pool.insert(number).into_manual());
    /// let all: Vec<_> = pool.iter().collect();
    /// assert_eq!(all, [(keys[0], 1), (keys[1], 2), (keys[2], 3)]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Key, T)> {
        self.keys().filter_map(|key| Some((key, self.load(key)?)))
    }

    /// Same as [`Pool::stats`].
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.pool.stats()
    }

    /// Same as [`Pool::len`].
    #[must_use]
    pub fn len(&self) -> usize {
        self.pool.len()
    }

    /// Same as [`Pool::is_empty`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    /// Same as [`Pool::policy`].
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        self.pool.policy()
    }

    /// Same as [`Pool::set_policy`].
    ///
    /// # Errors
    ///
    /// See [`Pool::set_policy`].
    pub fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        self.pool.set_policy(policy)
    }

    /// Same as [`Pool::prewarm`].
    ///
    /// # Errors
    ///
    /// See [`Pool::prewarm`].
    pub fn prewarm(&self, count: usize) -> Result<(), AllocateError> {
        H::ready();
        self.pool.prewarm(count)
    }

    /// Returns the pages without objects to the operating system, as [`Pool::collect`] does, while any number of threads
    /// read. The pool keeps the pages with objects, and the address space of all pages.
    pub fn collect(&self) -> Reclaimed {
        self.pool.collect()
    }

    /// Same as [`Pool::trim`].
    pub fn trim(&self) -> Reclaimed {
        self.pool.trim()
    }

    /// Same as [`Pool::skip_lives`]. For tests.
    ///
    /// # Panics
    ///
    /// See [`Pool::skip_lives`].
    #[cfg(any(test, feature = "test-lives"))]
    #[doc(hidden)]
    pub fn skip_lives(&self, owner: &mut PlainOwner<'_, T, H>, next: LifeVersion) {
        self.pool.skip_lives(&mut owner.0, next);
    }
}

impl<T: NoUninit + AnyBitPattern + Send> Default for PlainPool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T>> fmt::Debug for PlainPool<T, H> {
    /// Prints the type and the statistics. Does not access a value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainPool")
            .field("type", &H::name())
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

/// Owns an object of a [`PlainPool`], and has the right to set its value. Dropping the last owner frees the object.
///
/// A clone has the same right. While an object has one owner, a set performs no atomic read-modify-write. If several owners
/// set the value at the same time, one writes and the others wait: for a few nanoseconds or, if the writer was preempted,
/// until it runs again. In a forked child, a set panics if a thread of the parent was setting the object at the fork.
///
/// ```
/// use acedia::pool::PlainPool;
///
/// let pool: PlainPool<u64> = PlainPool::new();
/// let mut mine = pool.insert(0);
/// let mut other = mine.clone();
/// std::thread::scope(|s| {
///     s.spawn(move || (0..100).for_each(|_| other.update(|n| *n += 1)));
///     (0..100).for_each(|_| mine.update(|n| *n += 1));
/// });
/// assert_eq!(mine.load(), 200);
/// ```
pub struct PlainOwner<'p, T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T> = NoClass>(
    pub(crate) Owner<'p, Home<T>, H>,
);

impl<T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T>> PlainOwner<'_, T, H> {
    /// Same as [`Owner::key`].
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.0.key()
    }

    /// Same as [`Owner::life_version`].
    #[must_use]
    pub fn life_version(&self) -> LifeVersion {
        self.0.life_version()
    }

    /// Same as [`Owner::index`].
    #[must_use]
    pub fn index(&self) -> u32 {
        self.0.index()
    }

    /// Same as [`Owner::owners`].
    #[must_use]
    pub fn owners(&self) -> usize {
        self.0.owners()
    }

    /// A copy of the value.
    #[inline]
    #[must_use]
    pub fn load(&self) -> T {
        self.0.twin().read_owned(0).0
    }

    /// A copy of one field of the value, as [`PlainPool::load_field`] returns it.
    ///
    /// ```
    /// use acedia::field;
    /// use acedia::pool::PlainPool;
    /// # #[derive(Clone, Copy, bytemuck::NoUninit, bytemuck::AnyBitPattern)]
    /// # #[repr(C)]
    /// # struct Position { x: f32, y: f32 }
    ///
    /// let pool: PlainPool<Position> = PlainPool::new();
    /// let owner = pool.insert(Position { x: 1.0, y: 2.0 });
    /// assert_eq!(owner.load_field(field!(Position, y)), 2.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn load_field<F: AnyBitPattern>(&self, field: Field<T, F>) -> F {
        self.0.twin().read_owned(field.offset).0
    }

    /// Sets the value, while any number of threads read. Each reader sees the old value or the new one.
    ///
    /// # Panics
    ///
    /// In a forked child, if a thread of the parent was setting the object at the fork.
    #[inline]
    pub fn set(&mut self, value: T) {
        if self.0.is_sole() {
            self.0.twin().set(&value);
        } else {
            self.0.twin().set_shared(&value);
        }
    }

    /// Changes the value with a function, while any number of threads read. The function gets a copy, and runs before the first
    /// byte is written. If another owner has set the value meanwhile, the function runs again, so no change is lost.
    ///
    /// If the function itself sets the value through another owner in every run, the call never ends.
    ///
    /// # Panics
    ///
    /// If `change` panics. The value then stays unchanged.
    #[inline]
    pub fn update<R>(&mut self, change: impl FnMut(&mut T) -> R) -> R {
        if self.0.is_sole() {
            self.0.twin().update(change)
        } else {
            self.0.twin().update_shared(change)
        }
    }

    /// Same as [`Owner::into_manual`].
    #[must_use = "the object lives until it is freed by this key"]
    pub fn into_manual(self) -> Key {
        self.0.into_manual()
    }

    /// Same as [`Owner::free`].
    #[track_caller]
    pub fn free(self) {
        self.0.free();
    }
}

impl<T: NoUninit + AnyBitPattern + Send, H: PlainHooks<T>> Clone for PlainOwner<'_, T, H> {
    /// Creates another owner of the same object, like [`Owner::clone`].
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: NoUninit + AnyBitPattern + Send + fmt::Debug, H: PlainHooks<T>> fmt::Debug for PlainOwner<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slot = self.index();
        f.debug_tuple("PlainOwner")
            .field(&format_args!("slot {slot}"))
            .field(&self.load())
            .finish()
    }
}

/// A field of type `F` in a `T`, for [`PlainPool::load_field`]. Made by [`field!`](crate::field!).
pub struct Field<T, F> {
    offset: usize,
    of: PhantomData<fn(T) -> F>,
}

impl<T, F> Field<T, F> {
    /// For [`field!`](crate::field!).
    ///
    /// # Panics
    ///
    /// If there is no `F` at that offset.
    #[doc(hidden)]
    #[must_use]
    pub const fn at(offset: usize, _get: fn(&T) -> &F) -> Self {
        assert!(offset <= size_of::<T>() && size_of::<F>() <= size_of::<T>() - offset);
        Self {
            offset,
            of: PhantomData,
        }
    }
}

impl<T, F> Clone for Field<T, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, F> Copy for Field<T, F> {}

impl<T, F> fmt::Debug for Field<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Field({} at byte {} of {})",
            type_name::<F>(),
            self.offset,
            type_name::<T>()
        )
    }
}

/// Names a field of plain data, for [`PlainPool::load_field`](crate::pool::PlainPool::load_field): `field!(Position, x)`, or
/// `field!(Body, position.x)`.
///
/// ```
/// use acedia::field;
/// use acedia::pool::Field;
///
/// struct Position { x: f32, y: f32 }
/// const Y: Field<Position, f32> = field!(Position, y);
/// assert!(format!("{Y:?}").starts_with("Field(f32 at byte 4 of "));
/// ```
#[cfg(feature = "plain")]
#[macro_export]
macro_rules! field {
    ($type:ty, $($field:tt).+) => {
        $crate::pool::Field::<$type, _>::at(::core::mem::offset_of!($type, $($field).+), |value| &value.$($field).+)
    };
}

/// The error of [`PlainPool::load_within`]: a set disturbed each attempt to load the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contended;

impl fmt::Display for Contended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value was set again during each attempt to copy it")
    }
}

impl Error for Contended {}

#[cfg(all(test, acedia_loom))]
mod models;
