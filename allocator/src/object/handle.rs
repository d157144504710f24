//! [`Handle`]: eight bytes that refer to an object until its life ends.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use super::guard::Guard;
use super::object::{Object, Owned};
use crate::error::AccessError;
use crate::life_version::LifeVersion;
use crate::pool::{Domain, Key, ParseKeyError, Pinned};

/// Names one life of one object, in eight bytes, and never dangles.
///
/// A handle is a plain value: copy it, store it, send it to any thread. It is a *generational index*: it names a slot and a life
/// (its generation). As soon as the life has ended, the handle resolves to `None`. It never resolves to a later object in the same
/// slot (the ABA problem). Unlike `Weak`, a handle cannot be upgraded. To keep an object alive, clone an existing [`Owned`].
///
/// ```
/// use acedia::{Handle, Object, class, pin};
///
/// #[derive(Default)]
/// struct Pawn { health: i32, target: Option<Handle<Pawn>> }
/// impl Object for Pawn {
///     class!(Pawn, "Doc.Pawn");
/// }
///
/// let enemy = Pawn::allocate_with(|it| it.health = 100);
/// let pawn = Pawn::allocate_with(|it| it.target = Some(enemy.handle()));
/// {
///     let pinned = pin();
///     assert_eq!(pawn.target.unwrap().get(&pinned).unwrap().health, 100);
/// }
/// drop(enemy);
/// assert!(pawn.target.unwrap().get(&pin()).is_none());
/// // One object at a time, and the handle's own numbers.
/// let pawn_handle = pawn.handle();
/// assert_eq!(pawn_handle.with(|it| it.health), Some(0));
/// let guard = pawn_handle.guard().unwrap();
/// assert!(guard.target.is_some() && pawn_handle.is_allocated());
/// assert_eq!(pawn_handle.life_version(), Some(pawn_handle.life()));
/// assert_eq!(pawn_handle.index(), pawn.index());
/// assert_eq!(Handle::from_bits(pawn_handle.to_bits()), Some(pawn_handle));
/// assert!(pawn.target.unwrap().try_guard().is_err());
/// assert!(pawn_handle.as_any().is::<Pawn>());
/// ```
///
/// | Method | Reads | Cost |
/// |---|---|---|
/// | [`get`](Self::get) | any number of objects, while a pin is held on this thread | four loads |
/// | [`get_many`](Self::get_many) | the objects of a list, under a pin | less than `get`, in a large pool |
/// | [`with`](Self::with) | one object, in a closure | a pin and four loads |
/// | [`guard`](Self::guard) | one object, across threads and `await` | two atomic read-modify-writes |
///
/// | Other methods | |
/// |---|---|
/// | learn whether the handle resolves, and if not, why | [`is_allocated`](Self::is_allocated), [`try_get`](Self::try_get), [`try_with`](Self::try_with), [`try_guard`](Self::try_guard) |
/// | visit all living objects | [`iter`](Self::iter), [`living`](Self::living); `par_iter` with the feature `rayon` |
/// | free or reclaim an object without an owner | [`free`](Self::free), [`reclaim`](Self::reclaim) |
/// | store the handle outside the program | [`to_bits`](Self::to_bits), [`to_safe_integer`](Self::to_safe_integer), [`to_saved`](Self::to_saved) |
/// | erase the type | [`as_any`](Self::as_any) |
///
/// Handles are compared, ordered and hashed by their bits, so two handles are equal if they name the same life. An `Option`
/// of a handle takes eight bytes, too.
pub struct Handle<T: Object> {
    key: Key,
    class: PhantomData<fn() -> T>,
}

impl<T: Object> Handle<T> {
    #[inline]
    pub(super) const fn of_key(key: Key) -> Self {
        Self {
            key,
            class: PhantomData,
        }
    }
}

/// Methods that read under a pin of the class's domain. A class that is read by [guards only](crate::pool::GuardsOnly) does
/// not have them.
impl<T: Object> Handle<T> {
    /// The object, if it is alive and visible. Costs four plain loads.
    #[inline]
    #[must_use]
    pub fn get(self, pinned: &Pinned<T::Readers>) -> Option<&T>
    where
        T::Readers: Domain,
    {
        Some(&T::storage().pool.get(self.key, pinned)?.object)
    }

