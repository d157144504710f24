//! [`Pool`]: the type itself. `over/upkeep.rs` has its settings and numbers.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::pool::face::hooks::{Hooks, Plain};
use crate::pool::face::untyped::Untyped;
use crate::pool::memory::shape::Shape;

/// A pool of objects of type `T`, recycled in place. See the [module](crate::pool) for an overview.
///
/// A pool is `Send + Sync`. It is shared by reference, in a `static` ([`new`](Self::new) is a `const fn`) or in an `Arc`.
/// Dropping it drops every object in it, alive or free. Owners and guards borrow the pool, so there are none by then.
/// Objects that were left alive without an owner, by [`Owner::into_manual`](crate::pool::Owner::into_manual), are finalized
/// first. All this happens in the drop, with one exception: if another thread is finishing an object of the pool at that
/// moment, on behalf of readers that have left, or is ending after it used the pool, that thread does it. `thread::scope` waits for
/// the closures of its threads, not for their ends. If every object has to be gone after the drop, call `join` on each handle that
/// `Scope::spawn` returns: it waits for the end of the thread.
///
/// If a finalizer or the drop of an object panics there, the rest is finalized and dropped all the same. Then the first panic
/// continues in the drop of the pool, as in that of a `Vec`, unless the thread is panicking already. A panic on the thread of that
/// exception goes no further.
///
/// | Allocating and freeing | |
/// |---|---|
/// | [`allocate`](Self::allocate), [`allocate_with`](Self::allocate_with), [`try_allocate`](Self::try_allocate) | an [`Owner`](crate::pool::Owner), whose drop frees the object |
/// | [`allocate_many`](Self::allocate_many), [`reserve`](Self::reserve) | a batch; a key whose object comes later |
/// | [`allocate_waiting`](Self::allocate_waiting), [`allocate_async`](Self::allocate_async) | wait for capacity, if the pool is [`bounded`](Self::bounded) |
/// | [`free`](Self::free), [`reclaim`](Self::reclaim) | by key, for objects without an owner ([`Owner::into_manual`](crate::pool::Owner::into_manual)) |
///
/// | Reading by key | |
/// |---|---|
/// | [`with`](Self::with) | one object, in a closure |
/// | [`get`](Self::get), [`reader`](Self::reader) | many objects under a [`pin`](crate::pool::pin()) |
/// | [`guard`](Self::guard) | one object, across threads and `await` |
/// | [`contains`](Self::contains), [`try_get`](Self::try_get) | whether the object is alive, and why it is not |
/// | [`keys`](Self::keys), [`iter`](Self::iter), [`len`](Self::len) | all living objects |
/// | [`get_mut`](Self::get_mut), [`iter_mut`](Self::iter_mut), [`retain`](Self::retain), [`drain`](Self::drain) | with `&mut Pool`, without pins |
///
/// | Limits and upkeep | |
/// |---|---|
/// | [`bounded`](Self::bounded) | the number of objects in use |
/// | [`waiting_at_most`](Self::waiting_at_most) | the number of freed objects that wait for readers |
/// | [`keep`](Self::keep), [`set_policy`](Self::set_policy) | the number of free objects |
/// | [`prewarm`](Self::prewarm), [`trim`](Self::trim), [`collect`](Self::collect) | make free objects ahead; drop those that nobody needs; drop all |
/// | [`settle`](Self::settle) | finish the objects whose readers have left |
/// | [`stats`](Self::stats) | the numbers of the pool |
///
/// ```
/// use acedia::pool::{Pool, pin};
///
/// static TRAILS: Pool<Vec<[f32; 3]>> = Pool::new();
///
/// let trail = TRAILS.allocate_with(|t| { t.clear(); t.push([0.0; 3]) });
/// let key = trail.key();
/// std::thread::spawn(move || {
///     assert_eq!(TRAILS.get(key, &pin()).unwrap().len(), 1);
/// }).join().unwrap();
/// drop(trail);
/// assert!(TRAILS.get(key, &pin()).is_none());
/// // Allocation has a variant that returns the error, and a guard keeps the object for
/// // longer than a pin.
/// let other = TRAILS.try_allocate().unwrap();
/// let guard = TRAILS.guard(other.key()).unwrap();
/// assert!(
///     TRAILS.try_get(key, &pin()).is_err()
///         && TRAILS.try_guard(key).is_err()
///         && !TRAILS.contains(key)
/// );
/// assert_eq!(*guard, *other);
/// drop((guard, other));
/// assert_eq!(TRAILS.stats().live, 0);
/// assert!(TRAILS.collect().objects > 0);
/// ```
///
/// A `Pool` value is small, whatever the number of its objects, and may be moved.
/// ```
/// use acedia::PoolPolicy;
/// use acedia::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(10)).bounded(2);
/// assert_eq!(pool.policy(), PoolPolicy::KeepAtMost(10));
/// let place = pool.reserve(); // has a key already
/// let manual = pool.allocate().into_manual();
/// assert!(pool.try_allocate().is_err() && pool.try_reserve().is_err(), "two at a time");
/// let owner = pool.reclaim(manual).unwrap();
/// owner.free();
/// assert!(pool.free(manual).is_err());
/// drop(place);
/// pool.set_policy(PoolPolicy::KeepNone).unwrap();
/// assert_eq!(pool.stats().live, 0);
/// ```
#[doc(alias = "AcediaObjectPool")]
pub struct Pool<T: 'static, H: Hooks<T> = Plain> {
    pub(crate) untyped: Untyped,
    /// Objects go in and come out through `&self`, so the pool, and with it owners and reservations, is invariant in `T`: a
    /// pool that became one of a supertype would accept objects that are not of type `T`. Hooks are types, not values.
    objects: PhantomData<(T, Invariant<T>, Invariant<H>)>,
}

type Invariant<T> = fn(T) -> T;

// A panic in user code costs at most one object, which is dropped: see `allocate_with`, and `Hooks`.
impl<T: RefUnwindSafe, H: Hooks<T>> UnwindSafe for Pool<T, H> {}

impl<T: RefUnwindSafe, H: Hooks<T>> RefUnwindSafe for Pool<T, H> {}

impl<T: Default + Send + Sync + 'static> Pool<T> {
    /// Creates an empty pool. Costs nothing until the first object is allocated.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_hooks()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Default for Pool<T, H> {
    fn default() -> Self {
        Self::with_hooks()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Creates an empty pool whose objects are made, begun and ended by `H`.
    #[must_use]
    pub const fn with_hooks() -> Self {
        Self {
            untyped: Untyped::new(Shape::of::<T, H>()),
            objects: PhantomData,
        }
    }
}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Pool<T, H> {
    /// Prints the type and the numbers; never reads an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("type", &std::any::type_name::<T>())
            .field("stats", &self.untyped.depot.get().map(|depot| depot.stats()))
            .finish_non_exhaustive()
    }
}
