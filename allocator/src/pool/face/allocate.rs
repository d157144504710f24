//! Allocation.

use std::panic::Location;

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables::{self, Tables};
use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::face::untyped::{Untyped, refuse};
use crate::pool::flow::exit;
use crate::pool::flow::place::{Abandon, Admitted};
use crate::pool::flow::recycle::Found;
use crate::pool::list::local::Local;
use crate::pool::memory::directory;
use crate::pool::memory::shared::Shared;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::domain::Readers;

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
    pub fn allocate(&self) -> Owner<'_, T, H> {
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
    pub fn allocate_with(&self, init: impl FnOnce(&mut T)) -> Owner<'_, T, H> {
        // Not through `acquire`, which returns its result through memory.
        let slot = match self.take_ready() {
            Some(slot) => slot,
            None => self.acquire_or_refuse(),
        };
        Self::begin(slot, init)
    }

    /// Like [`allocate_with`](Self::allocate_with), but always reuses the object that this thread freed last. Returns `None` if
    /// the thread keeps no free object. `prepare` runs instead of [`Hooks::begin`], on the object as its last life left it.
    #[inline]
    #[track_caller]
    pub(crate) fn reuse_with<R>(&self, prepare: impl FnOnce(&mut T) -> R) -> Option<(Owner<'_, T, H>, R)> {
        Some(Self::prepare(self.take_ready()?, prepare))
    }

    /// An iterator that allocates `count` objects, as [`allocate`](Self::allocate) does, each when it is requested.
    ///
    /// ```
    /// use acedia::pool::Pool;
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
    /// Costs as much as `count` calls of [`allocate`](Self::allocate): about 1 ns for each object that this thread has freed
    /// before (Zen 5).
    #[track_caller]
    pub fn allocate_many(&self, count: usize) -> impl ExactSizeIterator<Item = Owner<'_, T, H>> {
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
    /// use acedia::AllocateError;
    /// use acedia::pool::Pool;
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
    /// If there is no memory, if the pool is bounded and full, if [too many freed objects](Self::waiting_at_most) wait for
    /// readers, or if the process has used up the slot numbers or already has a million pools ([`AllocateError::Exhausted`]).
    /// In each case, nothing has changed.
    ///
    /// Besides the objects, the pool's own records need memory: a few hundred bytes for the first object, and more for
    /// each chunk of slots and for each thread's first use of the pool. A thread gets its record when it first
    /// allocates, so that its frees need no memory.
    ///
    /// Some operations still abort if there is no memory, as `Box` does. A free may need memory if the thread has not used the
    /// pool before, or if a list of freed objects grows (a few bytes for each object). The drop of a pool needs memory to sort
    /// its stretches of empty slots. A thread's first use of any pool registers a destructor with the standard library, which
    /// may need memory.
    ///
    /// # Panics
    ///
    /// If the hooks panic.
    #[track_caller]
    pub fn try_allocate(&self) -> Result<Owner<'_, T, H>, AllocateError> {
        self.try_allocate_with(|_| {})
    }

    /// Like [`allocate_with`](Self::allocate_with), but returns an error if there is no memory or no capacity.
    ///
    /// ```
    /// use acedia::pool::Pool;
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
    pub fn try_allocate_with(&self, init: impl FnOnce(&mut T)) -> Result<Owner<'_, T, H>, AllocateError> {
        let slot = self.acquire(true)?;
        Ok(Self::begin(slot, init))
    }

    /// Like [`try_allocate`](Self::try_allocate), but always makes a new object, even if the pool has free objects.
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// drop(pool.allocate_with(|n| *n = 7));
    /// assert_eq!(*pool.try_allocate_fresh().expect("there is memory"), 0);
    /// assert_eq!(pool.stats().fresh, 2);
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
    pub fn try_allocate_fresh(&self) -> Result<Owner<'_, T, H>, AllocateError> {
        let slot = self.acquire(false)?;
        Ok(Self::begin(slot, |_| {}))
    }

    /// Waits for capacity for an object, without blocking the thread. The future may be dropped at any time, and then
    /// leaves the queue.
    pub(crate) async fn admit_in_turn(&self) -> Result<Admitted<'_>, AllocateError> {
        Ok(self.untyped.depot()?.admit_in_turn().await)
    }

    /// Allocates an object that has already been admitted, and records `place` as the location of its allocation.
    pub(crate) fn allocate_admitted(
        &self,
        admitted: Admitted<'_>,
        place: &'static Location<'static>,
        init: impl FnOnce(&mut T),
    ) -> Result<Owner<'_, T, H>, AllocateError> {
        let depot = self.untyped.depot()?;
        let slot = tables::with(|tables| admitted.acquire(depot, depot.local(tables)?, None, true))?;
        slot.note_allocated_at(place);
        Ok(Self::begin(slot, init))
    }

    /// Takes a hidden object whose life has not begun. The caller must then call [`Owner::show_with`] or
    /// [`Owner::give_back_hidden`].
    #[track_caller]
    pub(crate) fn try_allocate_hidden(&self) -> Result<Owner<'_, T, H>, AllocateError> {
        let slot = self.acquire(true)?;
        // SAFETY: the slot is on no list; its object was made by this pool.
        Ok(unsafe { Owner::from_slot(slot) })
    }

    /// Returns a slot that has an object and is on no list. Counts its life as begun.
    #[inline]
    #[track_caller]
    pub(in crate::pool) fn acquire(&self, reuse: bool) -> Result<Slot, AllocateError> {
        match if reuse { self.take_ready() } else { None } {
            Some(slot) => Ok(slot),
            None => self.acquire_slow(reuse),
        }
    }

    /// Takes the slot that this thread freed last, if this thread keeps free slots.
    #[inline]
    #[track_caller]
    fn take_ready(&self) -> Option<Slot> {
        let tag = self.untyped.marked_tag();
        let slot = tables::with(|tables| match tables.cached_to_allocate(tag) {
            Some(local) => local.begin_ready(),
            None => tables.begin_ready(tag),
        })?;
        slot.note_allocated_at(Location::caller());
        Some(slot)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire_or_refuse(&self) -> Slot {
        match self.acquire_slow(true) {
            Ok(slot) => slot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    #[track_caller]
    fn acquire_slow(&self, reuse: bool) -> Result<Slot, AllocateError> {
        match self.make_next() {
            Some(slot) => Ok(slot),
            None => self.untyped.acquire(reuse),
        }
    }

    /// If no object is free, makes one in the next of the empty slots that this thread has taken. A growing pool takes this
    /// path for each object (benchmark `build`).
    #[inline]
    #[track_caller]
    fn make_next(&self) -> Option<Slot> {
        let depot = self.untyped.depot.get()?;
        let slot = tables::with(|tables| {
            let local = tables.cached(self.untyped.marked_tag())?;
            let index = depot.makes_next_for(local).then(|| local.take_fresh())??;
            let slot = Slot::of_own_in::<T>(index);
            depot.fill(slot, index, Some(local), H::Readers::BY_COPY, || {
                // SAFETY: the slot is on no list and holds no object.
                unsafe { slot.object().write(H::make()) };
            });
            local.count_begun();
            Some(slot)
        })?;
        slot.note_allocated_at(Location::caller());
        Some(slot)
    }

    /// Makes `count` free objects in advance, which any thread may take. Objects that the [policy](Self::policy) does not
    /// keep are dropped at once.
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<Vec<u8>> = Pool::new();
    /// pool.prewarm(1000).expect("there is memory");
    /// let owner = pool.allocate();
    /// assert_eq!((pool.stats().fresh, pool.stats().kept), (1000, 999));
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
    fn begin<'p>(slot: Slot, init: impl FnOnce(&mut T)) -> Owner<'p, T, H>
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
    fn prepare<'p, R>(slot: Slot, prepare: impl FnOnce(&mut T) -> R) -> (Owner<'p, T, H>, R)
    where
        Self: 'p,
    {
        let abandon = Abandon(slot);
        // SAFETY: the slot is on no list and its life is not visible, so no other reference reaches the object.
        let result = prepare(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        if H::VISIBLE {
            slot.life().expose();
        }
        // SAFETY: the slot's ownership passes to the owner; this pool made the object.
        (unsafe { Owner::from_slot(slot) }, result)
    }
}

// Without the type of the objects, so that this code is in a program once.
impl Untyped {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire(&self, reuse: bool) -> Result<Slot, AllocateError> {
        let depot = self.depot()?;
        self.follow_limit(depot);
        let slot = tables::with(|tables| {
            let local = depot.local(tables)?;
            let (admitted, kept) = depot.admit(reuse)?;
            admitted.acquire(depot, local, kept, reuse)
        })?;
        // Not in the closure, which does not know the caller's location.
        slot.note_allocated_at(Location::caller());
        Ok(slot)
    }

    /// Same as [`Pool::prewarm`].
    pub(crate) fn prewarm(&self, count: usize) -> Result<(), AllocateError> {
        let depot = self.depot()?;
        let made = (0..count).try_for_each(|_| {
            tables::with(|tables| {
                let local = depot.local(tables)?;
                let slot = depot.make(local, depot.find_empty(local)?);
                if depot.is_managed() {
                    depot.keep_or_drop(slot, None);
                } else {
                    depot.place(slot, local);
                }
                Ok(())
            })
        });
        // So that other threads reach them.
        tables::with(|tables| {
            if let Some(local) = tables.local(depot.tag) {
                depot.empty_local(local);
            }
        });
        made
    }
}

impl Admitted<'_> {
    /// Returns a slot that has an object and is on no list: `kept`, if the admission found such a slot. Counts its life as
    /// begun.
    fn acquire(
        self,
        depot: &Depot,
        local: Option<&Local>,
        kept: Option<Slot>,
        reuse: bool,
    ) -> Result<Slot, AllocateError> {
        let slot = match kept {
            Some(slot) => {
                depot.count_begun(local);
                slot
            }
            None => match depot.acquire(local, reuse)? {
                Found::Made(slot) => slot,
                Found::Empty(index) => {
                    let slot = depot.make(local, index);
                    depot.count_begun(local);
                    slot
                }
            },
        };
        std::mem::forget(self);
        Ok(slot)
    }
}

impl Shared<Depot> {
    /// This thread's lists. `None` if the thread is ending.
    fn local<'t>(&self, tables: &'t Tables) -> Result<Option<&'t Local>, AllocateError> {
        let local = tables.local(self.tag).or_else(|| exit::attach(tables, self));
        if local.is_none() && !exit::is_gone() {
            // An object allocated now could not be freed: that takes the thread's magazines, for which there is no memory.
            return Err(self.shape.no_memory(size_of::<Local>()));
        }
        Ok(local)
    }
}

