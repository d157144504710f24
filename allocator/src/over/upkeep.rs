//! The settings, the statistics and the maintenance of a pool.

use crate::AllocateError;
use crate::pool::{Hooks, Pool, PoolPolicy, Reclaimed, Stats};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Sets how many free objects the pool keeps. Call it before the first object is allocated and the first reader is
    /// made; later it has no effect. [`set_policy`](Self::set_policy) changes the policy of a pool in use.
    #[must_use]
    pub const fn keep(mut self, policy: PoolPolicy) -> Self {
        self.untyped.settings.policy = policy;
        self
    }

    /// Limits the pool to `capacity` objects in use. Call it before the first object is allocated and the first reader is
    /// made.
    ///
    /// Freed objects count as in use until their readers have left. In a bounded pool, each allocation and each free changes a counter
    /// that all threads share: an allocate/free pair takes about 16 ns on a Zen 5, and 2 ns without a bound.
    ///
    /// ```
    /// use acedia::{AllocateError, Pool};
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// assert!(matches!(pool.try_allocate(), Err(AllocateError::Full { capacity: 1, .. })));
    /// drop(only);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    #[must_use]
    pub const fn bounded(mut self, capacity: usize) -> Self {
        self.untyped.settings.bound = Some(capacity);
        self
    }

    /// Bounds the memory that readers hold back: while more than `most` freed objects wait for pins or guards, the pool makes no
    /// new objects. Call it before the first object is allocated and the first reader is made.
    ///
    /// By default there is no such limit: while a thread stays pinned, each allocation makes a new object, because objects
    /// that were freed since the pin cannot be reused. With the limit, an allocation that finds no free object first
    /// finalizes the freed objects whose readers have left. If more than `most` objects still wait ([`Stats::waiting`]), the
    /// allocation fails with [`AllocateError::HeldBack`]. [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads) lists the pins. A
    /// free never fails. The pool checks the limit each time that a thread takes the next 8 to 128 slots for new objects.
    ///
    /// ```
    /// use acedia::{AllocateError, Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new().waiting_at_most(1000);
    /// let pinned = pin(); // this could be a thread that hangs
    /// let refused = loop {
    ///     match pool.try_allocate() {
    ///         Ok(owner) => {
    ///             owner.handle();
    ///             owner.free();
    ///         }
    ///         Err(error) => break error,
    ///     }
    /// };
    /// // 1020 freed objects of u64 are waiting for readers, and the pool allows at most 1000;
    /// // drop pins and guards sooner
    /// assert!(
    ///     matches!(refused, AllocateError::HeldBack { waiting: 1020, most: 1000, .. }),
    ///     "{refused}"
    /// );
    /// drop(pinned);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    ///
    /// # The bound
    ///
    /// The number of objects of the pool never exceeds this sum: the highest number of objects in use, plus `most`, plus 894 for
    /// each thread that uses the pool. A thread keeps at most 766 freed objects for itself (up to 255 of them may wait for
    /// pins without counting towards `most`), and at most 128 slots in which it makes objects without another check. Objects that
    /// [`prewarm`](Self::prewarm) and [`try_allocate_fresh`](Self::pool().try_allocate_fresh) make are not included.
    ///
    /// An allocation can fail even after the last pin has ended, if another thread is putting the objects back at that
    /// moment.
    ///
    /// # Cost
    ///
    /// A free, and an allocation that finds a free object, cost nothing more. An allocation that takes slots for new objects
    /// also loads a counter.
    #[must_use]
    pub const fn waiting_at_most(mut self, most: usize) -> Self {
        self.untyped.settings.most_waiting = Some(most);
        self
    }

    /// Like [`waiting_at_most`](Self::waiting_at_most), but for a class that may have no limit.
    pub(crate) const fn waiting_within(self, most: Option<usize>) -> Self {
        match most {
            Some(most) => self.waiting_at_most(most),
            None => self,
        }
    }

    /// The pool's statistics.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.untyped.stats()
    }

    /// The number of living objects, as exact as [`Stats::live`].
    ///
    /// ```
    /// use acedia::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// assert_eq!(pool.len(), 1);
    /// drop(owner);
    /// assert!(pool.is_empty());
    /// ```
    ///
    /// # Cost
    ///
    /// Loads about ten counters, if no other thread uses the pool: 1.3 ns (Zen 5). Otherwise costs as much as
    /// [`stats`](Self::stats), which takes a lock and adds up the counters of all threads that use the pool.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        usize::try_from(self.untyped.live()).unwrap_or(usize::MAX)
    }

    /// Whether no object is alive: see [`len`](Self::len).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Changes how many free objects are kept. A limit below 4,096 applies at once to the shared free objects and to this thread's.
    /// It applies to another thread's free objects when that thread next allocates from this pool, frees an object of it,
    /// or ends. A higher limit applies to the shared free objects only. Surplus objects are dropped. If a limit below 4,096 falls, the
    /// objects that were freed longest ago are dropped. A pool at its limit drops each freed object.
    ///
    /// A thread that does none of these keeps its free objects, at most 766. Other threads cannot take them, because the
    /// lists of a thread are not synchronized. To drop them, call [`collect`](Self::collect) on that thread.
    ///
    /// # Errors
    ///
    /// The process already has a million pools. Aborts, as `Box` does, if there is no memory for the pool's own records.
    ///
    /// # Panics
    ///
    /// If the drop of a surplus object panics. The first panic continues after everything else is done. A panic of an object that
    /// waited for readers is not passed on.
    pub fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        self.untyped.set_policy(policy)
    }

    /// How many free objects are kept.
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        self.untyped.policy()
    }

    /// Finalizes the freed objects whose readers have left, drops the free objects, and returns the pages without
    /// objects to the operating system. A stale handle still resolves to `None` afterwards.
    ///
    /// The pool keeps the address space of these pages.
    ///
    /// Each other thread keeps its own free objects, at most 766. Freed objects that are still being read stay, too. The
    /// call takes time proportional to the number of slots of the pool. It holds a lock only briefly, so other threads can use the
    /// pool meanwhile.
    ///
    /// # Panics
    ///
    /// If the drop of an object panics. The first panic continues after everything else is done.
    #[doc(alias = "CollectGarbage")]
    #[doc(alias = "Clear")]
    pub fn collect(&self) -> Reclaimed {
        self.untyped.collect()
    }

    /// Finalizes the freed objects whose readers have left, so that they can be reused. Free objects are kept.
    ///
    /// This also happens without this call: at a later allocation, and, for objects with a finalizer, when the last pin or guard
    /// is dropped.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owner = pool.allocate();
    /// let _ = owner.handle();
    /// let pinned = pin();
    /// drop(owner);
    /// drop(pinned);
    /// pool.settle();
    /// assert_eq!((pool.stats().waiting, pool.stats().kept), (0, 1));
    /// ```
    pub fn settle(&self) {
        self.untyped.settle();
    }
}
