//! [`Owner`]: who is responsible for an object.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;

use super::hooks::{Hooks, Plain};
use super::local::Local;
use super::settle::{self, Abandon};
use super::slot::Slot;
use super::state::{Ended, MoreOwners};
use super::tag;
use super::thread::{self, ThreadState};
use super::{Key, Pool, pin};
use crate::LifeVersion;

/// Responsible for an object of a pool: dropping the last owner frees it.
///
/// An owner reads the object directly, at the cost of a pointer. Eight bytes; so is an `Option` of one.
///
/// ```
/// use acedia_allocator::pool::{Pool, pin};
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
/// At once, on the thread that drops the last owner, unless another thread (or a pin of this one) may be looking. Then
/// the life is over for everybody who asks from now on, and the finalizer runs as soon as the readers have left: on the
/// thread that drops the last pin or guard, or on one that allocates, frees or collects after that.
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

    #[cfg(all(test, unix, not(any(miri, acedia_loom))))]
    pub(super) fn slot(&self) -> Slot {
        self.slot
    }

    pub(super) fn into_slot(self) -> Slot {
        ManuallyDrop::new(self).slot
    }

    /// The key of the object's current life. From now on the object can be found by it.
    ///
    /// Until the first call nobody else can be looking, and freeing the object costs least.
    #[inline]
    #[must_use]
    pub fn key(&self) -> Key {
        self.slot.life().expose()
    }

    /// Which of its lives the object is in. As [`key`](Self::key), it makes the life visible: the number counts the lives
    /// that somebody could have seen.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(&self) -> LifeVersion {
        self.key().life()
    }

    /// The object's slot; no other living object of the process has it.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.slot.index()
    }

    /// How many owners the object has. Exact when no other thread is cloning or dropping one.
    #[must_use]
    #[doc(alias = "_getRefCount")]
    pub fn owners(&self) -> usize {
        1 + self
            .slot
            .more_owners(self.slot.chunk_of::<T>())
            .map_or(0, MoreOwners::count)
    }

    #[inline]
    fn is_sole(&self) -> bool {
        let more = self.slot.more_owners(self.slot.chunk_of::<T>());
        more.is_none_or(MoreOwners::is_none)
    }

    /// The object, to change, if this is its only owner and no key was ever made: nobody else can be looking.
    ///
    /// Costs two loads. For an object with keys there is [`exclusive`](Self::exclusive).
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if !self.slot.is_private(self.slot.chunk_of::<T>()) {
            return None;
        }
        // SAFETY: the only owner, borrowed uniquely; the life was never visible, so no look-up can have succeeded.
        Some(unsafe { self.slot.object().as_mut() })
    }

    /// Lets `change` change the object, if this is its only owner and nobody is reading right now.
    ///
    /// Meanwhile keys of the object lead to nothing ([`Reason::Hidden`](crate::Reason::Hidden)); then they work again.
    /// `None`, and nothing done, if there is another owner, a guard of the object, or a pin on any thread, this one
    /// included. One fence.
    ///
    /// ```
    /// use acedia_allocator::pool::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut owner = pool.allocate();
    /// let key = owner.key();
    /// assert_eq!(owner.exclusive(|n| { *n += 1; *n }), Some(1));
    /// let pinned = pin();
    /// assert_eq!(owner.exclusive(|n| *n), None, "somebody may be reading");
    /// assert_eq!(pool.get(key, &pinned), Some(&1));
    /// ```
    pub fn exclusive<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        /// Shows the life again, also when `change` panics.
        struct Show(Slot);
        impl Drop for Show {
            fn drop(&mut self) {
                self.0.life().expose();
            }
        }
        if !self.is_sole() {
            return None;
        }
        let show = self.slot.life().is_exposed().then(|| {
            self.slot.life().hide();
            Show(self.slot)
        });
        if show.is_some() {
            pin::fence_before_look();
            if pin::oldest() != u64::MAX || !self.slot.readers().quiet() {
                return None;
            }
        }
        // SAFETY: the only owner, borrowed uniquely; no look-up succeeds, and none that did is still reading.
        Some(change(unsafe { self.slot.object().as_mut() }))
    }

    /// Leaves the object alive without an owner, to be freed by key: [`Pool::free`].
    ///
    /// With several owners, the manual share is one among them, and there is only one: a second is dropped.
    #[must_use = "the object lives until it is freed by this key"]
    pub fn into_manual(self) -> Key {
        let key = self.key();
        if self.slot.readers().set_manual() {
            self.into_slot();
        }
        key
    }

    #[cfg(any(test, feature = "test-lives"))]
    pub(super) fn skip_lives(&mut self, next: LifeVersion) {
        self.slot.life().set_upcoming(next);
    }

    /// Frees the object if this is its last owner, as dropping it does, and remembers the caller's place for messages about
    /// stale keys.
    #[track_caller]
    #[doc(alias = "Free")]
    #[doc(alias = "FreeSelf")]
    #[doc(alias = "Store")]
    pub fn free(self) {
        if cfg!(debug_assertions) && self.is_sole() {
            self.slot.note_freed();
        }
    }
}

