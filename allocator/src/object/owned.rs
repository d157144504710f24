//! The methods and traits of [`Owned`]. The struct is in `object.rs`, because [`Object`] names it.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;

use super::handle::Handle;
use super::object::{Object, Owned};
use crate::kind::{ByContent, HashedAsOwned, Kind, identity_hash};
use crate::life_version::LifeVersion;

impl<T: Object> Owned<T> {
    /// A handle to the object. It resolves to the object until this life ends, and to `None` afterwards.
    ///
    /// Freeing is cheapest for an object that never had a handle.
    #[inline]
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        Handle::of_key(self.0.key())
    }

    slot_of_owner!();

    /// Whether the objects are equal, by the class's [`Kind`]. The same as `==`.
    #[must_use]
    #[doc(alias = "IsEqual")]
    pub fn is_equal(&self, other: &Self) -> bool {
        self.is_same(other) || T::Kind::equal(self, other)
    }

    /// The hash of the object, by the class's [`Kind`]. Equal objects have the same hash, and the hash is constant for a life.
    /// If the class compares objects by identity, the call makes a handle, so [`get_mut`](Self::get_mut) returns `None`
    /// afterwards.
    ///
    /// ```
    /// # use acedia::{Object, class};
    /// # #[derive(Default)]
    /// # struct Song(String);
    /// # impl Object for Song { class!(Song, "Doc.Song"); }
    /// let mut song = Song::allocate();
    /// let hash = song.hash_code();
    /// song.exclusive(|it| it.0.push_str("la"));
    /// assert_eq!(song.hash_code(), hash, "an object is equal only to itself");
    /// ```
    #[must_use]
    #[doc(alias = "GetHashCode")]
    #[doc(alias = "GetHash")]
    pub fn hash_code(&self) -> i32 {
        T::Kind::hash(&self.0.object, &self.0.cache, || identity_hash(self.0.key()))
    }

    /// Mutable access to the object, if this is its only owner and no handle to it was ever made: then no other thread
    /// can be reading it.
    ///
    /// ```
    /// # use acedia::{Object, class};
    /// # #[derive(Default)]
    /// # struct Song(String);
    /// # impl Object for Song { class!(Song, "Doc.Song"); }
    /// let mut song = Song::allocate();
    /// song.get_mut().unwrap().0.push_str("la");
    /// let _handle = song.handle();
    /// assert!(song.get_mut().is_none());
    /// ```
    #[inline]
    #[doc(alias = "DerefMut")]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        let stored = self.0.get_mut()?;
        T::Kind::reset(&mut stored.cache);
        Some(&mut stored.object)
    }

    /// Calls `change` with the object, if this is its only owner and no thread is reading at this moment.
    ///
    /// During the call handles resolve to `None`; afterwards they work again. Returns `None` and does nothing if there is
    /// another owner, a guard of the object, or a pin on any thread, including this one. But if no handle of this life was
    /// made, pins do not matter.
    ///
    /// ```
    /// # use acedia::{Object, class};
    /// # #[derive(Default)]
    /// # struct Song(String);
    /// # impl Object for Song { class!(Song, "Doc.Song"); }
    /// let mut song = Song::allocate();
    /// let handle = song.handle();
    /// song.exclusive(|it| it.0.push_str("la"));
    /// assert_eq!(handle.with(|it| it.0.len()), Some(2));
    /// ```
    #[doc(alias = "DerefMut")]
    pub fn exclusive<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.0.exclusive(|stored| {
            T::Kind::reset(&mut stored.cache);
            change(&mut stored.object)
        })
    }

    /// Leaves the object alive without an owner, until it is freed through the handle: [`Handle::free`]. Such an object is *manual*.
    ///
    /// If the object has other owners, [`Handle::free`] returns an error until they are dropped. If the object is manual
    /// already, this only drops the owner.
    #[must_use = "the object lives until it is freed through this handle"]
    pub fn into_manual(self) -> Handle<T> {
        Handle::of_key(self.0.into_manual())
    }

    /// Drops this owner. Builds with debug assertions also record where `free` was called, for messages about stale handles.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "Free")]
    pub fn free(self) {
        self.0.free();
    }
}

