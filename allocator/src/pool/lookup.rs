//! Access by handle.

use crate::pool::chunk::Shape;
use crate::pool::directory;
use crate::pool::domain::Readers;
use crate::pool::handle::Handle;
use crate::pool::hooks::Hooks;
use crate::pool::key::Key;
use crate::pool::life::Floor;
use crate::pool::owned::{Owned, PoolOf};
use crate::pool::pin::{Domain, Pinned};
use crate::pool::pool::Pool;
use crate::pool::slot::{self, Slot};
use crate::pool::untyped::Untyped;
use crate::{AccessError, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// The slot that a handle of this pool names, whatever life it is in.
    #[inline]
    pub(super) fn find(&self, key: Key) -> Option<Slot> {
        find::<T, H>(key, self.untyped.number())
    }

    /// The object that `handle` names, if it is alive and visible.
    ///
    /// Costs four plain loads. A [`reader`](Self::reader) saves one of them.
    #[inline]
    #[must_use]
    pub fn get<'g>(&'g self, handle: Handle<T>, pinned: &'g Pinned<H::Readers>) -> Option<&'g T>
    where
        H::Readers: Domain,
    {
        let key = handle.key();
        lookup(self.find(key)?, key, pinned)
    }

    /// Like [`get`](Self::get), but returns an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// See [`try_with`](Self::try_with).
    pub fn try_get<'g>(&'g self, handle: Handle<T>, pinned: &'g Pinned<H::Readers>) -> Result<&'g T, AccessError>
    where
        H::Readers: Domain,
    {
        let key = handle.key();
        self.get(handle, pinned)
            .ok_or_else(|| self.untyped.explain(key, Reason::Hidden))
    }

    /// Whether the object that `handle` names is alive and visible at this moment. If so, this thread sees all writes made
    /// before the life became visible.
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        let key = handle.key();
        self.find(key).is_some_and(|slot| slot.life().snapshot().shows(key))
    }

    /// Whether no look-up by `handle` will succeed any more, because its life has ended or this pool never issued the handle. A life that
    /// is reserved or borrowed exclusively has not ended.
    pub(crate) fn has_ended(&self, handle: Handle<T>) -> bool {
        let key = handle.key();
        let now = self.find(key).map(|slot| slot.life().snapshot());
        !now.is_some_and(|now| now.shows(key) || now.is_hidden(key.life()))
    }
}

impl Untyped {
    /// Same as [`Pool::find`].
    pub(super) fn find(&self, key: Key) -> Option<Slot> {
        directory::find(key.index(), self.number())?;
        slot::has_slot(key.index(), self.shape).then(|| Slot::of_own(key.index()))
    }

    /// The hash of the object that `key` names, as [`Slot::cached_hash`]. The caller reads the object under a pin or with a guard.
    pub(crate) fn cached_hash(&self, key: Key, compute: impl FnOnce() -> i32) -> i32 {
        match self.find(key) {
            Some(slot) => slot.cached_hash(compute),
            None => compute(),
        }
    }

    /// Why `handle`, which was just refused, does not resolve to an object: the reason is `in_sight` if its life is visible.
    #[cold]
    pub(crate) fn explain(&self, key: Key, in_sight: Reason) -> AccessError {
        let nothing = AccessError {
            reason: Reason::NeverIssued,
            type_name: (self.shape.name)(),
            key,
            now: None,
            allocated: None,
            freed: None,
        };
        let Some(slot) = self.find(key) else {
            let reason = if directory::is_foreign(key.index(), self.number()) {
                Reason::Foreign
            } else {
                Reason::NeverIssued
            };
            return AccessError { reason, ..nothing };
        };
        let snapshot = slot.life().snapshot();
        // SAFETY: found, so the chunk belongs to this pool.
        let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
        // Of the same moment: another thread may hide the life and show it again.
        let highest = snapshot.highest(chunk.floor());
        let life = Floor(key.life().get());
        let reason = if snapshot.is_hidden(key.life()) {
            Reason::Hidden
        } else if life > highest {
            Reason::NeverIssued
        } else if life < highest {
            Reason::Reused
        } else if snapshot.current().is_some() {
            // Also a life that became visible again since the key was refused.
            in_sight
        } else {
            Reason::Freed
        };
        let refused = AccessError {
            reason,
            now: snapshot.current(),
            ..nothing
        };
        #[cfg(debug_assertions)]
        if let (Reason::Freed | Reason::Reused | Reason::Owned, Some(places)) =
            (reason, chunk.site(key.index()).of(key.life()))
        {
            return AccessError {
                allocated: Some(places.allocated),
                freed: places.freed,
                ..refused
            };
        }
        refused
    }
}

/// The slot that `handle` names in the pool with that number, a pool of `T` and `H`, whatever life the slot is in.
#[inline]
pub(super) fn find<T: 'static, H: Hooks<T>>(key: Key, pool: u32) -> Option<Slot> {
    let origin = directory::find(key.index(), pool)?;
    slot::has_slot(key.index(), Shape::of::<T, H>()).then(|| Slot::at_origin::<T>(origin, key.index()))
}

/// The object in `slot`, if the life that `handle` names is visible. The slot was found for `handle`, in a pool of `T` and
/// the domain `D` that lives as long as the pin.
#[inline]
pub(super) fn lookup<T, D: Readers>(slot: Slot, key: Key, pinned: &Pinned<D>) -> Option<&T> {
    let _ = pinned;
    if !slot.life().is(key) {
        return None;
    }
    // SAFETY: the life is visible, so the object is initialised; the pin keeps it from being finalized and reused.
    Some(unsafe { slot.object().as_ref() })
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Skips lives of a slot, for tests of worn-out slots. The object of `owner` will be in life `next` once its handle is
    /// made. No handle of the current life may have been made.
    ///
    /// # Panics
    ///
    /// If a handle of the current life was made, if `owner` is not the only owner, or if `next` is not above the current
    /// life.
    #[doc(hidden)]
    pub fn skip_lives(&self, owner: &mut Owned<T, impl PoolOf<T>>, next: crate::LifeVersion) {
        let key_made = self.contains(Handle::of_key(Key::new(owner.index(), next)));
        assert!(!key_made, "the life is visible");
        assert_eq!(owner.owners(), 1, "another owner might make the life visible meanwhile");
        owner.slot().life().set_upcoming(next);
    }
}
