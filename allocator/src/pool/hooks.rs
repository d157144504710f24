//! [`Hooks`]: how a pool makes, begins and ends objects.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

use crate::pool::pins::{Global, Readers};

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
    note = "`Plain`, the default, needs `{T}: Default`; for a type without it, use `Values<{T}>` and insert values, or \
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
    /// A constant, so that a pool without a finalizer needs no fence for each free.
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

    /// Whether these are the hooks of a class, whose pool [`class!`](crate::class!) declares.
    #[doc(hidden)]
    const OF_CLASS: bool = false;

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

/// The functions of hooks for the engine, which passes them the address of an object.
pub(super) struct Erased<T, H>(PhantomData<(T, H)>);

impl<T, H: Hooks<T>> Erased<T, H> {
    /// Runs after each life, once the object has no readers: the finalizer, or, in a pool of values, the drop of the value.
    ///
    /// In a pool of values, `Shape::drop` does nothing, and the next life writes another value.
    pub(super) const END: Option<unsafe fn(*mut u8)> = if H::INSERTED && std::mem::needs_drop::<T>() {
        Some(Self::drop)
    } else if H::INSERTED || H::END.is_none() {
        None
    } else {
        Some(Self::end)
    };

    /// # Safety
    /// `object` points to a `T` that no other reference reaches.
    unsafe fn end(object: *mut u8) {
        if let Some(end) = H::END {
            // SAFETY: the caller's promise.
            end(unsafe { &mut *object.cast::<T>() });
        }
    }

    /// # Safety
    /// `object` points to a `T` that no other reference reaches; it is dropped.
    pub(super) unsafe fn drop(object: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { object.cast::<T>().drop_in_place() };
    }
}
