//! [`Hooks`]: how a pool makes, begins and ends objects; and the hot path of the end of a life, which runs them. The slow paths are in
//! [`recycle`](super::recycle).

use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;

use crate::pool::chunk::{self, Shape, ShapeOf};
use crate::pool::depot::Depot;
use crate::pool::life::Ended;
use crate::pool::local::Local;
use crate::pool::pins::{self, Global, Readers};
use crate::pool::recycle::{self, Abandon};
use crate::pool::slot::Slot;
use crate::pool::tables;

/// The functions that make a pool's objects, and that begin and end each life.
///
/// An object is made once per slot and then has many lives. It keeps the memory that it owns from life to life. The
/// default hooks, [`Plain`], make an object with `Default`, and do not change it between two lives.
///
/// ```
/// use acedia::pool::{Global, Hooks};
/// use acedia::Pool;
///
/// struct Emptied;
/// impl Hooks<Vec<u32>> for Emptied {
///     type Readers = Global;
///     fn make() -> Vec<u32> {
///         Vec::with_capacity(64)
///     }
///     fn begin(object: &mut Vec<u32>) {
///         object.clear();
///     }
/// }
///
/// let pool: Pool<Vec<u32>, Emptied> = Pool::with_hooks();
/// pool.allocate_with(|v| v.push(7));
/// assert!(pool.allocate().is_empty());
/// ```
///
/// # Panics in hooks
///
/// No slot is lost or used twice. If `make` panics, the slot stays empty. If `begin` or `END` panics, the object is
/// dropped, and the next life of its slot gets a new object. The panic continues in the caller that allocates or frees.
/// But if `END` runs late, on behalf of another caller (see [`Pinned`](crate::pool::Pinned)), its panic is not passed on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot make the objects of a pool of `{T}`",
    note = "`Plain`, the default, needs `{T}: Default`; for a type without it, use `Values<{T}>`, into which you insert values, or \
            implement `Hooks<{T}>`"
)]
pub trait Hooks<T>: 'static {
    /// The domain whose pins may protect the pool's objects: [`Global`], one declared by [`domain!`](crate::domain!), or
    /// none ([`GuardsOnly`](crate::pool::GuardsOnly)).
    type Readers: Readers;

    /// Makes the object of a slot that has no object.
    fn make() -> T;

    /// Prepares an object for its next life, before the object is visible. Runs at the start of every life.
    fn begin(object: &mut T) {
        let _ = object;
    }

    /// The finalizer, or `None`. It runs after the end of each life, when the object no longer has readers.
    ///
    /// A constant, so that a pool without a finalizer never waits for readers.
    const END: Option<fn(&mut T)> = None;

    /// Whether each life is visible from its beginning. `false` by default: a life becomes visible when its first handle is made, and
    /// the iterators over the living ([`Pool::handles`](crate::pool::Pool::handles)) skip an object until then.
    ///
    /// With `true`, the iterators find every living object, [`Owned::get_mut`](crate::pool::Owned::get_mut) always returns
    /// `None`, and every free costs as much as if the object had handles.
    ///
    /// ```
    /// use acedia::pool::{Global, Hooks};
    /// use acedia::Pool;
    ///
    /// struct Listed;
    /// impl Hooks<u64> for Listed {
    ///     type Readers = Global;
    ///     fn make() -> u64 {
    ///         0
    ///     }
    ///     const VISIBLE: bool = true;
    /// }
    ///
    /// let (pool, plain): (Pool<u64, Listed>, Pool<u64>) = (Pool::with_hooks(), Pool::new());
    /// let owners = (pool.allocate(), plain.allocate());
    /// assert_eq!((pool.handles().count(), plain.handles().count()), (1, 0));
    /// let _ = owners.1.handle();
    /// assert_eq!(plain.handles().count(), 1);
    /// ```
    const VISIBLE: bool = false;

    /// Whether lives begin by an insertion only, and an allocation without a value does not compile.
    #[doc(hidden)]
    const INSERTED: bool = false;

    /// Whether the hash of an object is kept for the rest of its life.
    #[doc(hidden)]
    const CACHES_HASH: bool = false;

    /// The name of the objects in errors and reports. The name of their type by default.
    ///
    /// ```
    /// use acedia::pool::{Global, Hooks};
    /// use acedia::Pool;
    ///
    /// struct Sessions;
    /// impl Hooks<Vec<u8>> for Sessions {
    ///     type Readers = Global;
    ///     fn make() -> Vec<u8> {
    ///         Vec::new()
    ///     }
    ///     fn name() -> &'static str {
    ///         "session"
    ///     }
    /// }
    ///
    /// let pool: Pool<Vec<u8>, Sessions> = Pool::with_hooks();
    /// let handle = pool.allocate().handle();
    /// let error = pool.try_with(handle, |_| ()).unwrap_err();
    /// assert!(error.to_string().starts_with("session in slot"));
    /// ```
    #[must_use]
    fn name() -> &'static str {
        std::any::type_name::<T>()
    }

    /// The class, for users of an object whose type is erased. Called before the pool's first object is made, with no lock held.
    #[doc(hidden)]
    #[must_use]
    fn about() -> &'static (dyn Any + Send + Sync) {
        &()
    }
}

