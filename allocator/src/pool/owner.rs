//! [`Owner`]: an owning reference to an object.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::Location;

use crate::LifeVersion;
use crate::pool::domain::Readers;
use crate::pool::free;
use crate::pool::hooks::{Hooks, Plain};
use crate::pool::key::Key;
use crate::pool::pool::Pool;
use crate::pool::recycle;
use crate::pool::recycle::Abandon;
use crate::pool::slot::Slot;

/// Owns an object of a pool. Dropping the last owner frees the object.
///
/// Reading through an owner costs as much as through a pointer. An owner takes eight bytes, and so does an `Option` of one.
///
/// ```
/// use acedia::pool::{Pool, pin};
///
/// let pool: Pool<String> = Pool::new();
/// let owner = pool.allocate_with(|s| { s.clear(); s.push_str("hello") });
/// let other = owner.clone();
/// let key = owner.key();
/// drop(owner);
/// assert_eq!(pool.get(key, &pin()).unwrap(), "hello");
/// drop(other);
/// assert!(pool.get(key, &pin()).is_none());
/// let mut alone = pool.allocate();
/// assert_eq!((alone.index(), alone.owners()), (key.index(), 1));
/// assert!(alone.life_version() > key.life());
/// assert!(alone.exclusive(|s| s.push('!')).is_some());
/// assert!(alone.ends_with('!'));
/// alone.free();
/// ```
///
/// # When the object is finalized
///
/// If nothing can be reading the object, the finalizer runs at once, on the thread that drops the last owner. If another
/// thread (or a pin of the same thread) may be reading it, later look-ups return `None` at once, but the finalizer is
/// deferred until the readers have left. It then runs on the thread that drops the last pin or guard, or on a thread that
/// allocates, frees or collects later.
#[doc(alias = "FreeSelf")]
#[doc(alias = "NewRef")]
pub struct Owner<'p, T: 'static, H: Hooks<T> = Plain> {
    slot: Slot,
    pool: PhantomData<&'p Pool<T, H>>,
}

// SAFETY: an owner gives `&T` (needs `T: Sync`), and drops or finalizes the `T` on its own thread (needs `T: Send`). The
// words of the slot are atomic. Hooks are types, not values.
unsafe impl<T: Send + Sync, H: Hooks<T>> Send for Owner<'_, T, H> {}
// SAFETY: as above. `key` may be called by several threads: they store the same word.
unsafe impl<T: Send + Sync, H: Hooks<T>> Sync for Owner<'_, T, H> {}

const _: () = assert!(size_of::<Option<Owner<'_, u64>>>() == size_of::<usize>());

impl<T, H: Hooks<T>> Owner<'_, T, H> {
    /// # Safety
    /// The caller gives up a share in the ownership of the slot's object, which a pool of `T` and `H` made.
    #[inline]
    pub(super) unsafe fn from_slot(slot: Slot) -> Self {
        Self {
            slot,
            pool: PhantomData,
        }
    }

    #[inline]
    pub(super) fn slot(&self) -> Slot {
        self.slot
    }

    pub(super) fn into_slot(self) -> Slot {
        ManuallyDrop::new(self).slot
    }

    /// The key of the object's current life. From the first call on, the object can be found by its key.
    ///
    /// Freeing is cheapest for an object whose key was never made, because no other thread can find it.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.slot.life().expose()
    }

    /// The number of the object's current life. The number counts visible lives, so this call makes the life visible, as
    /// [`key`](Self::key) does.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(&self) -> LifeVersion {
        self.key().life()
    }

    /// The index of the object's slot. No other living object of this copy of acedia has this index.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.slot.index()
    }

    /// The number of owners of the object. Exact if no other thread is cloning or dropping an owner.
    #[must_use]
    #[doc(alias = "_getRefCount")]
    pub fn owners(&self) -> usize {
        self.slot.owners(self.slot.chunk_of::<T>())
    }

    #[inline]
    pub(crate) fn is_sole(&self) -> bool {
        self.slot.has_sole_owner(self.slot.chunk_of::<T>())
    }

    /// Mutable access to the object, if this is its only owner and no key of this life was made. Then nothing else can read
    /// the object.
    ///
    /// Costs two loads. For an object with keys, use [`exclusive`](Self::exclusive).
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if !self.slot.is_private(self.slot.chunk_of::<T>()) {
            return None;
        }
        // SAFETY: the only owner, borrowed uniquely; the life was never visible, so no look-up can have succeeded.
        Some(unsafe { self.slot.object().as_mut() })
    }

    /// Calls `change` on the object, if this is its only owner and the object has no readers.
    ///
    /// During the call, keys of the object resolve to `None` ([`Reason::Hidden`](crate::Reason::Hidden)); afterwards they
    /// work again. Returns `None` without calling `change` if there is another owner, a guard of the object, or a pin of
    /// the pool's domain on any thread, including this one. But if no key of this life was made, pins do not matter, and
    /// there is no fence.
    ///
    /// Costs two fences: the call checks for readers before it hides the object, and again afterwards. If the first check
    /// finds a reader, the object is not hidden, and the cost is one fence.
    ///
    /// ```
    /// use acedia::pool::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut owner = pool.allocate();
    /// let key = owner.key();
    /// assert_eq!(owner.exclusive(|n| { *n += 1; *n }), Some(1));
    /// let pinned = pin();
    /// assert_eq!(owner.exclusive(|n| *n), None, "a thread may be reading");
    /// assert_eq!(pool.get(key, &pinned), Some(&1));
    /// ```
    pub fn exclusive<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        /// Shows the life again, even if `change` panics.
        struct Show(Slot);
        impl Drop for Show {
            fn drop(&mut self) {
                self.0.life().expose();
            }
        }
        if !self.is_sole() {
            return None;
        }
        let is_exposed = self.slot.life().is_exposed();
        if is_exposed && !hide_unread::<T, H>(self.slot) {
            return None;
        }
        let _show = is_exposed.then(|| Show(self.slot));
        // SAFETY: the only owner, borrowed uniquely; no look-up succeeds, and none that did is still reading.
        Some(change(unsafe { self.slot.object().as_mut() }))
    }

    /// Leaves the object alive without an owner. Such an object is *manual*: [`Pool::free`] frees it by its key.
    ///
    /// If the object has other owners, [`Pool::free`] returns an error until they are dropped. If the object is manual already,
    /// this only drops the owner.
    #[must_use = "the object lives until it is freed by this key"]
    pub fn into_manual(self) -> Key {
        let key = self.key();
        if self.slot.guards().set_manual(key.life()) {
            self.into_slot();
        }
        key
    }

    /// Frees the object if this is its last owner, as dropping the owner does. With debug assertions it also records the
    /// caller's location for messages about stale keys.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "Free")]
    #[doc(alias = "FreeSelf")]
    #[doc(alias = "Store")]
    pub fn free(self) {
        if cfg!(debug_assertions) && self.is_sole() {
            self.slot.note_freed_at(Location::caller());
        }
    }
}

