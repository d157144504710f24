//! Operations by key on objects without an owner.

use std::panic::Location;

use crate::pool::face::free;
use crate::pool::face::hooks::Hooks;
use crate::pool::face::owner::{self, Owner};
use crate::pool::face::pool::Pool;
use crate::pool::face::untyped::Untyped;
use crate::pool::flow::place::Abandon;
use crate::pool::memory::directory;
use crate::pool::memory::slot::Slot;
use crate::pool::word::guards::Guards;
use crate::pool::word::key::Key;
use crate::pool::word::life::Ended;
use crate::{AccessError, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees a manual object ([`Owner::into_manual`]), if the life that `key` names has not ended. Takes no pin.
    ///
    /// # Errors
    ///
    /// Like [`try_with`](Self::try_with), and also [`Reason::Owned`] if the object is alive but not manual, or still has
    /// owners. A manual object can be freed by its key once its owners are dropped.
    ///
    /// If several threads free the same key at the same time, one of them ends the life, and the others get the error that
    /// the life has ended.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, key: Key) -> Result<(), AccessError> {
        self.free_after(key, Location::caller(), |_| ())
    }

    /// Like [`free`](Self::free), but called at `place`. Returns the result of `look`, which gets the object before its life
    /// ends. It must be no user code: other operations by the same key wait for it.
    pub(crate) fn free_after<R>(
        &self,
        key: Key,
        place: &'static Location<'static>,
        look: impl FnOnce(&T) -> R,
    ) -> Result<R, AccessError> {
        let slot = self.untyped.borrow_share(key)?;
        slot.note_freed_at(place);
        // SAFETY: the borrowed share is one in the ownership of the object.
        let seen = look(unsafe { slot.object().as_ref() });
        free::finish::<T, H>(slot, end_share(slot));
        Ok(seen)
    }

    /// Ends the life of a manual object that has no readers, and returns the result of `take`, which runs between the end of the
    /// life and the finalizer.
    ///
    /// # Errors
    ///
    /// Like [`free`](Self::free), and also [`Reason::Read`] if the object may have readers.
    #[track_caller]
    pub(crate) fn take_with<R>(&self, key: Key, take: impl FnOnce(&mut T) -> R) -> Result<R, AccessError> {
        let slot = self.untyped.borrow_share(key)?;
        if !owner::hide_unread::<T, H>(slot) {
            slot.guards().return_manual();
            return Err(self.untyped.explain(key, Reason::Read));
        }
        slot.note_freed_at(Location::caller());
        let ended = slot.life().skip();
        slot.guards().use_manual();
        let abandon = Abandon(slot);
        // SAFETY: the manual share was the only one, and was used up by this thread; no look-up succeeds, and none that did is
        // still reading.
        let taken = take(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        free::finish::<T, H>(slot, ended);
        Ok(taken)
    }

    /// Begins a life, as [`allocate_with`](Self::allocate_with), of a manual object. Without atomic read-modify-writes: `&mut`
    /// proves that no other thread uses the pool.
    #[inline]
    #[track_caller]
    pub(crate) fn add_alone(&mut self, init: impl FnOnce(&mut T)) -> Key {
        let slot = self.allocate_with(init).into_slot();
        let key = slot.life().expose();
        let guards = slot.chunk_of::<T>().guards(key.index());
        guards.set_manual_alone(key.life());
        key
    }

    /// Like [`take_with`](Self::take_with), but without atomic read-modify-writes: `&mut` proves that no other thread uses the
    /// pool. `None` if the object is not alive and manual, has other owners, or a guard of it was forgotten. No error, so that
    /// the result has one layout, and is not copied from one to another.
    #[inline]
    #[track_caller]
    pub(crate) fn take_alone<R>(&mut self, key: Key, take: impl FnOnce(&mut T) -> R) -> Option<R> {
        let slot = self.find(key).filter(|slot| slot.life().is(key))?;
        let chunk = slot.chunk_of::<T>();
        if !slot.has_sole_owner(chunk) || !chunk.guards(key.index()).take_manual_alone(key.life()) {
            return None;
        }
        slot.note_freed_at(Location::caller());
        // No thread reads, so the life ends as one that no thread has seen.
        let ended = match slot.life().end() {
            Ended::Worn => Ended::Worn,
            Ended::Seen | Ended::Unseen => Ended::Unseen,
        };
        let abandon = Abandon(slot);
        // SAFETY: the manual share was the only one. Guards and references borrow the pool, so there are none.
        let taken = take(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        free::finish::<T, H>(slot, ended);
        Some(taken)
    }

    /// Makes an owner for a manual object ([`Owner::into_manual`]), even if the object has other owners. Takes no pin.
    ///
    /// # Errors
    ///
    /// Like [`try_with`](Self::try_with), and also [`Reason::Owned`] if the object is alive but not manual.
    pub fn reclaim(&self, key: Key) -> Result<Owner<'_, T, H>, AccessError> {
        let slot = self.untyped.take_share(key)?;
        // SAFETY: the manual share was an owner's, and is taken once.
        Ok(unsafe { Owner::from_slot(slot) })
    }
}

/// Ends the life of a manual object, and its borrowed share.
fn end_share(slot: Slot) -> Ended {
    // The life ends before the share, so that another thread finds either the share or the end of the life.
    let ended = slot.life().end();
    slot.guards().use_manual();
    ended
}

impl Untyped {
    /// Like [`Pool::free`], but called at `place`.
    pub(crate) fn free(&self, key: Key, place: &'static Location<'static>) -> Result<(), AccessError> {
        let slot = self.borrow_share(key)?;
        slot.note_freed_at(place);
        (self.shape.finish)(slot, end_share(slot));
        Ok(())
    }

    /// The slot of a manual object without other owners, whose share is borrowed now.
    fn borrow_share(&self, key: Key) -> Result<Slot, AccessError> {
        let (slot, guards) = self.find_with_guards(key)?;
        if !guards.borrow_manual(key.life()) {
            return Err(self.explain(key, Reason::Owned));
        }
        if !slot.has_sole_owner(slot.chunk()) {
            guards.return_manual();
            return Err(self.explain(key, Reason::Owned));
        }
        Ok(slot)
    }

    /// The slot of a manual object, whose share is the caller's from now on.
    pub(in crate::pool) fn take_share(&self, key: Key) -> Result<Slot, AccessError> {
        let (slot, guards) = self.find_with_guards(key)?;
        if !guards.take_manual(key.life()) {
            return Err(self.explain(key, Reason::Owned));
        }
        Ok(slot)
    }

    /// The slot that `key` names, and its guard word, found without the life word: the slot may have no object.
    fn find_with_guards(&self, key: Key) -> Result<(Slot, &Guards), AccessError> {
        let slot = self.find(key).ok_or_else(|| self.explain(key, Reason::Hidden))?;
        // SAFETY: found, so the chunk belongs to this pool.
        let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
        Ok((slot, chunk.guards(key.index())))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
