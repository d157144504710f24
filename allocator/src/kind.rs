//! [`Kind`]: the meaning of "equal" for a class, and with it the hash.
#![expect(clippy::exhaustive_enums, reason = "kinds have no values")]

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::OnceLock;

use crate::pool::Key;
use crate::sync::plain::Mutex;

/// The meaning of "equal" for the objects of a class. One choice decides both equality and hash, so that they always
/// agree.
///
/// | Kind | An object is equal to | Its hash | For objects that |
/// |---|---|---|---|
/// | [`Identity`] | itself alone | a random number for each life | may change |
/// | [`Value`] | objects of its class with the same content | a hash of the content, computed at most once per life | do not change |
/// | [`SelfHashed`] | objects of its class with the same content | a hash of the content, returned by the object | store their own hash |
///
/// With every kind, `a.is_equal(&a)` is true, `a.is_equal(&b)` is the same as `b.is_equal(&a)`, equal objects have the
/// same hash, and objects of different classes are never equal.
///
/// [`class!`](crate::class!) makes the choice. Other crates cannot add kinds.
#[doc(alias = "IsEqual")]
pub trait Kind<T>: sealed::Sealed + Sized + 'static {
    /// The cached hash in the slot of each object.
    #[doc(hidden)]
    type Cache: Default + Send + Sync + 'static;

    /// Whether two different objects are equal.
    #[doc(hidden)]
    fn equal(left: &T, right: &T) -> bool;

    /// The hash of an object; `identity` gives its [`identity_hash`].
    #[doc(hidden)]
    fn hash(object: &T, cache: &Self::Cache, identity: impl FnOnce() -> i32) -> i32;

    /// The number that `std`'s `Hash` feeds to a table.
    #[doc(hidden)]
    fn table_hash(object: &T, cache: &Self::Cache, identity: impl FnOnce() -> i32) -> u64 {
        widened(Self::hash(object, cache, identity))
    }

    /// Clears the cached hash, because the content changes.
    #[doc(hidden)]
    fn reset(cache: &mut Self::Cache);
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
/// use acedia::{Object, allocate_with, class};
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
///     (allocate_with::<Seven>(|it| it.0 = 7), allocate_with::<Seven>(|it| it.0 = 7));
/// assert!(a == b);
/// assert_eq!(a.hash_code(), b.hash_code());
/// ```
#[derive(Debug)]
pub enum Value {}

/// Like [`Value`], but for objects that store their hash or compute it cheaply. The hash is not cached:
/// [`ValueHash::value_hash`] runs at each use. Available in [`class!`](crate::class!), but not in the derive.
///
/// ```
/// use acedia::kind::ValueHash;
/// use acedia::{Object, allocate_with, class};
///
/// #[derive(Default, PartialEq)]
/// struct Name {
///     id: i32, // of an interned string
/// }
/// impl Object for Name {
///     class!(Name, "Doc.Name", kind = SelfHashed);
/// }
/// impl ValueHash for Name {
///     fn value_hash(&self) -> i32 {
///         self.id
///     }
/// }
///
/// let (a, b) =
///     (allocate_with::<Name>(|it| it.id = 7), allocate_with::<Name>(|it| it.id = 7));
/// assert!(a == b);
/// assert_eq!(a.hash_code(), b.hash_code());
/// ```
#[derive(Debug)]
pub enum SelfHashed {}

/// The hash of an object's content, for classes of the kinds [`Value`] and [`SelfHashed`].
///
/// Equal content must give the same number. For [`Value`], the function is called at the first use of the hash, at most once
/// per life, and again after a change through [`Owned::get_mut`](crate::Owned::get_mut) or
/// [`Owned::exclusive`](crate::Owned::exclusive). Other threads that need the hash meanwhile wait. So a function that uses the
/// hash of the object itself, directly or through other objects, deadlocks.
#[doc(alias = "CalculateHashCode")]
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` are equal by content, but the hash of their content is not defined",
    note = "write `impl ValueHash for {Self}`, or `hash = function` in the `#[object(…)]` of `#[derive(Object)]`"
)]
pub trait ValueHash: PartialEq {
    /// The hash of the content.
    fn value_hash(&self) -> i32;

