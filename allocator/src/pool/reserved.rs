//! [`Reserved`]: a place with a key, whose object comes later.

use std::fmt;
use std::marker::PhantomData;

use super::hooks::{Hooks, Plain};
use super::settle::Abandon;
use super::slot::Slot;
use super::{Key, Owner, Pool};

/// A slot whose key is known before its object can be seen, so that objects can refer to each other from the start.
///
/// Until it is filled the key leads to nothing ([`Reason::Hidden`](crate::Reason::Hidden)). If it is dropped instead, the
/// key never leads to anything.
///
/// ```
/// use acedia_allocator::pool::{Key, Pool, pin};
///
/// #[derive(Default)]
/// struct Node { next: Option<Key> }
/// let pool: Pool<Node> = Pool::new();
/// let (a, b) = (pool.reserve(), pool.reserve());
/// let (key_a, key_b) = (a.key(), b.key());
/// let a = a.fill(|node| node.next = Some(key_b));
/// let b = b.fill(|node| node.next = Some(key_a));
/// assert_eq!(pool.get(a.next.unwrap(), &pin()).unwrap().next, Some(a.key()));
/// ```
#[must_use = "a reservation that is dropped gives its slot back"]
pub struct Reserved<'p, T: 'static, H: Hooks<T> = Plain> {
    slot: Slot,
    pool: PhantomData<&'p Pool<T, H>>,
}

// SAFETY: filling runs the hooks on `&mut T` and gives an owner; dropping may drop the `T`. As for `Owner`.
unsafe impl<T: Send + Sync, H: Hooks<T>> Send for Reserved<'_, T, H> {}
// SAFETY: shared, it only tells its key.
unsafe impl<T: Send + Sync, H: Hooks<T>> Sync for Reserved<'_, T, H> {}

impl<'p, T, H: Hooks<T>> Reserved<'p, T, H> {
    /// # Safety
    /// The caller gives up the ownership of the slot, whose object a pool of `T` and `H` made.
    pub(super) unsafe fn from_slot(slot: Slot) -> Self {
        Self {
            slot,
            pool: PhantomData,
        }
    }

    /// The key that the object will have.
    #[must_use]
    pub fn key(&self) -> Key {
        self.slot.life().key()
    }

    /// Begins the object's life, lets `fill` change it, and makes it visible.
    ///
    /// # Panics
    ///
    /// If the hooks or `fill` do. The slot is given back, and the key never leads to anything.
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owner<'p, T, H> {
        let slot = self.slot;
        std::mem::forget(self);
        let abandon = (SkipLife(slot), Abandon(slot));
        // SAFETY: nobody else knows how to reach the object: its life is not visible.
        let object = unsafe { slot.object().as_mut() };
        H::begin(object);
        fill(object);
        std::mem::forget(abandon);
        slot.life().expose();
        // SAFETY: the reservation's ownership passes on.
        unsafe { Owner::from_slot(slot) }
    }
}

/// A key was given out for the slot's next life, which will not take place.
struct SkipLife(Slot);

impl Drop for SkipLife {
    fn drop(&mut self) {
        self.0.life().skip();
    }
}

impl<T, H: Hooks<T>> Drop for Reserved<'_, T, H> {
    fn drop(&mut self) {
        drop(SkipLife(self.slot));
        // Nothing ran on the object, and nobody saw it: it goes back as it is.
        super::thread::with(|thread| {
            let depot = self.slot.depot();
            let local = thread.local(depot.tag);
            depot.place(self.slot, local);
        });
    }
}

impl<T, H: Hooks<T>> fmt::Debug for Reserved<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.key()).finish()
    }
}
