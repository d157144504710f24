//! [`Hooks`]: how a pool makes, begins and ends objects.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use crate::pool::reading::domain::{Global, Readers};

/// The functions that make a pool's objects, and that begin and end each life.
///
/// An object is made once per slot and then has many lives. It keeps the memory that it owns from life to life. The
/// default hooks, [`Plain`], make an object with `Default`, and do not change it between two lives.
///
/// ```
/// use acedia::pool::{Global, Hooks, Pool};
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
/// But if `END` runs late, on behalf of another caller (see [`Pinned`](crate::pool::Pinned)), its panic is counted in
/// [`Stats::panics`](crate::pool::Stats::panics) and not passed on.
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

    /// Whether each life is visible from its beginning. `false` by default: a life becomes visible when its first key is made, and
    /// the iterators over the living ([`Pool::keys`](crate::pool::Pool::keys)) skip an object until then.
    ///
    /// With `true`, the iterators find every living object, [`Owner::get_mut`](crate::pool::Owner::get_mut) always returns
    /// `None`, and every free costs as much as if the object had keys.
    ///
    /// ```
    /// use acedia::pool::{Global, Hooks, Pool};
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
    /// assert_eq!((pool.keys().count(), plain.keys().count()), (1, 0));
    /// let _ = owners.1.key();
    /// assert_eq!(plain.keys().count(), 1);
    /// ```
    const VISIBLE: bool = false;

    /// The eraser of secrets, or `None`. It runs on every object before its memory can serve another life or another use: at
    /// the end of each life, after `END`, and once more before the object is dropped. After the drop, the bytes of the slot are
    /// set to 0.
    ///
    /// It also runs if `begin`, `END` or an `init` has panicked. Like `END`, it waits for readers. It does not reach copies
    /// elsewhere: the former buffer of a `Vec` that grew, a value that was moved out, swapped-out pages. Objects that are
    /// alive or leaked when the process exits are not overwritten. If the function panics, the object is dropped.
    ///
    /// The compiler may remove stores that nothing reads. To keep them, use the crate `zeroize`, or call
    /// [`std::hint::black_box`] on the result.
    ///
    /// ```
    /// use std::hint::black_box;
    /// use acedia::pool::{Global, Hooks, Pool};
    ///
    /// struct Secrets;
    /// impl Hooks<[u8; 32]> for Secrets {
    ///     type Readers = Global;
    ///     fn make() -> [u8; 32] {
    ///         [0; 32]
    ///     }
    ///     const SCRUB: Option<fn(&mut [u8; 32])> = Some(|key| {
    ///         key.fill(0);
    ///         black_box(key);
    ///     });
    /// }
    ///
    /// let keys: Pool<[u8; 32], Secrets> = Pool::with_hooks();
    /// drop(keys.allocate_with(|key| key.fill(7)));
    /// assert_eq!(*keys.allocate(), [0; 32]);
    /// ```
    const SCRUB: Option<fn(&mut T)> = None;

    /// Counts the bytes that a free object owns outside its slot; `None` if objects own none. Only pools with
    /// [`KeepBytes`](crate::PoolPolicy::KeepBytes) call it, when an object becomes free.
    ///
    /// This is a constant, so that a pool without weights can count objects instead of bytes. Counting costs nothing while the
    /// number of free objects is [far below](crate::PoolPolicy::KeepAtMost) the limit. With weights and `KeepBytes`, each free
    /// and each allocation takes the pool's lock.
    ///
    /// If this or `shrink` panics, the object is dropped, and the panic is counted in
    /// [`Stats::panics`](crate::pool::Stats::panics).
    ///
    /// ```
    /// use acedia::PoolPolicy;
    /// use acedia::pool::{Global, Hooks, Pool};
    ///
    /// struct Buffers;
    /// impl Hooks<Vec<u8>> for Buffers {
    ///     type Readers = Global;
    ///     fn make() -> Vec<u8> {
    ///         Vec::new()
    ///     }
    ///     fn begin(buffer: &mut Vec<u8>) {
    ///         buffer.clear();
    ///     }
    ///     const WEIGHT: Option<fn(&Vec<u8>) -> usize> = Some(Vec::capacity);
    ///     fn shrink(buffer: &mut Vec<u8>, most: usize) {
    ///         buffer.clear();
    ///         buffer.shrink_to(most.min(4096));
    ///     }
    /// }
    ///
    /// let pool: Pool<Vec<u8>, Buffers> =
    ///     Pool::with_hooks().keep(PoolPolicy::KeepBytes(100_000));
    /// drop(pool.allocate_with(|buffer| buffer.reserve(1_000_000)));
    /// assert_eq!(pool.stats().kept, 1);
    /// assert_eq!(pool.allocate().capacity(), 4096);
    /// ```
    const WEIGHT: Option<fn(&T) -> usize> = None;

    /// Releases memory of a free object whose weight is above `most`, the number of bytes left until the limit. If its
    /// weight is still above `most` afterwards, the object is dropped. Does nothing by default.
    fn shrink(object: &mut T, most: usize) {
        let _ = (object, most);
    }

    /// The name of the objects in errors and reports. The name of their type by default.
    ///
    /// ```
    /// use acedia::pool::{Global, Hooks, Pool};
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
    /// let key = pool.allocate().key();
    /// let error = pool.try_with(key, |_| ()).unwrap_err();
    /// assert!(error.to_string().starts_with("session in slot"));
    /// ```
    #[must_use]
    fn name() -> &'static str {
        std::any::type_name::<T>()
    }

    /// A value that describes the pool to users of an object whose type is erased: see
    /// [`ErasedOwner::about`](crate::pool::ErasedOwner::about). Called before the pool's first object is made, with no lock
    /// held. `()` by default.
    #[must_use]
    fn about() -> &'static (dyn Any + Send + Sync) {
        &()
    }
}

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
