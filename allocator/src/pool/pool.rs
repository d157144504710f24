//! [`Pool`], and [`Untyped`]: its parts that do not depend on the type of the objects. `over/upkeep.rs` has the
//! settings and statistics of a pool.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::chunk::{Shape, ShapeOf, Slot};
use crate::pool::depot::{Depot, Settings};
use crate::pool::hooks::{Erased, Hooks, Plain};
use crate::pool::pins::{self, Readers as _};
use crate::pool::{directory, recycle, tables};
use crate::report::pinned_thread::PinnedThread;
use crate::report::stats::{Reclaimed, Stats};
use crate::sync::plain::{AtomicU32, AtomicU64, Ordering};
use crate::sync::thread_token;

/// A pool of objects of type `T`, recycled in place. See the [module](crate::pool) for an overview.
///
/// A pool is `Send + Sync`. Share it by reference, in a `static` ([`new`](Self::new) is a `const fn`) or in an `Arc`.
///
/// | To | Call |
/// |---|---|
/// | allocate objects | [`allocate`](Self::allocate), [`allocate_with`](Self::allocate_with), [`try_allocate`](Self::try_allocate), [`allocate_many`](Self::allocate_many) |
/// | make a handle before its object | [`reserve`](Self::reserve) |
/// | free an object without an owner, or make an owner for it | [`free`](Self::free), [`reclaim`](Self::reclaim) |
/// | read one object | [`with`](Self::with); across threads and `await`, [`guard`](Self::guard) |
/// | read many objects under a [`pin`](crate::pool::pin()) | [`get`](Self::get), [`reader`](Self::reader) |
/// | learn whether an object is alive, and if not, why | [`contains`](Self::contains), [`try_get`](Self::try_get) |
/// | visit all objects that have a handle | [`handles`](Self::handles), [`iter`](Self::iter) |
/// | use a mutably borrowed pool, without pins | [`get_mut`](Self::get_mut), [`iter_mut`](Self::iter_mut), [`retain`](Self::retain), [`drain`](Self::drain) |
/// | limit the objects in use, the freed objects that wait for readers, the free objects | [`bounded`](Self::bounded), [`waiting_at_most`](Self::waiting_at_most), [`keep`](Self::keep) |
/// | make free objects in advance, or drop them | [`prewarm`](Self::prewarm), [`collect`](Self::collect) |
/// | finalize the freed objects whose readers have left | [`settle`](Self::settle) |
/// | count the living objects, or get all statistics | [`len`](Self::len), [`stats`](Self::stats) |
///
/// ```
/// use acedia::{Pool, pin};
///
/// static TRAILS: Pool<Vec<[f32; 3]>> = Pool::new();
///
/// let trail = TRAILS.allocate_with(|t| { t.clear(); t.push([0.0; 3]) });
/// let handle = trail.handle();
/// std::thread::spawn(move || {
///     assert_eq!(TRAILS.get(handle, &pin()).unwrap().len(), 1);
/// }).join().unwrap();
/// drop(trail);
/// assert!(TRAILS.get(handle, &pin()).is_none());
/// // Allocation has a variant that returns the error, and a guard keeps the object for
/// // longer than a pin.
/// let other = TRAILS.try_allocate().unwrap();
/// let guard = TRAILS.guard(other.handle()).unwrap();
/// assert!(
///     TRAILS.try_get(handle, &pin()).is_err()
///         && TRAILS.try_guard(handle).is_err()
///         && !TRAILS.contains(handle)
/// );
/// assert_eq!(*guard, *other);
/// drop((guard, other));
/// assert_eq!(TRAILS.stats().live, 0);
/// assert!(TRAILS.collect().objects > 0);
/// ```
///
/// A `Pool` value is small, however many objects the pool has, and can be moved.
///
/// ```
/// use acedia::{Pool, PoolPolicy};
///
/// let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(10)).bounded(2);
/// assert_eq!(pool.policy(), PoolPolicy::KeepAtMost(10));
/// let place = pool.reserve(); // has a handle already
/// let manual = pool.allocate().into_manual();
/// assert!(pool.try_allocate().is_err() && pool.try_reserve().is_err(), "two at a time");
/// let owner = pool.reclaim(manual).unwrap();
/// owner.free();
/// assert!(pool.free(manual).is_err());
/// drop(place);
/// pool.set_policy(PoolPolicy::KeepNone).unwrap();
/// assert_eq!(pool.stats().live, 0);
/// ```
///
/// # Dropping a pool
///
/// Dropping a pool drops every object in it, alive or free. Owners and guards borrow the pool, so none exist by then.
/// Objects that [`Owned::into_manual`](crate::pool::Owned::into_manual) has left without an owner are finalized first. If a
/// finalizer or the drop of an object panics, the remaining objects are still finalized and dropped. Then the first panic
/// continues in the drop of the pool, as in the drop of a `Vec`, unless the thread is panicking already.
///
/// There are two exceptions: during the drop, another thread may be finalizing an object whose readers have left, or a
/// thread that used the pool may be ending. Then that thread drops all objects of the pool, and their panics are not
/// passed on. `thread::scope` waits for the closures of its threads, but not for the ends of the threads. If every object
/// must be gone after the drop of the pool, call `join` on each handle that `Scope::spawn` returns: `join` waits for the
/// thread's end.
#[doc(alias = "AcediaObjectPool")]
#[doc(alias = "ObjectPool")]
pub struct Pool<T: 'static, H: Hooks<T> = Plain> {
    pub(crate) untyped: Untyped,
    /// Objects go in and come out through `&self`, so the pool, and with it owners and reservations, is invariant in `T`:
    /// converted to a pool of a supertype, it would accept objects that are not of type `T`. Hooks are types, not values.
    objects: PhantomData<(T, Invariant<T>, Invariant<H>)>,
}

