//! Where objects were allocated and freed, recorded in builds with debug assertions.

use std::panic::Location;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::LifeVersion;
use crate::sync::plain::{AtomicU64, Ordering};

/// The source locations that allocated and freed a slot's last lives, the newest first.
///
/// Two lives, because a stale handle most often names the life before the slot's present one. The locations remain when
/// the memory of the objects is returned.
#[derive(Debug, Default)]
pub(crate) struct Site(Mutex<[Option<Places>; 2]>);

/// The locations of one life. Objects without a handle share the number of the next visible life. Only the last of
/// them is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    life: LifeVersion,
    pub(crate) allocated: &'static Location<'static>,
    /// The number of the allocation, counted over the whole process.
    pub(crate) nth: u64,
    /// `None` if no call freed it: a destructor does not receive its caller's location.
    pub(crate) freed: Option<&'static Location<'static>>,
}

/// Allocations so far.
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

impl Site {
    fn lives(&self) -> MutexGuard<'_, [Option<Places>; 2]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_allocated(&self, life: LifeVersion, allocated: &'static Location<'static>) {
        // Relaxed: the number only orders reports. An allocation that happens before another has the lower
        // number.
        let nth = ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        let [newest, before] = &mut *self.lives();
        let last = newest.replace(Places {
            life,
            allocated,
            nth,
            freed: None,
        });
        if let Some(last) = last.filter(|last| last.life != life) {
            *before = Some(last);
        }
    }

    pub(crate) fn set_freed(&self, life: LifeVersion, freed: &'static Location<'static>) {
        let [newest, _] = &mut *self.lives();
        if let Some(places) = newest.as_mut().filter(|places| places.life == life) {
            places.freed = Some(freed);
        }
    }

    /// The locations of that life, unless two later lives have replaced them.
    pub(crate) fn of(&self, life: LifeVersion) -> Option<Places> {
        self.lives().into_iter().flatten().find(|places| places.life == life)
    }
}
