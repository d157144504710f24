//! [`Owned`]: an owning reference to an object. At the end: objects without an owner, which are freed by their handles.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::Location;

use crate::pool::chunk::{self, Chunk, Slot};
use crate::pool::depot::Depot;
use crate::pool::handle::Handle;
use crate::pool::hooks::{Hooks, OfClass};
use crate::pool::life::Ended;
use crate::pool::lookup::Handles;
use crate::pool::pins::Readers;
use crate::pool::pool::{Pool, Untyped};
use crate::pool::recycle::{self, Abandon};
use crate::pool::tables;
use crate::{AccessError, LifeVersion, Reason};

/// Owns an object of a pool. Dropping the last owner frees the object.
///
/// An owner has the size of a pointer, and so has an `Option` of one. Dereferencing it costs as much as dereferencing a pointer. A
/// clone is another owner of the same object. `P` is the type of the reference to the pool that the owner borrows, as in
/// `Owned<String, &'p Pool<String>>`. An object of a [class](crate::Object) is in a `static` pool, so its owner is written
/// `Owned<Pawn>`.
///
/// ```
/// use acedia::{Pool, pin};
///
/// let pool: Pool<String> = Pool::new();
/// let owner = pool.allocate_with(|s| { s.clear(); s.push_str("hello") });
/// let other = owner.clone();
/// let handle = owner.handle();
/// assert!(owner.is_same(&other) && owner.owners() == 2);
/// drop(owner);
/// assert_eq!(pool.get(handle, &pin()).unwrap(), "hello");
/// drop(other);
/// assert!(pool.get(handle, &pin()).is_none());
/// let mut alone = pool.allocate();
/// assert_eq!((alone.index(), alone.owners()), (handle.index(), 1));
/// assert!(alone.life_version() > handle.life());
/// assert!(alone.exclusive(|s| s.push('!')).is_some());
/// assert!(alone.ends_with('!'));
/// alone.free();
/// ```
///
/// # Changing the object
///
/// `DerefMut` is missing on purpose: other owners and handles may be reading the object on other threads. There are four ways
/// to change an object:
///
/// | Access | Possible when |
/// |---|---|
/// | [`get_mut`](Self::get_mut) | there is one owner, and no handle of this life was made |
/// | [`exclusive`](Self::exclusive) | there is one owner, and no thread is reading; meanwhile handles resolve to `None` |
/// | a lock inside the object | always; readers wait |
/// | atomics inside the object | always, for single numbers and flags |
///
/// [`Pool::allocate_with`] can also change an object, before another thread can see it.
///
/// # When the object is finalized
///
/// If nothing can be reading the object, the finalizer runs at once, on the thread that drops the last owner. If another
/// thread (or a pin of the same thread) may be reading it, later look-ups return `None` at once, but the finalizer is
/// deferred until the readers have left. It then runs on the thread that drops the last pin or guard, or on a thread that
/// allocates or collects later.
#[doc(alias = "FreeSelf")]
#[doc(alias = "NewRef")]
#[must_use = "an object without an owner is freed at once"]
pub struct Owned<T: 'static, P: PoolOf<T> = &'static Pool<T, OfClass>> {
    slot: Slot,
    /// Invariant in `T`, as the pool is.
    pool: PhantomData<(P, Invariant<T>)>,
}

type Invariant<T> = fn(T) -> T;

/// A reference to a pool of `T`: the second parameter of [`Owned`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a pool of `{T}`",
    note = "an owner borrows its pool, as `Owned<T, &Pool<T>>`; for an object of a pool in an `Arc`, keep the handle of `into_manual`"
)]
pub trait PoolOf<T: 'static>: sealed::Sealed<T> {
    /// The hooks of the pool.
    type Hooks: Hooks<T>;
}

impl<T: 'static, H: Hooks<T>> PoolOf<T> for &Pool<T, H> {
    type Hooks = H;
}

pub(super) mod sealed {
    pub trait Sealed<T> {}
    impl<T: 'static, H: super::Hooks<T>> Sealed<T> for &super::Pool<T, H> {}
}

// SAFETY: an owner gives `&T` (needs `T: Sync`), and drops or finalizes the `T` on its own thread (needs `T: Send`). The
// words of the slot are atomic. Hooks are types, not values.
unsafe impl<T: Send + Sync, P: PoolOf<T>> Send for Owned<T, P> {}
// SAFETY: as above. `handle` may be called by several threads: they store the same word.
unsafe impl<T: Send + Sync, P: PoolOf<T>> Sync for Owned<T, P> {}

