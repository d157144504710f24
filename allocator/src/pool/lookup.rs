//! Access by handle: to one object under a pin, to many with a [`Reader`], and to all living objects, under a pin or through `&mut`.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::ptr::NonNull;

use crate::pool::chunk::{Chunk, Slot};
use crate::pool::depot::Depot;
use crate::pool::handle::Handle;
use crate::pool::hooks::{Hooks, Plain};
use crate::pool::life::{Floor, Life};
use crate::pool::pins::{Domain, Pinned, Readers};
use crate::pool::pool::{Pool, Untyped};
use crate::pool::{directory, handle};
use crate::sync::Ordering;
use crate::{AccessError, LifeVersion, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// The slot whose life word is to be compared with `handle`: see [`find`].
    #[inline]
    pub(super) fn find(&self, handle: Handle<T>) -> Option<Slot> {
        find(handle, self.untyped.number())
    }

    /// The slot of the object that a handle of this pool names, if the object is alive and visible.
    #[inline]
    pub(super) fn find_alone(&mut self, handle: Handle<T>) -> Option<Slot> {
        let origin = directory::find_alone(handle.index(), self.untyped.number_alone())?;
        Some(Slot::named::<T>(origin, handle)).filter(|slot| slot.life().is_alone(handle.cast()))
    }

    /// The object that `handle` names, if it is alive and visible.
    ///
    /// Costs four plain loads. A [`reader`](Self::reader) saves one of them.
    #[inline]
    #[must_use]
    pub fn get<'g>(&'g self, handle: Handle<T>, pinned: &'g Pinned<H::Readers>) -> Option<&'g T>
    where
        H::Readers: Domain,
    {
        lookup(self.find(handle)?, handle, pinned)
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_with`](Self::try_with).
    pub fn try_get<'g>(&'g self, handle: Handle<T>, pinned: &'g Pinned<H::Readers>) -> Result<&'g T, AccessError>
    where
        H::Readers: Domain,
    {
        self.get(handle, pinned)
            .ok_or_else(|| self.untyped.explain(handle.cast(), Reason::Hidden))
    }

    /// Whether the object that `handle` names is alive and visible at this moment. If so, this thread sees all writes made
    /// before the life became visible.
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        // No pin: the life may end, or become visible, right after the load.
        self.find(handle)
            .is_some_and(|slot| slot.life().snapshot().shows(handle.cast()))
    }

    /// Whether no look-up by `handle` will succeed any more, because its life has ended or this pool never issued the handle. A life that
    /// is reserved or borrowed exclusively has not ended.
    pub(crate) fn has_ended(&self, handle: Handle<T>) -> bool {
        // One load answers both questions, because an owner may hide or show the life between two loads. For an issued handle, `true` stays
        // true, because lives only move forward. After `false`, the life may end at any time.
        let now = self.untyped.find(handle.cast()).map(|slot| slot.life().snapshot());
        !now.is_some_and(|now| now.shows(handle.cast()) || now.is_hidden(handle.version()))
    }
}

impl Untyped {
    /// The slot that a handle of this pool names, whatever life it is in.
    pub(super) fn find(&self, handle: Handle<()>) -> Option<Slot> {
        directory::find(handle.index(), self.number())?;
        self.shape
            .has_slot(handle.index())
            .then(|| Slot::of_own(handle.index()))
    }

    /// The hash of the object that `handle` names, as [`Slot::cached_hash`]. The caller reads the object under a pin or with a guard.
    pub(crate) fn cached_hash(&self, handle: Handle<()>, compute: impl FnOnce() -> i32) -> i32 {
        match self.find(handle) {
            Some(slot) => slot.cached_hash(compute),
            None => compute(),
        }
    }

    /// Why `handle`, which was just refused, does not resolve to an object. If its life is visible, the reason is
    /// `in_sight`.
    #[cold]
    pub(crate) fn explain(&self, handle: Handle<()>, in_sight: Reason) -> AccessError {
        let nothing = AccessError {
            reason: Reason::NeverIssued,
            type_name: (self.shape.name)(),
            handle,
            now: None,
            allocated: None,
            freed: None,
        };
        let Some(slot) = self.find(handle) else {
            let reason = if directory::is_foreign(handle.index(), self.number()) {
                Reason::Foreign
            } else {
                Reason::NeverIssued
            };
            return AccessError { reason, ..nothing };
        };
        let snapshot = slot.life().snapshot();
        // SAFETY: found, so the chunk belongs to this pool.
        let chunk = unsafe { Chunk::of(handle.index()).as_ref() };
        // From the same snapshot, because another thread may hide or show the life at any time.
        let highest = snapshot.highest(chunk.floor());
        let life = Floor(handle.version().get());
        let reason = if snapshot.is_hidden(handle.version()) {
            Reason::Hidden
        } else if life > highest {
            Reason::NeverIssued
        } else if life < highest {
            Reason::Reused
        } else if snapshot.current().is_some() {
            // This includes a life that became visible again after the handle was refused.
            in_sight
        } else {
            Reason::Freed
        };
        let refused = AccessError {
            reason,
            now: snapshot.current(),
            ..nothing
        };
        #[cfg(debug_assertions)]
        if let (Reason::Freed | Reason::Reused | Reason::Owned, Some(places)) =
            (reason, chunk.site(handle.index()).of(handle.version()))
        {
            return AccessError {
                allocated: Some(places.allocated),
                freed: places.freed,
                ..refused
            };
        }
        refused
    }
}

/// The slot whose life word is to be compared with `handle`, in the pool of `T` with number `pool`. For any other use call
/// [`Untyped::find`]: if the bits of the handle are invented, this may be the slot of another index, whose word never equals the
/// handle.
#[inline]
pub(super) fn find<T: 'static>(handle: Handle<T>, pool: u32) -> Option<Slot> {
    Some(Slot::named(directory::find(handle.index(), pool)?, handle))
}

/// The object in `slot`, if the life that `handle` names is visible. The caller found the slot for `handle`, in a pool of
/// `T` whose domain is `D`, and which lives as long as the pin.
#[inline]
pub(super) fn lookup<T, D: Readers>(slot: Slot, handle: Handle<T>, pinned: &Pinned<D>) -> Option<&T> {
    let _ = pinned;
    // The life may end after this load. Then the thread that ends it finds the pin, and the object stays as it is until the pin ends.
    if !slot.life().is(handle.cast()) {
        return None;
    }
    // SAFETY: the life is visible, so the object is initialised; the pin keeps it from being finalized and reused.
    Some(unsafe { slot.object().as_ref() })
}

/// A pool and a pin, for many reads by handle.
///
/// Made by [`Pool::reader`]. A reader loads the pool's number once, whereas [`Pool::get`] loads it at every read. Copying
/// a reader costs nothing. A reader cannot leave the thread of its pin. It also finds objects that are allocated after it
/// was made.
///
/// ```
/// use acedia::{Pool, Reason, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let pinned = pin();
/// let reader = pool.reader(&pinned);
/// let owners: Vec<_> = (0..10).map(|n| pool.allocate_with(|it| *it = n)).collect();
/// let handles: Vec<_> = owners.iter().map(|owner| owner.handle()).collect();
/// assert_eq!(handles.iter().filter_map(|&handle| reader.get(handle)).sum::<u64>(), 45);
/// drop(owners);
/// assert_eq!(pool.try_get(handles[3], &pinned).unwrap_err().reason(), Reason::Freed);
/// ```
#[must_use = "a reader does nothing by itself"]
pub struct Reader<'g, T: 'static, H: Hooks<T> = Plain> {
    pool: &'g Pool<T, H>,
    pinned: &'g Pinned<H::Readers>,
    depot: &'g Depot,
    /// The pool's number in the directory.
    number: u32,
}

impl<'g, T: Send + Sync + 'static, H: Hooks<T>> Reader<'g, T, H> {
    #[inline]
    pub(super) fn new(pool: &'g Pool<T, H>, pinned: &'g Pinned<H::Readers>, depot: &'g Depot) -> Self {
        Self {
            pool,
            pinned,
            depot,
            number: directory::pool_number(depot.tag),
        }
    }

    /// The object that `handle` names, if it is alive and visible: see [`Pool::get`].
    #[inline]
    #[must_use]
    pub fn get(self, handle: Handle<T>) -> Option<&'g T> {
        lookup(find(handle, self.number)?, handle, self.pinned)
    }

    /// Looks up `handles` in their order, each as [`get`](Self::get) would.
    ///
    /// If the pool is too large for the processor's caches, the iterator prefetches the next objects while it returns one. With
    /// a million objects that no cache holds, read in random order, it is 2.4 times faster than `get` (Zen 5, `read` in
    /// `benches/README.md`). On processors other than x86-64 it takes as long as `get`.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owners: Vec<_> = (0..10_000).map(|n| pool.allocate_with(|it| *it = n)).collect();
    /// let handles: Vec<_> = owners.iter().rev().map(|owner| owner.handle()).collect();
    /// let pinned = pin();
    /// let found = pool.reader(&pinned).get_many(&handles);
    /// assert_eq!(found.len(), handles.len());
    /// assert_eq!(found.flatten().sum::<u64>(), (0..10_000).sum());
    /// ```
    #[inline]
    #[must_use]
    pub fn get_many<'k>(
        self,
        handles: &'k [Handle<T>],
    ) -> impl ExactSizeIterator<Item = Option<&'g T>> + Clone + use<'k, 'g, T, H> {
        read_ahead(handles, self.depot.exceeds_caches(), move |handle| self.get(handle))
    }
}

