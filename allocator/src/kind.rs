//! [`Kind`]: the meaning of "equal" for a class, and with it the hash.
#![expect(clippy::exhaustive_enums, reason = "kinds have no values")]

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::OnceLock;

use crate::pool::Handle;

/// The meaning of "equal" for the objects of a class. One choice decides both equality and hash, so that they always
/// agree.
///
/// | Kind | An object is equal to | Its hash | For objects that |
/// |---|---|---|---|
/// | [`Identity`] | itself alone | a random number for each life | may change |
/// | [`Value`] | objects of its class with the same content | a hash of the content, by default computed at most once per life | do not change |
///
/// With every kind, `a.is_equal(&a)` is true, `a.is_equal(&b)` is the same as `b.is_equal(&a)`, equal objects have the
/// same hash, and objects of different classes are never equal.
///
/// [`class!`](crate::class!) makes the choice. Other crates cannot add kinds.
#[doc(alias = "IsEqual")]
pub trait Kind<T>: sealed::Sealed + Sized + 'static {
    /// Whether the pool keeps the hash of the content.
    #[doc(hidden)]
    const CACHES_HASH: bool = false;

    /// Whether two different objects are equal.
    #[doc(hidden)]
    fn equal(left: &T, right: &T) -> bool;

    /// The hash of the content, if objects are equal by their content.
    #[doc(hidden)]
    fn content_hash(object: &T) -> Option<i32>;

    /// See [`ValueHash::table_hash`].
    #[doc(hidden)]
    fn table_hash(object: &T) -> Option<u64>;
}

/// The hash of an object. `cached` returns the stored hash. If there is none, it calls its argument, and stores the result.
pub(crate) fn hash<T, K: Kind<T>>(
    object: &T,
    cached: impl FnOnce(&dyn Fn() -> i32) -> i32,
    identity: impl FnOnce() -> i32,
) -> i32 {
    if K::CACHES_HASH {
        cached(&|| K::content_hash(object).unwrap_or_default())
    } else {
        K::content_hash(object).unwrap_or_else(identity)
    }
}

/// The number that an owner passes to a table of `std`.
#[inline]
pub(crate) fn table_hash<T, K: Kind<T>>(
    object: &T,
    cached: impl FnOnce(&dyn Fn() -> i32) -> i32,
    identity: impl FnOnce() -> i32,
) -> u64 {
    K::table_hash(object).unwrap_or_else(|| widened(hash::<T, K>(object, cached, identity)))
}

/// Equal to itself alone; the default of [`class!`](crate::class!).
///
/// The hash is a random number in `0..i32::MAX`. It is constant for one life, and differs between lives and between
/// runs. It reveals nothing about addresses.
///
/// ```
/// use acedia::{Object, class};
///
/// #[derive(Default)]
/// struct Counter;
/// impl Object for Counter {
///     class!(Counter, "Doc.Counter");
/// }
///
/// let (a, b) = (Counter::allocate(), Counter::allocate());
/// assert!(a == a.clone() && a != b);
/// assert_eq!(a.hash_code(), a.clone().hash_code());
/// ```
#[derive(Debug)]
pub enum Identity {}

/// Equal to objects with the same content: `class!(T, "Package.Name", kind = Value)`. Needs [`ValueHash`].
///
/// ```
/// use acedia::kind::ValueHash;
/// use acedia::{Object, class};
///
/// #[derive(Default, PartialEq)]
/// struct Seven(i32);
/// impl Object for Seven {
///     class!(Seven, "Doc.Seven", kind = Value);
/// }
/// impl ValueHash for Seven {
///     fn value_hash(&self) -> i32 {
///         self.0
///     }
/// }
///
/// let (a, b) =
///     (Seven::allocate_with(|it| it.0 = 7), Seven::allocate_with(|it| it.0 = 7));
/// assert!(a == b);
/// assert_eq!(a.hash_code(), b.hash_code());
/// ```
#[derive(Debug)]
pub enum Value {}