const _: () = assert!(size_of::<Option<Owned<u64, &Pool<u64>>>>() == size_of::<usize>());

impl<T, P: PoolOf<T>> Owned<T, P> {
    /// # Safety
    /// The caller gives up a share in the ownership of the slot's object, which a pool of `T` and `H` made.
    #[inline]
    pub(super) unsafe fn from_slot(slot: Slot) -> Self {
        Self {
            slot,
            pool: PhantomData,
        }
    }

    /// Begins the life of a slot of a pool of values.
    ///
    /// # Safety
    /// As [`from_slot`](Self::from_slot). The slot has no value.
    #[inline]
    pub(super) unsafe fn begin_value(slot: Slot, value: T) -> Self {
        // SAFETY: the caller's promise.
        unsafe { slot.object::<T>().write(value) };
        // SAFETY: the caller's promise.
        unsafe { Self::from_slot(slot) }
    }

    /// The same owner, with another type of the reference to its pool.
    #[inline]
    pub(super) fn in_pool<Q: PoolOf<T, Hooks = P::Hooks>>(owner: Owned<T, Q>) -> Self {
        // SAFETY: the share is the owner's, and a pool with these hooks made the object.
        unsafe { Self::from_slot(owner.into_slot()) }
    }

    #[inline]
    pub(super) fn slot(&self) -> Slot {
        self.slot
    }

    pub(super) fn into_slot(self) -> Slot {
        ManuallyDrop::new(self).slot
    }

    /// The handle of the object's current life. From the first call on, the object can be found by its handle.
    ///
    /// Freeing is cheapest for an object whose handle was never made, because no other thread can find it.
    #[inline]
    #[must_use]
    #[doc(alias = "downgrade")]
    pub fn handle(&self) -> Handle<T> {
        self.slot.life().expose().cast()
    }

    /// The number of the object's current life. The number counts visible lives, so this call makes the life visible, as
    /// [`handle`](Self::handle) does.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub fn life_version(&self) -> u32 {
        self.handle().life()
    }

    /// The index of the object's slot. No other living object of this copy of acedia has this index.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.slot.index()
    }

    /// The number of owners of the object. Exact if no other thread is cloning or dropping an owner.
    #[must_use]
    #[doc(alias = "_getRefCount")]
    #[doc(alias = "strong_count")]
    pub fn owners(&self) -> usize {
        self.slot.owners(self.slot.chunk_of::<T>())
    }

    /// Whether both owners own the same object.
    #[inline]
    #[must_use]
    #[doc(alias = "ptr_eq")]
    pub fn is_same(&self, other: &Self) -> bool {
        self.index() == other.index()
    }

    /// The object's cached hash. If none was computed in this life, caches the result of `compute`.
    #[inline]
    pub(crate) fn cached_hash(&self, compute: impl FnOnce() -> i32) -> i32 {
        self.slot.cached_hash(compute)
    }

    #[inline]
    pub(crate) fn is_sole(&self) -> bool {
        self.slot.has_sole_owner(self.slot.chunk_of::<T>())
    }

    /// Mutable access to the object, if this is its only owner and no handle of this life was made. Then nothing else can read
    /// the object.
    ///
    /// Costs two loads. For an object with handles, use [`exclusive`](Self::exclusive).
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if !self.slot.is_private(self.slot.chunk_of::<T>()) {
            return None;
        }
        if P::Hooks::CACHES_HASH {
            self.slot.forget_hash(self.slot.chunk_of::<T>());
        }
        // SAFETY: the only owner, borrowed uniquely; the life was never visible, so no look-up can have succeeded.
        Some(unsafe { self.slot.object().as_mut() })
    }

    /// Calls `change` on the object, if this is its only owner and the object has no readers.
    ///
    /// During the call, handles of the object resolve to `None` ([`Reason::Hidden`](crate::Reason::Hidden)); afterwards they
    /// work again. Returns `None` without calling `change` if there is another owner, a guard of the object, or a pin of
    /// the pool's domain on any thread, including this one. But if no handle of this life was made, pins do not matter, and
    /// there is no fence.
    ///
    /// Costs two fences: the call checks for readers before it hides the object, and again afterwards. If the first check
    /// finds a reader, the object is not hidden, and the cost is one fence.
    ///
    /// ```
    /// use acedia::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let mut owner = pool.allocate();
    /// let handle = owner.handle();
    /// assert_eq!(owner.exclusive(|n| { *n += 1; *n }), Some(1));
    /// let pinned = pin();
    /// assert_eq!(owner.exclusive(|n| *n), None, "a thread may be reading");
    /// assert_eq!(pool.get(handle, &pinned), Some(&1));
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
        // Without a handle nothing has to be hidden: only this owner could make one, and it is borrowed.
        let is_exposed = self.slot.life().is_exposed();
        if is_exposed && !hide_unread::<T, P::Hooks>(self.slot) {
            return None;
        }
        let _show = is_exposed.then(|| Show(self.slot));
        if P::Hooks::CACHES_HASH {
            self.slot.forget_hash(self.slot.chunk_of::<T>());
        }
        // SAFETY: the only owner, borrowed uniquely; no look-up succeeds, and none that did is still reading.
        Some(change(unsafe { self.slot.object().as_mut() }))
    }

    /// Leaves the object alive without an owner. Such an object is *manual*: [`Pool::free`] frees it by its handle.
    ///
    /// If the object has other owners, [`Pool::free`] returns an error until they are dropped. If the object is manual already,
    /// this only drops the owner.
    #[must_use = "the object lives until it is freed by this handle"]
    pub fn into_manual(self) -> Handle<T> {
        let handle = self.handle();
        // If the object has a manual share already, this owner is dropped at the end, as one of several.
        if self.slot.guards().set_manual(handle.cast()) {
            self.into_slot();
        }
        handle
    }

    /// Frees the object if this is its last owner, as dropping the owner does. With debug assertions it also records the
    /// caller's location for messages about stale handles.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "Free")]
    #[doc(alias = "FreeMany")]
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
impl<T, P: PoolOf<T>> Owned<T, P> {
    pub(crate) fn hidden_handle(&self) -> Handle<T> {
        self.slot.life().handle().cast()
    }

