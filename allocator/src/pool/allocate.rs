//! Allocation. [`Reserved`]: a slot with a handle, whose object is made later.

use std::fmt;
use std::panic::Location;

use crate::AllocateError;
use crate::pool::chunk::Slot;
use crate::pool::handle::Handle;
use crate::pool::hooks::{Hooks, OfClass};
use crate::pool::local::Local;
use crate::pool::owned::{Owned, PoolOf};
use crate::pool::pool::{Pool, Untyped, refuse};
use crate::pool::recycle::{Abandon, Leave};
use crate::pool::tables;

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Allocates an object and begins its life. The object is new, or recycled with its fields as the last life left them.
    ///
    /// # Panics
    ///
    /// If the pool is bounded and full, if [too many freed objects](Self::waiting_at_most) wait for readers, if the process has
    /// used up the slot numbers or already has a million pools, or if the hooks panic. Aborts, as `Box` does, if there is no
    /// memory. See [`try_allocate`](Self::try_allocate).
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "Allocate")]
    #[doc(alias = "Fetch")]
    pub fn allocate(&self) -> Owned<T, &Self> {
        self.allocate_with(|_| {})
    }

    /// Like [`allocate`](Self::allocate), but also calls `init` on the object before other threads can see it.
    ///
    /// # Panics
    ///
    /// Like [`allocate`](Self::allocate), and also if `init` panics. The object is then dropped, and the next life of its slot
    /// gets a new object.
    #[inline]
    #[track_caller]
    pub fn allocate_with(&self, init: impl FnOnce(&mut T)) -> Owned<T, &Self> {
        const { Self::NEEDS_NO_VALUE };
        Self::begin(self.acquire_slot(), init)
    }

    pub(crate) const NEEDS_NO_VALUE: () = assert!(
        !H::INSERTED,
        "every object of a pool of values needs a value: call `insert`, `try_insert` or `insert_with_handle` instead"
    );

    /// A slot for a new life.
    #[inline]
    #[track_caller]
    pub(super) fn acquire_slot(&self) -> Slot {
        // Not through `acquire`, whose result is returned in memory.
        match self.take() {
            Some(slot) => slot,
            None => self.untyped.acquire_or_refuse(),
        }
    }

    /// Like [`allocate_with`](Self::allocate_with), but always reuses the object that this thread freed last. Returns `None` if
    /// the thread keeps no free object. `prepare` runs instead of [`Hooks::begin`], on the object as its last life left it.
    #[inline]
    #[track_caller]
    pub(crate) fn reuse_with<R>(&self, prepare: impl FnOnce(&mut T) -> R) -> Option<(Owned<T, &Self>, R)> {
        Some(Self::prepare(self.take_or(|_| None)?, prepare))
    }

    /// An iterator that [allocates](Self::allocate) `count` objects, each one when it is requested.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut owners: Vec<_> = pool.allocate_many(100).collect();
    /// owners.extend(pool.allocate_many(20));
    /// assert_eq!((owners.len(), pool.len()), (120, 120));
    /// // All or none, in a bounded pool: after an error, those before it are freed.
    /// let few: Pool<u64> = Pool::new().bounded(5);
    /// let all: Result<Vec<_>, _> = (0..6).map(|_| few.try_allocate()).collect();
    /// assert!(all.is_err() && few.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// The iterator panics as [`allocate`](Self::allocate) does.
    ///
    /// # Cost
    ///
    /// Costs as much as `count` calls of [`allocate`](Self::allocate): about 1 ns for each object that this thread freed earlier
    /// (Zen 5).
    #[track_caller]
    pub fn allocate_many(&self, count: usize) -> impl ExactSizeIterator<Item = Owned<T, &Self>> {
        let place = Location::caller();
        (0..count).map(move |_| {
            let owner = self.allocate();
            owner.slot().note_allocated_at(place);
            owner
        })
    }

    /// Like [`allocate`](Self::allocate), but returns an error if there is no memory or no capacity.
    ///
    /// ```
    /// use acedia::{AllocateError, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let first = pool.try_allocate().expect("there is room");
    /// assert!(matches!(pool.try_allocate(), Err(AllocateError::Full { .. })));
    /// drop(first);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no memory for another chunk of objects, if the pool is bounded and full, if [too many freed
    /// objects](Self::waiting_at_most) wait for readers, or if the process has used up the slot numbers or already has a million
    /// pools ([`AllocateError::Exhausted`]).
    ///
    /// Aborts, as `Box` does, if there is no memory for a record of the pool or for a list of free slots: a few kilobytes for each
    /// thread that uses the pool.
    ///
    /// # Panics
    ///
    /// If the hooks panic.
    #[track_caller]
    pub fn try_allocate(&self) -> Result<Owned<T, &Self>, AllocateError> {
        self.try_allocate_with(|_| {})
    }

    /// Like [`allocate_with`](Self::allocate_with), but returns an error if there is no memory or no capacity.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let owner = pool.try_allocate_with(|n| *n = 7).expect("there is room");
    /// assert_eq!(*owner, 7);
    /// assert!(pool.try_allocate_with(|n| *n = 8).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_allocate`](Self::try_allocate). In that case, `init` has not been called.
    ///
    /// # Panics
    ///
    /// If the hooks or `init` panic.
    #[track_caller]
    pub fn try_allocate_with(&self, init: impl FnOnce(&mut T)) -> Result<Owned<T, &Self>, AllocateError> {
        const { Self::NEEDS_NO_VALUE };
        let slot = self.acquire(true)?;
        Ok(Self::begin(slot, init))
    }

    /// Like [`try_allocate`](Self::try_allocate), but always makes a new object, even if the pool has free objects.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// drop(pool.allocate_with(|n| *n = 7));
    /// assert_eq!(*pool.try_allocate_fresh().expect("there is memory"), 0);
    /// assert_eq!(pool.stats().kept, 2); // there are two objects now
    /// ```
    ///
    /// # Errors
    ///
    /// See `try_allocate`.
    ///
    /// # Panics
    ///
    /// See `try_allocate`.
    #[track_caller]
    pub fn try_allocate_fresh(&self) -> Result<Owned<T, &Self>, AllocateError> {
        const { Self::NEEDS_NO_VALUE };
        let slot = self.acquire(false)?;
        Ok(Self::begin(slot, |_| {}))
    }

    /// Like [`try_allocate_fresh`](Self::try_allocate_fresh), but panics or aborts instead of returning an error.
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    #[track_caller]
    #[doc(alias = "forceNew")]
    pub fn allocate_fresh(&self) -> Owned<T, &Self> {
        self.try_allocate_fresh().unwrap_or_else(|error| refuse(&error))
    }

    /// Takes a hidden object whose life has not begun. The caller must then call [`Owned::show_with`] or
    /// [`Owned::give_back_hidden`].
    #[track_caller]
    pub(crate) fn try_allocate_hidden(&self) -> Result<Owned<T, &Self>, AllocateError> {
        let slot = self.acquire(true)?;
        // SAFETY: the slot is on no list; its object was made by this pool.
        Ok(unsafe { Owned::from_slot(slot) })
    }

    /// A slot that has an object and is on no list.
    #[inline]
    #[track_caller]
    pub(super) fn acquire(&self, reuse: bool) -> Result<Slot, AllocateError> {
        match if reuse { self.take() } else { None } {
            Some(slot) => Ok(slot),
            None => self.untyped.acquire(reuse),
        }
    }

    /// Takes the slot that this thread freed last, or one in which it makes a new object. `None` if a search has to find one.
    #[inline]
    #[track_caller]
    fn take(&self) -> Option<Slot> {
        self.take_or(|local| self.make_new(local))
    }

    /// Takes the slot that this thread freed last. If this thread keeps no free slots, returns the result of `otherwise`.
    #[inline]
    #[track_caller]
    fn take_or(&self, otherwise: impl FnOnce(&Local) -> Option<Slot>) -> Option<Slot> {
        // The tag of a counted pool is marked, and matches no entry: such an allocation goes to the depot.
        let tag = self.untyped.marked_tag();
        let slot = tables::with(|tables| match tables.cached_to_allocate(tag) {
            Some(local) => local.pop_ready().or_else(|| otherwise(local)),
            None => tables.pop_ready(tag),
        })?;
        slot.note_allocated_at(Location::caller());
        Some(slot)
    }

    /// Makes an object in a slot that this thread has taken for new objects, unless a search may find a free object. The shape is a constant
    /// here, because a program that fills a new pool comes here for each object.
    #[cold]
    #[inline(never)]
    fn make_new(&self, local: &Local) -> Option<Slot> {
        let depot = self.untyped.depot.get()?;
        Some(depot.make(Self::SHAPE, Some(local), depot.take_fresh(local)?))
    }

    /// Makes `count` free objects in advance, which any thread may take. Objects that the [policy](Self::policy) does not
    /// keep are dropped at once.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<Vec<u8>> = Pool::new();
    /// pool.prewarm(1000).expect("there is memory");
    /// let owner = pool.allocate();
    /// assert_eq!((pool.stats().live, pool.stats().kept), (1, 999));
    /// # drop(owner);
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`try_allocate`](Self::try_allocate), but never [`AllocateError::Full`], because a bound limits only the objects in
    /// use. The objects made until then are kept.
    ///
    /// # Panics
    ///
    /// If [`Hooks::make`] or the drop of an object panics. The objects made until then are kept.
    ///
    /// # Cost
    ///
    /// Costs as much as `count` allocations of new objects.
    #[doc(alias = "preallocate")]
    #[doc(alias = "with_capacity")]
    pub fn prewarm(&self, count: usize) -> Result<(), AllocateError> {
        self.untyped.prewarm(count)
    }

    #[inline]
    fn begin<'p>(slot: Slot, init: impl FnOnce(&mut T)) -> Owned<T, &'p Pool<T, H>>
    where
        Self: 'p,
    {
        let (owner, ()) = Self::prepare(slot, |object| {
            H::begin(object);
            init(object);
        });
        owner
    }

    #[inline]
    fn prepare<'p, R>(slot: Slot, prepare: impl FnOnce(&mut T) -> R) -> (Owned<T, &'p Pool<T, H>>, R)
    where
        Self: 'p,
    {
        let abandon = Abandon(slot);
        if H::CACHES_HASH {
            slot.forget_hash(slot.chunk_of::<T>());
        }
        // SAFETY: the slot is on no list and its life is not visible, so no other reference reaches the object.
        let result = prepare(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        // Last: from here on an iteration finds the object. Without `VISIBLE`, the first handle makes the life visible (`Owned::handle`).
        if H::VISIBLE {
            slot.life().expose();
        }
        // SAFETY: the slot's ownership passes to the owner; this pool made the object.
        (unsafe { Owned::from_slot(slot) }, result)
    }
}

