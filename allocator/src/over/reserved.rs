//! [`Reserved`]: an object with a key that is not visible yet.

use std::fmt;

use crate::AllocateError;
use crate::pool::{Hooks, Key, Owner, Plain, Pool, refuse};

/// A slot whose key is known before its object is visible, so that objects can refer to each other from the start.
///
/// Until the slot is filled, the key resolves to `None` ([`Reason::Hidden`](crate::Reason::Hidden)). If the reservation
/// is dropped instead, the key never resolves to an object.
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
#[must_use = "a reservation that is dropped returns its slot to the pool"]
pub struct Reserved<'p, T: 'static, H: Hooks<T> = Plain> {
    /// Of an object that is hidden, and whose life has not begun. `None` once it is filled.
    owner: Option<Owner<'p, T, H>>,
}

impl<'p, T, H: Hooks<T>> Reserved<'p, T, H> {
    /// The key that the object will have.
    #[must_use]
    pub fn key(&self) -> Key {
        match &self.owner {
            Some(owner) => owner.hidden_key(),
            None => unreachable!("only `fill` takes the owner"),
        }
    }

    /// Begins the object's life, calls `fill` on the object, and makes it visible.
    ///
    /// # Panics
    ///
    /// If the hooks or `fill` panic. The slot then returns to the pool, and the key never resolves to an object.
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owner<'p, T, H>
    where
        T: Send + Sync,
    {
        const { Pool::<T, H>::NEEDS_NO_VALUE };
        self.fill_with(fill)
    }

    /// Same as [`fill`](Self::fill), also for values.
    pub(crate) fn fill_with(mut self, fill: impl FnOnce(&mut T)) -> Owner<'p, T, H> {
        match self.owner.take() {
            Some(owner) => owner.show_with(fill),
            None => unreachable!("only this function takes the owner"),
        }
    }
}

impl<T, H: Hooks<T>> Drop for Reserved<'_, T, H> {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            owner.give_back_hidden();
        }
    }
}

impl<T, H: Hooks<T>> fmt::Debug for Reserved<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.key()).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Reserves a slot and its key for an object that is made later.
    ///
    /// # Errors
    ///
    /// See [`try_allocate`](Self::try_allocate).
    ///
    /// # Panics
    ///
    /// If [`Hooks::make`] panics.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<'_, T, H>, AllocateError> {
        let owner = Some(self.try_allocate_hidden()?);
        Ok(Reserved { owner })
    }

    /// Like [`try_reserve`](Self::try_reserve), but panics or aborts instead of returning an error.
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    #[track_caller]
    pub fn reserve(&self) -> Reserved<'_, T, H> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// Like [`allocate_with`](Self::allocate_with), but `init` also gets the object's key. The key resolves to `None` until
    /// `init` has returned.
    ///
    /// An object's key cannot be found from a reference to the object. So a method that needs the key of `self` reads it
    /// from a field, which `init` has set.
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
    /// For a `Result` instead of a panic, call [`try_reserve`](Self::try_reserve), then [`Reserved::fill`].
    ///
    /// # Panics
    ///
    /// Like [`allocate_with`](Self::allocate_with). In that case, the key never resolves to an object.
    ///
    /// # Cost
    ///
    /// Costs as much as `allocate_with` plus [`Owner::key`].
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "vacant_entry")]
    pub fn allocate_with_key(&self, init: impl FnOnce(Key, &mut T)) -> Owner<'_, T, H> {
        let reserved = self.reserve();
        let key = reserved.key();
        reserved.fill(|object| init(key, object))
    }
}
