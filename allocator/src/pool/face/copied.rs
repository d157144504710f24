//! Objects that are read as copies: what a plain pool needs of the engine.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::AllocateError;
use crate::pool::depot::stats::note_refused;
use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::memory::twin::Twin;
use crate::pool::reading::domain::Copies;
use crate::pool::word::key::Key;

impl<T: NoUninit + AnyBitPattern + Send, H: Hooks<Twin<T>, Readers = Copies>> Pool<Twin<T>, H> {
    /// Begins a life with `value`.
    #[inline]
    #[track_caller]
    pub(crate) fn try_insert_copied(&self, value: &T) -> Result<Owner<'_, Twin<T>, H>, AllocateError> {
        let slot = self.acquire(true)?;
        // SAFETY: the slot has an object from its beginning, and no list leads to it; atomic, so late readers may reach it.
        let twin = unsafe { slot.object::<Twin<T>>().as_ref() };
        twin.begin(value);
        // SAFETY: the slot's ownership passes to the owner; this pool made the object.
        Ok(unsafe { Owner::from_slot(slot) })
    }

    /// The part of the value at `offset`, if the life of `key` is visible. `Err` after as many attempts that met a set.
    #[inline]
    pub(crate) fn read_copied<F: AnyBitPattern>(
        &self,
        key: Key,
        offset: usize,
        attempts: u64,
    ) -> Result<Option<F>, ()> {
        let Some(slot) = self.find(key) else {
            return Ok(None);
        };
        // SAFETY: found, so the slot is one of this pool, which lives as long as `self` is borrowed. Its memory is an object from
        // its beginning, and is accessed atomically only.
        let twin = unsafe { slot.object::<Twin<T>>().as_ref() };
        let value = twin.read(offset, (slot.life(), key), attempts);
        if let Ok(None) = value {
            note_refused(key);
        }
        value
    }
}
