//! The living objects of a pool on several threads, with rayon.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::pool::{Domain, Handle, Hooks, Pinned, Pool};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Like [`iter`](Self::iter), but on the threads of rayon, all of which read under this thread's pin. Like `iter`, it skips
    /// objects that never had a handle. Needs the feature `rayon`.
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
    /// Costs as much as [`iter`](Self::iter), divided among the threads. rayon also splits the slots of a chunk, so even a few
    /// objects with much work each are shared among threads.
    pub fn par_iter<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> impl ParallelIterator<Item = (Handle<T>, &'g T)>
    where
        H::Readers: Domain,
    {
        self.parts(pinned).into_par_iter().flat_map(|part| {
            (0..part.slots())
                .into_par_iter()
                .filter_map(move |place| part.get(place))
        })
    }
}
