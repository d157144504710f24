//! [`Lives`]: the lives to which a side map ties its values.

use std::fmt;
use std::sync::Arc;

use crate::object::{Handle, Object};
use crate::pool::{Hooks, Key, Pool};

/// The objects with which a [`SideMap`](crate::SideMap) associates values: those of a class, a `&Pool` or an `Arc<Pool>`,
/// or all objects that a [`Key`] names, in any pool.
///
/// ```
/// use std::sync::Arc;
/// use acedia::pool::Pool;
/// use acedia::{Object, SecondaryMap, class};
///
/// #[derive(Default)]
/// struct Pawn;
/// impl Object for Pawn {
///     class!(Pawn, "Doc.LivesOfPawns");
/// }
///
/// let pool: Arc<Pool<u64>> = Arc::new(Pool::new());
/// let mut by_handle: SecondaryMap<Pawn, &str> = SecondaryMap::new();
/// let mut by_key: SecondaryMap<Arc<Pool<u64>>, &str> = SecondaryMap::of(Arc::clone(&pool));
/// by_handle.insert(Pawn::allocate().into_manual(), "a pawn");
/// by_key.insert(pool.allocate().into_manual(), "a number");
/// assert_eq!((by_handle.len(), by_key.len()), (1, 1));
/// ```
///
/// While a map of a pool exists, the pool cannot be borrowed mutably. A map of keys alone allows it, but cannot tell that a
/// life has ended: the value stays until it is removed, or replaced by the value of a later object in the slot. No key of
/// another life finds the value.
///
/// ```
/// use acedia::SecondaryMap;
/// use acedia::pool::{Key, Values, Pool};
///
/// let mut units: Values<u64> = Pool::values();
/// let mut names: SecondaryMap<Key, &str> = SecondaryMap::new();
/// let first = units.add(1);
/// names.insert(first, "a");
/// units.remove(first);
/// let next = units.add(2); // in the same slot
/// assert_eq!((names.get(first), names.get(next)), (Some(&"a"), None));
/// names.insert(next, "b");
/// assert_eq!(names.try_insert(first, "c"), Err("c")); // the later object has a value
/// assert_eq!((names.get(first), names.get(next)), (None, Some(&"b")));
/// ```
///
/// The trait is sealed.
pub trait Lives: sealed::Sealed {
    /// The type of the map's keys: [`Handle`] for a class, [`Key`] for a pool.
    type Key: Copy + PartialEq + Into<Key> + fmt::Debug;

    /// The reference to the pool, or `()` for a class, whose pool is a `static`, and for a map of keys.
    type Pool;

    #[doc(hidden)]
    fn has_ended(pool: &Self::Pool, key: Self::Key) -> bool;
}

impl<T: Object> Lives for T {
    type Key = Handle<T>;
    type Pool = ();

    fn has_ended((): &(), key: Handle<T>) -> bool {
        key.has_ended()
    }
}

impl Lives for Key {
    type Key = Self;
    type Pool = ();

    fn has_ended((): &(), _: Self) -> bool {
        false
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Lives for &Pool<T, H> {
    type Key = Key;
    type Pool = Self;

    fn has_ended(pool: &Self, key: Key) -> bool {
        pool.has_ended(key)
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Lives for Arc<Pool<T, H>> {
    type Key = Key;
    type Pool = Self;

    fn has_ended(pool: &Self, key: Key) -> bool {
        Pool::has_ended(pool, key)
    }
}

mod sealed {
    use super::{Arc, Hooks, Key, Object, Pool};

    pub trait Sealed {}
    impl<T: Object> Sealed for T {}
    impl Sealed for Key {}
    impl<T, H: Hooks<T>> Sealed for &Pool<T, H> {}
    impl<T, H: Hooks<T>> Sealed for Arc<Pool<T, H>> {}
}
