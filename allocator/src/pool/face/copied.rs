//! Objects that are read as copies: what a plain pool needs of the engine.

use bytemuck::{AnyBitPattern, NoUninit};

use crate::AllocateError;
use crate::pool::depot::stats::note_refused;
use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::Owner;
use crate::pool::face::pool::Pool;
use crate::pool::face::reader::read_ahead;
use crate::pool::memory::slot::Slot;
use crate::pool::memory::twin::{Home, Twin};
use crate::pool::reading::domain::Copies;
use crate::pool::word::key::Key;

impl<T: NoUninit + AnyBitPattern + Send, H: Hooks<Home<T>, Readers = Copies>> Pool<Home<T>, H> {
    /// Begins a life with `value`.
    #[inline]
    #[track_caller]
    pub(crate) fn try_insert_copied(&self, value: &T) -> Result<Owner<'_, Home<T>, H>, AllocateError> {
        let slot = self.acquire(true)?;
        // SAFETY: the slot has an object from its beginning, and no list leads to it; atomic, so late readers may reach it.
        let home = unsafe { slot.object::<Home<T>>().as_ref() };
        home.begin(value);
        if H::VISIBLE {
            slot.life().expose();
        }
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
        // SAFETY: found, so the slot is one of this pool, which lives as long as `self` is borrowed.
        let value = unsafe { Twin::<T>::of(slot) }.read(offset, (slot.life(), key), attempts);
        if let Ok(None) = value {
            note_refused(key);
        }
        value
    }

    /// Calls [`read_copied`](Self::read_copied) for each of the keys. Prefetches the next objects if the pool is too large for
    /// the processor's caches.
    #[inline]
    pub(crate) fn read_many_copied<'a, K: Copy + Into<Key>>(
        &'a self,
        keys: &'a [K],
    ) -> impl ExactSizeIterator<Item = Option<T>> {
        let prefetches = self.untyped.depot.get().is_some_and(|depot| depot.exceeds_caches());
        let read = |key| self.read_copied(key, 0, u64::MAX).unwrap_or(None);
        read_ahead(keys, prefetches, Slot::prefetch_all::<Home<T>>, read)
    }
}

impl<T: NoUninit + AnyBitPattern + Send, H: Hooks<Home<T>, Readers = Copies>> Owner<'_, Home<T>, H> {
    /// Both places of the value.
    #[inline]
    pub(crate) fn twin(&self) -> Twin<'_, T> {
        // SAFETY: an owner's slot is one of its pool, which outlives the owner.
        unsafe { Twin::of(self.slot()) }
    }
}