impl<T: 'static, H: Hooks<T>> Clone for Reader<'_, T, H> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static, H: Hooks<T>> Copy for Reader<'_, T, H> {}

/// The distance of the prefetch, in handles: about as many reads as take the time of one memory access.
const AHEAD: usize = if cfg!(miri) { 8 } else { 64 };

/// The result of `read` for each handle. If `prefetches`, the slot of the handle [`AHEAD`] further on is prefetched.
#[inline]
fn read_ahead<T, R>(
    handles: &[Handle<T>],
    prefetches: bool,
    read: impl Fn(Handle<T>) -> R + Clone,
) -> impl ExactSizeIterator<Item = R> + Clone {
    if prefetches {
        prefetch_first(handles);
    }
    // The compiler makes two loops of a loop over this iterator, one with and one without the prefetch.
    handles.iter().enumerate().map(move |(nth, &handle)| {
        if let (true, Some(&ahead)) = (prefetches, handles.get(nth + AHEAD)) {
            Slot::prefetch(ahead);
        }
        read(handle)
    })
}

#[inline(never)]
fn prefetch_first<T>(handles: &[Handle<T>]) {
    handles.iter().take(AHEAD).for_each(|&handle| Slot::prefetch(handle));
}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Reader<'_, T, H> {
    /// Prints `Reader(Pool { … })`. Does not access an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(self.pool).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// A [`Reader`] of this pool, for many reads under a pin.
    ///
    /// # Panics
    ///
    /// If no object was ever allocated from this pool, and the process already has a million pools. Aborts if there is
    /// no memory for the pool's own records.
    #[inline]
    #[track_caller]
    pub fn reader<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> Reader<'g, T, H>
    where
        H::Readers: Domain,
    {
        let depot = match self.untyped.depot.get() {
            Some(depot) => depot,
            None => self.untyped.first_depot(),
        };
        Reader::new(self, pinned, depot)
    }
}

