//! [`Watch`]: the handle of an item that watches, kept outside the item.

use acedia::{AnyHandle, AnyOwned, Object, class};

/// A handle in four bytes: it is kept in a pooled object, so that it fits in an item.
#[derive(Clone)]
pub(crate) struct Watch(AnyOwned);

/// The object with the handle.
#[derive(Default)]
struct Watched(Option<AnyHandle>);

impl Object for Watched {
    class!(Watched, "AcediaCore.WatchedItem");
}

impl Watch {
    pub(crate) fn new(handle: AnyHandle) -> Self {
        Self(Watched::allocate_with(|watched| watched.0 = Some(handle)).into_any())
    }

    /// The handle, of an object dead or alive. Always `Some`.
    #[inline]
    pub(crate) fn handle(&self) -> Option<AnyHandle> {
        self.0.downcast_ref::<Watched>()?.0
    }

    /// The handle, if its object is alive.
    #[inline]
    pub(crate) fn living(&self) -> Option<AnyHandle> {
        self.handle().filter(|handle| handle.is_allocated())
    }

    /// The result of `read` on the object, if it is a `T` and alive. Out of line, because few items watch.
    #[inline(never)]
    pub(crate) fn with<T: Object, R>(&self, read: impl FnOnce(&T) -> R) -> Option<R> {
        self.handle()?.downcast::<T>()?.with(read)
    }

    /// Whether the object's life has ended. Out of line, because few items watch.
    #[cold]
    pub(crate) fn is_dead(&self) -> bool {
        self.living().is_none()
    }
}