    /// Begins the life, calls `fill`, and makes the object visible. After a panic, the handle never resolves to anything.
    pub(crate) fn show_with(self, fill: impl FnOnce(&mut T)) -> Self {
        let owner = ManuallyDrop::new(self);
        let abandon = (SkipLife(owner.slot), Abandon(owner.slot));
        if P::Hooks::CACHES_HASH {
            owner.slot.forget_hash(owner.slot.chunk_of::<T>());
        }
        // SAFETY: no other reference reaches the object: its life is not visible.
        let object = unsafe { owner.slot.object().as_mut() };
        P::Hooks::begin(object);
        fill(object);
        std::mem::forget(abandon);
        // Last: the handle is known, so a look-up may find the object from here on.
        owner.slot.life().expose();
        ManuallyDrop::into_inner(owner)
    }

    /// Begins the life with `value`, in a pool of values, and makes it visible.
    pub(super) fn show_value(self, value: T) -> Self {
        // SAFETY: the slot of a hidden owner has no value before its life begins.
        unsafe { self.slot.object::<T>().write(value) };
        self.slot.life().expose();
        self
    }

    /// Gives the object back unchanged: no code ran on it. The handle never resolves to anything.
    pub(crate) fn give_back_hidden(self) {
        let slot = self.into_slot();
        // First, because another thread can begin a life in the slot once it is put away.
        drop(SkipLife(slot));
        recycle::put_away(slot);
    }
}

/// Skips the slot's next life: its handle was issued, but the life never begins.
struct SkipLife(Slot);

impl Drop for SkipLife {
    fn drop(&mut self) {
        self.0.life().skip();
    }
}

impl<T, P: PoolOf<T>> Clone for Owned<T, P> {
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

impl<T, P: PoolOf<T>> Deref for Owned<T, P> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the object is alive as long as it has an owner, and only a sole owner changes it, under `&mut`.
        unsafe { self.slot.object().as_ref() }
    }
}

impl<T, P: PoolOf<T>> Drop for Owned<T, P> {
    #[inline]
    fn drop(&mut self) {
        recycle::free::<T, P::Hooks>(self.slot);
    }
}

impl<T: fmt::Debug, P: PoolOf<T>> fmt::Debug for Owned<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