/// The visible living objects of a pool of any type.
pub(crate) struct Handles<'p> {
    /// The chunk after the current one. Chunks live as long as the pool.
    chunk: Option<NonNull<Chunk>>,
    /// The next slot of the current chunk, and the end of those that may have had an object.
    slot: NonNull<Life>,
    end: NonNull<Life>,
    /// The bytes from one slot to the next.
    stride: usize,
    pool: PhantomData<&'p ()>,
}

impl Handles<'_> {
    #[inline]
    pub(crate) fn next_handle(&mut self) -> Option<Handle<()>> {
        Some(self.next_slot()?.0)
    }

    /// The next visible living object: its handle, and its slot.
    #[inline]
    pub(super) fn next_slot(&mut self) -> Option<(Handle<()>, Slot)> {
        loop {
            while self.slot != self.end {
                let slot = Slot::from_raw(self.slot);
                // SAFETY: within the chunk: the guard words follow its last slot.
                self.slot = unsafe { self.slot.byte_add(self.stride) };
                // Each slot is looked at once: a life that begins after this load is missed, and a life that ends after it is
                // still returned.
                if let Some(handle) = slot.life().snapshot().handle() {
                    return Some((handle, slot));
                }
            }
            let chunk = self.chunk?;
            // SAFETY: the pool owns its chunks, and none ends before the pool.
            let header = unsafe { chunk.as_ref() };
            // Loaded once for each chunk: an object that is made in it later may be missed.
            let used = header.used();
            self.slot = Slot::at(chunk, 0, header.shape).into_raw();
            self.end = Slot::at(chunk, used.len(), header.shape).into_raw();
            // Acquire pairs with `Depot::grow` (Release).
            self.chunk = NonNull::new(header.next.load(Ordering::Acquire));
        }
    }
}