/// The hooks of the pool of a class: those of its [`Object`](crate::Object).
#[derive(Debug)]
pub struct OfClass(());

/// The default hooks: objects are made by `Default`, and a life begins and ends without further work. `D` is the
/// [domain](Hooks::Readers) of the readers.
pub struct Plain<D: Readers = Global>(PhantomData<fn() -> D>);

impl<D: Readers> Default for Plain<D> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<D: Readers> fmt::Debug for Plain<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Plain")
    }
}

// So that a type without `Default` is reported with the note of `Hooks`.
#[diagnostic::do_not_recommend]
impl<T: Default, D: Readers> Hooks<T> for Plain<D> {
    type Readers = D;

    fn make() -> T {
        T::default()
    }
}

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: ShapeOf::<T>::SLOTS,
            first: ShapeOf::<T>::FIRST,
            object: ShapeOf::<T>::OBJECT,
            stride: ShapeOf::<T>::STRIDE,
            guards: match ShapeOf::<T>::GUARDS {
                Some(guards) => guards,
                None => 0,
            },
            bytes: ShapeOf::<T>::BYTES,
            make: if H::INSERTED { |_| () } else { make_erased::<T, H> },
            finalizer: if H::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: if H::INSERTED { |_| () } else { drop_erased::<T> },
            name: H::name,
            type_id: TypeId::of::<(T, H)>,
            about: H::about,
            drop_owner: drop_owner::<T, H>,
            finish: |life, ended| finish::<T, H>(Slot::from_raw(life), ended),
            pins: H::Readers::pins,
            is_unpinned: pins::is_unpinned::<H::Readers>,
        }
    }
}

/// # Safety
/// `object` points to memory for a `T` that no other thread reaches.
unsafe fn make_erased<T, H: Hooks<T>>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().write(H::make()) };
}

/// # Safety
/// `object` points to a `T` that no other reference reaches.
unsafe fn end_erased<T, H: Hooks<T>>(object: *mut u8) {
    if let Some(end) = H::END {
        // SAFETY: the caller's promise.
        end(unsafe { &mut *object.cast::<T>() });
    }
}

/// # Safety
/// `object` points to a `T` that no other reference reaches; it is dropped.
unsafe fn drop_erased<T>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().drop_in_place() };
}

/// # Safety
/// The caller gives up a share in the ownership of the object in slot `index`, which is of a pool of `T` and `H`.
pub(super) unsafe fn drop_owner<T: 'static, H: Hooks<T>>(index: u32) {
    free::<T, H>(Slot::of_own_in::<T>(index));
}