impl<T, H: Hooks<T>> Clone for Owner<'_, T, H> {
    /// One owner more of the same object. Aborts at 2^31 owners, as `Arc` does.
    ///
    /// # Cost
    ///
    /// One locked instruction, and one to drop the clone, as with `Arc`. The first clone of an object in a chunk of slots
    /// allocates the chunk's table of counts.
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
        // SAFETY: the object is alive as long as it has an owner, and changed only by a sole one under `&mut`.
        unsafe { self.slot.object().as_ref() }
    }
}

impl<T, H: Hooks<T>> Drop for Owner<'_, T, H> {
    #[inline]
    fn drop(&mut self) {
        free::<T, H>(self.slot);
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

/// Ends a life if its last owner is gone. The hot half; [`super::settle`] has the rest.
///
/// A function of its own, of which every way out is a call at its end, so that it keeps nothing on the stack.
#[inline(never)]
fn free<T: 'static, H: Hooks<T>>(slot: Slot) {
    let tag = slot.chunk_of::<T>().tag();
    // Not if an owner was cloned in the chunk: the mark misses.
    thread::with(|thread| match thread.recent(tag) {
        Some(local) => end::<T, H>(slot, thread, local),
        None => leave::<T, H>(slot, tag),
    });
}

/// Ends a life whose last owner is gone.
#[expect(
    clippy::inline_always,
    reason = "else the compiler makes it one more function, and a life takes four instructions more"
)]
#[inline(always)]
fn end<T, H: Hooks<T>>(slot: Slot, thread: &ThreadState, local: &Local) {
    match slot.life().end() {
        Ended::Unseen => {}
        Ended::Seen => {
            if !(pin::is_solo(thread) && local.guarding.is_unguarded(thread, slot)) {
                if H::END.is_some() || !local.push_freed(slot) {
                    settle::finish(slot, Ended::Seen);
                }
                return;
            }
        }
        Ended::Retired => return settle::finish(slot, Ended::Retired),
    }
    if let Some(end) = H::END {
        let abandon = Abandon(slot);
        // SAFETY: the life is over, and nobody else can be looking.
        end(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
    }
    if !local.push_ready(slot) {
        settle::place(slot);
    }
}

/// One owner less of an object in a chunk in which owners were cloned, or of a pool that the thread did not use lately.
#[inline(never)]
fn leave<T: 'static, H: Hooks<T>>(slot: Slot, tag: u64) {
    if tag & tag::SHARED == 0 {
        return settle::free(slot);
    }
    if slot.more_owners(slot.chunk_of::<T>()).is_none_or(MoreOwners::leave) {
        thread::with(|thread| match thread.recent(tag & !tag::SHARED) {
            Some(local) => end::<T, H>(slot, thread, local),
            None => settle::free(slot),
        });
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Several owners.

    use crate::pool::Pool;
    use crate::pool::models::{BEGUN, Ending, both, ends, model, saw};

    /// Whoever drops the last owner ends the life, after all uses by the others.
    #[test]
    fn owners_on_two_threads() {
        model(&["ended here", "ended there"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let other = owner.clone();
            let (here, there) = both(
                || {
                    assert_eq!(owner.read(), BEGUN);
                    let before = ends();
                    drop(owner);
                    before == 0 && ends() == 1
                },
                || {
                    assert_eq!(other.read(), BEGUN);
                    let before = ends();
                    drop(other);
                    before == 0 && ends() == 1
                },
            );
            assert!(here || there);
            saw(if here { "ended here" } else { "ended there" });
            assert_eq!(ends(), 1);
        });
    }

    #[test]
    fn owners_cloned_on_two_threads() {
        model(&["last here", "last there"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let other = owner.clone();
            both(
                || {
                    let more = owner.clone();
                    drop(owner);
                    assert_eq!(more.read(), BEGUN);
                    if more.owners() == 1 {
                        saw("last here");
                    }
                },
                || {
                    let more = other.clone();
                    assert_eq!(other.read(), BEGUN);
                    drop(other);
                    if more.owners() == 1 {
                        saw("last there");
                    }
                },
            );
            assert_eq!(ends(), 1);
        });
    }
}