type Invariant<T> = fn(T) -> T;

// A panic in user code costs at most one object, which is dropped: see `allocate_with`, and `Hooks`.
impl<T: RefUnwindSafe, H: Hooks<T>> UnwindSafe for Pool<T, H> {}

impl<T: RefUnwindSafe, H: Hooks<T>> RefUnwindSafe for Pool<T, H> {}

impl<T: Default + Send + Sync + 'static> Pool<T> {
    /// Creates an empty pool with the hooks [`Plain`]; for others call [`with_hooks`](Self::with_hooks). Costs nothing until the first
    /// object is allocated.
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
    /// Creates an empty pool with the hooks `H`.
    #[must_use]
    pub const fn with_hooks() -> Self {
        const {
            assert!(
                !H::OF_CLASS,
                "these hooks belong to a class, which has only one pool: use `T::pool()`"
            );
        };
        Self::with_any_hooks()
    }

    pub(crate) const fn with_any_hooks() -> Self {
        Self {
            untyped: Untyped::new(Self::SHAPE),
            objects: PhantomData,
        }
    }
}

impl<T: 'static, H: Hooks<T>> Pool<T, H> {
    /// The shape of the pool's chunks.
    pub(super) const SHAPE: &'static Shape = &Shape {
        slots: ShapeOf::<T>::SLOTS,
        first: ShapeOf::<T>::FIRST,
        object: ShapeOf::<T>::OBJECT,
        stride: ShapeOf::<T>::STRIDE,
        guards: match ShapeOf::<T>::GUARDS {
            Some(guards) => guards,
            None => 0,
        },
        bytes: ShapeOf::<T>::BYTES,
        make: if H::INSERTED { |_| () } else { make_erased::<T, H> },
        finalizer: Erased::<T, H>::END,
        drop: if H::INSERTED { |_| () } else { Erased::<T, H>::drop },
        needs_drop: !H::INSERTED && std::mem::needs_drop::<T>(),
        name: H::name,
        about: H::about,
        drop_owner: recycle::drop_owner::<T, H>,
        finish: |life, ended| recycle::finish::<T, H>(Slot::from_raw(life), ended),
        pins: H::Readers::pins,
        is_unpinned: pins::is_unpinned::<H::Readers>,
    };
}

/// # Safety
/// `object` points to memory for a `T` that no other thread reaches.
unsafe fn make_erased<T, H: Hooks<T>>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().write(H::make()) };
}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Pool<T, H> {
    /// Prints the type and the statistics. Does not access an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("type", &H::name())
            .field("stats", &self.untyped.depot.get().map(|depot| depot.stats()))
            .finish_non_exhaustive()
    }
}

/// A pool without the type of its objects. A program contains this code at most once, and not once for each type.
pub(crate) struct Untyped {
    /// The pool's number in the directory; [`directory::NOBODY`] until the pool has a depot.
    number: AtomicU32,
    /// The depot's tag, marked while the pool is counted; [`directory::NO_TAG`] until there is a depot.
    marked_tag: AtomicU64,
    pub(super) shape: &'static Shape,
    pub(super) depot: OnceLock<Arc<Depot>>,
    pub(crate) settings: Settings,
}

impl Drop for Untyped {
    fn drop(&mut self) {
        if let Some(depot) = self.depot.take() {
            // Relaxed: the thread that drops the last `Arc` reads this in the drop of the depot, and the drop of the `Arc` orders the read.
            // It may be this thread, or a thread that is finishing objects or exiting.
            depot.dropped_on.store(thread_token(), Ordering::Relaxed);
        }
    }
}

