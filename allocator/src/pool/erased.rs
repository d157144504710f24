//! [`ErasedOwned`]: an owner whose type is known only at run time.
//!
//! ```text
//!  31 ──────── 0
//! ┌──────────────┐     DIRECTORY[chunk] ──► number of the pool; origin ──► life word, object; chunk ──► shape
//! │ slot index   │
//! └──────────────┘
//! ```
//!
//! The index is sufficient: a chunk of a `'static` pool is always in the directory, and the life word of an object that
//! has an owner holds its current life.

use std::any::Any;
use std::num::NonZeroU32;
use std::panic::Location;
use std::{fmt, mem};

use crate::AccessError;
use crate::pool::chunk::{Chunk, Slot};
use crate::pool::directory;
use crate::pool::handle::Handle;
use crate::pool::hooks::Hooks;
use crate::pool::owned::Owned;
use crate::pool::pool::{Pool, Untyped};

/// An [`Owned`] of an object of a `'static` pool, without its type: the engine's part of [`AnyOwned`](crate::AnyOwned).
///
/// It takes four bytes, and so does an `Option` of one. It allocates no memory. A read takes three more loads than a read by an [`Owned`].
/// Thousands of objects share the words that are loaded.
pub(crate) struct ErasedOwned(
    /// The index of a slot of a `'static` pool, never 0. It is a share in the ownership of the slot's object. The object is
    /// `Send + Sync` (see `erase`), so the share may be sent and shared.
    NonZeroU32,
);

const _: () = assert!(size_of::<Option<ErasedOwned>>() == 4);

impl<T: Send + Sync + 'static, H: Hooks<T>> Owned<T, &'static Pool<T, H>> {
    /// Erases the type. The object stays as it is. [`ErasedOwned::downcast`] restores the type.
    #[must_use = "dropping it frees the object"]
    #[inline]
    pub(crate) fn erase(self) -> ErasedOwned {
        ErasedOwned::of(self.into_slot())
    }
}

impl Untyped {
    /// Same as [`Pool::reclaim`](crate::pool::Pool::reclaim).
    pub(crate) fn reclaim(&'static self, handle: Handle<()>) -> Result<ErasedOwned, AccessError> {
        self.take_share(handle).map(ErasedOwned::of)
    }
}

impl ErasedOwned {
    /// From a share in the ownership of the object in that slot, of a `'static` pool.
    #[inline]
    fn of(slot: Slot) -> Self {
        match NonZeroU32::new(slot.index()) {
            Some(index) => Self(index),
            None => unreachable!("no slot has index 0"),
        }
    }

    #[inline]
    fn chunk(&self) -> &Chunk {
        // SAFETY: the chunk belongs to a `'static` pool.
        unsafe { Chunk::of(self.index()).as_ref() }
    }

    fn slot(&self) -> Slot {
        Slot::of_own(self.index())
    }

