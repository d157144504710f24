//! [`Guard`]: a counted read, which may cross threads and `await`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::pool::chunk::{Chunk, Slot};
use crate::pool::depot::Depot;
use crate::pool::handle::Handle;
use crate::pool::hooks::{Hooks, OfClass};
use crate::pool::life::Guards;
use crate::pool::lookup::lookup;
use crate::pool::pins::{Pinned, Readers as _};
use crate::pool::pool::Pool;
use crate::{AccessError, Reason};

/// A counted read of one object, valid until it is dropped, on any thread and across `await`.
///
/// While a guard exists, the object is neither finalized nor reused. Its life may end meanwhile: later look-ups then
/// return `None`, and the finalizer runs once the last guard and the older pins have ended.
///
/// A guard costs two atomic read-modify-writes. The first guard in a pool, and the first guard that a second thread makes there,
/// also interrupt every running thread of the process for a moment. For many reads on one thread, a
/// [`Pinned`](crate::pool::Pinned) costs less.
///
/// ```
/// use acedia::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let handle = owner.handle();
/// let guard = pool.guard(handle).unwrap();
/// drop(owner);
/// assert_eq!(*guard, 7);
/// assert!(pool.guard(handle).is_none());
/// ```
///
/// `P` keeps the pool alive: it is the reference to the pool, or the `Arc` of a [guard that holds the pool](Self::holding).
pub struct Guard<T: 'static, P = &'static Pool<T, OfClass>> {
    slot: Slot,
    /// The slot's guard word. Found by the handle, because the life word of a stale handle may have been returned to the
    /// operating system.
    guards: NonNull<Guards>,
    handle: Handle<T>,
    /// Keeps the pool alive until the drop, which accesses the slot, has ended.
    pool: P,
    object: PhantomData<&'static T>,
}

// SAFETY: a guard gives `&T` (needs `T: Sync`); the last one may run the finalizer and drop the object on its own thread
// (needs `T: Send`).
unsafe impl<T: Send + Sync, P: Send> Send for Guard<T, P> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync, P: Sync> Sync for Guard<T, P> {}

impl<T, P> Guard<T, P> {
    /// Guards the life that `handle` names in `slot`, which was found for `handle` in a pool that `pool` keeps alive.
    #[inline]
    pub(super) fn of_found(slot: Slot, handle: Handle<T>, pool: P) -> Option<Self> {
        // A stale handle costs only this load.
        if !slot.life().looks_like(handle.cast()) {
            return None;
        }
        // SAFETY: the handle was found, so the chunk belongs to a living pool.
        let chunk = unsafe { Chunk::of(handle.index()).as_ref() };
        // Before the count. If a free loads the census before this change, `confirm` finds that the life has ended. A free that loads it later
        // looks at the guard word.
        Depot::of_chunk(chunk).census.join();
        let guard = Self::enter(slot, NonNull::from(chunk.guards(handle.index())), handle, pool);
        // If this fails, the drop of `guard` withdraws the count. It may be the last guard that a freed object waited for: then that drop
        // finishes the object.
        slot.life().confirm(handle.cast()).then_some(guard)
    }

    #[inline]
    fn enter(slot: Slot, guards: NonNull<Guards>, handle: Handle<T>, pool: P) -> Self {
        let guard = Self {
            slot,
            guards,
            handle,
            pool,
            object: PhantomData,
        };
        guard.guards().enter();
        guard
    }

    #[inline]
    fn guards(&self) -> &Guards {
        // SAFETY: the pool, and with it the word, outlives the guard; atomic, so shared access is fine.
        unsafe { self.guards.as_ref() }
    }

    /// The handle by which the guard was made. The life that it names may have ended since.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }
}

