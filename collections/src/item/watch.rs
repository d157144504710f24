//! [`Watch`]: what an item that watches keeps outside itself.

use acedia_allocator::{AnyHandle, AnyOwned, Object, allocate_with, class};

/// A handle in four bytes: it stands in a pooled object, so that no item is larger than its value.
#[derive(Clone)]
pub(super) struct Watch(AnyOwned);

/// The object with the handle.
#[derive(Default)]
struct Watched(Option<AnyHandle>);

impl Object for Watched {
    class!(Watched, "AcediaCore.WatchedItem");
}

impl Watch {
    pub(super) fn new(handle: AnyHandle) -> Self {
        Self(allocate_with(|watched: &mut Watched| watched.0 = Some(handle)).into_any())
    }

    /// The object, dead or alive. There always is one.
    #[inline]
    pub(super) fn handle(&self) -> Option<AnyHandle> {
        self.0.downcast_ref::<Watched>()?.0
    }

    /// The object, if its life goes on.
    #[inline]
    pub(super) fn living(&self) -> Option<AnyHandle> {
        self.handle().filter(|handle| handle.is_allocated())
    }

    /// Whether the object's life has ended. Apart, because so little is watched.
    #[cold]
    pub(super) fn is_dead(&self) -> bool {
        self.living().is_none()
    }
}