    /// The slot, if the object is in that pool.
    #[inline]
    fn slot_in<T: 'static, H: Hooks<T>>(&self, pool: &'static Pool<T, H>) -> Option<Slot> {
        let origin = directory::find_alone(self.index(), pool.untyped.number_for_owner())?;
        Some(Slot::at_origin::<T>(origin, self.index()))
    }

    /// Whether the object is in that pool.
    #[inline]
    #[must_use]
    pub(crate) fn is_in<T: 'static, H: Hooks<T>>(&self, pool: &'static Pool<T, H>) -> bool {
        self.slot_in(pool).is_some()
    }

    /// Whether both objects are in the same pool.
    #[inline]
    #[must_use]
    pub(crate) fn is_with(&self, other: &Self) -> bool {
        directory::is_one_pool(self.index(), other.index())
    }

    /// The value that [`Hooks::about`] returns for the object's pool.
    #[inline]
    #[must_use]
    pub(crate) fn about(&self) -> &'static (dyn Any + Send + Sync) {
        self.chunk().about
    }

    /// Restores the owner's type.
    ///
    /// # Errors
    ///
    /// Returns `self` if the object is in another pool.
    #[inline]
    pub(crate) fn downcast<T: 'static, H: Hooks<T>>(
        self,
        pool: &'static Pool<T, H>,
    ) -> Result<Owned<T, &'static Pool<T, H>>, Self> {
        let Some(slot) = self.slot_in(pool) else {
            return Err(self);
        };
        mem::forget(self);
        // SAFETY: the share was an owner's, of exactly these types: the slot is in a pool of them.
        Ok(unsafe { Owned::from_slot(slot) })
    }

    /// The object, if it is in that pool.
    #[inline]
    #[must_use]
    pub(crate) fn downcast_ref<T: 'static, H: Hooks<T>>(&self, pool: &'static Pool<T, H>) -> Option<&T> {
        let object = self.slot_in(pool)?.object();
        // SAFETY: the object is of this type, and alive and unchanged as long as it has an owner that is not borrowed
        // uniquely.
        Some(unsafe { object.as_ref() })
    }

    /// Like [`Owned::get_mut`], if the object is in that pool.
    #[inline]
    #[must_use]
    pub(crate) fn get_mut<T: 'static, H: Hooks<T>>(&mut self, pool: &'static Pool<T, H>) -> Option<&mut T> {
        let slot = self.slot_in(pool)?;
        // If another owner is being dropped at this moment, this may return `None`. Once the check has found no other owner and no handle,
        // none can appear, because this owner is borrowed.
        if !slot.is_private(self.chunk()) {
            return None;
        }
        if H::CACHES_HASH {
            slot.forget_hash(self.chunk());
        }
        // SAFETY: the object is of this type; its only owner is borrowed uniquely, and no look-up can succeed.
        Some(unsafe { slot.object().as_mut() })
    }

    /// The hash of the object: see [`Slot::cached_hash`].
    #[must_use]
    pub(crate) fn cached_hash(&self, compute: impl FnOnce() -> i32) -> i32 {
        self.slot().cached_hash(compute)
    }

    /// Same as [`Owned::handle`], without the type.
    #[must_use]
    pub(crate) fn handle(&self) -> Handle<()> {
        self.slot().life().expose()
    }

    /// Same as [`Owned::index`].
    #[inline]
    #[must_use]
    pub(crate) fn index(&self) -> u32 {
        self.0.get()
    }

    /// Same as [`Owned::owners`].
    #[must_use]
    pub(crate) fn owners(&self) -> usize {
        self.slot().owners(self.chunk())
    }

    /// Same as [`Owned::into_manual`].
    pub(crate) fn into_manual(self) -> Handle<()> {
        let handle = self.handle();
        // If another thread frees by this handle before the share is set, the free finds no share, and returns an error. A later free may end
        // the life at once: from here on only the handle is used.
        if self.slot().guards().set_manual(handle) {
            mem::forget(self);
        }
        handle
    }

    /// Same as [`Owned::free`].
    #[track_caller]
    pub(crate) fn free(self) {
        if cfg!(debug_assertions) {
            let slot = self.slot();
            if slot.has_sole_owner(self.chunk()) {
                slot.note_freed_at(Location::caller());
            }
        }
    }

    /// Records the caller's location as the place of the allocation. For objects that were allocated through a function
    /// without `#[track_caller]`.
    #[inline]
    #[must_use]
    #[track_caller]
    pub(crate) fn allocated_here(self) -> Self {
        #[cfg(debug_assertions)]
        self.slot().note_allocated_at(Location::caller());
        self
    }
}

impl Clone for ErasedOwned {
    /// Creates another owner of the same object, at the cost of cloning an [`Owned`].
    fn clone(&self) -> Self {
        // Before the clone exists: `MoreOwners::add` says what a drop of another owner finds before and after.
        self.slot().add_owner(self.chunk());
        Self(self.0)
    }
}

impl Drop for ErasedOwned {
    #[inline]
    fn drop(&mut self) {
        let shape = self.chunk().shape;
        // SAFETY: this owner's share, given up here; the shape is that of the object's own pool.
        unsafe { (shape.drop_owner)(self.index()) };
    }
}

impl fmt::Debug for ErasedOwned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = (self.chunk().shape.name)();
        write!(f, "ErasedOwned({name}, slot {})", self.index())
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