/// Hides the visible life of an object that has no readers. Otherwise returns `false`, and the life stays visible. The
/// caller is the only owner.
pub(super) fn hide_unread<T, H: Hooks<T>>(slot: Slot) -> bool {
    let is_read = || H::Readers::pins().may_read() || !slot.guards().quiet();
    // Two checks: a refusal should not hide the object from other threads, so the first check comes before `hide`.
    // The second check finds readers that began between the first check and `hide`.
    if is_read() {
        return false;
    }
    slot.life().hide();
    if is_read() {
        slot.life().expose();
        return false;
    }
    true
}

// Objects from `Pool::try_allocate_hidden`, which are hidden and whose lives have not begun.
impl<T, H: Hooks<T>> Owner<'_, T, H> {
    /// The key that the object will have.
    pub(crate) fn hidden_key(&self) -> Key {
        self.slot.life().key()
    }

    /// Begins the life, calls `fill`, and makes the object visible. After a panic, the key never resolves to anything.
    pub(crate) fn show_with(self, fill: impl FnOnce(&mut T)) -> Self {
        let owner = ManuallyDrop::new(self);
        let abandon = (SkipLife(owner.slot), Abandon(owner.slot));
        // SAFETY: no other reference reaches the object: its life is not visible.
        let object = unsafe { owner.slot.object().as_mut() };
        H::begin(object);
        fill(object);
        std::mem::forget(abandon);
        owner.slot.life().expose();
        ManuallyDrop::into_inner(owner)
    }

    /// Gives the object back unchanged: no code ran on it. The key never resolves to anything.
    pub(crate) fn give_back_hidden(self) {
        let slot = self.into_slot();
        drop(SkipLife(slot));
        recycle::place(slot);
    }
}

/// Skips the slot's next life: its key was issued, but the life never begins.
struct SkipLife(Slot);

impl Drop for SkipLife {
    fn drop(&mut self) {
        self.0.life().skip();
    }
}

impl<T, H: Hooks<T>> Clone for Owner<'_, T, H> {
    /// Creates another owner of the same object. Aborts at 2^31 owners, as `Arc` does at its limit.
    ///
    /// # Cost
    ///
    /// One atomic read-modify-write to clone, and one to drop the clone, as with `Arc`.
    #[inline]
    fn clone(&self) -> Self {
        self.slot.add_owner(self.slot.chunk_of::<T>());
        Self {
            slot: self.slot,
            pool: PhantomData,
        }
    }
}

impl<T, H: Hooks<T>> Deref for Owner<'_, T, H> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the object is alive as long as it has an owner, and only a sole owner changes it, under `&mut`.
        unsafe { self.slot.object().as_ref() }
    }
}

impl<T, H: Hooks<T>> Drop for Owner<'_, T, H> {
    #[inline]
    fn drop(&mut self) {
        free::free::<T, H>(self.slot);
    }
}

impl<T: fmt::Debug, H: Hooks<T>> fmt::Debug for Owner<'_, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slot = self.slot.index();
        f.debug_tuple("Owner")
            .field(&format_args!("slot {slot}"))
            .field(&**self)
            .finish()
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