    /// Iterates over the living objects and their handles, as if [`get`](Self::get) were called on each handle of
    /// [`living`](Self::living). Other threads may allocate and free meanwhile.
    ///
    /// ```
    /// # use acedia::{Handle, Object, class, pin};
    /// # #[derive(Default)]
    /// # struct Pawn { health: i32 }
    /// # impl Object for Pawn { class!(Pawn, "Doc.Iterated"); }
    /// let pawns = [10, 20].map(|health| Pawn::allocate_with(|it| it.health = health));
    /// let handles = pawns.each_ref().map(|pawn| pawn.handle());
    /// let pinned = pin();
    /// let seen: Vec<_> =
    ///     Handle::<Pawn>::iter(&pinned).map(|(handle, pawn)| (handle, pawn.health)).collect();
    /// assert_eq!(seen, [(handles[0], 10), (handles[1], 20)]);
    /// ```
    pub fn iter(pinned: &Pinned<T::Readers>) -> impl Iterator<Item = (Self, &T)>
    where
        T::Readers: Domain,
    {
        let living = T::storage().pool.iter(pinned);
        living.map(|(key, stored)| (Self::of_key(key), &stored.object))
    }

    /// Like [`iter`](Self::iter), but on the threads of rayon: see [`Pool::par_iter`](crate::pool::Pool::par_iter). Needs the
    /// feature `rayon`.
    ///
    /// ```
    /// # use acedia::{Handle, Object, class, pin};
    /// # #[derive(Default)]
    /// # struct Pawn { health: i32 }
    /// # impl Object for Pawn { class!(Pawn, "Doc.Parallel"); }
    /// use rayon::prelude::*;
    ///
    /// let pawns = [10, 20].map(|health| Pawn::allocate_with(|it| it.health = health));
    /// let _handles = pawns.each_ref().map(|pawn| pawn.handle());
    /// let sum: i32 = Handle::<Pawn>::par_iter(&pin()).map(|(_, pawn)| pawn.health).sum();
    /// assert_eq!(sum, 30);
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn par_iter(pinned: &Pinned<T::Readers>) -> impl rayon::iter::ParallelIterator<Item = (Self, &T)>
    where
        T::Readers: Domain,
    {
        use rayon::iter::ParallelIterator;
        let living = T::storage().pool.par_iter(pinned);
        living.map(|(key, stored)| (Self::of_key(key), &stored.object))
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no object.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class, pin};
    /// # #[derive(Debug, Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().handle();
    /// let error = handle.try_get(&pin()).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Freed);
    /// assert!(error.to_string().starts_with("Doc.Pawn in slot "));
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended or is hidden, or the handle's bits were made up or belong to another class.
    pub fn try_get(self, pinned: &Pinned<T::Readers>) -> Result<&T, AccessError>
    where
        T::Readers: Domain,
    {
        let stored = T::storage().pool.try_get(self.key, pinned)?;
        Ok(&stored.object)
    }

    /// Looks up `handles` in their order, each as [`get`](Self::get) would.
    ///
    /// Faster than [`get`](Self::get) among very many objects in random order, because it prefetches the next objects:
    /// see [`Reader::get_many`](crate::pool::Reader::get_many).
    ///
    /// ```
    /// # use acedia::{Handle, Object, class, pin};
    /// # #[derive(Default)]
    /// # struct Pawn { health: i32 }
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let squad: Vec<_> =
    ///     (1..=3).map(|n| Pawn::allocate_with(|it| it.health = 10 * n)).collect();
    /// let handles: Vec<_> = squad.iter().map(Handle::from).collect();
    /// let pinned = pin();
    /// let alive = Handle::get_many(&handles, &pinned).flatten();
    /// assert_eq!(alive.map(|it| it.health).sum::<i32>(), 60);
    /// ```
    ///
    /// # Panics
    ///
    /// If no object of the class was ever allocated, and the process already has a million pools. Aborts if there is no
    /// memory for the pool's first record.
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn get_many<'g>(
        handles: &[Self],
        pinned: &'g Pinned<T::Readers>,
    ) -> impl ExactSizeIterator<Item = Option<&'g T>>
    where
        T::Readers: Domain,
    {
        let found = T::storage().pool.reader(pinned).get_many(handles);
        found.map(|stored| Some(&stored?.object))
    }
}

