//! [`Kind`]: what "equal" means for a class, and with it its hash.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use crate::pool::Key;

/// What "equal" means for the objects of a class: one choice, so that equality and hash can never disagree.
///
/// | | equal to | hash | for |
/// |---|---|---|---|
/// | [`Identity`] | itself alone | random, another one in each life | what may change |
/// | [`Value`] | objects of its class with the same content | of the content, computed at most once per life | what may not |
/// | [`SelfHashed`] | as `Value` | of the content, as the object says it | what keeps its hash itself |
///
/// Either way `a.is_equal(&a)` holds, `a.is_equal(&b)` says what `b.is_equal(&a)` says, objects that are equal have the
/// same hash, and objects of different classes are never equal.
///
/// The choice is made by [`class!`](crate::class!); no other kinds can be added.
#[doc(alias = "IsEqual")]
pub trait Kind<T>: sealed::Sealed + Sized + 'static {
    /// What each object keeps for its hash.
    #[doc(hidden)]
    type Cache: Default + Send + Sync + 'static;

    /// Whether two different objects are equal.
    #[doc(hidden)]
    fn equal(left: &T, right: &T) -> bool;

    /// The hash of an object.
    #[doc(hidden)]
    fn hash(object: &T, cache: &Self::Cache, key: impl FnOnce() -> Key) -> i32;

    /// What `std`'s `Hash` feeds to a table.
    #[doc(hidden)]
    fn table_hash(object: &T, cache: &Self::Cache, key: impl FnOnce() -> Key) -> u64 {
        widened(Self::hash(object, cache, key))
    }

    /// Forgets the hash, because the content changes.
    #[doc(hidden)]
    fn reset(cache: &mut Self::Cache);
}

/// Equal to itself alone; the default of [`class!`](crate::class!).
///
/// The hash is a random number in `0..i32::MAX`: the same for all of one life, another in the next life, and different
/// from run to run. It says nothing about addresses.
///
/// ```
/// use acedia_allocator::{Object, class};
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

/// Equal to what has the same content: `class!(T, "Package.Name", kind = Value)`. Needs [`ValueHash`].
///
/// ```
/// use acedia_allocator::kind::ValueHash;
/// use acedia_allocator::{Object, allocate_with, class};
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
/// let (a, b) = (allocate_with::<Seven>(|it| it.0 = 7), allocate_with::<Seven>(|it| it.0 = 7));
/// assert!(a == b);
/// assert_eq!(a.hash_code(), b.hash_code());
/// ```
#[derive(Debug)]
pub enum Value {}

/// As [`Value`], for objects that keep their hash themselves or have it at once: nothing is kept beside them, and
/// [`ValueHash::value_hash`] is called whenever somebody asks. For [`class!`](crate::class!); the derive does not know it.
///
/// ```
/// use acedia_allocator::kind::ValueHash;
/// use acedia_allocator::{Object, allocate_with, class};
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
/// let (a, b) = (allocate_with::<Name>(|it| it.id = 7), allocate_with::<Name>(|it| it.id = 7));
/// assert!(a == b);
/// assert_eq!(a.hash_code(), b.hash_code());
/// ```
#[derive(Debug)]
pub enum SelfHashed {}

/// The hash of an object's content, for classes of the kinds [`Value`] and [`SelfHashed`].
///
/// Content that is equal must give the same number. With [`Value`] called at most once per life and object, when somebody
/// asks for the hash first, and again after the object was changed through [`Owned::get_mut`](crate::Owned::get_mut) or
/// [`Owned::exclusive`](crate::Owned::exclusive). Threads that ask meanwhile wait; so it must not ask for the hash of the object
/// itself, nor for that of one which asks back: that would have no end.
#[doc(alias = "CalculateHashCode")]
#[diagnostic::on_unimplemented(
    message = "objects of `{Self}` are equal by content, and nobody says what the hash of their content is",
    note = "write `impl ValueHash for {Self}`, or `hash = function` in the `#[object(…)]` of `#[derive(Object)]`"
)]
pub trait ValueHash: PartialEq {
    /// The hash.
    fn value_hash(&self) -> i32;

    /// What `std`'s `Hash` of an [`Owned`](crate::Owned) feeds to a table, if that is not the hash itself: a keyed hash of
    /// the content, for a class whose `value_hash` strangers can make collide. Equal content must give the same number. Not
    /// cached here.
    fn table_hash(&self) -> Option<u64> {
        None
    }
}

/// One step of a hash over several parts: `so_far * 33 + next`, wrapping.
///
/// ```
/// use acedia_allocator::kind::combine_hash;
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

impl<T> Kind<T> for Identity {
    type Cache = ();

    fn equal(_: &T, _: &T) -> bool {
        false
    }

    fn hash(_: &T, (): &(), key: impl FnOnce() -> Key) -> i32 {
        static KEYED: OnceLock<RandomState> = OnceLock::new();
        let mixed = KEYED.get_or_init(RandomState::new).hash_one(key().to_bits());
        i32::try_from(mixed % u64::from(i32::MAX.unsigned_abs())).unwrap_or_default()
    }

    fn reset((): &mut ()) {}
}

impl<T: ValueHash> Kind<T> for Value {
    type Cache = HashCache;

    fn equal(left: &T, right: &T) -> bool {
        left == right
    }

    fn hash(object: &T, cache: &HashCache, _: impl FnOnce() -> Key) -> i32 {
        *cache.0.get_or_init(|| object.value_hash())
    }

    #[inline]
    fn table_hash(object: &T, cache: &HashCache, key: impl FnOnce() -> Key) -> u64 {
        let own = object.table_hash();
        own.unwrap_or_else(|| widened(Self::hash(object, cache, key)))
    }

    #[inline]
    fn reset(cache: &mut HashCache) {
        // A number needs no drop, but dropping the cell would look at its state.
        std::mem::forget(std::mem::take(&mut cache.0));
    }
}

impl<T: ValueHash> Kind<T> for SelfHashed {
    type Cache = ();

    fn equal(left: &T, right: &T) -> bool {
        left == right
    }

    fn hash(object: &T, (): &(), _: impl FnOnce() -> Key) -> i32 {
        object.value_hash()
    }

    #[inline]
    fn table_hash(object: &T, (): &(), _: impl FnOnce() -> Key) -> u64 {
        let own = object.table_hash();
        own.unwrap_or_else(|| widened(object.value_hash()))
    }

    fn reset((): &mut ()) {}
}

/// A hash that is computed at most once, also if several threads ask at the same time.
#[doc(hidden)]
#[derive(Default)]
pub struct HashCache(OnceLock<i32>);

impl fmt::Debug for HashCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HashCache").field(&self.0.get()).finish()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Identity {}
    impl Sealed for super::Value {}
    impl Sealed for super::SelfHashed {}
}
