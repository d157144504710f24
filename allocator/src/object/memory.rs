//! Allocating, freeing and collecting, as functions over all classes.

use std::error::Error;
use std::fmt;

use super::any::AnyOwned;
use super::object::{Object, Owned};
use crate::class::{self, ClassError, load_class};
use crate::error::AllocateError;
use crate::kind::Kind;
use crate::pool::Reclaimed;

/// Begins a life of a free object or, if there is none, of a new object, and runs the constructor.
///
/// ```
/// use acedia::{Object, allocate, class};
///
/// #[derive(Default)]
/// struct Crate(Vec<u32>);
/// impl Object for Crate {
///     class!(Crate, "Doc.Crate");
/// }
///
/// let one = allocate::<Crate>();
/// assert!(one.0.is_empty());
/// ```
///
/// The static constructor of the class runs first, if this is its first object: see
/// [`Class::construct`](crate::Class::construct).
///
/// # Panics
///
/// If `Default`, the constructor or the static constructor panics, if the process has [used up the slot numbers or already has
/// a million pools](AllocateError::Exhausted), or if [too many freed objects](Object::WAITING_AT_MOST) wait for readers.
/// Aborts, as `Box` does, if there is no memory. [`try_allocate`] returns an error instead, except for a panic of user code.
///
/// # Cost
///
/// Performs no atomic read-modify-write, and one more load than [`Pool::allocate`](crate::pool::Pool::allocate).
#[inline]
#[track_caller]
#[doc(alias = "Allocate")]
pub fn allocate<T: Object>() -> Owned<T> {
    T::storage().allocate()
}

/// Like [`allocate`], but also calls `init`, which changes the object after its constructor, before other threads can see it.
///
/// ```
/// # use acedia::{Object, allocate_with, class};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let one = allocate_with(|it: &mut Crate| it.0.push(7));
/// assert_eq!(one.0, [7]);
/// ```
///
/// # Panics
///
/// Like [`allocate`], and also if `init` panics. The object is then dropped, and the slot's next life gets a new object.
#[inline]
#[track_caller]
#[doc(alias = "Initialize")]
pub fn allocate_with<T: Object>(init: impl FnOnce(&mut T)) -> Owned<T> {
    T::storage().allocate_with(init)
}

/// An iterator of `count` objects. It allocates each object as [`allocate`] does, when it reaches it.
///
/// ```
/// # use acedia::{Object, allocate_many, class, free_all};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let crates: Vec<_> = allocate_many::<Crate>(100).collect();
/// assert_eq!(Crate::class().stats().live, 100);
/// free_all(crates);
/// ```
///
/// # Panics
///
/// The iterator panics as [`allocate`] does.
///
/// # Cost
///
/// Costs as much as `count` calls of [`allocate`].
#[track_caller]
pub fn allocate_many<T: Object>(count: usize) -> impl ExactSizeIterator<Item = Owned<T>> {
    T::storage().ready().allocate_many(count).map(Owned)
}

/// Like [`allocate_with`], but always reuses the object that this thread freed last. Returns `None` if the thread keeps no free
/// object. `prepare` runs instead of the constructor, on the fields as the last life left them. For classes that construct and
/// initialize in one step.
#[inline]
#[track_caller]
pub fn reuse_with<T: Object, R>(prepare: impl FnOnce(&mut T) -> R) -> Option<(Owned<T>, R)> {
    let storage = T::storage();
    if !storage.class.is_constructed() {
        return None;
    }
    let (owner, result) = storage.pool.reuse_with(|stored| {
        T::Kind::reset(&mut stored.cache);
        prepare(&mut stored.object)
    })?;
    Some((Owned(owner), result))
}

/// Like [`allocate`], but returns an error instead of aborting.
///
/// # Errors
///
/// If there is no memory, if [too many freed objects](Object::WAITING_AT_MOST) wait for readers, or if the process has used up
/// the slot numbers or already has a million pools ([`AllocateError::Exhausted`]). In each case, nothing has changed.
///
/// The error covers the memory of the objects, as with [`Pool::try_allocate`](crate::pool::Pool::try_allocate). The process aborts if there
/// is no memory for a record of the pool, for a list of free slots, or for the entry in the list of constructed classes.
///
/// # Panics
///
/// If `Default`, the constructor or the static constructor panics.
#[inline]
#[track_caller]
pub fn try_allocate<T: Object>() -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate()
}

/// Like [`allocate_with`], but returns an error instead of aborting.
///
/// # Errors
///
/// Like [`try_allocate`]. In that case, `init` has not been called.
///
/// # Panics
///
/// Like [`try_allocate`], and also if `init` panics.
#[inline]
#[track_caller]
pub fn try_allocate_with<T: Object>(init: impl FnOnce(&mut T)) -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate_with(init)
}

/// Like [`allocate`], but always with a new object. Free objects stay free.
///
/// ```
/// # use acedia::{Object, allocate, allocate_fresh, class};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let used = allocate::<Crate>();
/// let index = used.index();
/// drop(used);
/// assert_ne!(allocate_fresh::<Crate>().index(), index);
/// ```
///
/// # Panics
///
/// Like [`allocate`], and also if there is no memory.
#[track_caller]
#[doc(alias = "forceNew")]
pub fn allocate_fresh<T: Object>() -> Owned<T> {
    T::storage().allocate_fresh()
}

/// Like [`allocate_fresh`], but returns an error if there is no memory or no capacity.
///
/// # Errors
///
/// As [`try_allocate`].
///
/// # Panics
///
/// As [`try_allocate`].
#[track_caller]
pub fn try_allocate_fresh<T: Object>() -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate_fresh()
}

