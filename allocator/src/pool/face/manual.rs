//! Freeing by key.

use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::reading::pin::pin;
use crate::pool::word::key::Key;
use crate::{AccessError, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees a manual object ([`Owner::into_manual`]): that life, or nothing.
    ///
    /// # Errors
    ///
    /// As [`try_get`](Self::try_get), and [`Reason::Owned`] if the object is alive but not manual. Of several that free
    /// the same key at the same time, one succeeds.
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, key: Key) -> Result<(), AccessError> {
        // Called here and not by `map`, which would make this the place that is remembered.
        self.reclaim(key)?.free();
        Ok(())
    }

    /// Takes a manual object ([`Owner::into_manual`]) back into an owner.
    ///
    /// # Errors
    ///
    /// As [`free`](Self::free).
    pub fn reclaim(&self, key: Key) -> Result<Owner<'_, T, H>, AccessError> {
        // The pin keeps the slot from another life, so that the share taken is not a later life's.
        let pinned = pin();
        let slot = self.find(key).filter(|slot| slot.life().is(key));
        let taken = slot.filter(|slot| slot.readers().take_manual());
        drop(pinned);
        match (slot, taken) {
            // SAFETY: the manual share was an owner's, and is taken once.
            (_, Some(slot)) => Ok(unsafe { Owner::from_slot(slot) }),
            (Some(_), None) => Err(self.explain(key, Reason::Owned)),
            (None, None) => Err(self.explain(key, Reason::Hidden)),
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
