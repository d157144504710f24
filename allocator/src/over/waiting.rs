//! Allocation that waits for capacity in a bounded pool. The pool admits each object, and frees its capacity once the
//! object is finalized. Threads and tasks wait for capacity in a [`Room`](crate::room::Room).

use std::panic::Location;
use std::time::{Duration, Instant};

use crate::AllocateError;
use crate::pool::{Hooks, Owner, Pool};
use crate::room::block_on;

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Like [`try_allocate`](Self::try_allocate), but waits for capacity in a bounded pool, without a time limit if
    /// `timeout` is `None`.
    ///
    /// Blocks the thread. If the waiting thread itself owns all objects in use, it waits forever.
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
    /// Like `try_allocate`, but [`AllocateError::Full`] only after the timeout. In WebAssembly without threads this error
    /// is returned at once, because no other thread could free an object.
    ///
    /// # Panics
    ///
    /// On `wasm32-unknown-unknown` with threads, if there is a timeout and no capacity, because the system has no
    /// clock.
    #[track_caller]
    pub fn allocate_waiting(&self, timeout: Option<Duration>) -> Result<Owner<'_, T, H>, AllocateError> {
        self.allocate_waiting_with(timeout, |_| {})
    }

    /// Like [`allocate_waiting`](Self::allocate_waiting), but also calls `init` once, before other threads can see the object.
    #[track_caller]
    pub(crate) fn allocate_waiting_with(
        &self,
        timeout: Option<Duration>,
        mut init: impl FnMut(&mut T),
    ) -> Result<Owner<'_, T, H>, AllocateError> {
        /// No other thread could free an object, and browsers have no clock.
        const ALONE: bool = cfg!(all(target_family = "wasm", not(target_feature = "atomics")));
        match self.try_allocate_with(&mut init) {
            Err(full @ AllocateError::Full { .. }) if !ALONE => {
                // A timeout beyond the clock's range never ends.
                let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
                let admitted = block_on(self.admit_in_turn(), deadline).ok_or(full)??;
                self.allocate_admitted(admitted, Location::caller(), init)
            }
            found => found,
        }
    }

    /// Like [`try_allocate`](Self::try_allocate), but waits for capacity in a bounded pool without blocking the thread.
    ///
    /// The future works with any runtime and without one, because a freed object only wakes the task. These are the
    /// rules of the wait:
    ///
    /// * *Order.* Tasks, and threads in [`allocate_waiting`](Self::allocate_waiting), wait in one queue: first come, first
    ///   served. A task enters the queue at its first poll. Capacity that becomes free passes at once to the first in the queue,
    ///   so a later `try_allocate` cannot overtake it.
    /// * *Cancelling.* The future may be dropped at any time. If it has received capacity, it passes the capacity to
    ///   the next in the queue.
    /// * *Time.* The wait has no time limit. Use the timeout of the runtime.
    /// * *Readers.* An object that a thread is still reading occupies its capacity until the last pin or guard is dropped.
    ///   That drop wakes the task.
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
    /// Like `try_allocate`, but never [`AllocateError::Full`].
    ///
    /// # Panics
    ///
    /// If the hooks panic. A panic of a waker is counted in [`Stats::panics`](crate::pool::Stats::panics).
    ///
    /// # Cost
    ///
    /// Costs as much as `try_allocate` if there is capacity. Otherwise each waiting task makes one entry in a tree under a
    /// lock. While objects wait for pins, each entry and each free interrupts every running thread for a moment (`membarrier`).
    #[track_caller]
    #[doc(alias = "acquire")]
    pub fn allocate_async(&self) -> impl Future<Output = Result<Owner<'_, T, H>, AllocateError>> {
        self.allocate_async_at(Location::caller(), |_| {})
    }

    /// Like [`allocate_async`](Self::allocate_async), but also calls `init` on the object before other threads can see it.
    ///
    /// ```
    /// use acedia::pool::Pool;
    /// use std::pin::pin;
    /// use std::task::{Context, Poll, Waker};
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// let mut cx = Context::from_waker(Waker::noop());
    /// let mut next = pin!(pool.allocate_async_with(|number| *number = 7));
    /// assert!(next.as_mut().poll(&mut cx).is_pending());
    /// drop(only);
    /// let Poll::Ready(Ok(owner)) = next.poll(&mut cx) else { panic!("there is capacity") };
    /// assert_eq!(*owner, 7);
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`allocate_async`](Self::allocate_async). In that case, `init` has not been called.
    ///
    /// # Panics
    ///
    /// Like [`allocate_async`](Self::allocate_async), and also if `init` panics.
    #[track_caller]
    pub fn allocate_async_with(
        &self,
        init: impl FnOnce(&mut T),
    ) -> impl Future<Output = Result<Owner<'_, T, H>, AllocateError>> {
        self.allocate_async_at(Location::caller(), init)
    }

    /// Like [`allocate_async_with`](Self::allocate_async_with), but with the caller's `place`, which an `async fn` does not
    /// know.
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