    /// The number that the `Hash` of an [`Owned`](crate::Owned) passes to a table of `std`, if that is not the hash itself. If
    /// the content comes from untrusted input, an attacker could make `value_hash` collide: return a keyed hash of the content
    /// here. Equal content must give the same number. The number is not cached.
    fn table_hash(&self) -> Option<u64> {
        None
    }
}

/// The kinds by which objects are equal by their content: [`Value`] and [`SelfHashed`].
///
/// Owners of such objects are ordered by the content of the objects.
pub trait ByContent: sealed::Sealed {}

impl ByContent for Value {}
impl ByContent for SelfHashed {}

/// Promises that `Hash` of the value writes the same as `Hash` of its [`Owned`](crate::Owned): one `u64`. That is the
/// number of [`ValueHash::table_hash`] or, if there is none, the [`value_hash`](ValueHash::value_hash) converted to
/// `u32` and then to `u64`.
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
///     class!(Seven, "Doc.HashedSeven", kind = SelfHashed);
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

/// The hash of the life of this key, for objects that are equal only to themselves.
pub(crate) fn identity_hash(key: Key) -> i32 {
    static KEYED: OnceLock<RandomState> = OnceLock::new();
    static FIRST: Mutex<()> = Mutex::new(());
    let keyed = KEYED.get().unwrap_or_else(|| {
        // In a forked process, a wait for this lock has an end; one for the `OnceLock` may have none.
        let _one = FIRST.lock();
        KEYED.get_or_init(RandomState::new)
    });
    let mixed = keyed.hash_one(key.to_bits());
    i32::try_from(mixed % u64::from(i32::MAX.unsigned_abs())).unwrap_or_default()
}

impl<T> Kind<T> for Identity {
    type Cache = ();

    fn equal(_: &T, _: &T) -> bool {
        false
    }

    fn hash(_: &T, (): &(), identity: impl FnOnce() -> i32) -> i32 {
        identity()
    }

    fn reset((): &mut ()) {}
}

impl<T: ValueHash> Kind<T> for Value {
    type Cache = HashCache;

    fn equal(left: &T, right: &T) -> bool {
        left == right
    }

    fn hash(object: &T, cache: &HashCache, _: impl FnOnce() -> i32) -> i32 {
        cache.get_or_compute(|| object.value_hash())
    }

    #[inline]
    fn table_hash(object: &T, cache: &HashCache, identity: impl FnOnce() -> i32) -> u64 {
        let own = object.table_hash();
        own.unwrap_or_else(|| widened(Self::hash(object, cache, identity)))
    }

    #[inline]
    fn reset(cache: &mut HashCache) {
        *cache = HashCache::default();
    }
}

impl<T: ValueHash> Kind<T> for SelfHashed {
    type Cache = ();

    fn equal(left: &T, right: &T) -> bool {
        left == right
    }

    fn hash(object: &T, (): &(), _: impl FnOnce() -> i32) -> i32 {
        object.value_hash()
    }

    #[inline]
    fn table_hash(object: &T, (): &(), _: impl FnOnce() -> i32) -> u64 {
        let own = object.table_hash();
        own.unwrap_or_else(|| widened(object.value_hash()))
    }

    fn reset((): &mut ()) {}
}

/// A hash that is computed once, even if several threads need it at the same time.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct HashCache(OnceLock<i32>);

impl HashCache {
    fn get_or_compute(&self, compute: impl FnOnce() -> i32) -> i32 {
        *self.0.get_or_init(compute)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Identity {}
    impl Sealed for super::Value {}
    impl Sealed for super::SelfHashed {}
}