impl<T: Object> Handle<T> {
    /// Iterates over handles to the living objects. Other threads may allocate and free meanwhile: see
    /// [`Pool::keys`](crate::pool::Pool::keys). An object to which no handle was made is skipped, unless the class is
    /// [`VISIBLE`](Object::VISIBLE).
    ///
    /// ```
    /// # use acedia::{Handle, Object, class};
    /// # #[derive(Default)]
    /// # struct Pawn { health: i32 }
    /// # impl Object for Pawn { class!(Pawn, "Doc.Living"); }
    /// let pawns: Vec<_> =
    ///     [10, 20].map(|health| Pawn::allocate_with(|it| it.health = health)).into();
    /// let _handles: Vec<_> = pawns.iter().map(|pawn| pawn.handle()).collect();
    /// let sum: i32 =
    ///     Handle::<Pawn>::living().filter_map(|pawn| pawn.with(|it| it.health)).sum();
    /// assert_eq!(sum, 30);
    /// ```
    pub fn living() -> impl Iterator<Item = Self> {
        T::storage().pool.keys().map(Self::of_key)
    }

    /// Calls `read` on the object, if it is alive and visible, and returns the result. Reads under a pin, or with a
    /// guard if the class is read by guards only.
    #[inline]
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> Option<R> {
        T::storage().pool.with(self.key, |stored| read(&stored.object))
    }

    /// Like [`with`](Self::with), but returns an error that says why there is no object.
    ///
    /// ```
    /// use acedia::{Object, Reason, class};
    ///
    /// #[derive(Default)]
    /// struct Pawn { health: i32 }
    /// impl Object for Pawn { class!(Pawn, "Doc.PawnOfTryWith"); }
    ///
    /// let pawn = Pawn::allocate_with(|pawn| pawn.health = 7);
    /// let handle = pawn.handle();
    /// assert_eq!(handle.try_with(|pawn| pawn.health).unwrap(), 7);
    /// drop(pawn);
    /// assert_eq!(handle.try_with(|pawn| pawn.health).unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// See [`try_get`](Self::try_get).
    pub fn try_with<R>(self, read: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        T::storage().pool.try_with(self.key, |stored| read(&stored.object))
    }

    /// A guard of the object. It can be held across threads and `await`.
    #[inline]
    #[must_use]
    pub fn guard(self) -> Option<Guard<T>> {
        T::storage().pool.guard(self.key).map(Guard)
    }

    /// Like [`guard`](Self::guard), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_get`](Self::try_get).
    pub fn try_guard(self) -> Result<Guard<T>, AccessError> {
        T::storage().pool.try_guard(self.key).map(Guard)
    }

    /// Whether the object is alive and visible at this moment. Also `false` during a call of [`Owned::exclusive`] on the
    /// object. Another thread may free the object right after the call, so read it through [`with`](Self::with) or
    /// [`get`](Self::get).
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn is_allocated(self) -> bool {
        T::storage().pool.contains(self.key)
    }

    /// Whether the life has ended. A hidden life has not ended.
    pub(crate) fn has_ended(self) -> bool {
        T::storage().pool.has_ended(self.key)
    }

