//! [`Reserved`]: an object with a handle that is not visible yet.

use std::fmt;

use crate::AllocateError;
use crate::pool::handle::Handle;
use crate::pool::owned::{Owned, PoolOf};
use crate::pool::pool::{Hooks, OfClass, Pool, refuse};

/// A slot whose handle is known before its object is visible, so that objects can refer to each other from the start.
///
/// Until the slot is filled, the handle resolves to `None` ([`Reason::Hidden`](crate::Reason::Hidden)). If the reservation
/// is dropped instead, the handle never resolves to an object.
///
/// ```
/// use acedia::pool::{Handle, Pool, pin};
///
/// #[derive(Default)]
/// struct Node { next: Option<Handle<Node>> }
/// let pool: Pool<Node> = Pool::new();
/// let (a, b) = (pool.reserve(), pool.reserve());
/// let (to_a, to_b) = (a.handle(), b.handle());
/// let a = a.fill(|node| node.next = Some(to_b));
/// let b = b.fill(|node| node.next = Some(to_a));
/// assert_eq!(pool.get(a.next.unwrap(), &pin()).unwrap().next, Some(a.handle()));
/// ```
#[must_use = "a reservation that is dropped returns its slot to the pool"]
pub struct Reserved<T: 'static, P: PoolOf<T> = &'static Pool<T, OfClass>> {
    /// Of an object that is hidden, and whose life has not begun. `None` once it is filled.
    owner: Option<Owned<T, P>>,
}

impl<T, P: PoolOf<T>> Reserved<T, P> {
    /// `owner` is hidden.
    pub(crate) fn of(owner: Owned<T, P>) -> Self {
        Self { owner: Some(owner) }
    }

    /// The handle that the object will have.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        match &self.owner {
            Some(owner) => owner.hidden_handle(),
            None => unreachable!("only `into_owner` takes the owner"),
        }
    }

    /// Begins the object's life, calls `fill` on the object, and makes it visible.
    ///
    /// # Panics
    ///
    /// If the hooks or `fill` panic. The slot then returns to the pool, and the handle never resolves to an object.
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owned<T, P>
    where
        T: Send + Sync,
    {
        const {
            assert!(
                !P::Hooks::INSERTED,
                "a reservation of a pool of values is filled by `insert`"
            );
        };
        self.into_owner().show_with(fill)
    }

    pub(crate) fn into_owner(mut self) -> Owned<T, P> {
        match self.owner.take() {
            Some(owner) => owner,
            None => unreachable!("only this function takes the owner"),
        }
    }
}

impl<T: 'static, P: PoolOf<T>> Drop for Reserved<T, P> {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.take() {
            owner.give_back_hidden();
        }
    }
}

impl<T, P: PoolOf<T>> fmt::Debug for Reserved<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.handle()).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Reserves a slot and its handle for an object that is made later.
    ///
    /// # Errors
    ///
    /// See [`try_allocate`](Self::pool().try_allocate).
    ///
    /// # Panics
    ///
    /// If [`Hooks::make`] panics.
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<T, &Self>, AllocateError> {
        const { Self::NEEDS_NO_VALUE };
        Ok(Reserved::of(self.try_allocate_hidden()?))
    }

    /// Like [`try_reserve`](Self::try_reserve), but panics or aborts instead of returning an error.
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    #[track_caller]
    pub fn reserve(&self) -> Reserved<T, &Self> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// Like [`allocate_with`](Self::allocate_with), but `init` also gets the object's handle. The handle resolves to `None` until
    /// `init` has returned.
    ///
    /// An object's handle cannot be found from a reference to the object. So a method that needs the handle of `self` reads it
    /// from a field, which `init` has set.
    ///
    /// ```
    /// use acedia::pool::{Handle, Pool, pin};
    ///
    /// #[derive(Default)]
    /// struct Node { own: Option<Handle<Node>> }
    /// let pool: Pool<Node> = Pool::new();
    /// let node = pool.allocate_with_handle(|handle, node| {
    ///     assert!(pool.get(handle, &pin()).is_none());
    ///     node.own = Some(handle);
    /// });
    /// assert_eq!(pool.get(node.handle(), &pin()).unwrap().own, Some(node.handle()));
    /// ```
    ///
    /// For a `Result` instead of a panic, call [`try_reserve`](Self::try_reserve), then [`Reserved::fill`].
    ///
    /// # Panics
    ///
    /// Like [`allocate_with`](Self::allocate_with). In that case, the handle never resolves to an object.
    ///
    /// # Cost
    ///
    /// Costs as much as `allocate_with` plus [`Owned::handle`].
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "vacant_entry")]
    pub fn allocate_with_handle(&self, init: impl FnOnce(Handle<T>, &mut T)) -> Owned<T, &Self> {
        let reserved = self.reserve();
        let handle = reserved.handle();
        reserved.fill(|object| init(handle, object))
    }
}
