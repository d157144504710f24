//! [`PlainObject`]: classes of plain data, whose handles give copies.

use std::any::{Any, TypeId, type_name};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use bytemuck::{AnyBitPattern, NoUninit};

use super::any::{AnyHandle, AnyOwned};
use super::handle::compared_by_key;
use crate::class::{Class, Ops, Registration};
use crate::error::{AccessError, AllocateError};
use crate::kind::{Identity, Kind};
use crate::pool::{
    Contended, Copies, ErasedOwner, Field, Home, Hooks, Key, ParseKeyError, PlainHooks, PlainOwner, PlainPool, Pool,
    PoolPolicy,
};
use crate::sync::const_fn;

/// A type of plain data whose objects live in a pool of their own. Unlike an [`Object`](crate::Object), a handle returns a copy of
/// the value, without a pin, even while the owner sets the value.
///
/// ```
/// use acedia::PlainObject;
/// use bytemuck::{AnyBitPattern, NoUninit};
///
/// #[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern, PlainObject)]
/// #[object(name = "Game.Position")]
/// #[repr(C)]
/// struct Position {
///     x: f32,
///     y: f32,
/// }
///
/// let mut soldier = Position { x: 0.0, y: 0.0 }.insert();
/// let handle = soldier.handle();
/// let reader = std::thread::spawn(move || handle.load().unwrap().x);
/// soldier.set(Position { x: 1.0, y: 2.0 }); // while the other thread reads
/// assert!([0.0, 1.0].contains(&reader.join().unwrap()));
/// drop(soldier);
/// assert_eq!(handle.load(), None);
/// ```
///
/// The type has a [`Class`], as an `Object` has. So [`load_class`](crate::load_class), [`configure`](crate::configure),
/// [`collect_garbage`](crate::collect_garbage), [`leaks`](crate::leaks), [`AnyOwned`] and the inspector know it. Its
/// [`pool`](Self::pool) has all other operations: loading in batches, iteration, statistics.
///
/// | To | Call |
/// |---|---|
/// | begin a life | [`insert`](Self::insert), [`try_insert`](Self::try_insert) |
/// | end a life | drop the last [`PlainOwned`] |
/// | change the value | [`PlainOwner::set`], [`PlainOwner::update`] |
/// | read the value | [`PlainHandle::load`], [`PlainHandle::load_field`] |
/// | read many values | [`PlainPool::load_many`] of the [`pool`](Self::pool) |
/// | visit all objects | [`PlainPool::iter`] of the pool |
/// | associate values with objects | a [`SecondaryMap`](crate::SecondaryMap) of the pool |
///
/// An object is equal only to itself. UnrealScript has no such class.
pub trait PlainObject: NoUninit + AnyBitPattern + Send {
    /// How much memory of free objects the pool keeps: see [`Object::POOL`](crate::Object::POOL).
    const POOL: PoolPolicy = PoolPolicy::KeepAll;

    /// Whether each life is visible from its beginning: see [`Object::VISIBLE`](crate::Object::VISIBLE). If it is `false`,
    /// iteration skips an object until its first handle is made.
    const VISIBLE: bool = false;

    /// The class's static part. Written by [`class!`](crate::class!).
    #[doc(hidden)]
    fn storage() -> &'static PlainStorage<Self>;

    /// The class. The call costs nothing.
    #[must_use]
    fn class() -> &'static Class {
        &Self::storage().class
    }

    /// The pool of the class. The call costs nothing.
    ///
    /// ```
    /// use acedia::PlainObject;
    /// # use bytemuck::{AnyBitPattern, NoUninit};
    /// # #[derive(Clone, Copy, NoUninit, AnyBitPattern, PlainObject)]
    /// # #[object(name = "Doc.PooledPrice")]
    /// # #[repr(C)]
    /// # struct Price(u64);
    ///
    /// let prices = [Price(10).insert(), Price(20).insert()];
    /// let handles = prices.each_ref().map(|price| price.handle());
    /// let total: u64 = Price::pool().load_many(&handles).flatten().map(|price| price.0).sum();
    /// assert_eq!((total, Price::pool().iter().count()), (30, 2));
    /// ```
    #[must_use]
    fn pool() -> &'static PlainPool<Self, PlainClass<Self>> {
        &Self::storage().pool
    }

    /// Begins a life with this value.
    ///
    /// # Panics
    ///
    /// As [`allocate`](crate::allocate).
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    fn insert(self) -> PlainOwned<Self> {
        Self::pool().insert(self)
    }

    /// Like [`insert`](Self::insert), but returns an error instead of panicking or aborting.
    ///
    /// # Errors
    ///
    /// As [`try_allocate`](crate::try_allocate).
    #[inline]
    #[track_caller]
    fn try_insert(self) -> Result<PlainOwned<Self>, AllocateError> {
        Self::pool().try_insert(self)
    }
}

