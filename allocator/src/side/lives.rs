//! [`Lives`]: the lives to which a side map ties its values.

use std::sync::Arc;

use crate::object::Object;
use crate::pool::{Handle, Hooks, Pool, Readers, Values};

/// The objects of a [`SecondaryMap`](crate::SecondaryMap): those of a class, of a `&Pool` or `Arc<Pool>`, of a `&Values` or
/// `Arc<Values>`, or, for `Handle<T>`, all objects of type `T`.
///
/// ```
/// use std::sync::Arc;
/// use acedia::{Object, Pool, SecondaryMap, class};
///
/// #[derive(Default)]
/// struct Pawn;
/// impl Object for Pawn {
///     class!(Pawn, "Doc.LivesOfPawns");
/// }
///
/// let pool: Arc<Pool<u64>> = Arc::new(Pool::new());
/// let mut by_handle: SecondaryMap<Pawn, &str> = SecondaryMap::new();
/// let mut of_pool: SecondaryMap<Arc<Pool<u64>>, &str> = SecondaryMap::of(Arc::clone(&pool));
/// by_handle.insert(Pawn::allocate().into_manual(), "a pawn");
/// of_pool.insert(pool.allocate().into_manual(), "a number");
/// assert_eq!((by_handle.len(), of_pool.len()), (1, 1));
/// ```
///
/// While a map of a pool exists, the pool cannot be borrowed mutably. A map of handles alone allows it, but cannot tell that a
/// life has ended: the value stays until it is removed, or replaced by the value of a later object in the slot. No handle of
/// another life finds the value.
///
/// ```
/// use acedia::{Handle, SecondaryMap, Values};
///
/// let mut units: Values<u64> = Values::new();
/// let mut names: SecondaryMap<Handle<u64>, &str> = SecondaryMap::new();
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
    /// The type of the objects.
    type Object;

    /// The reference to the pool, or `()` for a class, whose pool is a `static`, and for a map of handles.
    type Pool;

    #[doc(hidden)]
    fn has_ended(pool: &Self::Pool, handle: Handle<Self::Object>) -> bool;
}

impl<T: Object> Lives for T {
    type Object = T;
    type Pool = ();

    fn has_ended((): &(), handle: Handle<T>) -> bool {
        handle.has_ended()
    }
}

impl<T> Lives for Handle<T> {
    type Object = T;
    type Pool = ();

    fn has_ended((): &(), _: Self) -> bool {
        false
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Lives for &Pool<T, H> {
    type Object = T;
    type Pool = Self;

    fn has_ended(pool: &Self, handle: Handle<T>) -> bool {
        pool.has_ended(handle)
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Lives for Arc<Pool<T, H>> {
    type Object = T;
    type Pool = Self;

    fn has_ended(pool: &Self, handle: Handle<T>) -> bool {
        Pool::has_ended(pool, handle)
    }
}

impl<T: Send + Sync + 'static, D: Readers> Lives for &Values<T, D> {
    type Object = T;
    type Pool = Self;

    fn has_ended(pool: &Self, handle: Handle<T>) -> bool {
        Pool::has_ended(pool, handle)
    }
}

impl<T: Send + Sync + 'static, D: Readers> Lives for Arc<Values<T, D>> {
    type Object = T;
    type Pool = Self;

    fn has_ended(pool: &Self, handle: Handle<T>) -> bool {
        Pool::has_ended(pool, handle)
    }
}

mod sealed {
    use super::{Arc, Handle, Hooks, Object, Pool, Readers, Values};

    pub trait Sealed {}
    impl<T: Object> Sealed for T {}
    impl<T> Sealed for Handle<T> {}
    impl<T, H: Hooks<T>> Sealed for &Pool<T, H> {}
    impl<T, H: Hooks<T>> Sealed for Arc<Pool<T, H>> {}
    impl<T, D: Readers> Sealed for &Values<T, D> {}
    impl<T, D: Readers> Sealed for Arc<Values<T, D>> {}
}
