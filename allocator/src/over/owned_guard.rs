//! [`OwnedGuard`]: a guard that keeps its pool alive.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::AccessError;
use crate::pool::{Guard, Handle, Hooks, Pool, Readers, Values};

/// A [`Guard`] that keeps its pool alive, for tasks that outlive the scope of the pool. `W` is the holder of the pool: the pool
/// itself, or a type that contains the pool.
///
/// ```
/// use std::sync::Arc;
/// use acedia::pool::Pool;
///
/// let pool: Arc<Pool<u64>> = Arc::new(Pool::new());
/// let handle = pool.allocate_with(|n| *n = 7).into_manual();
/// let guard = pool.guard_owned(handle).unwrap();
/// drop(pool);
/// let read = std::thread::spawn(move || *guard).join().unwrap();
/// assert_eq!(read, 7);
/// ```
pub struct OwnedGuard<T: 'static, W: ?Sized + 'static = Pool<T>> {
    // Dropped in this order.
    guard: Guard<T, ()>,
    holder: Arc<W>,
}

impl<T: Send + Sync, W: ?Sized> OwnedGuard<T, W> {
    /// Guards the object that `handle` names in a pool of `holder`, and keeps `holder` alive. `None` if the life has ended.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use acedia::pool::{OwnedGuard, Pool};
    ///
    /// #[derive(Default)]
    /// struct World {
    ///     pawns: Pool<String>,
    ///     shots: Pool<u64>,
    /// }
    ///
    /// let world = Arc::new(World::default());
    /// let handle = world.pawns.allocate_with(|pawn| pawn.push_str("orc")).into_manual();
    /// let guard: OwnedGuard<String, World> =
    ///     OwnedGuard::new(&world, |world| &world.pawns, handle).unwrap();
    /// drop(world);
    /// let reader = std::thread::spawn(move || (guard.len(), guard.holder().shots.stats().live));
    /// assert_eq!(reader.join().unwrap(), (3, 0));
    /// ```
    ///
    /// The holder may be any type that keeps the pool alive, even a trait object: `Arc<dyn World>`, with a method that
    /// returns the pool.
    ///
    /// # Cost
    ///
    /// Costs as much as a guard plus a clone of the `Arc`.
    #[must_use]
    pub fn new<H: Hooks<T>>(holder: &Arc<W>, pool: impl FnOnce(&W) -> &Pool<T, H>, handle: Handle<T>) -> Option<Self> {
        Self::begin(holder, pool(holder), handle).ok()
    }

    /// Like [`new`](Self::new), but returns an error that says why there is no object.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use acedia::Reason;
    /// use acedia::pool::{OwnedGuard, Pool};
    ///
    /// let pools: Arc<[Pool<u64>; 2]> = Arc::new(Default::default());
    /// let handle = pools[0].allocate().into_manual();
    /// assert!(OwnedGuard::try_new(&pools, |pools| &pools[0], handle).is_ok());
    /// let error = OwnedGuard::try_new(&pools, |pools| &pools[1], handle).unwrap_err();
    /// assert_eq!(error.reason(), Reason::Foreign);
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Pool::try_with`].
    pub fn try_new<H: Hooks<T>>(
        holder: &Arc<W>,
        pool: impl FnOnce(&W) -> &Pool<T, H>,
        handle: Handle<T>,
    ) -> Result<Self, AccessError> {
        Self::begin(holder, pool(holder), handle)
    }

    /// `pool` was found by a function of `&W` alone, so `holder` keeps it alive.
    fn begin<H: Hooks<T>>(holder: &Arc<W>, pool: &Pool<T, H>, handle: Handle<T>) -> Result<Self, AccessError> {
        // `'static` stands for the life of `holder`, which is dropped after the guard. While there is an `Arc` of it, no code has
        // `&mut W`, so a pool that `&W` gave stays. `W` borrows nothing, so the pool does not end before it.
        Ok(Self {
            guard: pool.guard_unbound(handle.key())?,
            holder: Arc::clone(holder),
        })
    }

    /// Same as [`Guard::handle`].
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        self.guard.handle()
    }

    /// The holder of the pool, which the guard keeps alive.
    #[must_use]
    pub fn holder(&self) -> &Arc<W> {
        &self.holder
    }
}

impl<T, W: ?Sized> Deref for OwnedGuard<T, W> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.guard
    }
}

impl<T, W: ?Sized> Clone for OwnedGuard<T, W> {
    /// Creates another guard of the same object, as cloning a [`Guard`] does.
    fn clone(&self) -> Self {
        Self {
            guard: self.guard.clone(),
            holder: Arc::clone(&self.holder),
        }
    }
}

impl<T: fmt::Debug, W: ?Sized> fmt::Debug for OwnedGuard<T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnedGuard").field(&**self).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Like [`guard`](Self::guard), but the guard also keeps the pool alive. If the pool is inside another type, use
    /// [`OwnedGuard::new`].
    #[must_use]
    pub fn guard_owned(self: &Arc<Self>, handle: Handle<T>) -> Option<OwnedGuard<T, Self>> {
        OwnedGuard::new(self, |pool| pool, handle)
    }
}

impl<T: Send + Sync + 'static, D: Readers> Values<T, D> {
    /// Same as [`Pool::guard_owned`].
    #[must_use]
    pub fn guard_owned(self: &Arc<Self>, handle: Handle<T>) -> Option<OwnedGuard<T, Self>> {
        OwnedGuard::new(self, |values| values, handle)
    }
}