impl Depot {
    /// Makes an object in an empty slot that is on no list.
    fn make(&self, local: Option<&Local>, index: u32) -> Slot {
        let slot = Slot::of_own(index);
        // SAFETY: the slot is on no list and holds no object.
        self.fill(slot, index, local, self.shape.by_copy, || unsafe {
            (self.shape.make)(slot.object_in(self.shape));
        });
        slot
    }

    /// Like [`make`](Self::make), but in the given slot, and with the given function.
    #[inline]
    fn fill(&self, slot: Slot, index: u32, local: Option<&Local>, by_copy: bool, make: impl FnOnce()) {
        // An object that is read as a copy is there from the start: fresh memory is one. Late readers may reach it.
        if !by_copy {
            let still_empty = StillEmpty { depot: self, index };
            make();
            std::mem::forget(still_empty);
        }
        // SAFETY: the directory has the chunks of a living pool.
        let chunk = unsafe { directory::chunk_of(index).as_ref() };
        slot.life().make(index, chunk.floor());
        self.count_made(local);
    }
}

/// Puts a slot back if its object could not be made.
struct StillEmpty<'a> {
    depot: &'a Depot,
    index: u32,
}

impl Drop for StillEmpty<'_> {
    #[cold]
    fn drop(&mut self) {
        self.depot.put_empty(self.index);
    }
}
