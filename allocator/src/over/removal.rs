//! The end of many objects of a pool at once: `retain`, `clear`, `drain`.

use crate::pool::{Hooks, Key, Owner, Pool};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees each [manual](crate::pool::Owner::into_manual) object for which `keep` returns `false`.
    ///
    /// ```
    /// use acedia::pool::Pool;
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
    pub fn retain(&mut self, keep: impl FnMut(Key, &mut T) -> bool) {
        self.visit_mut(keep);
    }

    /// Frees all [manual](crate::pool::Owner::into_manual) objects. There are no others, because the owners of other
    /// objects would borrow the pool.
    ///
    /// # Panics
    ///
    /// See [`retain`](Self::retain).
    pub fn clear(&mut self) {
        self.retain(|_, _| false);
    }

    /// Makes an owner for each [manual](crate::pool::Owner::into_manual) object. Objects that the iterator does not reach
    /// stay manual.
    ///
    /// # Panics
    ///
    /// The drop of an owner panics if the finalizer or the drop of its object does. The iterator itself does not panic.
    pub fn drain(&mut self) -> impl Iterator<Item = Owner<'_, T, H>> {
        self.keys().filter_map(|key| self.reclaim(key).ok())
    }
}