    /// The object's life, if the object is alive and visible. [`LifeVersion::to_i32`] converts this `Option` to the number
    /// that Acedia, the UnrealScript library, returns: −1 for `None`.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(self) -> Option<LifeVersion> {
        self.is_allocated().then(|| self.life())
    }

    key_of_handle!();

    /// The handle as a number, for storage or for an `AtomicU64`. Never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.key.to_bits()
    }

    /// The handle for which [`to_bits`](Self::to_bits) returned these bits, or `None` if no pool can ever issue them.
    ///
    /// Any number is valid input. Bits that were made up, or belong to another class, resolve to `None`, unless a handle of
    /// this class was issued with the same bits.
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        Key::from_bits(bits).map(Self::of_key)
    }

    /// The handle as a number below 2⁵³, for JavaScript, Lua and the JSON of other programs: see
    /// [`Key::to_safe_integer`].
    ///
    /// ```
    /// # use acedia::{Handle, Object, class};
    /// # #[derive(Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let pawn = Pawn::allocate();
    /// let number = pawn.handle().to_safe_integer().expect("a first life of a low slot");
    /// assert_eq!(Handle::from_safe_integer(number), Some(pawn.handle()));
    /// ```
    #[must_use]
    pub const fn to_safe_integer(self) -> Option<u64> {
        self.key.to_safe_integer()
    }

    /// The handle for which [`to_safe_integer`](Self::to_safe_integer) returned this number, or `None` if no handle has it. Any
    /// number is valid input: see [`from_bits`](Self::from_bits).
    #[must_use]
    pub fn from_safe_integer(number: u64) -> Option<Self> {
        Key::from_safe_integer(number).map(Self::of_key)
    }

    /// Frees an object that [`Owned::into_manual`] has left without an owner. A stale handle never frees a later object in
    /// the slot.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class};
    /// # #[derive(Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().into_manual();
    /// assert_eq!(handle.free(), Ok(()));
    /// assert_eq!(handle.free().unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_get`](Self::try_get), and also [`Reason::Owned`](crate::Reason::Owned) if the object is not manual or
    /// still has owners. The object then stays alive. A manual object can be freed by its handle once its owners are
    /// dropped. If several calls free the same life at the same time, one succeeds.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(self) -> Result<(), AccessError> {
        T::storage().pool.free(self.key)
    }

    /// Makes an owner for an object that [`Owned::into_manual`] has left without one.
    ///
    /// ```
    /// # use acedia::{Object, Reason, class};
    /// # #[derive(Default)]
    /// # struct Pawn;
    /// # impl Object for Pawn { class!(Pawn, "Doc.Pawn"); }
    /// let handle = Pawn::allocate().into_manual();
    /// let owner = handle.reclaim().unwrap();
    /// assert_eq!(handle.free().unwrap_err().reason(), Reason::Owned);
    /// drop(owner);
    /// assert!(!handle.is_allocated());
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_get`](Self::try_get), and also [`Reason::Owned`](crate::Reason::Owned) if the object is not manual.
    pub fn reclaim(self) -> Result<Owned<T>, AccessError> {
        T::storage().pool.reclaim(self.key).map(Owned)
    }
}

impl<T: Object> Guard<T> {
    /// The handle with which the guard was made. The life that it names may have ended since.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        Handle::of_key(self.0.key())
    }
}

/// Implements `Clone`, comparison, hashing and printing for a handle through its key.
macro_rules! compared_by_key {
    ($handle:ident: $class:ident) => {
        #[allow(clippy::expl_impl_clone_on_copy, reason = "a derive would ask for `T: Clone`")]
        impl<T: $class> Clone for $handle<T> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: $class> Copy for $handle<T> {}

        impl<T: $class> PartialEq for $handle<T> {
            fn eq(&self, other: &Self) -> bool {
                self.key == other.key
            }
        }

        impl<T: $class> Eq for $handle<T> {}

        impl<T: $class> PartialOrd for $handle<T> {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<T: $class> Ord for $handle<T> {
            /// Orders handles by slot, then by life.
            fn cmp(&self, other: &Self) -> Ordering {
                self.key.cmp(&other.key)
            }
        }

        impl<T: $class> Hash for $handle<T> {
            fn hash<S: Hasher>(&self, state: &mut S) {
                self.key.hash(state);
            }
        }

        impl<T: $class> fmt::LowerHex for $handle<T> {
            /// The 16 hexadecimal digits of its [key]($handle::key).
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(&self.key, f)
            }
        }

        impl<T: $class> FromStr for $handle<T> {
            type Err = ParseKeyError;

            /// Parses the text of `{:x}`, as [`Key`] does. The text does not name the class.
            fn from_str(text: &str) -> Result<Self, ParseKeyError> {
                text.parse().map(Self::of_key)
            }
        }

        impl<T: $class> fmt::Display for $handle<T> {
            /// Prints as errors do: `Game.Rocket in slot 3, life 7`. Does not access the object.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} in {}", T::class(), self.key)
            }
        }

        impl<T: $class> fmt::Debug for $handle<T> {
            /// Prints `Handle(Game.Rocket, slot 3, life 7)`. Does not access the object.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($handle), "({}, {})"), T::class(), self.key)
            }
        }

        impl<T: $class> From<$handle<T>> for Key {
            /// Same as the method `key`.
            #[inline]
            fn from(handle: $handle<T>) -> Self {
                handle.key
            }
        }
    };
}

compared_by_key!(Handle: Object);