/// Ends a life if the caller was its last owner.
///
/// A function of its own, of which every exit is a tail call, so that it has no stack frame.
#[inline(never)]
pub(super) fn free<T: 'static, H: Hooks<T>>(slot: Slot) {
    // The tag names the pool. `tables` compares it with the tags of the pools that this thread used last, and has the thread's lists for
    // them. If an owner was cloned in the chunk, or if the pool is counted (`depot.rs`, The limits), the tag is marked and equals none of
    // these. Then the life may have other owners, so it is not ended here.
    let tag = slot.chunk_of::<T>().tag();
    tables::with(|tables| match tables.cached_to_free(tag) {
        Some(local) => finish_in::<T, H>(slot, slot.life().end(), local),
        None => drop_share::<T, H>(slot, tag),
    });
}

/// Finishes an ended life.
#[expect(
    clippy::inline_always,
    reason = "else the compiler makes it one more function, and a life takes four instructions more"
)]
#[inline(always)]
pub(super) fn finish_in<T, H: Hooks<T>>(slot: Slot, ended: Ended, local: &Local) {
    match ended {
        // No key was made, so no other thread can have looked the object up; or the caller holds the pool by `&mut` (`Life::end_alone`).
        Ended::Unseen => {}
        // Another thread may have looked it up before the life ended. `is_unpinned`: no other thread has ever pinned in the domain, and this one
        // holds no pin. `is_unguarded`: no other thread has ever made a guard in the pool, and this one has none of the object. Both are
        // loads: a thread that pins or guards for the first time later finds the life ended (`threads.rs`).
        Ended::Seen => {
            // `is_unpinned` comes first: for both checks, it keeps the compiler from moving them before the end of the life.
            if !(pins::is_unpinned::<H::Readers>() && Depot::of_chunk(slot.chunk_of::<T>()).is_unguarded(slot)) {
                // An object with a finalizer waits singly, so that the end of a pin finds it. Others wait in the thread's limbo, where
                // one fence serves all of them.
                if H::END.is_some() || !local.push_limbo(slot) {
                    recycle::end_slowly(slot, Ended::Seen);
                }
                return;
            }
        }
        // Its slot goes on no list of free ones.
        Ended::Worn => return recycle::end_slowly(slot, Ended::Worn),
    }
    if let Some(end) = H::END {
        let abandon = Abandon(slot);
        // SAFETY: the life is over, and the object has no readers.
        end(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
    }
    // The next allocation of this thread takes it.
    if !local.push_ready(slot) {
        recycle::put_away(slot);
    }
}

/// Finishes the life that the object's only owner has ended.
pub(super) fn finish<T: 'static, H: Hooks<T>>(slot: Slot, ended: Ended) {
    // Without SHARED, because the life has ended, so that the owner count is not asked again. COUNTED stays, so that the end of a life in a
    // counted pool finds no lists, and comes to the depot.
    let tag = slot.chunk_of::<T>().tag() & !chunk::SHARED;
    tables::with(|tables| match tables.local(tag) {
        Some(local) => finish_in::<T, H>(slot, ended, local),
        None => recycle::end_slowly(slot, ended),
    });
}

/// Puts away the slot of a value of the pool of `tag`. The value was or will be taken out, after the end of its life.
#[inline]
pub(super) fn put_away_value(tag: u64, slot: Slot, ended: Ended) {
    // After `Unseen` the caller has made sure that no thread reads. After `Worn` the slot begins no other life.
    let is_ready =
        ended == Ended::Unseen && tables::with(|tables| tables.cached(tag).is_some_and(|local| local.push_ready(slot)));
    if !is_ready {
        recycle::put_away(slot);
    }
}

/// Ends a share of an object in a chunk in which owners were cloned, or of a pool that is not in the thread's cache.
#[inline(never)]
fn drop_share<T: 'static, H: Hooks<T>>(slot: Slot, tag: u64) {
    // Without the mark, no owner in the chunk was ever cloned, and this one is the only one. With it, the count decides: of several owners
    // that are dropped at the same time, the last one to subtract ends the life.
    if tag & chunk::SHARED == 0 || slot.chunk_of::<T>().more_owners(slot.index()).remove() {
        finish::<T, H>(slot, slot.life().end());
    }
}
