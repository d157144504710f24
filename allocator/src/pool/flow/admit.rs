//! Room for an object in a bounded pool, and the wait for it.
//!
//! Threads and tasks wait in one queue, first come, first served. Objects that wait for a pin keep their room, and the end of
//! the pin finishes them. While a pool has a queue, no such end is missed: see [`flags::fence_ends_of_pins`].

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::flow::place::Admitted;
use crate::pool::list::capacity::Wait;
use crate::pool::reading::flags;
use crate::sync::{Condvar, Mutex};

/// A place in the queue for room. It passes its room on if it is dropped.
struct Queued<'a> {
    depot: &'a Depot,
    place: u64,
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        if self.depot.capacity.give_up(self.place) {
            drop(Admitted(self.depot));
        }
    }
}

impl Depot {
    /// Room for an object.
    pub(in crate::pool) fn admit(&self, wait: Wait) -> Result<Admitted<'_>, AllocateError> {
        let full = match self.try_admit() {
            Ok(room) => return Ok(room),
            Err(full) => full,
        };
        let deadline = match wait {
            Wait::Not => return Err(full),
            Wait::Until(deadline) => Some(deadline),
            Wait::ForEver => None,
        };
        block_on(self.admit_async(), deadline).ok_or(full)
    }

    fn try_admit(&self) -> Result<Admitted<'_>, AllocateError> {
        let enter = || self.capacity.try_enter();
        let entered = enter().or_else(|_| {
            // Deferred objects whose readers have left do not count against the capacity.
            self.drain_deferred();
            enter()
        });
        entered
            .map(|()| Admitted(self))
            .map_err(|capacity| AllocateError::Full {
                type_name: (self.shape.type_name)(),
                capacity,
            })
    }

    /// Waits for room without blocking. Dropped at any time, the future leaves the queue.
    pub(in crate::pool) async fn admit_async(&self) -> Admitted<'_> {
        let mut queued: Option<Queued<'_>> = None;
        poll_fn(|context| {
            let mut waker = context.waker().clone();
            match &queued {
                None => match self.capacity.enter_or_queue(waker) {
                    Ok(()) => Poll::Ready(Admitted(self)),
                    Err(place) => {
                        queued = Some(Queued { depot: self, place });
                        self.drain_before_wait();
                        Poll::Pending
                    }
                },
                Some(place) if self.capacity.has_come(place.place, &mut waker) => {
                    std::mem::forget(queued.take());
                    Poll::Ready(Admitted(self))
                }
                Some(_) => Poll::Pending,
            }
        })
        .await
    }

    /// Finishes the objects of a pool with a queue whose pins have ended. The ends of the other pins find the pool.
    fn drain_before_wait(&self) {
        if !self.deferred.is_empty() {
            flags::fence_ends_of_pins();
            self.drain_deferred();
        }
    }
}

/// Blocks the thread until the future is ready. `None` if the time is over.
#[cold]
fn block_on<R>(future: impl Future<Output = R>, deadline: Option<Instant>) -> Option<R> {
    let bell = Arc::new(Bell::new());
    let waker = Waker::from(Arc::clone(&bell));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(result);
        }
        if !bell.wait(deadline) {
            return None;
        }
    }
}

/// Wakes a thread that waits. Not by `thread::park`, which needs `thread::current`: a thread that ends has lost it.
struct Bell {
    rung: Mutex<bool>,
    ring: Condvar,
}

impl Bell {
    fn new() -> Self {
        Self {
            rung: Mutex::new(false),
            ring: Condvar::new(),
        }
    }

    /// Sleeps until the bell rings. `false` if the time is over.
    fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut rung = self.rung.lock();
        while !*rung {
            match deadline {
                #[cfg(not(acedia_loom))]
                Some(deadline) => {
                    let over;
                    (rung, over) = self.ring.wait_until(rung, deadline);
                    if over {
                        return *rung;
                    }
                }
                // In a model, which has no clock, a wait without an end.
                _ => rung = self.ring.wait(rung),
            }
        }
        *rung = false;
        true
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        *self.rung.lock() = true;
        self.ring.notify_one();
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