impl<T: Object> Clone for Owned<T> {
    /// Another owner of the same object. Aborts at 2^31 owners, as `Arc` does at its limit.
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// There is no `DerefMut`, because other threads may be reading the object through handles. To change the object, use the closure
/// of [`Object::allocate_with`], [`Owned::get_mut`], [`Owned::exclusive`], or a lock or an atomic in the field that changes: see
/// [Changing the object](Owned#changing-the-object), and the chapter "Your first pool" of the guide (`docs/first-pool.md`).
impl<T: Object> Deref for Owned<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0.object
    }
}

/// Has the same `AsRef` implementations as the object: an owned text is `AsRef<str>`. For the object itself,
/// dereference the owner.
impl<T: Object + AsRef<U>, U: ?Sized> AsRef<U> for Owned<T> {
    fn as_ref(&self) -> &U {
        (**self).as_ref()
    }
}

/// For classes that [promise](HashedAsOwned) the same hash for objects and owners.
impl<T: Object<Kind: ByContent> + HashedAsOwned> Borrow<T> for Owned<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: Object> Default for Owned<T> {
    /// A new object, as [`allocate`](crate::allocate) returns it.
    ///
    /// # Panics
    ///
    /// As [`allocate`](crate::allocate).
    fn default() -> Self {
        T::allocate()
    }
}

/// Allocates an object, and replaces its value with the one that `T::from_str` returns.
///
/// # Errors
///
/// As `T::from_str`. If it fails, no object is allocated.
///
/// # Panics
///
/// As [`allocate`](crate::allocate).
impl<T: Object + FromStr> FromStr for Owned<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let content = text.parse()?;
        Ok(T::allocate_with(|object| *object = content))
    }
}

/// Compares the objects, for classes whose objects are equal by their content.
///
/// ```
/// use acedia::kind::ValueHash;
/// use acedia::{Object, Owned, class};
///
/// #[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
/// struct Rank(i32);
/// impl Object for Rank {
///     class!(Rank, "Doc.Rank", kind = SelfHashed);
/// }
/// impl ValueHash for Rank {
///     fn value_hash(&self) -> i32 {
///         self.0
///     }
/// }
///
/// let mut ranks: Vec<Owned<Rank>> =
///     [3, 1, 2].map(|rank| Rank::allocate_with(|it| it.0 = rank)).into();
/// ranks.sort();
/// assert!(ranks.iter().map(|rank| rank.0).eq(1..4));
/// assert!(Owned::<Rank>::default() < ranks[0]);
/// ```
impl<T: Object<Kind: ByContent> + PartialOrd> PartialOrd for Owned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: Object<Kind: ByContent> + Ord> Ord for Owned<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: Object> PartialEq for Owned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl<T: Object> Eq for Owned<T> {}

/// Compares the object with a string, for objects that can be compared with strings, such as texts.
impl<T: Object + PartialEq<str>> PartialEq<str> for Owned<T> {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl<T: Object + PartialEq<str>> PartialEq<&str> for Owned<T> {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

/// Hashes by the class's [`Kind`], so equal objects have the same hash in tables of `std`, even if one of them is an
/// [`AnyOwned`](crate::AnyOwned). This hash may differ from [`hash_code`](Owned::hash_code): see
/// [`ValueHash::table_hash`](crate::kind::ValueHash::table_hash).
impl<T: Object> Hash for Owned<T> {
    #[inline]
    fn hash<S: Hasher>(&self, state: &mut S) {
        state.write_u64(T::Kind::table_hash(&self.0.object, &self.0.cache, || {
            identity_hash(self.0.key())
        }));
    }
}

impl<T: Object + fmt::Debug> fmt::Debug for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: Object + fmt::Display> fmt::Display for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: Object> From<&Owned<T>> for Handle<T> {
    fn from(owned: &Owned<T>) -> Self {
        owned.handle()
    }
}