// Objects without an owner, which are *manual*: operations by handle.
impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Frees a manual object ([`Owned::into_manual`]), if the life that `handle` names has not ended. Takes no pin.
    ///
    /// # Errors
    ///
    /// Like [`try_with`](Self::try_with), and also [`Reason::Owned`] if the object is alive but not manual, or still has
    /// owners. A manual object can be freed by its handle once its owners are dropped.
    ///
    /// If several threads free the same handle at the same time, one of them ends the life, and the others get an error.
    ///
    /// # Panics
    ///
    /// If the finalizer or the drop of the object panics during the call: see [panics in
    /// hooks](crate::pool::Hooks#panics-in-hooks).
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, handle: Handle<T>) -> Result<(), AccessError> {
        let slot = self.untyped.take_last_share(handle.cast())?;
        slot.note_freed_at(Location::caller());
        recycle::finish::<T, H>(slot, slot.life().end());
        Ok(())
    }

    /// Ends the life of a manual object that has no readers. The object is not finalized: the slot is the caller's.
    ///
    /// # Errors
    ///
    /// Like [`free`](Self::free), and also [`Reason::Read`] if the object may have readers.
    pub(super) fn end_unread(
        &self,
        handle: Handle<T>,
        place: &'static Location<'static>,
    ) -> Result<(Slot, Ended), AccessError> {
        let slot = self.untyped.take_last_share(handle.cast())?;
        if !hide_unread::<T, H>(slot) {
            self.untyped.return_share(slot, handle.cast());
            return Err(self.untyped.explain(handle.cast(), Reason::Read));
        }
        slot.note_freed_at(place);
        Ok((slot, slot.life().skip()))
    }

    /// Makes a new object manual, without atomic read-modify-writes: the caller borrows the pool mutably, so no other thread uses it.
    #[inline]
    pub(super) fn leave_alone(slot: Slot) -> Handle<T> {
        let handle = slot.life().expose();
        slot.chunk_of::<T>().mark_guards();
        slot.guards_of::<T>(handle).set_manual_alone(handle);
        handle.cast()
    }

    /// Like [`end_unread`](Self::end_unread), but without atomic read-modify-writes: see [`leave_alone`](Self::leave_alone). `None` if the
    /// object is not alive and manual, has other owners, or a guard of it was forgotten. Returns no `Result`, so that callers return it
    /// without a conversion to another layout.
    #[inline]
    #[track_caller]
    pub(super) fn end_alone(&mut self, handle: Handle<T>) -> Option<(Slot, Ended)> {
        let slot = self.find_alone(handle)?;
        Some((slot, Self::end_visible(slot, handle.cast())?))
    }

    /// Ends the visible life of a manual object, in a pool that the caller borrows mutably. `None` if it has other owners, or if a guard of
    /// it was forgotten.
    #[inline]
    #[track_caller]
    fn end_visible(slot: Slot, handle: Handle<()>) -> Option<Ended> {
        let chunk = slot.chunk_of::<T>();
        if !slot.has_sole_owner(chunk) || !slot.guards_of::<T>(handle).take_manual_alone(handle) {
            return None;
        }
        slot.note_freed_at(Location::caller());
        Some(slot.life().end_alone(handle))
    }

    /// Calls `visit` with each visible living object, and frees each manual object for which it returns `false`. If `visit`
    /// or a finalizer panics, the remaining objects stay.
    #[track_caller]
    pub(crate) fn visit_mut(&mut self, mut visit: impl FnMut(Handle<T>, &mut T) -> bool) {
        let mut handles = self.untyped.handles();
        tables::with(|tables| {
            // Looked up once for all objects: the lists live as long as the thread and the pool.
            let local = tables.cached(self.untyped.marked_tag());
            while let Some((handle, slot)) = handles.next_slot() {
                // SAFETY: as in `get_mut`: this call borrows the pool mutably, and `visit` cannot keep the object.
                if visit(handle.cast(), unsafe { slot.object().as_mut() }) {
                    continue;
                }
                match (Self::end_visible(slot, handle), local) {
                    (Some(ended), Some(local)) => {
                        recycle::finish_in::<T, H>(slot, Depot::of_chunk(slot.chunk_of::<T>()), ended, local);
                    }
                    (Some(ended), None) => recycle::finish::<T, H>(slot, ended),
                    // If a guard was forgotten, this ends the life, but the object waits for the guard forever.
                    // If an owner was forgotten, the free is refused.
                    (None, _) => _ = self.free(handle.cast()),
                }
            }
        });
    }

    /// Makes an owner of the next manual object of `handles`, and ends its handle. For a pool that the caller borrows mutably.
    #[track_caller]
    pub(crate) fn take_next_alone<'p>(handles: &mut Handles<'p>) -> Option<Owned<T, &'p Pool<T, H>>> {
        loop {
            let (handle, slot) = handles.next_slot()?;
            match Self::end_visible(slot, handle) {
                Some(Ended::Unseen) => {
                    slot.note_goes_on(handle);
                    // SAFETY: the manual share was an owner's, and is taken once. The object is in its slot's next life, which is not visible.
                    return Some(unsafe { Owned::from_slot(slot) });
                }
                // It was the last life of the slot, so that the object cannot live on.
                Some(ended) => recycle::finish::<T, H>(slot, ended),
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
        let slot = self.untyped.take_share(handle.cast())?;
        // SAFETY: the manual share was an owner's, and is taken once.
        Ok(unsafe { Owned::from_slot(slot) })
    }
}

