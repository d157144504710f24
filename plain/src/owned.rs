//! [`PlainOwned`]: the right to set a value and to free it.

use std::fmt;

use crate::Plain;
use crate::handle::PlainHandle;
use crate::pool::PlainPool;
use crate::slot::{Slot, Spare};

/// Owns an object of a [`PlainPool`]: it sets the value, and frees the object when it is dropped. An object has one owner, or
/// none. To let several threads set one value, put the owner into a `Mutex`; loads do not wait for it.
///
/// ```
/// use acedia_plain::PlainPool;
/// use std::sync::Mutex;
///
/// let pool: PlainPool<u64> = PlainPool::new();
/// let owner = pool.insert(0);
/// let handle = owner.handle();
/// let owner = Mutex::new(owner);
/// std::thread::scope(|s| {
///     for _ in 0..2 {
///         s.spawn(|| (0..100).for_each(|_| owner.lock().unwrap().update(|n| *n += 1)));
///     }
/// });
/// assert_eq!(pool.load(handle), Some(200));
/// ```
pub struct PlainOwned<'p, T: Plain> {
    pool: &'p PlainPool<T>,
    slot: Slot<'p, T>,
    spare: Spare<'p, T>,
}

impl<'p, T: Plain> PlainOwned<'p, T> {
    /// The slot passes to the owner.
    #[inline]
    pub(crate) fn new(pool: &'p PlainPool<T>, slot: Slot<'p, T>, local: u32) -> Self {
        let spare = slot.spare(local);
        Self { pool, slot, spare }
    }

    /// The handle of the object.
    #[inline]
    #[must_use]
    pub fn handle(&self) -> PlainHandle<T> {
        self.slot.own_handle()
    }

    /// A copy of the value.
    #[inline]
    #[must_use]
    #[doc(alias = "get")]
    pub fn load(&self) -> T {
        self.slot.own(self.spare)
    }

    /// Sets the value, while any number of threads load. Each load returns the old value or the new one. Writes the value twice,
    /// and executes no atomic read-modify-write.
    #[inline]
    pub fn set(&mut self, value: T) {
        self.slot.set(self.spare, &value);
    }

    /// Changes the value with a function, while any number of threads load. The function gets a copy, and runs before the first byte
    /// is written.
    ///
    /// # Panics
    ///
    /// If `change` panics. The value then stays unchanged.
    #[inline]
    pub fn update<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut value = self.load();
        let result = change(&mut value);
        self.slot.set(self.spare, &value);
        result
    }

    /// Changes the values of all owners, in their order, each as [`update`](Self::update) does. For a world that changes most of its
    /// values at each tick.
    ///
    /// Writes each value once, into the place that readers do not use. Insert the values in the order of their updates, which is
    /// then the order of memory. Loads in another order are then a few nanoseconds slower than after a `set`.
    ///
    /// ```
    /// use acedia_plain::{PlainOwned, PlainPool};
    ///
    /// let pool: PlainPool<[f32; 2]> = PlainPool::new();
    /// let mut bodies: Vec<_> = (0..100).map(|_| pool.insert([0.0, 1.0])).collect();
    /// PlainOwned::update_many(&mut bodies, |_, [at, speed]| *at += *speed);
    /// assert!(bodies.iter().all(|body| body.load() == [1.0, 1.0]));
    /// ```
    ///
    /// # Panics
    ///
    /// If `change` panics. The values of earlier owners are then changed, and the other values are not.
    #[inline]
    pub fn update_many(owners: &mut [Self], mut change: impl FnMut(usize, &mut T)) {
        for (nth, Self { slot, spare, .. }) in owners.iter_mut().enumerate() {
            let mut value = slot.own(*spare);
            change(nth, &mut value);
            slot.step(*spare, &value);
        }
    }

    /// Makes this the life with that number, as if all lives before it had ended.
    #[cfg(all(test, not(acedia_loom)))]
    pub(crate) fn skip_lives_to(&self, life: u32) {
        self.slot.skip_lives_to(life);
    }

    /// Lets the object live without an owner, until it is [removed](PlainPool::remove) or [reclaimed](PlainPool::reclaim) by its handle,
    /// or the pool is dropped.
    #[must_use = "the object lives until it is freed by this handle"]
    pub fn into_manual(self) -> PlainHandle<T> {
        let handle = self.handle();
        self.slot.leave();
        std::mem::forget(self);
        handle
    }
}

impl<T: Plain> Drop for PlainOwned<'_, T> {
    /// Frees the object. Waits for no reader.
    #[inline]
    fn drop(&mut self) {
        self.pool.end(self.slot);
    }
}

impl<T: Plain + fmt::Debug> fmt::Debug for PlainOwned<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(f)
    }
}
