//! [`Room`]: the number of objects in use of a bounded pool, and the queue of the threads and tasks that wait for room. It knows
//! nothing of pools, which keep it under a lock of theirs ([`HasRoom`]).
//!
//! ```text
//! enters:  in use < most? → in use += 1        leaves:  a queue? → its first has the room, and is woken
//!                           else queue                          else in use -= 1
//! ```
//!
//! Room passes to the first of the queue in one step. So a pool with a queue is full, and no later
//! caller overtakes the queue.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use crate::sync::{Condvar, Mutex};

/// The objects in use of a pool, and who waits for one of them to end.
#[derive(Default)]
pub(crate) struct Room {
    in_use: usize,
    /// The wakers of the places from `gone + 1` on. `None` for a place that was given up; the first one is never `None`.
    queue: VecDeque<Option<Waker>>,
    /// The number of places that have left the queue at its head.
    gone: u64,
}

/// A pool with a limit of objects in use.
pub(crate) trait HasRoom {
    /// Calls `step` with the room, which no other thread changes meanwhile. `step` clones, wakes and drops no waker, because wakers are user
    /// code.
    fn with_room<R>(&self, step: impl FnOnce(&mut Room) -> R) -> R;

    /// Wakes the first of the queue, which has got room.
    fn wake(&self, waker: Waker);
}

impl Room {
    fn waker(&mut self, place: u64) -> Option<&mut Option<Waker>> {
        let at = place.checked_sub(self.gone + 1)?;
        self.queue.get_mut(usize::try_from(at).ok()?)
    }

    /// Removes the places at the head that were given up.
    fn advance(&mut self) {
        while self.queue.front().is_some_and(Option::is_none) {
            self.queue.pop_front();
            self.gone += 1;
        }
    }
}

impl Room {
    /// Counts an object in. `false` if `most` are in use.
    #[must_use]
    pub(crate) fn try_enter(&mut self, most: usize) -> bool {
        let has_room = self.in_use < most;
        self.in_use += usize::from(has_room);
        has_room
    }

    /// Like [`try_enter`](Self::try_enter), but takes the last place of the queue with `waker`, and returns it, if there is no room.
    fn enter_or_queue(&mut self, most: usize, waker: &mut Option<Waker>) -> Result<(), u64> {
        if self.try_enter(most) {
            return Ok(());
        }
        self.queue.push_back(waker.take());
        Err(self.gone + self.queue.len() as u64)
    }

    /// Whether a place in the queue has got its room. If not, `waker` is exchanged for the place's former one, and will be woken.
    fn has_come(&mut self, place: u64, waker: &mut Option<Waker>) -> bool {
        self.waker(place).map(|known| mem::swap(known, waker)).is_none()
    }

    /// Gives up a place in the queue, and returns its waker. `None` if its room had come: the caller then [leaves](Self::leave).
    fn give_up(&mut self, place: u64) -> Option<Waker> {
        let waker = self.waker(place).and_then(Option::take);
        self.advance();
        waker
    }

    /// Whether there is a queue.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Counts an object out, or passes its room to the first of the queue, which the caller wakes.
    #[must_use]
    pub(crate) fn leave(&mut self) -> Option<Waker> {
        let first = self.queue.pop_front();
        if first.is_some() {
            self.gone += 1;
            self.advance();
        } else {
            self.in_use -= 1;
        }
        first.flatten()
    }
}

/// Waits for room for one of `most` objects in the queue without blocking. Calls `queued` after it has entered the queue. A future that is
/// dropped leaves the queue. If it has received room, it passes the room on.
pub(crate) async fn enter_in_turn<P: HasRoom>(pool: &P, most: usize, queued: impl Fn()) {
    let mut place: Option<Queued<'_, P>> = None;
    poll_fn(|context| {
        let mut waker = Some(context.waker().clone());
        match &place {
            None => match pool.with_room(|room| room.enter_or_queue(most, &mut waker)) {
                Ok(()) => Poll::Ready(()),
                Err(number) => {
                    place = Some(Queued { pool, number });
                    queued();
                    Poll::Pending
                }
            },
            Some(queued) if pool.with_room(|room| room.has_come(queued.number, &mut waker)) => {
                mem::forget(place.take());
                Poll::Ready(())
            }
            Some(_) => Poll::Pending,
        }
    })
    .await;
}

/// A place in the queue. It passes its room on if it is dropped.
struct Queued<'a, P: HasRoom> {
    pool: &'a P,
    number: u64,
}

impl<P: HasRoom> Drop for Queued<'_, P> {
    fn drop(&mut self) {
        if self.pool.with_room(|room| room.give_up(self.number)).is_none() {
            if let Some(waker) = self.pool.with_room(Room::leave) {
                self.pool.wake(waker);
            }
        }
    }
}

/// Blocks the thread until the future is ready. `None` if the time is over.
#[cold]
pub(crate) fn block_on<R>(future: impl Future<Output = R>, deadline: Option<Instant>) -> Option<R> {
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

#[cfg(all(test, not(acedia_loom)))]
mod tests;
