//! Garbage collection in all classes, and the reuse of objects for the crates of this workspace.

use super::object::Object;
use crate::class;
use crate::pool::{Owned, Reclaimed};

/// Begins a life of a free object of this thread, with `prepare` instead of the constructor. `None` if the thread keeps no free object.
#[inline]
#[track_caller]
pub fn reuse_with<T: Object, R>(prepare: impl FnOnce(&mut T) -> R) -> Option<(Owned<T>, R)> {
    let storage = T::storage();
    if !storage.class.is_constructed() {
        return None;
    }
    storage.pool.reuse_with(prepare)
}

/// In every class, finalizes the freed objects whose readers have left, drops the free objects, and returns the pages without
/// objects to the operating system.
///
/// ```
/// # use acedia::{Object, class, collect_garbage};
/// # #[derive(Default)]
/// # struct Crate(Vec<u32>);
/// # impl Object for Crate { class!(Crate, "Doc.Crate"); }
/// let handle = Crate::allocate().handle();
/// let reclaimed = collect_garbage();
/// assert!(reclaimed.objects >= 1);
/// assert!(!handle.is_allocated()); // and never again
/// ```
///
/// Living objects are not touched. Every other thread keeps its own free objects, at most 766 per class. To finalize freed objects
/// without dropping the free ones, call [`Class::settle`](crate::Class::settle) for each of the [`classes`](crate::classes).
///
/// # Panics
///
/// If the drop of an object panics. The remaining classes are then not collected.
///
/// # Cost
///
/// Proportional to the number of slots of all classes.
#[doc(alias = "CollectGarbage")]
#[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
pub fn collect_garbage() -> Reclaimed {
    let mut all = Reclaimed::default();
    for class in class::all() {
        all += class.collect();
    }
    all
}