impl Untyped {
    #[inline]
    pub(crate) fn handles(&self) -> Handles<'_> {
        Handles {
            chunk: self.depot.get().and_then(|depot| depot.first_chunk()),
            slot: NonNull::dangling(),
            end: NonNull::dangling(),
            stride: self.shape.stride,
            pool: PhantomData,
        }
    }

    /// Where the visible object of `handle` was allocated, and the number of that allocation, counted over the
    /// whole process. `None` without debug assertions.
    pub(crate) fn allocation(&self, handle: Handle<()>) -> Option<(&'static Location<'static>, u64)> {
        #[cfg(debug_assertions)]
        if self
            .find(handle)
            .is_some_and(|slot| slot.life().snapshot().shows(handle))
        {
            // SAFETY: the life is visible, so the chunk belongs to this pool.
            let chunk = unsafe { Chunk::of(handle.index()).as_ref() };
            let places = chunk.site(handle.index()).of(handle.version())?;
            return Some((places.allocated, places.nth));
        }
        let _ = handle;
        None
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Iterates over the handles of the visible living objects. Other threads may allocate and free meanwhile.
    ///
    /// An object whose life is visible from this call to the end of the iterator is found exactly once. An object whose life
    /// begins or ends meanwhile is found at most once.
    ///
    /// A living object of which no handle was made is not found, because its owner may be changing it by
    /// [`Owned::get_mut`](crate::pool::Owned::get_mut). [`len`](Self::len) and [`stats`](Self::stats) do count it.
    /// [`Hooks::VISIBLE`] makes each life visible from its beginning. An object is not found during
    /// [`Owned::exclusive`](crate::pool::Owned::exclusive), either.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owners = [1, 2, 3].map(|number| pool.allocate_with(|n| *n = number));
    /// let handles = owners.each_ref().map(|owner| owner.handle());
    /// assert_eq!(pool.handles().collect::<Vec<_>>(), handles);
    /// let sum = pool.handles().filter_map(|handle| pool.with(handle, |n| *n)).sum::<u64>();
    /// assert_eq!(sum, 6);
    /// ```
    ///
    /// # Cost
    ///
    /// One load for each slot that ever had an object, and for up to 128 empty slots per thread. The call takes no lock and does not allocate.
    #[inline]
    pub fn handles(&self) -> impl Iterator<Item = Handle<T>> {
        let mut handles = self.untyped.handles();
        std::iter::from_fn(move || handles.next_handle().map(Handle::cast))
    }

    /// The handle of the object in slot `index`, if the object is alive and visible. This is for programs that store fewer
    /// bits than a handle has, and accept that such a reference may resolve to a later object. On 32-bit targets an index has
    /// 28 bits, so a 32-bit word also holds four bits of the life: see the guide's chapter "Coming from another library"
    /// (`docs/migrating.md`).
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let handle = owner.handle();
    /// assert_eq!(pool.handle_at(handle.index()), Some(handle));
    /// drop(owner);
    /// assert_eq!(pool.handle_at(handle.index()), None);
    /// ```
    #[must_use]
    pub fn handle_at(&self, index: u32) -> Option<Handle<T>> {
        let any_life = handle::is_possible(index).then(|| Handle::new(index, LifeVersion::FIRST))?;
        let slot = self.untyped.find(any_life)?;
        slot.life().snapshot().handle().map(Handle::cast)
    }

    /// Mutable access to the object that `handle` names, if it is alive and visible. Nothing else borrows the pool, so
    /// there are no owners, guards or readers.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let mut pool: Pool<u64> = Pool::new();
    /// let handle = pool.allocate().into_manual();
    /// *pool.get_mut(handle).unwrap() += 1;
    /// assert_eq!(pool.iter_mut().map(|(_, n)| *n).sum::<u64>(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        let handle = handle.cast();
        let slot = self.find_alone(handle)?;
        // SAFETY: the life is visible, so the object is initialised. Owners, guards and references borrow the pool, so there are
        // none, or they were forgotten.
        Some(unsafe { slot.object().as_mut() })
    }

    /// Iterates mutably over the visible living objects and their handles. Finds the same objects as [`handles`](Self::handles).
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<T>, &mut T)> {
        let mut handles = self.untyped.handles();
        std::iter::from_fn(move || {
            let (handle, slot) = handles.next_slot()?;
            // SAFETY: as in `get_mut`: the life is visible, and the slots differ.
            Some((handle.cast(), unsafe { slot.object().as_mut() }))
        })
    }

    /// Iterates over the visible living objects and their handles. Finds the same objects as [`handles`](Self::handles). Other threads may
    /// allocate and free meanwhile.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    ///
    /// let pool: Pool<String> = Pool::new();
    /// let owner = pool.allocate_with(|s| s.push('a'));
    /// let handle = owner.handle();
    /// let pinned = pin();
    /// assert_eq!(
    ///     pool.iter(&pinned).map(|(handle, s)| (handle, s.as_str())).collect::<Vec<_>>(),
    ///     [(handle, "a")]
    /// );
    /// ```
    #[inline]
    pub fn iter<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> impl Iterator<Item = (Handle<T>, &'g T)>
    where
        H::Readers: Domain,
    {
        let mut handles = self.untyped.handles();
        std::iter::from_fn(move || {
            let _ = pinned;
            let (handle, slot) = handles.next_slot()?;
            // SAFETY: the life was seen under the pin, as in `lookup`.
            Some((handle.cast(), unsafe { slot.object().as_ref() }))
        })
    }
}