/// The hash of an object's content, for classes of the kind [`Value`].
///
/// Equal content must give the same number. Unless [`CACHED`](Self::CACHED) is false, [`value_hash`](Self::value_hash) is called at the
/// first use of the hash, and the result is kept until the life ends, or until [`Owned::get_mut`](crate::Owned::get_mut) or
/// [`Owned::exclusive`](crate::Owned::exclusive) borrows the object. Other threads that need the hash during the call wait. So a
/// `value_hash` that uses the hash of its own object, directly or through other objects, deadlocks.
#[doc(alias = "CalculateHashCode")]
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` are equal by content, but the hash of their content is not defined",
    note = "write `impl ValueHash for {Self}`, or `hash = function` in the `#[object(…)]` of `#[derive(Object)]`"
)]
pub trait ValueHash: PartialEq {
    /// Whether the pool keeps the hash for the rest of the life. If the object stores its hash or computes it cheaply, set this to
    /// `false`: the pool then stores no hash, and calls [`value_hash`](Self::value_hash) at each use. With `#[derive(Object)]`, leave out
    /// the option `hash`, and implement this trait.
    ///
    /// ```
    /// use acedia::kind::ValueHash;
    /// use acedia::{Object, class};
    ///
    /// #[derive(Default, PartialEq)]
    /// struct Name {
    ///     id: i32, // of an interned string
    /// }
    /// impl Object for Name {
    ///     class!(Name, "Doc.Name", kind = Value);
    /// }
    /// impl ValueHash for Name {
    ///     const CACHED: bool = false;
    ///
    ///     fn value_hash(&self) -> i32 {
    ///         self.id
    ///     }
    /// }
    ///
    /// let (a, b) =
    ///     (Name::allocate_with(|it| it.id = 7), Name::allocate_with(|it| it.id = 7));
    /// assert!(a == b);
    /// assert_eq!(a.hash_code(), b.hash_code());
    /// ```
    const CACHED: bool = true;

    /// The hash of the content.
    fn value_hash(&self) -> i32;

    /// The number that `Hash` of an [`Owned`](crate::Owned) writes, or `None` to write [`value_hash`](Self::value_hash). If the
    /// content comes from untrusted input, an attacker could make `value_hash` collide: return a keyed hash of the content here.
    /// Equal content must give the same number. The number is not cached.
    fn table_hash(&self) -> Option<u64> {
        None
    }
}

/// Promises that `Hash` of the value writes the same as `Hash` of its [`Owned`](crate::Owned): one `u64`. It is the result of
/// [`ValueHash::table_hash`]. If that is `None`, it is [`value_hash`](ValueHash::value_hash), converted to `u32` and then to
/// `u64`.
///
/// An owner of such an object implements [`Borrow`](std::borrow::Borrow) for the object, so a table of `std` with owners as keys
/// can be searched by `&T`. Without the promise, such a search could miss a key.
///
/// ```
/// use std::collections::HashSet;
/// use std::hash::{Hash, Hasher};
/// use acedia::kind::{HashedAsOwned, ValueHash};
/// use acedia::{Object, class};
///
/// #[derive(Default, PartialEq, Eq)]
/// struct Seven(i32);
/// impl Object for Seven {
///     class!(Seven, "Doc.HashedSeven", kind = Value);
/// }
/// impl ValueHash for Seven {
///     fn value_hash(&self) -> i32 {
///         self.0
///     }
///     fn table_hash(&self) -> Option<u64> {
///         Some(self.0.unsigned_abs().into())
///     }
/// }
/// impl Hash for Seven {
///     fn hash<H: Hasher>(&self, state: &mut H) {
///         state.write_u64(self.0.unsigned_abs().into());
///     }
/// }
/// impl HashedAsOwned for Seven {}
///
/// let known = HashSet::from([Seven::allocate_with(|it| it.0 = 7)]);
/// assert!(known.contains(&Seven(7)) && !known.contains(&Seven(8)));
/// ```
pub trait HashedAsOwned: ValueHash + Eq + Hash {}

/// One step of a hash over several parts: `so_far * 33 + next`, wrapping.
///
/// ```
/// use acedia::kind::combine_hash;
///
/// let djb2 = |text: &str| text.chars().fold(5381, |hash, c| combine_hash(hash, c as i32));
/// assert_eq!(djb2("ab"), 5_863_208);
/// ```
#[doc(alias = "CombineHash")]
#[must_use]
pub const fn combine_hash(so_far: i32, next: i32) -> i32 {
    so_far.wrapping_mul(33).wrapping_add(next)
}

fn widened(hash: i32) -> u64 {
    u64::from(u32::from_ne_bytes(hash.to_ne_bytes()))
}

/// The hash of the life of this handle, for objects that are equal only to themselves.
pub(crate) fn identity_hash<T>(handle: Handle<T>) -> i32 {
    static KEYED: OnceLock<RandomState> = OnceLock::new();
    let mixed = KEYED.get_or_init(RandomState::new).hash_one(handle.to_bits());
    i32::try_from(mixed % u64::from(i32::MAX.unsigned_abs())).unwrap_or_default()
}

impl<T> Kind<T> for Identity {
    fn equal(_: &T, _: &T) -> bool {
        false
    }

    fn content_hash(_: &T) -> Option<i32> {
        None
    }

    fn table_hash(_: &T) -> Option<u64> {
        None
    }
}

impl<T: ValueHash> Kind<T> for Value {
    const CACHES_HASH: bool = T::CACHED;

    fn equal(left: &T, right: &T) -> bool {
        left == right
    }

    fn content_hash(object: &T) -> Option<i32> {
        Some(object.value_hash())
    }

    #[inline]
    fn table_hash(object: &T) -> Option<u64> {
        object.table_hash()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Identity {}
    impl Sealed for super::Value {}
}