/// A slot whose handle is known before its object is visible, so that objects can refer to each other from the start.
///
/// Until the slot is filled, the handle resolves to `None` ([`Reason::Hidden`](crate::Reason::Hidden)). If the reservation
/// is dropped instead, the handle never resolves to an object.
///
/// ```
/// use acedia::{Handle, Pool, pin};
///
/// #[derive(Default)]
/// struct Node { next: Option<Handle<Node>> }
/// let pool: Pool<Node> = Pool::new();
/// let (a, b) = (pool.reserve(), pool.reserve());
/// let (to_a, to_b) = (a.handle(), b.handle());
/// let a = a.fill(|node| node.next = Some(to_b));
/// let b = b.fill(|node| node.next = Some(to_a));
/// assert_eq!(pool.get(a.next.unwrap(), &pin()).unwrap().next, Some(a.handle()));
/// ```
#[must_use = "a reservation that is dropped returns its slot to the pool"]
pub struct Reserved<T: 'static, P: PoolOf<T> = &'static Pool<T, OfClass>> {
    /// The owner of a hidden object, whose life has not begun. `None` once the reservation is filled.
    owner: Option<Owned<T, P>>,
}

impl<T, P: PoolOf<T>> Reserved<T, P> {
    /// `owner` owns a hidden object.
    pub(crate) fn of(owner: Owned<T, P>) -> Self {
        Self { owner: Some(owner) }
    }

