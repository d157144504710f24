//! [`Held`]: the number of a pool's freed objects that wait for readers, and the list of these numbers of all pools.
//!
//! The number is a value of its own, so that a report of all pools keeps none of them: the last owner of a pool ends it, and runs
//! user code.

use crate::AllocateError;
use crate::pool::depot::depot::Depot;
use crate::pool::memory::shape::{About, Shape};
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::reading::pins::Pins;
use crate::sync::plain::{AtomicU64, Mutex, Ordering};

/// The numbers of all pools.
static ALL: Mutex<All> = Mutex::new(All {
    list: Vec::new(),
    ended: 0,
});

struct All {
    list: Vec<WeakShared<Held>>,
    /// Of the list, those whose pools have ended. They are removed when they are half of it.
    ended: usize,
}

impl All {
    fn remove_ended(&mut self) {
        self.list.retain(|one| !one.has_ended());
        self.list.shrink_to(2 * self.list.len());
        self.ended = 0;
    }
}

/// The freed objects of one pool that wait for pins or for their last guard.
pub(in crate::pool) struct Held {
    pub(in crate::pool) shape: &'static Shape,
    /// The value that `Hooks::about` returned.
    pub(in crate::pool) about: About,
    count: AtomicU64,
}

impl Held {
    /// The record of a new pool, which is in the list from now on.
    pub(in crate::pool) fn enter(shape: &'static Shape, about: About) -> Result<Shared<Self>, AllocateError> {
        let no_memory = |bytes| shape.no_memory(bytes);
        let held = Shared::try_new(|| Self {
            shape,
            about,
            count: AtomicU64::new(0),
        });
        let held = held.ok_or_else(|| no_memory(size_of::<Self>()))?;
        // A model makes no report, and its counts end with each execution.
        if cfg!(acedia_loom) {
            return Ok(held);
        }
        let mut all = ALL.lock();
        let reserved = all.list.try_reserve(1);
        if reserved.is_ok() {
            all.list.push(held.downgrade());
        }
        // Before the drop of `held`, which takes it.
        drop(all);
        reserved.map_err(|_| no_memory(size_of::<WeakShared<Self>>()))?;
        Ok(held)
    }

    /// The number of objects. Relaxed, here and below: it orders nothing.
    #[inline]
    pub(in crate::pool) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    #[inline]
    pub(in crate::pool) fn add(&self, objects: u64) {
        self.count.fetch_add(objects, Ordering::Relaxed);
    }

    #[inline]
    pub(in crate::pool) fn remove(&self, objects: u64) {
        self.count.fetch_sub(objects, Ordering::Relaxed);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // As in `enter`.
        if cfg!(acedia_loom) {
            return;
        }
        let mut all = ALL.lock();
        all.ended += 1;
        if 2 * all.ended >= all.list.len() {
            all.remove_ended();
        }
    }
}

/// The freed objects of a pool that wait for readers, for reports above the engine.
pub(crate) struct Holding {
    pub(crate) about: About,
    pub(crate) name: &'static str,
    pub(crate) objects: u64,
    pub(crate) bytes: u64,
    /// The pins of the pool's domain.
    pub(crate) pins: &'static Pins,
}

/// The pools in which objects wait for readers.
pub(crate) fn holding() -> Vec<Holding> {
    // Without the lock from here on.
    let all: Vec<_> = ALL.lock().list.iter().filter_map(WeakShared::upgrade).collect();
    let waiting = all
        .iter()
        .map(|held| (held, held.count()))
        .filter(|&(_, objects)| objects > 0);
    let found = waiting.map(|(held, objects)| Holding {
        about: held.about,
        name: (held.shape.name)(),
        objects,
        bytes: objects * held.shape.stride as u64,
        pins: (held.shape.pins)(),
    });
    found.collect()
}

/// The most freed objects of a pool that may wait for readers while the pool makes more objects.
#[derive(Clone, Copy)]
pub(in crate::pool) struct MostWaiting {
    most: usize,
    /// The error for an allocation that would make another object while too many wait. A pointer, so that only programs with such a limit
    /// have the code that finds the oldest pin.
    error: fn(&Depot, usize) -> AllocateError,
}

impl MostWaiting {
    pub(in crate::pool) const fn new(most: usize) -> Self {
        let error = Depot::held_back;
        Self { most, error }
    }

    pub(in crate::pool) fn error(self, depot: &Depot) -> AllocateError {
        (self.error)(depot, self.most)
    }
}

impl Depot {
    /// The limit, if more freed objects wait for readers than it allows.
    #[inline]
    pub(in crate::pool) fn exceeded(&self) -> Option<MostWaiting> {
        self.most_waiting.filter(|limit| self.held.count() > limit.most as u64)
    }

    /// Whether more freed objects wait for readers than the pool allows.
    #[inline]
    pub(in crate::pool) fn holds_too_many(&self) -> bool {
        self.exceeded().is_some()
    }

    fn held_back(&self, most: usize) -> AllocateError {
        AllocateError::HeldBack {
            type_name: (self.shape.name)(),
            waiting: self.held.count(),
            most,
            pin: self.pins.oldest_pin().map(Box::new),
        }
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use super::ALL;
    use crate::pool::Pool;

    #[test]
    fn the_list_forgets_pools_that_have_ended() {
        // Each takes 128 KiB of address space, of which 32 bits have little.
        let pools: Vec<_> = (0..2_000).map(|_| Pool::<u16>::new()).collect();
        for pool in &pools {
            drop(pool.allocate());
        }
        drop(pools);
        // Other tests have a few pools.
        assert!(ALL.lock().list.len() < 1_000);
    }
}
