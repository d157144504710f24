//! Where an object was allocated and freed, remembered in builds with debug assertions.

use std::panic::Location;

use crate::LifeVersion;
use crate::sync::plain::Mutex;

/// The places in the source where the life that had a slot last came from and went to.
#[derive(Debug, Default)]
pub(super) struct Site(Mutex<Option<Places>>);

/// The places of one life. Objects without a handle share the number of the next visible life: the last of them counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    life: LifeVersion,
    pub(super) allocated: &'static Location<'static>,
    /// `None` if it was not freed by a call.
    pub(super) freed: Option<&'static Location<'static>>,
}

impl Site {
    pub(super) fn set_allocated(&self, life: LifeVersion, allocated: &'static Location<'static>) {
        *self.0.lock() = Some(Places {
            life,
            allocated,
            freed: None,
        });
    }

    pub(super) fn set_freed(&self, life: LifeVersion, freed: &'static Location<'static>) {
        if let Some(places) = self.0.lock().as_mut().filter(|places| places.life == life) {
            places.freed = Some(freed);
        }
    }

    /// The places of that very life, if no other had the slot since.
    pub(super) fn of(&self, life: LifeVersion) -> Option<Places> {
        self.0.lock().filter(|places| places.life == life)
    }
}
