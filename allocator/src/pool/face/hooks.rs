//! What a pool does to an object besides keeping it: [`Hooks`].

use std::any::Any;

/// How a pool makes an object and what it does at the ends of each life.
///
/// An object is made once per slot and then lives many lives; its inner memory survives from one to the next. The
/// default hooks, [`Plain`], make it with `Default` and leave it as the last life left it.
///
/// ```
/// use acedia_allocator::pool::{Hooks, Pool};
///
/// struct Emptied;
/// impl Hooks<Vec<u32>> for Emptied {
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
/// Nothing is lost or used twice. If `make` panics, the slot stays empty. If `begin` or `END` panics, the object is
/// dropped and its slot is made anew for its next life; the panic goes on to whoever allocated or freed, except where
/// an `END` runs late on behalf of somebody else (see [`Pinned`](super::Pinned)): there it is counted in
/// [`Stats::panics`](super::Stats::panics) and goes no further.
pub trait Hooks<T>: 'static {
    /// Makes the object of a slot that has none.
    fn make() -> T;

    /// Prepares an object for its next life, before anybody can see it. Runs at the start of every life.
    fn begin(object: &mut T) {
        let _ = object;
    }

    /// What ends a life, or `None` if nothing does. Runs when nobody can see the object any more.
    ///
    /// A constant, so that a pool without one never waits for readers.
    const END: Option<fn(&mut T)> = None;

    /// What is to be known of an object whose type is forgotten: [`ErasedOwner::about`](super::ErasedOwner::about). Asked
    /// before the pool's first object is made, with no lock held; nothing, `()`, if it isn't said.
    #[must_use]
    fn about() -> &'static (dyn Any + Send + Sync) {
        &()
    }
}

/// The hooks of a plain pool: `Default`, and nothing else.
#[derive(Debug)]
pub struct Plain;

impl<T: Default> Hooks<T> for Plain {
    fn make() -> T {
        T::default()
    }
}
