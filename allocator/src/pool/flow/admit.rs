//! Room for an object in a bounded pool.
//!
//! Objects that wait for a pin keep their room, and the end of the pin finishes them. While a pool has a queue, no such end is
//! missed: see [`pins::fence_ends_of_pins`].

use std::task::Waker;

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::flow::place::Admitted;
use crate::pool::reading::pins;

impl Depot {
    /// Room for an object.
    pub(in crate::pool) fn admit(&self) -> Result<Admitted<'_>, AllocateError> {
        let entered = self.room.try_enter().or_else(|_| {
            // Objects whose readers have left do not count against the capacity.
            self.drain_limbo();
            self.room.try_enter()
        });
        entered
            .map(|()| Admitted(self))
            .map_err(|capacity| AllocateError::Full {
                type_name: (self.shape.type_name)(),
                capacity,
            })
    }

    /// Like [`admit`](Self::admit), but waits for room without blocking. Dropped at any time, the future leaves the queue.
    pub(in crate::pool) async fn admit_in_turn(&self) -> Admitted<'_> {
        if let Ok(admitted) = self.admit() {
            return admitted;
        }
        let wake = |waker: Waker| self.contained(|| waker.wake());
        self.room.enter_in_turn(|| self.drain_before_wait(), wake).await;
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
