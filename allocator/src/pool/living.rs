//! The living objects of a pool: all their handles, and access to them under a pin or through `&mut`.

use std::marker::PhantomData;
use std::panic::Location;
use std::ptr::NonNull;

use crate::LifeVersion;
use crate::pool::chunk::Chunk;
#[cfg(debug_assertions)]
use crate::pool::directory;
use crate::pool::handle::Handle;
use crate::pool::hooks::Hooks;
use crate::pool::key::{self, Key};
use crate::pool::life::Life;
use crate::pool::lookup::find;
use crate::pool::pin::{Domain, Pinned};
use crate::pool::pool::Pool;
use crate::pool::slot::Slot;
use crate::pool::untyped::Untyped;
use crate::sync::Ordering;

/// The visible living objects of a pool of any type.
pub(crate) struct Keys<'p> {
    /// The chunk after the current one. Chunks live as long as the pool.
    chunk: Option<NonNull<Chunk>>,
    /// The next slot of the current chunk, and the end of those that may have had an object.
    slot: NonNull<Life>,
    end: NonNull<Life>,
    /// The bytes from one slot to the next.
    stride: usize,
    pool: PhantomData<&'p ()>,
}

impl Keys<'_> {
    #[inline]
    pub(crate) fn next_key(&mut self) -> Option<Key> {
        Some(self.next_slot()?.0)
    }

    /// The next visible living object: its key, and its slot.
    #[inline]
    pub(super) fn next_slot(&mut self) -> Option<(Key, Slot)> {
        loop {
            while self.slot != self.end {
                let slot = Slot::from_raw(self.slot);
                // SAFETY: within the chunk: the guard words follow its last slot.
                self.slot = unsafe { self.slot.byte_add(self.stride) };
                if let Some(key) = slot.life().snapshot().key() {
                    return Some((key, slot));
                }
            }
            let chunk = self.chunk?;
            // SAFETY: the pool owns its chunks, and none ends before the pool.
            let header = unsafe { chunk.as_ref() };
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
    pub(crate) fn keys(&self) -> Keys<'_> {
        Keys {
            chunk: self.depot.get().and_then(|depot| depot.first_chunk()),
            slot: NonNull::dangling(),
            end: NonNull::dangling(),
            stride: self.shape.stride,
            pool: PhantomData,
        }
    }

    /// Like [`allocated_at`](Self::allocated_at), but also returns the number of that allocation, counted over the whole
    /// process.
    pub(crate) fn allocation(&self, key: Key) -> Option<(&'static Location<'static>, u64)> {
        #[cfg(debug_assertions)]
        if self.find(key).is_some_and(|slot| slot.life().snapshot().shows(key)) {
            // SAFETY: the life is visible, so the chunk belongs to this pool.
            let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
            let places = chunk.site(key.index()).of(key.life())?;
            return Some((places.allocated, places.nth));
        }
        let _ = key;
        None
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Iterates over the handles of the visible living objects. Other threads may allocate and free meanwhile.
    ///
    /// An object whose life is visible from this call to the end of the iterator is found exactly once. An object whose life
    /// begins or ends meanwhile is found at most once.
    ///
    /// A living object of which no handle was made is not found, although [`len`](Self::len) and [`stats`](Self::stats) count
    /// it. Its owner may be changing it by [`Owned::get_mut`](crate::pool::Owned::get_mut), so no handle of it can be made.
    /// [`Hooks::VISIBLE`] makes each life visible from its beginning. An object is not found during
    /// [`Owned::exclusive`](crate::pool::Owned::exclusive), either.
    ///
    /// ```
    /// use acedia::pool::Pool;
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
    /// One load for each slot that ever had an object. The call takes no lock, and makes no list.
    #[inline]
    pub fn handles(&self) -> impl Iterator<Item = Handle<T>> {
        let mut keys = self.untyped.keys();
        std::iter::from_fn(move || keys.next_key().map(Handle::of_key))
    }

    /// The handle of the object in slot `index`, if the object is alive and visible. This is for programs that store fewer
    /// bits than a handle has, and accept that such a reference may resolve to a later object. On 32-bit targets an index has
    /// 28 bits, so a 32-bit word also holds four bits of the life: see the guide's chapter "Coming from sharded-slab"
    /// (`docs/migrate-from-sharded-slab.md`).
    ///
    /// ```
    /// use acedia::pool::Pool;
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
        let any_life = key::is_possible(index).then(|| Key::new(index, LifeVersion::FIRST))?;
        let slot = find::<T, H>(any_life, self.untyped.number())?;
        slot.life().snapshot().key().map(Handle::of_key)
    }

    /// The source location at which the object that `handle` names was allocated, if it is alive and visible. Known only in
    /// builds with debug assertions.
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// for handle in pool.handles() {
    ///     let place = pool.allocated_at(handle);
    ///     assert_eq!(place.is_some(), cfg!(debug_assertions));
    /// }
    /// ```
    #[must_use]
    pub fn allocated_at(&self, handle: Handle<T>) -> Option<&'static Location<'static>> {
        let key = handle.key();
        Some(self.untyped.allocation(key)?.0)
    }

    /// Mutable access to the object that `handle` names, if it is alive and visible. Nothing else borrows the pool, so
    /// there are no owners, guards or readers.
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let mut pool: Pool<u64> = Pool::new();
    /// let handle = pool.allocate().into_manual();
    /// *pool.get_mut(handle).unwrap() += 1;
    /// assert_eq!(pool.iter_mut().map(|(_, n)| *n).sum::<u64>(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        let key = handle.key();
        let slot = self.find(key)?;
        // SAFETY: the life is visible, so the object is initialised. Owners, guards and references borrow the pool, so there are
        // none, or they were forgotten.
        slot.life().is(key).then(|| unsafe { slot.object().as_mut() })
    }

    /// Iterates mutably over the visible living objects and their handles. Finds the same objects as [`handles`](Self::handles).
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<T>, &mut T)> {
        let mut keys = self.untyped.keys();
        std::iter::from_fn(move || {
            let (key, slot) = keys.next_slot()?;
            // SAFETY: as in `get_mut`: the life is visible, and the slots differ.
            Some((Handle::of_key(key), unsafe { slot.object().as_mut() }))
        })
    }

    /// Iterates over the visible living objects and their handles: calls [`get`](Self::get) for each handle of [`handles`](Self::handles).
    /// Other threads may allocate and free meanwhile. Skips objects of which no handle was made.
    ///
    /// ```
    /// use acedia::pool::{Pool, pin};
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
        let mut keys = self.untyped.keys();
        std::iter::from_fn(move || {
            let _ = pinned;
            let (key, slot) = keys.next_slot()?;
            // SAFETY: the life was seen under the pin, as in `lookup`.
            Some((Handle::of_key(key), unsafe { slot.object().as_ref() }))
        })
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
