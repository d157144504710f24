//! The end of many objects of a pool at once: `retain`, `clear`, `drain`.

use std::marker::PhantomData;

use crate::panics::drop_all;
use crate::pool::{Handle, Handles, Hooks, Owned, Pool};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees each [manual](crate::pool::Owned::into_manual) object for which `keep` returns `false`.
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let mut pool: Pool<u64> = Pool::new();
    /// for number in 0..10 {
    ///     let _ = pool.allocate_with(|n| *n = number).into_manual();
    /// }
    /// pool.retain(|_, n| *n % 2 == 0);
    /// assert_eq!(pool.drain().map(|owner| *owner).sum::<u64>(), 20);
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    ///
    /// # Panics
    ///
    /// If `keep` or a finalizer panics. The remaining objects stay.
    pub fn retain(&mut self, keep: impl FnMut(Handle<T>, &mut T) -> bool) {
        self.visit_mut(keep);
    }

    /// Frees all [manual](crate::pool::Owned::into_manual) objects. There are no others, because the owners of other
    /// objects would borrow the pool.
    ///
    /// # Panics
    ///
    /// See [`retain`](Self::retain).
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Removes all [manual](crate::pool::Owned::into_manual) objects, and returns an owner of each. The object's handles are stale
    /// from then on. Dropping the iterator frees the objects that it has not returned.
    ///
    /// # Panics
    ///
    /// Dropping an owner or the iterator panics if the finalizer or the drop of an object panics.
    pub fn drain(&mut self) -> impl Iterator<Item = Owned<T, &Self>> {
        Drain {
            handles: self.untyped.handles(),
            objects: PhantomData,
        }
    }
}

/// The iterator of [`Pool::drain`], which has borrowed the pool mutably.
struct Drain<'p, T: Send + Sync + 'static, H: Hooks<T>> {
    handles: Handles<'p>,
    objects: PhantomData<&'p mut Pool<T, H>>,
}

impl<'p, T: Send + Sync + 'static, H: Hooks<T>> Iterator for Drain<'p, T, H> {
    type Item = Owned<T, &'p Pool<T, H>>;

    fn next(&mut self) -> Option<Owned<T, &'p Pool<T, H>>> {
        Pool::take_next_alone(&mut self.handles)
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Drop for Drain<'_, T, H> {
    fn drop(&mut self) {
        drop_all(self);
    }
}
