//! Where objects were allocated and freed, remembered in builds with debug assertions.

use std::panic::Location;

use crate::LifeVersion;
use crate::sync::plain::Mutex;

/// The places in the source where a slot's last lives came from and went to, the newest first.
///
/// Two, because the life that a stale key names is most often the one before the slot's present one. They stay when the
/// memory of the objects is given back.
#[derive(Debug, Default)]
pub(in crate::pool) struct Site(Mutex<[Option<Places>; 2]>);

/// The places of one life. Objects without a handle share the number of the next visible life: the last of them counts.
#[derive(Clone, Copy, Debug)]
pub(in crate::pool) struct Places {
    life: LifeVersion,
    pub(in crate::pool) allocated: &'static Location<'static>,
    /// `None` if it was not freed by a call: a destructor is not told where it was called.
    pub(in crate::pool) freed: Option<&'static Location<'static>>,
}

impl Site {
    pub(in crate::pool) fn set_allocated(&self, life: LifeVersion, allocated: &'static Location<'static>) {
        let [newest, before] = &mut *self.0.lock();
        let last = newest.replace(Places {
            life,
            allocated,
            freed: None,
        });
        if let Some(last) = last.filter(|last| last.life != life) {
            *before = Some(last);
        }
    }

    pub(in crate::pool) fn set_freed(&self, life: LifeVersion, freed: &'static Location<'static>) {
        let [newest, _] = &mut *self.0.lock();
        if let Some(places) = newest.as_mut().filter(|places| places.life == life) {
            places.freed = Some(freed);
        }
    }

    /// The places of that very life, if no two others had the slot since.
    pub(in crate::pool) fn of(&self, life: LifeVersion) -> Option<Places> {
        self.0.lock().into_iter().flatten().find(|places| places.life == life)
    }
}
