//! [`Guard`]: a counted read, which may cross threads and `await`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::pool::counts::Guards;
use crate::pool::directory;
use crate::pool::domain::Readers as _;
use crate::pool::hooks::Hooks;
use crate::pool::key::Key;
use crate::pool::lookup::lookup;
use crate::pool::pin::Pinned;
use crate::pool::pool::Pool;
use crate::pool::slot::Slot;
use crate::{AccessError, Reason};

/// A counted read of one object, valid until it is dropped, on any thread and across `await`.
///
/// While a guard exists, the object is neither finalized nor reused. Its life may end meanwhile: later look-ups then
/// return `None`, and dropping the last guard runs the finalizer.
///
/// A guard costs two atomic read-modify-writes. The first guard in a pool, and the first guard that a second thread makes there,
/// also interrupt every running thread of the process for a moment. For many reads on one thread, a
/// [`Pinned`](crate::pool::Pinned) costs less.
///
/// ```
/// use acedia::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let key = owner.key();
/// let guard = pool.guard(key).unwrap();
/// drop(owner);
/// assert_eq!(*guard, 7);
/// assert!(pool.guard(key).is_none());
/// ```
pub struct Guard<'p, T: 'static> {
    slot: Slot,
    /// The slot's guard word. Found by the key, because the life word of a stale key may have been returned to the
    /// operating system.
    guards: NonNull<Guards>,
    key: Key,
    /// With the pool's lifetime, because the drop accesses the slot: without it, the compiler lets a guard be dropped after its
    /// pool, at the end of a scope.
    object: PhantomData<&'p T>,
}

// SAFETY: a guard gives `&T` (needs `T: Sync`); the last one may run the finalizer and drop the object on its own thread
// (needs `T: Send`).
unsafe impl<T: Send + Sync> Send for Guard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Guard<'_, T> {}

impl<T> Guard<'_, T> {
    /// Reads the life that `key` names in `slot`, which was found for `key` and belongs to a pool of `T` that outlives the guard.
    #[inline]
    pub(super) fn begin(slot: Slot, key: Key) -> Option<Self> {
        // A stale key costs only this load.
        if !slot.life().looks_like(key) {
            return None;
        }
        // SAFETY: the key was found, so the chunk belongs to a living pool.
        let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
        chunk.depot().expect_guards();
        let guard = Self::enter(slot, NonNull::from(chunk.guards(key.index())), key);
        // If this fails, the drop of `guard` withdraws the count.
        slot.life().confirm(key).then_some(guard)
    }

    /// Counts a guard.
    #[inline]
    fn enter(slot: Slot, guards: NonNull<Guards>, key: Key) -> Self {
        let guard = Self {
            slot,
            guards,
            key,
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

    /// The key by which the guard was made. The life that it names may have ended since.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: counted and confirmed, so the object is neither finalized nor reused before the count is withdrawn.
        unsafe { self.slot.object().as_ref() }
    }
}

impl<T> Clone for Guard<'_, T> {
    /// Creates another guard of the same object, even if its life has ended since.
    fn clone(&self) -> Self {
        // The object has a guard already, so no confirmation is needed.
        Self::enter(self.slot, self.guards, self.key)
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if self.guards().leave() {
            self.slot.depot().finalize_contained(self.slot);
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Guard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guard").field(&**self).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// A [`Guard`] of the object that `key` names. It can be held across threads and `await`.
    #[inline]
    #[must_use]
    pub fn guard(&self, key: Key) -> Option<Guard<'_, T>> {
        Guard::begin(self.find(key)?, key)
    }

    /// Like [`guard`](Self::guard), but for a caller that keeps the pool alive, in its place, until it has dropped the guard
    /// and its clones.
    pub(crate) fn guard_unbound(&self, key: Key) -> Result<Guard<'static, T>, AccessError> {
        let guard = self.find(key).and_then(|slot| Guard::begin(slot, key));
        guard.ok_or_else(|| self.untyped.explain(key, Reason::Hidden))
    }

    /// Like [`guard`](Self::guard), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_with`](Self::try_with).
    pub fn try_guard(&self, key: Key) -> Result<Guard<'_, T>, AccessError> {
        self.guard(key).ok_or_else(|| self.untyped.explain(key, Reason::Hidden))
    }

    /// Calls `read` on the object that `key` names, if it is alive and visible, and returns the result. Reads under a
    /// pin, or with a guard in a pool that is read by [guards only](crate::pool::GuardsOnly).
    ///
    /// ```
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate_with(|n| *n = 7);
    /// assert_eq!(pool.with(owner.key(), |n| *n), Some(7));
    /// ```
    #[inline]
    pub fn with<R>(&self, key: Key, read: impl FnOnce(&T) -> R) -> Option<R> {
        if H::Readers::BY_PIN {
            let pinned = Pinned::<H::Readers>::new();
            lookup(self.find(key)?, key, &pinned).map(read)
        } else {
            self.guard(key).map(|object| read(&object))
        }
    }

    /// Like [`with`](Self::with), but returns an error that says why there is no object.
    ///
    /// ```
    /// use acedia::Reason;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate_with(|n| *n = 7);
    /// let key = owner.key();
    /// assert_eq!(pool.try_with(key, |n| *n), Ok(7));
    /// drop(owner);
    /// assert_eq!(pool.try_with(key, |n| *n).unwrap_err().reason(), Reason::Freed);
    /// ```
    ///
    /// # Errors
    ///
    /// The life has ended or is hidden, the key belongs to another pool, or it was made up.
    pub fn try_with<R>(&self, key: Key, read: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        self.with(key, read)
            .ok_or_else(|| self.untyped.explain(key, Reason::Hidden))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
