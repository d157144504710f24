//! [`Reserved`]: a handle whose object comes later.

use std::fmt;

use super::handle::Handle;
use super::object::{Object, ObjectHooks, Owned, Stored};
use crate::error::AllocateError;
use crate::pool;

/// A slot of a class's pool whose handle is known before the object's life begins. Made by [`reserve`].
///
/// Until the slot is filled, the handle resolves to `None`. If the reservation is dropped instead, the handle never resolves to an object.
#[must_use = "a reservation that is dropped returns its slot to the pool"]
pub struct Reserved<T: Object>(pool::Reserved<'static, Stored<T>, ObjectHooks<T>>);

impl<T: Object> Reserved<T> {
    /// The handle that the object will have.
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        Handle::of_key(self.0.key())
    }

    /// Begins the object's life: runs the constructor, then `fill`; after that the handle resolves to the object.
    ///
    /// # Panics
    ///
    /// If the constructor or `fill` panics. The slot then returns to the pool, and the handle never resolves to an
    /// object.
    pub fn fill(self, fill: impl FnOnce(&mut T)) -> Owned<T> {
        Owned(self.0.fill(|stored| fill(&mut stored.object)))
    }
}

impl<T: Object> fmt::Debug for Reserved<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reserved").field(&self.handle()).finish()
    }
}

/// Reserves a slot and its handle for an object that is made later. Use it for objects that refer to each other from
/// the start.
///
/// ```
/// use acedia::{Handle, Object, class, reserve};
///
/// #[derive(Default)]
/// struct Twin(Option<Handle<Twin>>);
/// impl Object for Twin {
///     class!(Twin, "Doc.Twin");
/// }
///
/// let (a, b) = (reserve::<Twin>(), reserve::<Twin>());
/// let (to_a, to_b) = (a.handle(), b.handle());
/// assert!(!to_a.is_allocated());
/// let (a, b) = (a.fill(|it| it.0 = Some(to_b)), b.fill(|it| it.0 = Some(to_a)));
/// assert_eq!((a.0, b.0), (Some(b.handle()), Some(a.handle())));
/// ```
///
/// # Panics
///
/// As [`allocate`](crate::allocate).
#[track_caller]
pub fn reserve<T: Object>() -> Reserved<T> {
    Reserved(T::storage().ready().reserve())
}

/// Like [`reserve`], but returns an error if there is no memory or no capacity.
///
/// # Errors
///
/// As [`try_allocate`](crate::try_allocate).
///
/// # Panics
///
/// As [`try_allocate`](crate::try_allocate).
#[track_caller]
pub fn try_reserve<T: Object>() -> Result<Reserved<T>, AllocateError> {
    let reserved = T::storage().ready().try_reserve();
    reserved.map(Reserved)
}

/// Like [`allocate_with`](crate::allocate_with), but `init` also gets the object's handle. The handle resolves to `None` until
/// `init` has returned.
///
/// An object's handle cannot be found from a reference to the object. So a method that needs the handle of `self` reads
/// it from a field.
///
/// ```
/// use acedia::{Handle, Object, allocate_with_handle, class};
///
/// #[derive(Default)]
/// struct Door(Option<Handle<Door>>);
/// impl Object for Door {
///     class!(Door, "Doc.Door");
/// }
///
/// let door = allocate_with_handle(|own, door: &mut Door| {
///     assert!(!own.is_allocated());
///     door.0 = Some(own);
/// });
/// assert_eq!(door.0, Some(door.handle()));
/// ```
///
/// For a `Result` instead of a panic, call [`try_reserve`], then [`Reserved::fill`].
///
/// # Panics
///
/// Like [`allocate_with`](crate::allocate_with). In that case, the handle never resolves to an object.
///
/// # Cost
///
/// Costs as much as `allocate_with` plus [`Owned::handle`].
#[track_caller]
pub fn allocate_with_handle<T: Object>(init: impl FnOnce(Handle<T>, &mut T)) -> Owned<T> {
    let reserved = reserve::<T>();
    let handle = reserved.handle();
    reserved.fill(|object| init(handle, object))
}