/// Owns an object of a [`PlainObject`].
pub type PlainOwned<T> = PlainOwner<'static, T, PlainClass<T>>;

/// Marks the pool of the class `T`: see [`PlainHooks`].
pub struct PlainClass<T>(PhantomData<fn() -> T>);

impl<T: PlainObject> Hooks<Home<T>> for PlainClass<T> {
    type Readers = Copies;

    fn make() -> Home<T> {
        Home::new()
    }

    const VISIBLE: bool = T::VISIBLE;

    fn name() -> &'static str {
        T::class().name()
    }

    fn about() -> &'static (dyn Any + Send + Sync) {
        T::class()
    }
}

impl<T: PlainObject> PlainHooks<T> for PlainClass<T> {
    #[inline]
    fn ready() {
        T::class().construct();
    }
}

impl<T> fmt::Debug for PlainClass<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainClass({})", type_name::<T>())
    }
}

/// The static part of one class of plain data, declared by [`class!`](crate::class!).
#[derive(Debug)]
pub struct PlainStorage<T: PlainObject> {
    class: Class,
    pool: PlainPool<T, PlainClass<T>>,
}

impl<T: PlainObject> PlainStorage<T> {
    const_fn! {
        /// As [`ClassStorage::new`](crate::ClassStorage::new).
        #[doc(hidden)]
        #[must_use]
        pub const fn new(name: &'static str) -> Self {
            super::declare::check_name(name);
            Self {
                class: Class::new(name, &OpsOf::<T>::OPS),
                pool: PlainPool::with_hooks().keep(T::POOL),
            }
        }
    }

    /// For [`class!`](crate::class!).
    #[doc(hidden)]
    #[must_use]
    pub const fn registration(&'static self) -> Registration {
        Registration(&self.class)
    }
}

/// The operations of the class of `T`.
struct OpsOf<T>(T);

impl<T: PlainObject> OpsOf<T> {
    const OPS: Ops = Ops {
        type_name: type_name::<T>,
        type_id: TypeId::of::<T>,
        object_size: size_of::<T>(),
        #[cfg(feature = "config")]
        declared: T::POOL,
        pool: || &Self::engine().untyped,
        ready: || {
            T::class().construct();
            &Self::engine().untyped
        },
        allocate: || T::zeroed().try_insert().map(|owned| owned.0.erase()),
        // A value that is inserted has nothing of an earlier life.
        allocate_fresh: || T::zeroed().try_insert().map(|owned| owned.0.erase()),
        static_constructor: || {},
        static_finalizer: || {},
        equal: |_, _| false,
        hash: |owner, identity| identity(owner.key()),
        table_hash: |owner, identity| Self::table_hash(owner.key(), identity),
        is_allocated: |key| T::pool().contains(key),
        keys_equal: |left, right| left == right && T::pool().contains(left),
        table_hash_at: |key, identity| T::pool().contains(key).then(|| Self::table_hash(key, identity)),
    };

    fn engine() -> &'static Pool<Home<T>, PlainClass<T>> {
        T::pool().engine()
    }

    fn table_hash(key: Key, identity: fn(Key) -> i32) -> u64 {
        <Identity as Kind<()>>::table_hash(&(), &(), || identity(key))
    }
}

fn owned<T: PlainObject>(owner: ErasedOwner) -> Result<PlainOwned<T>, ErasedOwner> {
    owner.downcast().map(PlainOwner)
}

impl<T: PlainObject> PlainOwned<T> {
    /// A handle to the object. Like [`Owned::handle`](crate::Owned::handle), it makes the object visible.
    #[inline]
    #[must_use]
    pub fn handle(&self) -> PlainHandle<T> {
        PlainHandle::of_key(self.key())
    }

    /// Erases the type, for a collection of objects of any class.
    ///
    /// ```
    /// use acedia::{AnyOwned, PlainObject, PlainOwned};
    /// # use bytemuck::{AnyBitPattern, NoUninit};
    /// # #[derive(Clone, Copy, NoUninit, AnyBitPattern, PlainObject)]
    /// # #[object(name = "Doc.AnyPrice")]
    /// # #[repr(C)]
    /// # struct Price(u64);
    ///
    /// let any: AnyOwned = Price(7).insert().into_any();
    /// assert_eq!(any.class(), Price::class());
    /// let price: PlainOwned<Price> = any.try_into().unwrap();
    /// assert_eq!(price.load().0, 7);
    /// ```
    #[inline]
    pub fn into_any(self) -> AnyOwned {
        AnyOwned(self.0.erase())
    }
}

impl<T: PlainObject> From<PlainOwned<T>> for AnyOwned {
    fn from(owned: PlainOwned<T>) -> Self {
        owned.into_any()
    }
}

impl<T: PlainObject> TryFrom<AnyOwned> for PlainOwned<T> {
    type Error = AnyOwned;