/// An object of the class of this name: [`load_class`], then [`Class::allocate`](crate::Class::allocate).
///
/// ```
/// use acedia::{Object, allocate_by_reference, class};
///
/// #[derive(Default)]
/// struct Torch;
/// impl Object for Torch {
///     class!(Torch, "Doc.Torch");
/// }
///
/// assert!(allocate_by_reference("Doc.Torch")?.is::<Torch>());
/// assert!(
///     allocate_by_reference("Doc.Toch")
///         .unwrap_err()
///         .to_string()
///         .contains("did you mean `Doc.Torch`?")
/// );
/// # Ok::<(), acedia::ReferenceError>(())
/// ```
///
/// # Errors
///
/// As [`load_class`] and [`Class::allocate`](crate::Class::allocate).
///
/// # Panics
///
/// As [`try_allocate`].
#[track_caller]
#[doc(alias = "AllocateByReference")]
#[doc(alias = "AllocateByReferenceS")]
#[doc(alias = "AllocateByReference_S")]
pub fn allocate_by_reference(name: &str) -> Result<AnyOwned, ReferenceError> {
    let class = load_class(name).map_err(ReferenceError::Class)?;
    class.allocate().map_err(ReferenceError::Allocate)
}

/// Why [`allocate_by_reference`] failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReferenceError {
    /// No class was found by the name.
    Class(ClassError),
    /// No object of the class could be allocated.
    Allocate(AllocateError),
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(error) => error.fmt(f),
            Self::Allocate(error) => error.fmt(f),
        }
    }
}

impl Error for ReferenceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Class(error) => error.source(),
            Self::Allocate(error) => error.source(),
        }
    }
}

/// Drops an owner, and frees the object if it was the last owner.
///
/// Accepts an [`Owned`], an [`AnyOwned`], or an `Option` of either. Unlike a drop, this call records its place for messages
/// about stale handles in builds with debug assertions.
///
/// ```
/// # use acedia::{Object, allocate, class, free};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// free(allocate::<Crate>());
/// free(None::<acedia::AnyOwned>); // nothing
/// ```
///
/// # Panics
///
/// If the finalizer panics.
#[track_caller]
#[doc(alias = "Free")]
pub fn free(owner: impl Freeable) {
    owner.give_up();
}

/// Calls [`free`] for each owner in turn. Skips `None`.
///
/// ```
/// # use acedia::{Object, allocate, class, free_all};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let many: Vec<_> = (0..10).map(|_| allocate::<Crate>()).collect();
/// free_all(many);
/// assert_eq!(Crate::class().stats().live, 0);
/// ```
///
/// # Panics
///
/// If a finalizer panics. If the iterator owns the remaining owners, they are dropped during unwinding.
///
/// # Cost
///
/// Costs as much as a loop over [`free`]. Without a finalizer, the pool looks for readers once for up to 255 freed objects,
/// whether they are freed one by one or here: a life with a handle takes 84 instructions among guards of other threads
/// (`allocate_key_free.among_guards`, `ci/instructions.sh`). With a finalizer it looks for readers at each free, and a life
/// takes 211 instructions, one of which is a fence (`allocate_key_finalize.among_guards`). One look for the whole batch was not
/// faster (`docs/decisions/0034-batches-are-loops.md`).
#[track_caller]
#[doc(alias = "FreeMany")]
pub fn free_all<O: Freeable>(owners: impl IntoIterator<Item = O>) {
    for owner in owners {
        owner.give_up();
    }
}

/// The arguments of [`free`]: [`Owned`], [`AnyOwned`], and an `Option` of either.
#[diagnostic::on_unimplemented(
    message = "`free` takes an owner, not `{Self}`",
    note = "an object without an owner is freed by its handle: `handle.free()`"
)]
pub trait Freeable: sealed::Sealed {
    /// See [`free`].
    #[doc(hidden)]
    #[track_caller]
    fn give_up(self);
}

impl<T: Object> Freeable for Owned<T> {
    #[track_caller]
    fn give_up(self) {
        self.free();
    }
}

impl Freeable for AnyOwned {
    #[track_caller]
    fn give_up(self) {
        self.free();
    }
}

impl<O: Freeable> Freeable for Option<O> {
    #[track_caller]
    fn give_up(self) {
        if let Some(owner) = self {
            owner.give_up();
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl<T: super::Object> Sealed for super::Owned<T> {}
    impl Sealed for super::AnyOwned {}
    impl<O: super::Freeable> Sealed for Option<O> {}
}

/// Whether [`collect_garbage`] drops the free objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "keepPools")]
#[non_exhaustive]
pub enum Pools {
    /// Drops the free objects, and returns the pages without objects to the operating system.
    Drop,
    /// Keeps the free objects. Objects that waited for readers are finalized if the readers have left.
    Keep,
}

/// In every class, finalizes the freed objects whose readers have left. [`Pools::Drop`] also drops the free objects.
///
/// ```
/// # use acedia::{Object, Pools, allocate, class, collect_garbage};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let handle = allocate::<Crate>().handle();
/// let reclaimed = collect_garbage(Pools::Drop);
/// assert!(reclaimed.objects >= 1);
/// assert!(!handle.is_allocated()); // and never again
/// ```
///
/// Living objects are not touched. Every other thread keeps its own free objects, at most 766 per class.
///
/// # Panics
///
/// If the drop of an object panics. The remaining classes are then not collected.
///
/// # Cost
///
/// Proportional to the number of slots of all classes. `Pools::Keep` costs one check per class.
#[doc(alias = "CollectGarbage")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn collect_garbage(pools: Pools) -> Reclaimed {
    let mut all = Reclaimed::default();
    for class in class::all() {
        match pools {
            Pools::Drop => all += class.collect(),
            Pools::Keep => class.pool().settle(),
        }
    }
    all
}
