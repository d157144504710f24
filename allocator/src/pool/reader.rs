//! [`Reader`]: a pool under a pin, for many reads.

use std::fmt;

use crate::pool::depot::Depot;
use crate::pool::handle::Handle;
use crate::pool::hooks::{Hooks, Plain};
use crate::pool::lookup::{find, lookup};
use crate::pool::pin::{Domain, Pinned};
use crate::pool::pool::Pool;
use crate::pool::slot::Slot;
use crate::pool::tag;
use crate::{AccessError, Reason};

/// A pool and a pin, for many reads by handle.
///
/// Made by [`Pool::reader`]. A reader loads the pool's number once, whereas [`Pool::get`] loads it at every read. Copying
/// a reader costs nothing. A reader stays on the thread of its pin, and finds objects that are allocated while it exists.
///
/// ```
/// use acedia::Reason;
/// use acedia::pool::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let pinned = pin();
/// let reader = pool.reader(&pinned);
/// let owners: Vec<_> = (0..10).map(|n| pool.allocate_with(|it| *it = n)).collect();
/// let handles: Vec<_> = owners.iter().map(|owner| owner.handle()).collect();
/// assert_eq!(handles.iter().filter_map(|&handle| reader.get(handle)).sum::<u64>(), 45);
/// drop(owners);
/// assert_eq!(reader.try_get(handles[3]).unwrap_err().reason(), Reason::Freed);
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
            number: tag::place(depot.tag),
        }
    }

    /// The object that `handle` names, if it is alive and visible: see [`Pool::get`].
    #[inline]
    #[must_use]
    pub fn get(self, handle: Handle<T>) -> Option<&'g T> {
        let key = handle.key();
        lookup(find::<T, H>(key, self.number)?, key, self.pinned)
    }

    /// Looks up `handles` in their order, each as [`get`](Self::get) would.
    ///
    /// If the pool is too large for the processor's caches, the iterator prefetches the next objects while it returns one. With
    /// a million objects that no cache holds, read in random order, it is 2.7 times faster than `get` (Zen 5, `read` in
    /// `benches/README.md`). On processors other than x86-64 it takes as long as `get`.
    ///
    /// Accepts handles, and values of other types that convert into handles.
    ///
    /// ```
    /// use acedia::pool::{Pool, pin};
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
    pub fn get_many<'k>(
        self,
        handles: &'k [Handle<T>],
    ) -> impl ExactSizeIterator<Item = Option<&'g T>> + Clone + use<'k, 'g, T, H> {
        read_ahead(handles, self.depot.exceeds_caches(), move |handle| self.get(handle))
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`Pool::try_get`].
    pub fn try_get(self, handle: Handle<T>) -> Result<&'g T, AccessError> {
        let key = handle.key();
        self.get(handle)
            .ok_or_else(|| self.pool.untyped.explain(key, Reason::Hidden))
    }
}

impl<T: 'static, H: Hooks<T>> Clone for Reader<'_, T, H> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static, H: Hooks<T>> Copy for Reader<'_, T, H> {}

/// The distance of the prefetch, in handles: about the number of reads in the time of one access to memory.
const AHEAD: usize = if cfg!(miri) { 8 } else { 64 };

/// The results of `read` for each of the handles. `prefetch` is called for the handles further on, if the pool is too large for the processor's
/// caches.
#[inline]
fn read_ahead<T, R>(
    handles: &[Handle<T>],
    prefetches: bool,
    read: impl Fn(Handle<T>) -> R + Clone,
) -> impl ExactSizeIterator<Item = R> + Clone {
    if prefetches {
        prefetch_first(handles);
    }
    // The compiler makes two loops of a loop around this.
    handles.iter().enumerate().map(move |(nth, &handle)| {
        if let (true, Some(&ahead)) = (prefetches, handles.get(nth + AHEAD)) {
            Slot::prefetch::<T>(ahead.key());
        }
        read(handle)
    })
}

#[inline(never)]
fn prefetch_first<T>(handles: &[Handle<T>]) {
    handles
        .iter()
        .take(AHEAD)
        .for_each(|&handle| Slot::prefetch::<T>(handle.key()));
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

#[cfg(all(test, acedia_loom))]
mod models;
