//! Operations by key on objects without an owner.

use std::panic::Location;

use crate::pool::chunk::Chunk;
use crate::pool::hooks::Hooks;
use crate::pool::key::Key;
use crate::pool::life::Ended;
use crate::pool::living::Keys;
use crate::pool::owner::{self, Owner};
use crate::pool::pool::Pool;
use crate::pool::recycle::Abandon;
use crate::pool::slot::Slot;
use crate::pool::untyped::Untyped;
use crate::pool::{directory, free, tag};
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
        let slot = self.untyped.take_last_share(key)?;
        slot.note_freed_at(place);
        // SAFETY: the share is the only one in the ownership of the object.
        let seen = look(unsafe { slot.object().as_ref() });
        free::finish::<T, H>(slot, slot.life().end());
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
        let slot = self.untyped.take_last_share(key)?;
        if !owner::hide_unread::<T, H>(slot) {
            self.untyped.return_share(slot, key);
            return Err(self.untyped.explain(key, Reason::Read));
        }
        slot.note_freed_at(Location::caller());
        let ended = slot.life().skip();
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
        let slot = self.begin_with(init).into_slot();
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
        let ended = Self::end_alone(slot, key)?;
        let abandon = Abandon(slot);
        // SAFETY: the manual share was the only one. Guards and references borrow the pool, so there are none.
        let taken = take(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        free::finish::<T, H>(slot, ended);
        Some(taken)
    }

    /// Ends the visible life of a manual object, in a pool that the caller holds by `&mut`. `None` if it has other owners, or if a guard of
    /// it was forgotten.
    #[inline]
    #[track_caller]
    fn end_alone(slot: Slot, key: Key) -> Option<Ended> {
        let chunk = slot.chunk_of::<T>();
        if !slot.has_sole_owner(chunk) || !chunk.guards(key.index()).take_manual_alone(key.life()) {
            return None;
        }
        slot.note_freed_at(Location::caller());
        // No thread reads, so the life ends as one that no thread has seen.
        Some(match slot.life().end() {
            Ended::Worn => Ended::Worn,
            Ended::Seen | Ended::Unseen => Ended::Unseen,
        })
    }

    /// Calls `visit` with each visible living object, and frees each manual object for which it returns `false`. If `visit`
    /// or a finalizer panics, the remaining objects stay.
    #[track_caller]
    pub(crate) fn visit_mut(&mut self, mut visit: impl FnMut(Key, &mut T) -> bool) {
        let mut keys = self.keys();
        while let Some((key, slot)) = keys.next_slot() {
            // SAFETY: as in `get_mut`: this call borrows the pool by `&mut`, and `visit` cannot keep the object.
            if visit(key, unsafe { slot.object().as_mut() }) {
                continue;
            }
            match Self::end_alone(slot, key) {
                Some(ended) => free::finish::<T, H>(slot, ended),
                // With a forgotten guard it ends for that guard; with a forgotten owner it stays.
                None => _ = self.free(key),
            }
        }
    }

    /// The next object of `keys` that is manual, with an owner: its key has ended. For a pool that the caller holds by `&mut`.
    #[track_caller]
    pub(crate) fn take_next_alone<'p>(keys: &mut Keys<'p>) -> Option<Owner<'p, T, H>> {
        loop {
            let (key, slot) = keys.next_slot()?;
            match Self::end_alone(slot, key) {
                // SAFETY: the manual share was an owner's, and is taken once. The object is in its slot's next life, which is not visible.
                Some(Ended::Unseen) => return Some(unsafe { Owner::from_slot(slot) }),
                // It was the last life of the slot, so that the object cannot live on.
                Some(ended) => free::finish::<T, H>(slot, ended),
                None => {}
            }
        }
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

impl Untyped {
    /// Like [`Pool::free`], but called at `place`.
    pub(crate) fn free(&self, key: Key, place: &'static Location<'static>) -> Result<(), AccessError> {
        let slot = self.take_last_share(key)?;
        slot.note_freed_at(place);
        (self.shape.finish)(slot.into_raw(), slot.life().end());
        Ok(())
    }

    /// The slot of a manual object without other owners, whose share is the caller's from now on.
    fn take_last_share(&self, key: Key) -> Result<Slot, AccessError> {
        let (slot, chunk) = self.find_with_chunk(key)?;
        let guards = chunk.guards(key.index());
        let has_others = || chunk.tag() & tag::SHARED != 0 && !chunk.more_owners(key.index()).is_none();
        // Two looks: a refusal should not take the share from other threads, so the first look comes before `take_manual`. An owner
        // may have been made of the share, cloned, and made manual again between the two.
        if has_others() || !guards.take_manual(key.life()) {
            return Err(self.explain(key, Reason::Owned));
        }
        if has_others() {
            self.return_share(slot, key);
            return Err(self.explain(key, Reason::Owned));
        }
        Ok(slot)
    }

    /// Returns the manual share of a living object, which the caller took. If another owner has become manual meanwhile, the share ends as
    /// that of an owner.
    fn return_share(&self, slot: Slot, key: Key) {
        let chunk = slot.chunk();
        if !chunk.guards(key.index()).set_manual(key.life()) && chunk.more_owners(key.index()).remove() {
            (self.shape.finish)(slot.into_raw(), slot.life().end());
        }
    }

    /// The slot of a manual object, whose share is the caller's from now on.
    pub(super) fn take_share(&self, key: Key) -> Result<Slot, AccessError> {
        let (slot, chunk) = self.find_with_chunk(key)?;
        if !chunk.guards(key.index()).take_manual(key.life()) {
            return Err(self.explain(key, Reason::Owned));
        }
        Ok(slot)
    }

    /// The slot that `key` names, and its chunk, found without the life word: the slot may have no object.
    fn find_with_chunk(&self, key: Key) -> Result<(Slot, &Chunk), AccessError> {
        let slot = self.find(key).ok_or_else(|| self.explain(key, Reason::Hidden))?;
        // SAFETY: found, so the chunk belongs to this pool.
        Ok((slot, unsafe { directory::chunk_of(key.index()).as_ref() }))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
