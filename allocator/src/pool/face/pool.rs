//! [`Pool`]: its settings, its numbers, and its depot.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::face::hooks::{Hooks, Plain};
use crate::pool::face::untyped::Untyped;
use crate::pool::memory::shape::Shape;
use crate::report::stats::{Reclaimed, Stats};

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

    /// Sets how many free objects the pool keeps. Call it before the first object is allocated and the first reader is
    /// made; later it has no effect. [`set_policy`](Self::set_policy) changes the policy of a pool in use.
    #[must_use]
    pub const fn keep(mut self, policy: PoolPolicy) -> Self {
        self.untyped.policy = policy;
        self
    }

    /// Limits the pool to `capacity` objects in use. Call it before the first object is allocated and the first reader is
    /// made.
    ///
    /// Freed objects count as in use until their readers have left. A bounded pool takes a lock per operation.
    ///
    /// ```
    /// use acedia::AllocateError;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// assert!(matches!(pool.try_allocate(), Err(AllocateError::Full { capacity: 1, .. })));
    /// drop(only);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    #[must_use]
    pub const fn bounded(mut self, capacity: usize) -> Self {
        self.untyped.capacity = Some(capacity);
        self
    }

    /// Bounds the memory that readers hold back: while more than `most` freed objects wait for pins or guards, the pool makes no
    /// more objects. Call it before the first object is allocated and the first reader is made.
    ///
    /// By default there is no such limit: while a thread stays pinned, each allocation makes an object, because those that were freed
    /// since the pin cannot be reused. With the limit, an allocation that finds no free object first finishes those whose readers have
    /// left. If more than `most` still wait ([`Stats::waiting`]), it is refused with [`AllocateError::HeldBack`], which has the
    /// oldest pin, its thread and its age. A free is never refused.
    ///
    /// ```
    /// use acedia::AllocateError;
    /// use acedia::pool::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new().waiting_at_most(1000);
    /// let pinned = pin(); // this could be a thread that hangs
    /// let refused = loop {
    ///     match pool.try_allocate() {
    ///         Ok(owner) => {
    ///             owner.key();
    ///             owner.free();
    ///         }
    ///         Err(error) => break error,
    ///     }
    /// };
    /// // 1020 freed objects of u64 wait for readers, and the pool makes no more while over 1000
    /// // do; the oldest pin: thread 'main', pinned for 60µs at src/main.rs:6:14
    /// assert!(
    ///     matches!(refused, AllocateError::HeldBack { waiting: 1020, most: 1000, .. }),
    ///     "{refused}"
    /// );
    /// drop(pinned);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    ///
    /// # The bound
    ///
    /// A pool never has more objects than these together: those in use, at their highest number; `most`; and 767 for each
    /// thread that uses the pool. A thread keeps at most 766 free objects for itself, of which 255 may wait for pins without being
    /// counted, and may be making one. Objects that [`prewarm`](Self::prewarm) and [`try_allocate_fresh`](Self::try_allocate_fresh) make come on
    /// top.
    ///
    /// An allocation can be refused after the last pin has ended, if another thread is putting the objects back at that moment.
    ///
    /// # Cost
    ///
    /// None for an allocation that finds a free object, or for a free. One that makes an object loads a counter.
    #[must_use]
    pub const fn waiting_at_most(mut self, most: usize) -> Self {
        self.untyped.most_waiting = Some(most);
        self
    }

    /// As [`waiting_at_most`](Self::waiting_at_most), for a class that may have no limit.
    pub(crate) const fn waiting_within(mut self, most: Option<usize>) -> Self {
        self.untyped.most_waiting = most;
        self
    }

    /// The numbers of this pool.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.untyped.stats()
    }

    /// The number of living objects: [`Stats::live`], and as exact.
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// assert_eq!(pool.len(), 1);
    /// drop(owner);
    /// assert!(pool.is_empty());
    /// ```
    ///
    /// # Cost
    ///
    /// That of [`stats`](Self::stats): it adds up the numbers of all threads that use the pool.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.stats().live).unwrap_or(usize::MAX)
    }

    /// Whether no object is alive: see [`len`](Self::len).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes how many free objects are kept. The change takes effect at once for objects in the depot and on this thread.
    /// It reaches another thread's magazines when that thread next allocates from this pool, frees an object of it, or
    /// ends. Surplus objects are dropped. While the pool keeps as many as it may, freed objects are dropped, too.
    ///
    /// A thread that does none of these keeps its free objects, at most 766. Other threads cannot take them, because a
    /// thread's magazines are not synchronized. To empty them, call [`collect`](Self::collect) on that thread.
    ///
    /// # Errors
    ///
    /// The process already has a million pools, or there is no memory for the pool's own records.
    ///
    /// # Panics
    ///
    /// If the drop of a surplus object panics. The first panic continues after everything else is done. A panic of an object that
    /// waited for readers is counted in [`Stats::panics`](crate::pool::Stats::panics) instead.
    pub fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        self.untyped.set_policy(policy)
    }

    /// How many free objects are kept.
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        self.untyped.policy()
    }

    /// Drops the free objects, and returns the pages without objects to the operating system. First it finishes
    /// objects whose readers have left. Every stale key keeps leading to nothing.
    ///
    /// The pool keeps the addresses of these pages.
    ///
    /// Free objects in the magazines of other threads stay, at most 766 per thread, and so do objects that are being
    /// read. Takes time proportional to the number of slots of the pool. The work is done outside the pool's lock, so
    /// other threads can use the pool meanwhile.
    ///
    /// # Panics
    ///
    /// If the drop of an object panics. The first panic continues after everything else is done.
    #[doc(alias = "CollectGarbage")]
    #[doc(alias = "Clear")]
    pub fn collect(&self) -> Reclaimed {
        self.untyped.collect()
    }

    /// Drops the free objects that no allocation has needed since the last call, and returns pages without objects. Called once
    /// a minute, this keeps what the busiest moment of the last minute needed.
    ///
    /// The age of an object is not recorded. The pool counts how many free objects were left at its busiest moment, and `trim`
    /// drops as many: those freed longest ago, if the pool has a limit. Without a limit it drops whole groups of up to 255 objects, and
    /// does not reach the free objects that threads keep for themselves, at most 766 for each thread.
    ///
    /// ```
    /// use acedia::PoolPolicy;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<Vec<u8>> = Pool::new().keep(PoolPolicy::KeepAtMost(1000));
    /// drop([(); 100].map(|()| pool.allocate()));
    /// assert_eq!(pool.trim().objects, 0); // all of them were used since the pool was made
    /// drop([(); 10].map(|()| pool.allocate()));
    /// assert_eq!(pool.trim().objects, 90);
    /// assert_eq!(pool.stats().kept, 10);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`collect`](Self::collect).
    #[doc(alias = "shrink_to_fit")]
    pub fn trim(&self) -> Reclaimed {
        self.untyped.trim()
    }

    /// Finishes objects whose lives have ended and whose readers have left since. Free objects stay free.
    ///
    /// This also happens without a call: when the last pin or guard is dropped, or at a later allocation.
    pub fn settle(&self) {
        self.untyped.settle();
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