    /// The handle that the object will have.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        match &self.owner {
            Some(owner) => owner.hidden_handle(),
            None => unreachable!("only `into_owner` takes the owner"),
        }
    }

    /// Begins the object's life, calls `fill` on the object, and makes it visible.
    ///
    /// # Panics
    ///
    /// If the hooks or `fill` panic. The slot then returns to the pool, and the handle never resolves to an object.
    #[doc(alias = "allocate_with")]
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owned<T, P>
    where
        T: Send + Sync,
    {
        const {
            assert!(
                !P::Hooks::INSERTED,
                "a reservation of a pool of values needs a value: call `insert` instead of `fill`"
            );
        };
        self.into_owner().show_with(fill)
    }

    pub(crate) fn into_owner(mut self) -> Owned<T, P> {
        match self.owner.take() {
            Some(owner) => owner,
            None => unreachable!("only this function takes the owner"),
        }
    }
}

impl<T: 'static, P: PoolOf<T>> Drop for Reserved<T, P> {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            owner.give_back_hidden();
        }
    }
}

impl<T, P: PoolOf<T>> fmt::Debug for Reserved<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.handle()).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Reserves a slot and its handle for an object that is made later.
    ///
    /// # Errors
    ///
    /// See [`try_allocate`](Self::pool().try_allocate).
    ///
    /// # Panics
    ///
    /// If [`Hooks::make`] panics.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<T, &Self>, AllocateError> {
        const { Self::NEEDS_NO_VALUE };
        Ok(Reserved::of(self.try_allocate_hidden()?))
    }

    /// Like [`try_reserve`](Self::try_reserve), but panics or aborts instead of returning an error.
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    #[track_caller]
    pub fn reserve(&self) -> Reserved<T, &Self> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// Like [`allocate_with`](Self::allocate_with), but `init` also gets the object's handle. The handle resolves to `None` until
    /// `init` has returned.
    ///
    /// An object's handle cannot be found from a reference to the object. So a method that needs the handle of `self` reads it
    /// from a field, which `init` has set.
    ///
    /// ```
    /// use acedia::{Handle, Pool, pin};
    ///
    /// #[derive(Default)]
    /// struct Node { own: Option<Handle<Node>> }
    /// let pool: Pool<Node> = Pool::new();
    /// let node = pool.allocate_with_handle(|handle, node| {
    ///     assert!(pool.get(handle, &pin()).is_none());
    ///     node.own = Some(handle);
    /// });
    /// assert_eq!(pool.get(node.handle(), &pin()).unwrap().own, Some(node.handle()));
    /// ```
    ///
    /// For a `Result` instead of a panic, call [`try_reserve`](Self::try_reserve), then [`Reserved::fill`].
    ///
    /// # Panics
    ///
    /// Like [`allocate_with`](Self::allocate_with). In that case, the handle never resolves to an object.
    ///
    /// # Cost
    ///
    /// Costs as much as `allocate_with` plus [`Owned::handle`].
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "vacant_entry")]
    pub fn allocate_with_handle(&self, init: impl FnOnce(Handle<T>, &mut T)) -> Owned<T, &Self> {
        let reserved = self.reserve();
        let handle = reserved.handle();
        reserved.fill(|object| init(handle, object))
    }
}