impl<T: Send + Sync, W: ?Sized + 'static> Guard<T, Arc<W>> {
    /// Guards the object that `handle` names in a pool of `holder`, and keeps `holder` alive, for a task that outlives the scope of the
    /// pool. `None` if the life has ended.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use acedia::{Guard, Pool};
    ///
    /// #[derive(Default)]
    /// struct World {
    ///     pawns: Pool<String>,
    ///     shots: Pool<u64>,
    /// }
    ///
    /// let world = Arc::new(World::default());
    /// let handle = world.pawns.allocate_with(|pawn| pawn.push_str("orc")).into_manual();
    /// let guard: Guard<String, Arc<World>> =
    ///     Guard::holding(&world, |world| &world.pawns, handle).unwrap();
    /// drop(world);
    /// let reader = std::thread::spawn(move || (guard.len(), guard.holder().shots.stats().live));
    /// assert_eq!(reader.join().unwrap(), (3, 0));
    /// ```
    ///
    /// Pass a `&Arc`. The holder may be any type that contains the pool, even a trait object: `Arc<dyn World>`, with a method that returns
    /// the pool. If the holder is the pool itself, call `Guard::holding(&pool, |pool| pool, handle)`.
    ///
    /// # Cost
    ///
    /// Costs as much as a guard plus a clone of the `Arc`.
    #[must_use]
    pub fn holding<H: Hooks<T>>(
        holder: &Arc<W>,
        pool: impl FnOnce(&W) -> &Pool<T, H>,
        handle: Handle<T>,
    ) -> Option<Self> {
        // The pool is found through `&W` alone. While this guard has an `Arc` of `W`, no code has `&mut W`, so the pool stays in its place. The
        // guard's drop ends before its `Arc` is dropped. `W` borrows nothing, so the pool does not end before `W`.
        Guard::of_found(pool(holder).find(handle)?, handle, Arc::clone(holder))
    }

    /// The holder of the pool, which the guard keeps alive.
    #[must_use]
    pub fn holder(&self) -> &Arc<W> {
        &self.pool
    }
}

impl<T, P> Deref for Guard<T, P> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: counted and confirmed, so the object is neither finalized nor reused before the count is withdrawn.
        unsafe { self.slot.object().as_ref() }
    }
}

impl<T, P: Clone> Clone for Guard<T, P> {
    /// Creates another guard of the same object, even if its life has ended since.
    fn clone(&self) -> Self {
        // The object has a guard already, so no thread reuses it: the life need not be confirmed. Nor need this thread join the census:
        // until the count has fallen to 0, each free looks for guards, because the census has the thread that made the first one.
        Self::enter(self.slot, self.guards, self.handle, self.pool.clone())
    }
}

impl<T, P> Drop for Guard<T, P> {
    #[inline]
    fn drop(&mut self) {
        // `true` if the life has ended, no pin holds the object, and this was the last guard. If this thread has no lists for the pool, the slot
        // goes into the stock (`Depot::put_away`).
        if self.guards().leave() {
            Depot::of_slot(&self.slot).finalize_contained(self.slot);
        }
    }
}

impl<T: fmt::Display, P> fmt::Display for Guard<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl<T: fmt::Debug, P> fmt::Debug for Guard<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guard").field(&**self).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// A [`Guard`] of the object that `handle` names. It can be held across threads and `await`.
    #[inline]
    #[must_use]
    pub fn guard(&self, handle: Handle<T>) -> Option<Guard<T, &Self>> {
        Guard::of_found(self.find(handle)?, handle, self)
    }

    /// Like [`guard`](Self::guard), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_with`](Self::try_with).
    pub fn try_guard(&self, handle: Handle<T>) -> Result<Guard<T, &Self>, AccessError> {
        self.guard(handle)
            .ok_or_else(|| self.untyped.explain(handle.cast(), Reason::Hidden))
    }

    /// Calls `read` on the object that `handle` names, if it is alive and visible, and returns the result. Reads under a
    /// pin, or with a guard in a pool that is read by [guards only](crate::pool::GuardsOnly).
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate_with(|n| *n = 7);
    /// assert_eq!(pool.with(owner.handle(), |n| *n), Some(7));
    /// ```
    #[inline]
    pub fn with<R>(&self, handle: Handle<T>, read: impl FnOnce(&T) -> R) -> Option<R> {
        if H::Readers::BY_PIN {
            let pinned = Pinned::<H::Readers>::new();
            lookup(self.find(handle)?, handle, &pinned).map(read)
        } else {
            self.guard(handle).map(|object| read(&object))
        }
    }

    /// Like [`with`](Self::with), but returns an error that says why there is no object.
    ///
    /// ```
    /// use acedia::{Pool, Reason};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate_with(|n| *n = 7);
    /// let handle = owner.handle();
    /// assert_eq!(pool.try_with(handle, |n| *n), Ok(7));
    /// drop(owner);
    /// assert_eq!(pool.try_with(handle, |n| *n).unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended or is hidden, the handle belongs to another pool, or it was made up.
    pub fn try_with<R>(&self, handle: Handle<T>, read: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        self.with(handle, read)
            .ok_or_else(|| self.untyped.explain(handle.cast(), Reason::Hidden))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
