//! Operations by handle on objects without an owner.

use std::panic::Location;

use crate::pool::chunk::Chunk;
use crate::pool::handle::Handle;
use crate::pool::handle::Key;
use crate::pool::life::Ended;
use crate::pool::lookup::Keys;
use crate::pool::owned::{self, Owned};
use crate::pool::pool::Hooks;
use crate::pool::pool::Pool;
use crate::pool::pool::Untyped;
use crate::pool::slot::Slot;
use crate::pool::{directory, free, tag};
use crate::{AccessError, Reason};

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees a manual object ([`Owned::into_manual`]), if the life that `handle` names has not ended. Takes no pin.
    ///
    /// # Errors
    ///
    /// Like [`try_with`](Self::try_with), and also [`Reason::Owned`] if the object is alive but not manual, or still has
    /// owners. A manual object can be freed by its handle once its owners are dropped.
    ///
    /// If several threads free the same handle at the same time, one of them ends the life, and the others get the error that
    /// the life has ended.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, handle: Handle<T>) -> Result<(), AccessError> {
        let key = handle.key();
        let slot = self.untyped.take_last_share(key)?;
        slot.note_freed_at(Location::caller());
        free::finish::<T, H>(slot, slot.life().end());
        Ok(())
    }

    /// Ends the life of a manual object that has no readers. The object is not finalized: the slot is the caller's.
    ///
    /// # Errors
    ///
    /// Like [`free`](Self::free), and also [`Reason::Read`] if the object may have readers.
    pub(super) fn end_unread(&self, key: Key, place: &'static Location<'static>) -> Result<(Slot, Ended), AccessError> {
        let slot = self.untyped.take_last_share(key)?;
        if !owned::hide_unread::<T, H>(slot) {
            self.untyped.return_share(slot, key);
            return Err(self.untyped.explain(key, Reason::Read));
        }
        slot.note_freed_at(place);
        Ok((slot, slot.life().skip()))
    }

    /// Makes a new object manual. Without atomic read-modify-writes: the caller holds the pool by `&mut`, which proves that no other thread
    /// uses it.
    #[inline]
    pub(super) fn leave_alone(slot: Slot) -> Key {
        let key = slot.life().expose();
        slot.chunk_of::<T>().guards(key.index()).set_manual_alone(key.life());
        key
    }

    /// Like [`end_unread`](Self::end_unread), but without atomic read-modify-writes: see [`leave_alone`](Self::leave_alone). `None` if the
    /// object is not alive and manual, has other owners, or a guard of it was forgotten. No error, so that the result has one layout, and is
    /// not copied from one to another.
    #[inline]
    #[track_caller]
    pub(super) fn end_alone(&mut self, key: Key) -> Option<(Slot, Ended)> {
        let slot = self.find(key).filter(|slot| slot.life().is(key))?;
        Some((slot, Self::end_visible(slot, key)?))
    }

    /// Ends the visible life of a manual object, in a pool that the caller holds by `&mut`. `None` if it has other owners, or if a guard of
    /// it was forgotten.
    #[inline]
    #[track_caller]
    fn end_visible(slot: Slot, key: Key) -> Option<Ended> {
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
    pub(crate) fn visit_mut(&mut self, mut visit: impl FnMut(Handle<T>, &mut T) -> bool) {
        let mut keys = self.untyped.keys();
        while let Some((key, slot)) = keys.next_slot() {
            // SAFETY: as in `get_mut`: this call borrows the pool by `&mut`, and `visit` cannot keep the object.
            if visit(Handle::of_key(key), unsafe { slot.object().as_mut() }) {
                continue;
            }
            match Self::end_visible(slot, key) {
                Some(ended) => free::finish::<T, H>(slot, ended),
                // With a forgotten guard it ends for that guard; with a forgotten owner it stays.
                None => _ = self.free(Handle::of_key(key)),
            }
        }
    }

    /// The next object of `handles` that is manual, with an owner: its handle has ended. For a pool that the caller holds by `&mut`.
    #[track_caller]
    pub(crate) fn take_next_alone<'p>(keys: &mut Keys<'p>) -> Option<Owned<T, &'p Pool<T, H>>> {
        loop {
            let (key, slot) = keys.next_slot()?;
            match Self::end_visible(slot, key) {
                // SAFETY: the manual share was an owner's, and is taken once. The object is in its slot's next life, which is not visible.
                Some(Ended::Unseen) => return Some(unsafe { Owned::from_slot(slot) }),
                // It was the last life of the slot, so that the object cannot live on.
                Some(ended) => free::finish::<T, H>(slot, ended),
                None => {}
            }
        }
    }

    /// Makes an owner for a manual object ([`Owned::into_manual`]), even if the object has other owners. Takes no pin.
    ///
    /// # Errors
    ///
    /// Like [`try_with`](Self::try_with), and also [`Reason::Owned`] if the object is alive but not manual.
    pub fn reclaim(&self, handle: Handle<T>) -> Result<Owned<T, &Self>, AccessError> {
        let key = handle.key();
        let slot = self.untyped.take_share(key)?;
        // SAFETY: the manual share was an owner's, and is taken once.
        Ok(unsafe { Owned::from_slot(slot) })
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

    /// The slot that `handle` names, and its chunk, found without the life word: the slot may have no object.
    fn find_with_chunk(&self, key: Key) -> Result<(Slot, &Chunk), AccessError> {
        let slot = self.find(key).ok_or_else(|| self.explain(key, Reason::Hidden))?;
        // SAFETY: found, so the chunk belongs to this pool.
        Ok((slot, unsafe { directory::chunk_of(key.index()).as_ref() }))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