// Type-erased, so that a program contains this code only once.
impl Untyped {
    /// A slot that has an object and is on no list, for a thread that has none ready.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire(&self, reuse: bool) -> Result<Slot, AllocateError> {
        let depot = self.depot()?;
        // Counted before the search, so that two threads never both take the last capacity. `Leave` undoes the count after an error.
        depot.enter_room()?;
        let leave = Leave(depot);
        let slot = tables::with(|tables| depot.find_free(depot.lists(tables), reuse))?;
        std::mem::forget(leave);
        // Not in the closure, which does not know the caller's location.
        slot.note_allocated_at(Location::caller());
        Ok(slot)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire_or_refuse(&self) -> Slot {
        match self.acquire(true) {
            Ok(slot) => slot,
            Err(error) => refuse(&error),
        }
    }

    /// Same as [`Pool::prewarm`].
    pub(crate) fn prewarm(&self, count: usize) -> Result<(), AllocateError> {
        let depot = self.depot()?;
        let made = (0..count).try_for_each(|_| {
            tables::with(|tables| {
                let local = depot.lists(tables);
                let slot = depot.make(depot.shape, local, depot.find_empty(local)?);
                depot.keep_or_drop(slot);
                Ok(())
            })
        });
        // So that other threads can take the objects from the stock.
        tables::with(|tables| {
            if let Some(local) = tables.local(depot.tag) {
                depot.empty_local(local);
            }
        });
        made
    }
}
