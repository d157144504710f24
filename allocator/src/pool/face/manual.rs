//! Freeing by key.

use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::memory::directory;
use crate::pool::word::key::Key;
use crate::{AccessError, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees a manual object ([`Owner::into_manual`]), if the life that `key` names has not ended. Takes no pin.
    ///
    /// # Errors
    ///
    /// As [`try_with`](Self::try_with), and [`Reason::Owned`] if the object is alive but not manual. If several threads free
    /// the same key at the same time, one succeeds.
    ///
    /// An object that has other owners is not freed: the error is [`Reason::Owned`], too, and the manual share stays.
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, key: Key) -> Result<(), AccessError> {
        // Called here and not by `map`, which would record this location instead of the caller's.
        self.reclaim_last(key)?.free();
        Ok(())
    }

    /// As [`reclaim`](Self::reclaim), if the object has no other owner. Otherwise the error is that of [`free`](Self::free).
    pub(crate) fn reclaim_last(&self, key: Key) -> Result<Owner<'_, T, H>, AccessError> {
        let owner = self.reclaim(key)?;
        if owner.owners() > 1 {
            let _ = owner.into_manual();
            return Err(self.explain(key, Reason::Owned));
        }
        Ok(owner)
    }

    /// Turns a manual object ([`Owner::into_manual`]) back into an owner, also beside other owners. Takes no pin.
    ///
    /// # Errors
    ///
    /// As [`try_with`](Self::try_with), and [`Reason::Owned`] if the object is alive but not manual.
    pub fn reclaim(&self, key: Key) -> Result<Owner<'_, T, H>, AccessError> {
        let Some(slot) = self.find(key) else {
            return Err(self.explain(key, Reason::Hidden));
        };
        // SAFETY: found, so the chunk belongs to this pool.
        let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
        // SAFETY: a word of a living pool.
        let readers = unsafe { chunk.readers(key.index()).as_ref() };
        if readers.take_manual(key.life()) {
            // SAFETY: the manual share was an owner's, and is taken once.
            return Ok(unsafe { Owner::from_slot(slot) });
        }
        Err(self.explain(key, Reason::Owned))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
