//! Where an object was allocated and freed, remembered in builds with debug assertions.

use std::panic::Location;

use crate::sync::plain::{AtomicPtr, Ordering};

/// The two places in the source that the current or last life of a slot came from and went to.
#[derive(Debug, Default)]
pub(super) struct Site {
    allocated: AtomicPtr<Location<'static>>,
    freed: AtomicPtr<Location<'static>>,
}

impl Site {
    pub(super) fn set_allocated(&self, at: &'static Location<'static>) {
        // Relaxed: for messages only, and every value ever stored is a valid address.
        self.allocated
            .store(std::ptr::from_ref(at).cast_mut(), Ordering::Relaxed);
        self.freed.store(std::ptr::null_mut(), Ordering::Relaxed);
    }

    pub(super) fn set_freed(&self, at: &'static Location<'static>) {
        self.freed.store(std::ptr::from_ref(at).cast_mut(), Ordering::Relaxed);
    }

    pub(super) fn allocated(&self) -> Option<&'static Location<'static>> {
        // SAFETY: only addresses of `&'static Location` are ever stored.
        unsafe { self.allocated.load(Ordering::Relaxed).as_ref() }
    }

    pub(super) fn freed(&self) -> Option<&'static Location<'static>> {
        // SAFETY: as above.
        unsafe { self.freed.load(Ordering::Relaxed).as_ref() }
    }
}