    /// The owner with its type.
    ///
    /// # Errors
    ///
    /// Returns the unchanged owner if the object is of another class.
    fn try_from(any: AnyOwned) -> Result<Self, AnyOwned> {
        owned(any.0).map_err(AnyOwned)
    }
}

/// Refers to one life of one object of a [`PlainObject`]. Like a [`Handle`](crate::Handle), it takes eight bytes and never
/// dangles.
///
/// Any thread can load a copy of the value, without a pin. [`PlainPool`] says where a load may be called and how long
/// it takes.
///
/// ```
/// use acedia::{PlainHandle, PlainObject, Reason, field};
/// use bytemuck::{AnyBitPattern, NoUninit};
///
/// #[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern, PlainObject)]
/// #[object(name = "Market.Quote", pool = keep_at_most(100_000))]
/// #[repr(C)]
/// struct Quote { bid: f64, ask: f64 }
///
/// let mut quote = Quote { bid: 1.0, ask: 2.0 }.insert();
/// let handle: PlainHandle<Quote> = quote.handle();
/// quote.update(|it| it.bid = 1.5);
/// assert_eq!(handle.load(), Some(Quote { bid: 1.5, ask: 2.0 }));
/// assert_eq!(handle.load_field(field!(Quote, ask)), Some(2.0));
/// assert_eq!(handle.load_within(10), Ok(Some(Quote { bid: 1.5, ask: 2.0 })));
/// assert!(handle.is_allocated() && PlainHandle::from(handle.key()) == handle);
/// quote.free();
/// assert_eq!(handle.try_load().unwrap_err().reason(), Reason::Freed);
/// // An object may also live without an owner.
/// let manual =
///     PlainHandle::<Quote>::from(Quote { bid: 0.0, ask: 0.0 }.insert().into_manual());
/// assert_eq!(manual.reclaim().unwrap().load().ask, 0.0);
/// assert!(manual.remove().is_err());
/// ```
///
/// Any [`Key`] can be converted into a handle. As with the bits of a [`Handle`](crate::Handle), a key of another class resolves to
/// `None`. To store the handle elsewhere, convert its key by [`Key::to_bits`], [`Key::to_safe_integer`] or [`Key::to_saved`].
pub struct PlainHandle<T: PlainObject> {
    key: Key,
    class: PhantomData<fn() -> T>,
}

impl<T: PlainObject> PlainHandle<T> {
    #[inline]
    const fn of_key(key: Key) -> Self {
        Self {
            key,
            class: PhantomData,
        }
    }

    /// A copy of the value, if the object is alive: [`PlainPool::load`].
    #[inline]
    #[must_use]
    pub fn load(self) -> Option<T> {
        T::pool().load(self.key)
    }

    /// A copy of one field of the value, if the object is alive: [`PlainPool::load_field`].
    #[inline]
    #[must_use]
    pub fn load_field<F: AnyBitPattern>(self, field: Field<T, F>) -> Option<F> {
        T::pool().load_field(self.key, field)
    }

    /// Like [`load`](Self::load), but with at most `attempts` attempts: see [`PlainPool::load_within`].
    ///
    /// # Errors
    ///
    /// As [`PlainPool::load_within`].
    #[inline]
    pub fn load_within(self, attempts: u32) -> Result<Option<T>, Contended> {
        T::pool().load_within(self.key, attempts)
    }

    /// Like [`load`](Self::load), but returns an error that says why there is no value.
    ///
    /// # Errors
    ///
    /// The life has ended or is hidden, or the key belongs to another class.
    pub fn try_load(self) -> Result<T, AccessError> {
        T::pool().try_load(self.key)
    }

    /// Whether the object is alive and visible at this moment.
    #[must_use]
    pub fn is_allocated(self) -> bool {
        T::pool().contains(self.key)
    }

    /// The handle as the engine's key.
    #[must_use]
    pub const fn key(self) -> Key {
        self.key
    }

    /// Frees a [manual](PlainOwner::into_manual) object, and returns its last value.
    ///
    /// # Errors
    ///
    /// As [`Handle::free`](crate::Handle::free).
    #[track_caller]
    pub fn remove(self) -> Result<T, AccessError> {
        T::pool().remove(self.key)
    }

    /// Makes an owner of a [manual](PlainOwner::into_manual) object.
    ///
    /// # Errors
    ///
    /// As [`Handle::reclaim`](crate::Handle::reclaim).
    pub fn reclaim(self) -> Result<PlainOwned<T>, AccessError> {
        T::pool().reclaim(self.key)
    }

    /// Erases the type: see [`AnyHandle`].
    pub fn as_any(self) -> AnyHandle {
        AnyHandle::of(T::class(), self.key)
    }
}

compared_by_key!(PlainHandle: PlainObject);

impl<T: PlainObject> From<Key> for PlainHandle<T> {
    #[inline]
    fn from(key: Key) -> Self {
        Self::of_key(key)
    }
}
