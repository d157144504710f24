//! Room for an object in a bounded pool.
//!
//! Objects that wait for a pin keep their room, and the end of the pin finishes them. While a pool has a queue, no such end is
//! missed: see [`pins::fence_ends_of_pins`].

use std::task::Waker;

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::flow::place::Admitted;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins;
use crate::room::{self, HasRoom, Room};

impl HasRoom for Depot {
    fn with_room<R>(&self, step: impl FnOnce(&mut Room) -> R) -> R {
        step(&mut self.locked.lock().room)
    }

    fn wake(&self, waker: Waker) {
        self.contained(|| waker.wake());
    }
}

impl Depot {
    /// Room for an object, and in the same step a slot that a bounded pool keeps, if `reuse` asks for one and no object waits.
    pub(in crate::pool) fn admit(&self, reuse: bool) -> Result<(Admitted<'_>, Option<Slot>), AllocateError> {
        let Some(most) = self.bound else {
            return Ok((Admitted(self), None));
        };
        let mut locked = self.locked.lock();
        if !locked.room.try_enter(most) {
            drop(locked);
            // Objects whose readers have left do not count against the capacity.
            self.drain_limbo();
            locked = self.locked.lock();
            if !locked.room.try_enter(most) {
                return Err(AllocateError::Full {
                    type_name: (self.shape.name)(),
                    capacity: most,
                });
            }
        }
        let kept = (reuse && self.limbo.is_empty()).then(|| locked.kept.pop()).flatten();
        Ok((Admitted(self), kept.map(Slot::of_own)))
    }

    /// Like [`admit`](Self::admit), but waits for room without blocking. Dropped at any time, the future leaves the queue.
    pub(in crate::pool) async fn admit_in_turn(&self) -> Admitted<'_> {
        if let Ok((admitted, _)) = self.admit(false) {
            return admitted;
        }
        if let Some(most) = self.bound {
            room::enter_in_turn(self, most, || self.drain_before_wait()).await;
        }
        Admitted(self)
    }

    /// Finishes the objects of a pool with a queue whose pins have ended. The ends of the other pins find the pool.
    fn drain_before_wait(&self) {
        if !self.limbo.is_empty() {
            pins::fence_ends_of_pins();
            self.drain_limbo();
        }
    }
}
