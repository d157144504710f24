//! [`Reserved`]: a slot with a key, whose object comes later.

use std::fmt;
use std::marker::PhantomData;

use crate::AllocateError;
use crate::pool::face::hooks::{Hooks, Plain};
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::face::untyped::refuse;
use crate::pool::flow::place::Abandon;
use crate::pool::flow::recycle;
use crate::pool::memory::slot::Slot;
use crate::pool::word::key::Key;

/// A slot whose key is known before its object is visible, so that objects can refer to each other from the start.
///
/// Until the slot is filled, the key leads to nothing ([`Reason::Hidden`](crate::Reason::Hidden)). If the reservation is
/// dropped instead, the key never leads to anything.
///
/// ```
/// use acedia::pool::{Key, Pool, pin};
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
// SAFETY: a shared reference gives only the key.
unsafe impl<T: Send + Sync, H: Hooks<T>> Sync for Reserved<'_, T, H> {}

impl<'p, T, H: Hooks<T>> Reserved<'p, T, H> {
    /// # Safety
    /// The caller gives up the ownership of the slot, whose object a pool of `T` and `H` made.
    pub(in crate::pool) unsafe fn from_slot(slot: Slot) -> Self {
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

    /// Begins the object's life, calls `fill` on the object, and makes it visible.
    ///
    /// # Panics
    ///
    /// If the hooks or `fill` panic. The slot is given back, and the key never leads to anything.
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owner<'p, T, H> {
        let slot = self.slot;
        std::mem::forget(self);
        let abandon = (SkipLife(slot), Abandon(slot));
        // SAFETY: no other reference reaches the object: its life is not visible.
        let object = unsafe { slot.object().as_mut() };
        H::begin(object);
        fill(object);
        std::mem::forget(abandon);
        slot.life().expose();
        // SAFETY: the reservation's ownership passes on.
        unsafe { Owner::from_slot(slot) }
    }
}

/// Skips the slot's next life: its key was issued, but the life never begins.
struct SkipLife(Slot);

impl Drop for SkipLife {
    fn drop(&mut self) {
        self.0.life().skip();
    }
}

impl<T, H: Hooks<T>> Drop for Reserved<'_, T, H> {
    fn drop(&mut self) {
        drop(SkipLife(self.slot));
        // No code ran on the object, and it was never visible: it is returned unchanged.
        recycle::place(self.slot);
    }
}

impl<T, H: Hooks<T>> fmt::Debug for Reserved<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.key()).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Reserves a slot with a key. Its object comes later.
    ///
    /// # Errors
    ///
    /// As [`try_allocate`](Self::try_allocate).
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<'_, T, H>, AllocateError> {
        let slot = self.acquire(true)?;
        // SAFETY: the slot is on no list; its object was made by this pool.
        Ok(unsafe { Reserved::from_slot(slot) })
    }

    /// As [`try_reserve`](Self::try_reserve), with a panic or an abort instead of an error.
    ///
    /// # Panics
    ///
    /// As [`allocate`](Self::allocate).
    #[track_caller]
    pub fn reserve(&self) -> Reserved<'_, T, H> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// As [`allocate_with`](Self::allocate_with), but `init` also gets the object's key. The key leads to nothing before `init`
    /// has returned.
    ///
    /// A reference to an object does not give its key: the key is known to the look-up, the owner or the guard that gave the
    /// reference. A method that needs the key of `self` reads it from a field that `init` has set.
    ///
    /// ```
    /// use acedia::pool::{Key, Pool, pin};
    ///
    /// #[derive(Default)]
    /// struct Node { own: Option<Key> }
    /// let pool: Pool<Node> = Pool::new();
    /// let node = pool.allocate_with_key(|key, node| {
    ///     assert!(pool.get(key, &pin()).is_none());
    ///     node.own = Some(key);
    /// });
    /// assert_eq!(pool.get(node.key(), &pin()).unwrap().own, Some(node.key()));
    /// ```
    ///
    /// With a `Result` in the place of a panic: [`try_reserve`](Self::try_reserve), then [`Reserved::fill`].
    ///
    /// # Panics
    ///
    /// As `allocate_with`. The key then never leads to anything.
    ///
    /// # Cost
    ///
    /// That of `allocate_with` and of [`Owner::key`].
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "vacant_entry")]
    pub fn allocate_with_key(&self, init: impl FnOnce(Key, &mut T)) -> Owner<'_, T, H> {
        let reserved = self.reserve();
        let key = reserved.key();
        reserved.fill(|object| init(key, object))
    }
}
