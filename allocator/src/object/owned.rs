//! The methods and traits of [`Owned`] that objects of classes have.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::object::Object;
use crate::kind::{self, HashedAsOwned, Kind, Value, identity_hash};
use crate::pool::{Handle, Owned, PoolOf};

/// Methods of objects of classes.
impl<T: Object> Owned<T> {
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
        let cached = |compute: &dyn Fn() -> i32| self.cached_hash(compute);
        kind::hash::<T, T::Kind>(self, cached, || identity_hash(self.handle()))
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
impl<T: Object<Kind = Value> + HashedAsOwned> Borrow<T> for Owned<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: Object> Default for Owned<T> {
    /// A new object: see [`Object::allocate`].
    ///
    /// # Panics
    ///
    /// As [`Object::allocate`].
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
/// As [`Object::allocate`].
impl<T: Object + FromStr> FromStr for Owned<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        let content = text.parse()?;
        Ok(T::allocate_with(|object| *object = content))
    }
}

/// Collects items into a new object, for classes that implement [`Extend`]. The object is extended after its constructor, so the
/// constructor or the finalizer must clear what the last life left.
///
/// ```
/// use acedia::{Object, Owned, class};
///
/// #[derive(Default)]
/// struct Song(String);
/// impl Object for Song {
///     class!(Song, "Doc.CollectedSong");
///     fn constructor(&mut self) {
///         self.0.clear();
///     }
/// }
/// impl Extend<char> for Song {
///     fn extend<I: IntoIterator<Item = char>>(&mut self, notes: I) {
///         self.0.extend(notes);
///     }
/// }
///
/// let song: Owned<Song> = "la".chars().collect();
/// assert_eq!(song.0, "la");
/// ```
impl<A, T: Object + Extend<A>> FromIterator<A> for Owned<T> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = A>>(items: I) -> Self {
        T::allocate_with(|object| object.extend(items))
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
///     class!(Rank, "Doc.Rank", kind = Value);
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
impl<T: Object<Kind = Value> + PartialOrd> PartialOrd for Owned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // An object is equal to itself, even with a NaN in it.
        if self.is_same(other) {
            return Some(Ordering::Equal);
        }
        (**self).partial_cmp(other)
    }
}

impl<T: Object<Kind = Value> + Ord> Ord for Owned<T> {
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
        let cached = |compute: &dyn Fn() -> i32| self.cached_hash(compute);
        state.write_u64(kind::table_hash::<T, T::Kind>(self, cached, || {
            identity_hash(self.handle())
        }));
    }
}

impl<T: Object + fmt::Display> fmt::Display for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T, P: PoolOf<T>> From<&Owned<T, P>> for Handle<T> {
    fn from(owned: &Owned<T, P>) -> Self {
        owned.handle()
    }
}
