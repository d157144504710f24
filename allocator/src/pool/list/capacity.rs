//! The number of objects in use of a bounded pool, and the queue for room.
//!
//! ```text
//! enters:  in use < most? → in use += 1        leaves:  a queue? → its first has the room, and is woken
//!                           else queue                          else in use -= 1
//! ```
//!
//! Room passes to the first of the queue under the lock. So a pool with a queue is full, and no later
//! caller overtakes the queue.

use std::collections::VecDeque;
use std::mem;
use std::task::Waker;
use std::time::Instant;

use crate::sync::Mutex;

/// How long to wait for room in a bounded pool.
#[derive(Clone, Copy, Debug)]
pub(in crate::pool) enum Wait {
    Not,
    Until(Instant),
    ForEver,
}

/// A pool's limit of objects in use, if it has one.
pub(in crate::pool) struct Capacity {
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

impl Capacity {
    pub(in crate::pool) fn new(most: Option<usize>) -> Self {
        Self {
            most,
            state: Mutex::new(State::default()),
        }
    }

    /// Counts an object in. Returns the limit if there is no room.
    pub(in crate::pool) fn try_enter(&self) -> Result<(), usize> {
        self.enter(|_| ())
    }

    /// As [`try_enter`](Self::try_enter), but takes the last place of the queue, and returns it, if there is no room.
    pub(in crate::pool) fn enter_or_queue(&self, waker: Waker) -> Result<(), u64> {
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
    pub(in crate::pool) fn has_come(&self, place: u64, waker: &mut Waker) -> bool {
        let mut state = self.state.lock();
        let queued = state.waker(place).and_then(Option::as_mut);
        queued.map(|known| mem::swap(known, waker)).is_none()
    }

    /// Gives up a place in the queue. `true` if its room had come: the caller then [leaves](Self::leave).
    pub(in crate::pool) fn give_up(&self, place: u64) -> bool {
        let mut state = self.state.lock();
        let waker = state.waker(place).and_then(Option::take);
        state.advance();
        drop(state);
        waker.is_none()
    }

    /// Whether there is a queue.
    pub(in crate::pool) fn is_awaited(&self) -> bool {
        self.most.is_some() && !self.state.lock().queue.is_empty()
    }

    /// Counts an object out, or passes its room to the first of the queue, which the caller wakes.
    #[must_use]
    pub(in crate::pool) fn leave(&self) -> Option<Waker> {
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

#[cfg(all(test, not(acedia_loom)))]
mod tests;