/// Pieces of a pool for threads of `rayon`.
#[cfg(feature = "rayon")]
mod parts {
    use super::{Chunk, Domain, Handle, Hooks, NonNull, Pinned, Pool, Reader, Slot};

    /// A chunk of a pool under a pin, for threads other than the pinned one.
    pub(crate) struct Part<'g, T: 'static, H: Hooks<T>> {
        reader: Reader<'g, T, H>,
        chunk: NonNull<Chunk>,
    }

    impl<T: 'static, H: Hooks<T>> Clone for Part<'_, T, H> {
        fn clone(&self) -> Self {
            *self
        }
    }

    impl<T: 'static, H: Hooks<T>> Copy for Part<'_, T, H> {}

    // SAFETY: a thread that gets a part reads lives and objects through it. `T` is `Sync`, so it may share the objects. The pin's
    // fence happens before the first read by a part, because the part was made under the pin; the end of the pin happens after the
    // last read, because the part borrows the pin. So a thread that frees sees the pin's flag, or the part's reader sees the end of
    // the life, as if the pin's own thread read (`reading_under_the_pin_of_another_thread`). The chunk lives as long as the pool,
    // which `'g` borrows.
    unsafe impl<T: Send + Sync + 'static, H: Hooks<T>> Send for Part<'_, T, H> {}
    // SAFETY: `&Part` gives what a copy of the part gives, and a part may be sent.
    unsafe impl<T: Send + Sync + 'static, H: Hooks<T>> Sync for Part<'_, T, H> {}

    impl<'g, T: Send + Sync + 'static, H: Hooks<T>> Part<'g, T, H> {
        /// The number of slots that may ever have had an object.
        pub(crate) fn slots(self) -> usize {
            // SAFETY: the pool owns its chunks, and none ends before the pool.
            unsafe { self.chunk.as_ref() }.used().len()
        }

        /// The object in slot number `nth` of the chunk, if its life is visible.
        pub(crate) fn get(self, nth: usize) -> Option<(Handle<T>, &'g T)> {
            // SAFETY: as above.
            let shape = unsafe { self.chunk.as_ref() }.shape;
            let handle = Slot::at(self.chunk, nth, shape).life().snapshot().handle()?;
            let handle = handle.cast();
            Some((handle, self.reader.get(handle)?))
        }
    }

    impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
        /// The chunks that the pool has now.
        pub(crate) fn parts<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> Vec<Part<'g, T, H>>
        where
            H::Readers: Domain,
        {
            let Some(depot) = self.untyped.depot.get() else {
                return Vec::new();
            };
            let reader = Reader::new(self, pinned, depot);
            let chunks = depot.locked.lock().chunks.clone();
            chunks.into_iter().map(|chunk| Part { reader, chunk }).collect()
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
