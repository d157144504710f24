//! The memory API: allocating, freeing and collecting, as free functions.

use std::error::Error;
use std::fmt;

use super::any::AnyOwned;
use super::object::{Object, Owned};
use crate::class::{self, ClassError, load_class};
use crate::error::AllocateError;
use crate::kind::Kind;
use crate::pool::Reclaimed;

/// An object for a new life: one that was freed before, or a new one. Its constructor has run.
///
/// ```
/// use acedia_allocator::{Object, allocate, class};
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
/// If `Default`, the constructor or the static constructor does, or if the process has used up all
/// [slots](AllocateError::Exhausted). Aborts, as `Box` does, if there is no memory: [`try_allocate`] does neither.
///
/// # Cost
///
/// No locked instruction, and one load more than the [pool](crate::pool::Pool::allocate) itself takes.
#[inline]
#[track_caller]
#[doc(alias = "Allocate")]
pub fn allocate<T: Object>() -> Owned<T> {
    T::storage().allocate()
}

/// As [`allocate`], letting `init` change the object after its constructor and before anybody can see it.
///
/// ```
/// # use acedia_allocator::{Object, allocate_with, class};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let one = allocate_with(|it: &mut Crate| it.0.push(7));
/// assert_eq!(one.0, [7]);
/// ```
///
/// # Panics
///
/// As [`allocate`], and if `init` does: the object is then dropped, and its slot made anew for its next life.
#[inline]
#[track_caller]
#[doc(alias = "Initialize")]
pub fn allocate_with<T: Object>(init: impl FnOnce(&mut T)) -> Owned<T> {
    T::storage().allocate_with(init)
}

/// As [`allocate_with`] of the object that this thread freed last, if it keeps any, with `prepare` in the place of the
/// constructor: it finds what the last life left. For classes that can do both at once.
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

/// As [`allocate`], giving an error instead of an abort.
///
/// # Errors
///
/// There is no memory, or the process has used up the numbers of slots. Nothing has changed.
///
/// "Memory" is that of the objects and that of their pool, as with
/// [`Pool::try_allocate`](crate::pool::Pool::try_allocate). In addition, the first use of a class enters it in a list of those
/// that are constructed: without memory for that the process aborts.
///
/// # Panics
///
/// If `Default`, the constructor or the static constructor does.
#[inline]
#[track_caller]
pub fn try_allocate<T: Object>() -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate()
}

/// As [`allocate_with`], giving an error instead of an abort.
///
/// # Errors
///
/// As [`try_allocate`]; `init` has not been called.
///
/// # Panics
///
/// As [`try_allocate`], and if `init` does.
#[inline]
#[track_caller]
pub fn try_allocate_with<T: Object>(init: impl FnOnce(&mut T)) -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate_with(init)
}

/// As [`allocate`], with an object that had no life before. What is free stays free.
///
/// ```
/// # use acedia_allocator::{Object, allocate, allocate_fresh, class};
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
/// As [`allocate`]; a lack of memory is a panic, too.
#[track_caller]
#[doc(alias = "forceNew")]
pub fn allocate_fresh<T: Object>() -> Owned<T> {
    T::storage().allocate_fresh()
}

/// As [`allocate_fresh`], giving an error instead of a panic for a lack of memory.
///
/// # Errors
///
/// As [`try_allocate`].
#[track_caller]
pub fn try_allocate_fresh<T: Object>() -> Result<Owned<T>, AllocateError> {
    T::storage().try_allocate_fresh()
}

/// An object of the class of this name: [`load_class`], then [`Class::allocate`](crate::Class::allocate).
///
/// ```
/// use acedia_allocator::{Object, allocate_by_reference, class};
///
/// #[derive(Default)]
/// struct Torch;
/// impl Object for Torch {
///     class!(Torch, "Doc.Torch");
/// }
///
/// assert!(allocate_by_reference("Doc.Torch")?.is::<Torch>());
/// assert!(allocate_by_reference("Doc.Toch").unwrap_err().to_string().contains("did you mean `Doc.Torch`?"));
/// # Ok::<(), acedia_allocator::ReferenceError>(())
/// ```
///
/// # Errors
///
/// As those two.
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

/// Why [`allocate_by_reference`] gave no object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReferenceError {
    /// The name does not lead to a class.
    Class(ClassError),
    /// The class has no object to give.
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

/// Gives up one owner's share: the object is freed if it was the last. The same as dropping it.
///
/// Takes [`Owned`], [`AnyOwned`] and an `Option` of either. In builds with debug assertions, an object that is freed by
/// this call and not by a drop remembers the caller's place, for messages about stale handles.
///
/// ```
/// # use acedia_allocator::{Object, allocate, class, free};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// free(allocate::<Crate>());
/// free(None::<acedia_allocator::AnyOwned>); // nothing
/// ```
///
/// # Panics
///
/// If the finalizer does.
#[track_caller]
#[doc(alias = "Free")]
pub fn free(owner: impl Freeable) {
    owner.give_up();
}

/// As [`free`], for each in turn. Entries of `None` are skipped.
///
/// ```
/// # use acedia_allocator::{Object, allocate, class, free_all};
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
/// If a finalizer does; the rest is then freed while unwinding, if the iterator owns it.
#[track_caller]
#[doc(alias = "FreeMany")]
pub fn free_all<O: Freeable>(owners: impl IntoIterator<Item = O>) {
    for owner in owners {
        owner.give_up();
    }
}

/// What [`free`] takes: [`Owned`], [`AnyOwned`], and an `Option` of either.
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

/// What [`collect_garbage`] does with the pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "keepPools")]
pub enum Pools {
    /// Drops the free objects, and gives their memory back to the operating system.
    Drop,
    /// Keeps the free objects. What waits for readers that have left is finished all the same.
    Keep,
}

/// Finishes, in every class, what waits for readers that have left, and drops the free objects if asked to.
///
/// ```
/// # use acedia_allocator::{Object, Pools, allocate, class, collect_garbage};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let handle = allocate::<Crate>().handle();
/// let reclaimed = collect_garbage(Pools::Drop);
/// assert!(reclaimed.objects >= 1);
/// assert!(!handle.is_allocated()); // for ever
/// ```
///
/// Objects that are alive are not touched. Free objects in the magazines of other threads stay, at most 766 per thread and
/// class.
///
/// # Panics
///
/// If the drop of an object does; classes that come later are then not collected.
///
/// # Cost
///
/// Proportional to the slots of all pools. `Pools::Keep` costs a look at each class.
#[doc(alias = "CollectGarbage")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn collect_garbage(pools: Pools) -> Reclaimed {
    let mut all = Reclaimed::default();
    for class in class::all() {
        match pools {
            Pools::Drop => all += class.collect(),
            Pools::Keep => (class.ops.settle)(),
        }
    }
    all
}
