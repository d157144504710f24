//! The living objects of a pool on several threads, with rayon.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator};

use crate::pool::{Domain, Handle, Hooks, Pinned, Pool};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Like [`iter`](Self::iter), but on the threads of rayon, all of which read under this thread's pin. Like `iter`, it skips
    /// objects of which no handle was made. Needs the feature `rayon`.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    /// use rayon::prelude::*;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// for number in 0..1000 {
    ///     let _ = pool.allocate_with(|n| *n = number).into_manual();
    /// }
    /// assert_eq!(pool.par_iter(&pin()).map(|(_, n)| *n).sum::<u64>(), 499_500);
    /// ```
    ///
    /// # Cost
    ///
    /// Goes through the pool on this thread, as [`iter`](Self::iter) does, and notes 16 bytes for each object: together about 5 ns an
    /// object (Zen 5, a million objects of 64 bytes). Then the threads share the objects, even if there are few with much work each.
    pub fn par_iter<'g>(
        &'g self,
        pinned: &'g Pinned<H::Readers>,
    ) -> impl IndexedParallelIterator<Item = (Handle<T>, &'g T)>
    where
        H::Readers: Domain,
    {
        self.iter(pinned).collect::<Vec<_>>().into_par_iter()
    }

    /// Like [`iter_mut`](Self::iter_mut), but on the threads of rayon. Needs the feature `rayon`.
    ///
    /// ```
    /// use acedia::Pool;
    /// use rayon::prelude::*;
    ///
    /// let mut pool: Pool<u64> = Pool::new();
    /// for number in 0..10_000 {
    ///     let _ = pool.allocate_with(|n| *n = number).into_manual();
    /// }
    /// pool.par_iter_mut().for_each(|(_, n)| *n *= 2);
    /// assert_eq!(pool.iter_mut().map(|(_, n)| *n).sum::<u64>(), 9_999 * 10_000);
    /// ```
    ///
    /// # Cost
    ///
    /// As [`par_iter`](Self::par_iter).
    pub fn par_iter_mut(&mut self) -> impl IndexedParallelIterator<Item = (Handle<T>, &mut T)> {
        self.iter_mut().collect::<Vec<_>>().into_par_iter()
    }
}
