//! [`Room`]: the number of objects in use of a bounded pool, and the queue of the threads and tasks that wait for room. It knows
//! nothing of pools.
//!
//! ```text
//! enters:  in use < most? → in use += 1        leaves:  a queue? → its first has the room, and is woken
//!                           else queue                          else in use -= 1
//! ```
//!
//! Room passes to the first of the queue under the lock. So a pool with a queue is full, and no later
//! caller overtakes the queue.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use crate::sync::{Condvar, Mutex};

/// A pool's limit of objects in use, if it has one.
pub(crate) struct Room {
    most: Option<usize>,
    /// Never held while a waker is cloned, woken or dropped, because wakers are user code.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    in_use: usize,
    /// The wakers of the places from `gone + 1` on. `None` for a place that was given up; the first one is never `None`.
    queue: VecDeque<Option<Waker>>,
    /// The number of places that have left the queue at its head.
    gone: u64,
}

impl State {
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
    pub(crate) fn new(most: Option<usize>) -> Self {
        Self {
            most,
            state: Mutex::new(State::default()),
        }
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.most.is_some()
    }

    /// Counts an object in. Returns the limit if there is no room.
    pub(crate) fn try_enter(&self) -> Result<(), usize> {
        self.enter(|_| ())
    }

    /// Waits for room in the queue without blocking. Calls `queued` after it has entered the queue. A future that is dropped leaves
    /// the queue. If it has received room, it passes the room on, and `wake` gets the waker of the next in the queue.
    pub(crate) async fn enter_in_turn(&self, queued: impl Fn(), wake: impl Fn(Waker)) {
        let mut place: Option<Queued<'_, _>> = None;
        poll_fn(|context| {
            let mut waker = context.waker().clone();
            match &place {
                None => match self.enter_or_queue(waker) {
                    Ok(()) => Poll::Ready(()),
                    Err(number) => {
                        let (room, wake) = (self, &wake);
                        place = Some(Queued { room, number, wake });
                        queued();
                        Poll::Pending
                    }
                },
                Some(queued) if self.has_come(queued.number, &mut waker) => {
                    mem::forget(place.take());
                    Poll::Ready(())
                }
                Some(_) => Poll::Pending,
            }
        })
        .await;
    }

    /// Like [`try_enter`](Self::try_enter), but takes the last place of the queue, and returns it, if there is no room.
    fn enter_or_queue(&self, waker: Waker) -> Result<(), u64> {
        let mut place = 0;
        let entered = self.enter(|state| {
            state.queue.push_back(Some(waker));
            place = state.gone + state.queue.len() as u64;
        });
        entered.map_err(|_| place)
    }

    fn enter(&self, full: impl FnOnce(&mut State)) -> Result<(), usize> {
        let Some(most) = self.most else { return Ok(()) };
        let mut state = self.state.lock();
        if state.in_use < most {
            state.in_use += 1;
            return Ok(());
        }
        full(&mut state);
        Err(most)
    }

    /// Whether a place in the queue has got its room. If not, `waker` is exchanged for the place's former one, and will be woken.
    fn has_come(&self, place: u64, waker: &mut Waker) -> bool {
        let mut state = self.state.lock();
        let queued = state.waker(place).and_then(Option::as_mut);
        queued.map(|known| mem::swap(known, waker)).is_none()
    }

    /// Gives up a place in the queue. `true` if its room had come: the caller then [leaves](Self::leave).
    fn give_up(&self, place: u64) -> bool {
        let mut state = self.state.lock();
        let waker = state.waker(place).and_then(Option::take);
        state.advance();
        drop(state);
        waker.is_none()
    }

    /// Whether there is a queue.
    pub(crate) fn is_awaited(&self) -> bool {
        self.most.is_some() && !self.state.lock().queue.is_empty()
    }

    /// Counts an object out, or passes its room to the first of the queue, which the caller wakes.
    #[must_use]
    pub(crate) fn leave(&self) -> Option<Waker> {
        self.most?;
        let mut state = self.state.lock();
        let first = state.queue.pop_front();
        if first.is_some() {
            state.gone += 1;
            state.advance();
        } else {
            state.in_use -= 1;
        }
        first.flatten()
    }
}

/// A place in the queue. It passes its room on if it is dropped.
struct Queued<'a, W: Fn(Waker)> {
    room: &'a Room,
    number: u64,
    wake: &'a W,
}

impl<W: Fn(Waker)> Drop for Queued<'_, W> {
    fn drop(&mut self) {
        if self.room.give_up(self.number) {
            self.room.leave().into_iter().for_each(self.wake);
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
