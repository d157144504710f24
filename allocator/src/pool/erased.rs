//! [`ErasedOwner`]: an owner whose type is known at run time only.

use std::any::TypeId;
use std::fmt;
use std::mem::ManuallyDrop;

use super::chunk::Slot;
use super::hooks::Hooks;
use super::state::MoreOwners;
use super::{Key, Owner, Pool};
use crate::LifeVersion;

/// As an [`Owner`] of a pool that lives for ever, for a list that holds owners of several types.
///
/// 16 bytes, and so is an `Option` of one; nothing is allocated. Dropping it, or its last clone, frees the object.
///
/// ```
/// use acedia_allocator::pool::{ErasedOwner, Plain, Pool};
///
/// static NAMES: Pool<String> = Pool::new();
/// static NUMBERS: Pool<u64> = Pool::new();
///
/// let mixed: Vec<ErasedOwner> = vec![
///     NAMES.allocate_with(|s| { s.clear(); s.push_str("seven") }).erase(),
///     NUMBERS.allocate_with(|n| *n = 7).erase(),
/// ];
/// assert_eq!(mixed[1].downcast_ref::<u64, Plain>(), Some(&7));
/// assert_eq!(mixed[0].downcast_ref::<u64, Plain>(), None);
/// assert!(mixed[0].is::<String, Plain>() && mixed[0].owners() == 1);
/// assert!(NAMES.contains(mixed[0].key()) && mixed[0].index() == mixed[0].key().index());
/// drop(mixed);
/// assert_eq!(NAMES.stats().live, 0);
/// ```
pub struct ErasedOwner {
    slot: Slot,
}

// SAFETY: it is made of an `Owner` whose object is `Send + Sync` (see `erase`), and does what that does.
unsafe impl Send for ErasedOwner {}
// SAFETY: as above.
unsafe impl Sync for ErasedOwner {}

const _: () = assert!(size_of::<Option<ErasedOwner>>() == 16);

impl<T: Send + Sync + 'static, H: Hooks<T>> Owner<'static, T, H> {
    /// Forgets the type. The object stays as it is; [`ErasedOwner::downcast`] is the way back.
    #[must_use = "dropping it frees the object"]
    pub fn erase(self) -> ErasedOwner {
        ErasedOwner { slot: self.into_slot() }
    }
}

impl ErasedOwner {
    /// Whether the object is a `T` under the hooks `H`.
    #[inline]
    #[must_use]
    pub fn is<T: 'static, H: Hooks<T>>(&self) -> bool {
        self.slot.chunk().type_id == TypeId::of::<(T, H)>()
    }

    /// The owner with its type.
    ///
    /// # Errors
    ///
    /// Gives `self` back if the object is of another type, or under other hooks.
    #[inline]
    pub fn downcast<T: 'static, H: Hooks<T>>(self) -> Result<Owner<'static, T, H>, Self> {
        if self.is::<T, H>() {
            let slot = ManuallyDrop::new(self).slot;
            // SAFETY: the share was an owner's, of the very types: the chunk's shape says so.
            Ok(unsafe { Owner::from_slot(slot) })
        } else {
            Err(self)
        }
    }

    /// The object, if it is a `T` under the hooks `H`.
    #[inline]
    #[must_use]
    pub fn downcast_ref<T: 'static, H: Hooks<T>>(&self) -> Option<&T> {
        // SAFETY: the object is of this type, and alive and unchanged as long as it has an owner that nobody borrows
        // uniquely.
        self.is::<T, H>().then(|| unsafe { self.slot.object().as_ref() })
    }

    /// As [`Owner::get_mut`], if the object is a `T` under the hooks `H`.
    ///
    /// ```
    /// use acedia_allocator::pool::{Plain, Pool};
    ///
    /// static NAMES: Pool<String> = Pool::new();
    ///
    /// let mut name = NAMES.allocate_with(|s| { s.clear(); s.push_str("seve") }).erase();
    /// name.get_mut::<String, Plain>().unwrap().push('n');
    /// assert!(name.get_mut::<u64, Plain>().is_none());
    /// let other = name.clone();
    /// assert!(name.get_mut::<String, Plain>().is_none(), "another owner may be reading");
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut<T: 'static, H: Hooks<T>>(&mut self) -> Option<&mut T> {
        let chunk = self.slot.chunk();
        if chunk.type_id != TypeId::of::<(T, H)>() || !self.slot.is_private(chunk) {
            return None;
        }
        // SAFETY: the object is of this type; its only owner is borrowed uniquely, and nobody can look it up.
        Some(unsafe { self.slot.object().as_mut() })
    }

    /// As [`Owner::key`].
    #[must_use]
    pub fn key(&self) -> Key {
        self.slot.life().expose(self.slot.key.word());
        self.slot.key
    }

    /// As [`Owner::life_version`].
    #[must_use]
    pub fn life_version(&self) -> LifeVersion {
        self.key().life()
    }

    /// As [`Owner::index`].
    #[inline]
    #[must_use]
    pub fn index(&self) -> u32 {
        self.slot.index()
    }

    /// As [`Owner::owners`].
    #[must_use]
    pub fn owners(&self) -> usize {
        1 + self.slot.more_owners(self.slot.chunk()).map_or(0, MoreOwners::count)
    }

    /// As [`Owner::free`].
    #[track_caller]
    pub fn free(self) {
        let more = self.slot.more_owners(self.slot.chunk());
        if cfg!(debug_assertions) && more.is_none_or(MoreOwners::is_none) {
            self.slot.note_freed();
        }
    }

    /// The same owner, whose object counts as allocated by the caller: for calls that lose its place on their way.
    #[inline]
    #[must_use]
    #[track_caller]
    pub(crate) fn allocated_here(self) -> Self {
        self.slot.note_allocated();
        self
    }
}

impl Clone for ErasedOwner {
    /// One owner more of the same object, as a clone of an [`Owner`].
    fn clone(&self) -> Self {
        self.slot.add_owner(self.slot.chunk());
        Self { slot: self.slot }
    }
}

impl Drop for ErasedOwner {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: this owner's share, given up here; the shape is that of the object's own pool.
        unsafe { (self.slot.chunk().shape.drop_owner)(self.slot) };
    }
}

impl fmt::Debug for ErasedOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = (self.slot.chunk().shape.type_name)();
        write!(f, "ErasedOwner({name}, slot {})", self.index())
    }
}

/// # Safety
/// The caller gives up a share in the ownership of the slot's object, which a pool of `T` and `H` made.
pub(super) unsafe fn drop_owner<T: 'static, H: Hooks<T>>(slot: Slot) {
    // SAFETY: the caller's promise.
    drop(unsafe { Owner::<'_, T, H>::from_slot(slot) });
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Finishes objects whose lives have ended and whose readers have left since. What is free stays free.
    ///
    /// Somebody does this sooner or later without being asked: whoever drops the last pin or guard, or allocates next.
    pub fn settle(&self) {
        if let Some(depot) = self.depot.get() {
            depot.finish_deferred();
        }
    }
}