impl Untyped {
    /// Like [`Pool::free`], but called at `place`.
    pub(crate) fn free(&self, handle: Handle<()>, place: &'static Location<'static>) -> Result<(), AccessError> {
        let slot = self.take_last_share(handle)?;
        slot.note_freed_at(place);
        (self.shape.finish)(slot.into_raw(), slot.life().end());
        Ok(())
    }

    /// Takes the manual share of an object without other owners, and returns the slot.
    fn take_last_share(&self, handle: Handle<()>) -> Result<Slot, AccessError> {
        let (slot, chunk) = self.find_with_chunk(handle)?;
        let guards = chunk.guards(handle.index());
        let has_others = || chunk.tag() & chunk::SHARED != 0 && !chunk.more_owners(handle.index()).is_none();
        // Two checks: a refusal should not take the share from other threads, so the first check comes before `take_manual`.
        // Between the checks, another thread may reclaim the object, clone the owner, and make one of the owners manual again.
        if has_others() || !guards.take_manual(handle) {
            return Err(self.explain(handle, Reason::Owned));
        }
        if has_others() {
            self.return_share(slot, handle);
            return Err(self.explain(handle, Reason::Owned));
        }
        Ok(slot)
    }

    /// Returns the manual share of a living object, which the caller took. If another owner has become manual meanwhile, the share is
    /// dropped like an owner.
    fn return_share(&self, slot: Slot, handle: Handle<()>) {
        let chunk = slot.chunk();
        if !chunk.guards(handle.index()).set_manual(handle) && chunk.more_owners(handle.index()).remove() {
            (self.shape.finish)(slot.into_raw(), slot.life().end());
        }
    }

    /// Takes the manual share of an object, and returns the slot.
    pub(super) fn take_share(&self, handle: Handle<()>) -> Result<Slot, AccessError> {
        let (slot, chunk) = self.find_with_chunk(handle)?;
        if !chunk.guards(handle.index()).take_manual(handle) {
            return Err(self.explain(handle, Reason::Owned));
        }
        Ok(slot)
    }

    /// The slot that `handle` names, and its chunk, found without the life word: the slot may have no object.
    fn find_with_chunk(&self, handle: Handle<()>) -> Result<(Slot, &Chunk), AccessError> {
        let slot = self.find(handle).ok_or_else(|| self.explain(handle, Reason::Hidden))?;
        // SAFETY: found, so the chunk belongs to this pool.
        Ok((slot, unsafe { Chunk::of(handle.index()).as_ref() }))
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// Skips lives of a slot, for tests of worn-out slots. The object of `owner` will be in life `next` once its handle is
    /// made. No handle of the current life may have been made.
    ///
    /// # Panics
    ///
    /// If a handle of the current life was made, if `owner` is not the only owner, or if `next` is not above the current
    /// life or is above `i32::MAX`.
    #[doc(hidden)]
    pub fn skip_lives(&self, owner: &mut Owned<T, impl PoolOf<T>>, next: u32) {
        let next = LifeVersion::new(next).expect("at most `i32::MAX`");
        let handle_made = self.contains(Handle::new(owner.index(), next));
        assert!(!handle_made, "the life is visible");
        assert_eq!(owner.owners(), 1, "another owner might make the life visible meanwhile");
        owner.slot().life().set_upcoming(next);
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
