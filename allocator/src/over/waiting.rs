//! Allocation that waits for room in a bounded pool. The pool admits each object and gives its room back once the object is
//! finalized; threads and tasks wait for it in a [`Room`](crate::room::Room).

use std::panic::Location;
use std::time::{Duration, Instant};

use crate::AllocateError;
use crate::pool::{Hooks, Owner, Pool};
use crate::room::block_on;

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// As [`try_allocate`](Self::try_allocate), but waits for capacity in a bounded pool, without a time limit if
    /// `timeout` is `None`.
    ///
    /// Blocks the thread. A thread that waits while it owns all objects in use waits forever.
    ///
    /// ```
    /// use std::time::Duration;
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// assert!(pool.allocate_waiting(Some(Duration::from_millis(1))).is_err());
    /// std::thread::scope(|s| {
    ///     let waiting = s.spawn(|| pool.allocate_waiting(None).is_ok());
    ///     drop(only);
    ///     assert!(waiting.join().unwrap());
    /// });
    /// ```
    ///
    /// # Errors
    ///
    /// As `try_allocate`. [`AllocateError::Full`] comes only after the timeout. In WebAssembly without threads it comes at
    /// once, because no other thread could make room.
    ///
    /// # Panics
    ///
    /// On `wasm32-unknown-unknown` with threads, if there is a timeout and no room: the system has no clock.
    #[track_caller]
    pub fn allocate_waiting(&self, timeout: Option<Duration>) -> Result<Owner<'_, T, H>, AllocateError> {
        /// No other thread could make room, and browsers have no clock.
        const ALONE: bool = cfg!(all(target_family = "wasm", not(target_feature = "atomics")));
        match self.try_allocate() {
            Err(full @ AllocateError::Full { .. }) if !ALONE => {
                // A timeout beyond the clock's range never ends.
                let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
                let admitted = block_on(self.admit_in_turn(), deadline).ok_or(full)??;
                self.allocate_admitted(admitted, Location::caller(), |_| {})
            }
            found => found,
        }
    }

    /// As [`try_allocate`](Self::try_allocate), but waits for room in a bounded pool without blocking the thread.
    ///
    /// The future needs no runtime: an object that is freed only wakes the task. The rules of the wait:
    ///
    /// * *Order.* Tasks, and threads in [`allocate_waiting`](Self::allocate_waiting), wait in one queue: first come, first
    ///   served. A task enters it at the first poll. Room that becomes free passes to the first of the queue at once, so a later
    ///   `try_allocate` does not overtake it.
    /// * *Cancelling.* The future may be dropped at any time. If room has passed to it already, that room passes on.
    /// * *Time.* The wait has no limit of its own: use the timeout of the runtime.
    /// * *Readers.* An object that a thread is still reading keeps its room until the last pin or guard is dropped. That drop
    ///   wakes the task.
    ///
    /// ```
    /// use std::pin::pin;
    /// use std::task::{Context, Poll, Waker};
    /// use acedia::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// let mut cx = Context::from_waker(Waker::noop());
    /// let mut next = pin!(pool.allocate_async());
    /// assert!(next.as_mut().poll(&mut cx).is_pending());
    /// drop(only);
    /// assert!(pool.try_allocate().is_err(), "the room is the task's");
    /// assert!(matches!(next.poll(&mut cx), Poll::Ready(Ok(_))));
    /// ```
    ///
    /// # Errors
    ///
    /// As `try_allocate`, but never [`AllocateError::Full`].
    ///
    /// # Panics
    ///
    /// If the hooks do. A panic of a waker is counted in [`Stats::panics`](crate::pool::Stats::panics).
    ///
    /// # Cost
    ///
    /// That of `try_allocate` if there is room. Otherwise an entry in a tree under a lock for each task that waits. While objects
    /// wait for pins, entering the queue interrupts every running thread for a moment (`membarrier`), and so does a free.
    #[track_caller]
    #[doc(alias = "acquire")]
    pub fn allocate_async(&self) -> impl Future<Output = Result<Owner<'_, T, H>, AllocateError>> {
        self.allocate_async_at(Location::caller(), |_| {})
    }

    /// As [`allocate_async`](Self::allocate_async), and calls `init` on the object before the object is visible to other
    /// threads.
    ///
    /// # Errors
    ///
    /// As there; `init` has not been called.
    ///
    /// # Panics
    ///
    /// As there, and if `init` panics.
    #[track_caller]
    pub fn allocate_async_with(
        &self,
        init: impl FnOnce(&mut T),
    ) -> impl Future<Output = Result<Owner<'_, T, H>, AllocateError>> {
        self.allocate_async_at(Location::caller(), init)
    }

    /// As [`allocate_async_with`](Self::allocate_async_with). An `async fn` does not know its caller's `place`.
    pub(crate) async fn allocate_async_at(
        &self,
        place: &'static Location<'static>,
        init: impl FnOnce(&mut T),
    ) -> Result<Owner<'_, T, H>, AllocateError> {
        let admitted = self.admit_in_turn().await?;
        self.allocate_admitted(admitted, place, init)
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