impl Untyped {
    pub(super) const fn new(shape: &'static Shape) -> Self {
        Self {
            number: AtomicU32::new(directory::NOBODY),
            marked_tag: AtomicU64::new(directory::NO_TAG),
            shape,
            depot: OnceLock::new(),
            settings: Settings {
                policy: PoolPolicy::KeepAll,
                bound: None,
                most_waiting: None,
            },
        }
    }

    #[inline]
    pub(super) fn number(&self) -> u32 {
        // Acquire: this thread then sees that the chunks of the previous pool with this number were removed.
        self.number.load(directory::finding())
    }

    /// Like [`number`](Self::number), for a caller that has an owner of an object and asks whether this `'static` pool is its pool.
    #[inline]
    pub(super) fn number_for_owner(&self) -> u32 {
        // Relaxed: a thread with an owner of an object of this pool finds the number, and any other finds it or `NOBODY`.
        self.number.load(Ordering::Relaxed)
    }

    /// Like [`number`](Self::number), for a caller that borrows the pool mutably.
    #[inline]
    pub(super) fn number_alone(&mut self) -> u32 {
        *self.number.get_mut()
    }

    /// The depot, made now if the pool has none yet.
    #[cold]
    #[track_caller]
    pub(super) fn first_depot(&self) -> &Depot {
        match self.depot() {
            Ok(depot) => depot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    pub(super) fn marked_tag(&self) -> u64 {
        // Relaxed: a tag is never issued twice, and each thread has its own table. A change of the policy takes effect
        // on a thread once its load finds the new tag.
        self.marked_tag.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn depot(&self) -> Result<&Arc<Depot>, AllocateError> {
        match self.depot.get() {
            Some(depot) => Ok(depot),
            None => self.make_depot(),
        }
    }

    #[cold]
    fn make_depot(&self) -> Result<&Arc<Depot>, AllocateError> {
        let fresh = Depot::create(self.shape, self.settings)?;
        Ok(self.depot.get_or_init(|| {
            // Stored before any handle exists. A look-up that loads the number earlier finds `NOBODY`, which no chunk has. An allocation that
            // loads the tag earlier finds `NO_TAG`, and comes here. The policy cannot change before this is over.
            self.number
                .store(directory::pool_number(fresh.tag), directory::publishing());
            self.marked_tag.store(fresh.marked_tag(), Ordering::Relaxed);
            fresh
        }))
    }

    pub(crate) fn stats(&self) -> Stats {
        self.depot.get().map_or_else(Stats::default, |depot| depot.stats())
    }

    /// The number of living objects, as in [`stats`](Self::stats).
    #[inline]
    pub(crate) fn live(&self) -> u64 {
        let Some(depot) = self.depot.get() else { return 0 };
        let of_only = tables::with(|tables| depot.live_of_only(tables.cached(depot.tag)?));
        of_only.unwrap_or_else(|| depot.stats().live)
    }

    pub(crate) fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        // Relaxed: `take_or` loads it. A thread that loads the old tag goes on using its own lists, until its load finds the
        // mark.
        let mark = |tag| self.marked_tag.store(tag, Ordering::Relaxed);
        self.depot()?.set_policy(policy, mark);
        Ok(())
    }

    pub(crate) fn policy(&self) -> PoolPolicy {
        self.depot
            .get()
            .map_or(self.settings.policy, |depot| depot.locked.lock().policy)
    }

    pub(crate) fn collect(&self) -> Reclaimed {
        self.depot
            .get()
            .map_or_else(Reclaimed::default, |depot| depot.collect())
    }

    pub(crate) fn pinned_threads(&self) -> Vec<PinnedThread> {
        (self.shape.pins)().pinned_threads().collect()
    }

    pub(crate) fn settle(&self) {
        if let Some(depot) = self.depot.get() {
            depot.drain_limbo();
        }
    }
}

#[cold]
#[track_caller]
pub(crate) fn refuse(error: &AllocateError) -> ! {
    if let AllocateError::Memory { bytes, .. } = error {
        if let Ok(layout) = std::alloc::Layout::from_size_align(*bytes, 16) {
            std::alloc::handle_alloc_error(layout);
        }
    }
    panic!("{error}");
}

/// The content of a static that a macro declares. [`new`](Self::new) rejects a type that threads cannot share.
pub(crate) struct Static<P> {
    content: P,
    /// Invariant, so that the content has the type for which `new` checked the bound.
    checked: PhantomData<fn(P) -> P>,
}

// SAFETY: only `new` makes one, and it needs `P: Sync`. With the bound here, too, the compiler would report an unsuitable field of a
// class twice: at the class, and with all types between the static and the field.
unsafe impl<P> Sync for Static<P> {}

impl<P: Sync> Static<P> {
    pub(crate) const fn new(content: P) -> Self {
        Self {
            content,
            checked: PhantomData,
        }
    }
}

impl<P> Deref for Static<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.content
    }
}
