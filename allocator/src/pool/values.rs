//! [`Values`]: a pool of values that are dropped at the end of each life.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

use crate::policy::PoolPolicy;
use crate::pool::allocate::Reserved;
use crate::pool::chunk::Slot;
use crate::pool::guard::Guard;
use crate::pool::handle::Handle;
use crate::pool::hooks::Hooks;
use crate::pool::owned::sealed::Sealed;
use crate::pool::owned::{Owned, PoolOf};
use crate::pool::pins::{Global, Readers};
use crate::pool::pool::{Pool, refuse};
use crate::pool::recycle;
use crate::{AccessError, AllocateError, Reason};

/// A pool of values of any type: files, sockets, boxed traits. [`insert`](Self::insert) begins a life with a value, and the end
/// of the life drops the value, after its readers have left.
///
/// | To | Call |
/// |---|---|
/// | store a value, and own it | [`insert`](Self::insert), [`try_insert`](Self::try_insert), [`insert_with_handle`](Self::insert_with_handle) |
/// | store a value that lives until it is removed | [`insert`](Self::insert), then [`into_manual`](Owned::into_manual); [`add`](Self::add), with `&mut` |
/// | remove a value and drop it | drop its last owner; [`free`](Pool::free) |
/// | remove a value and get it | [`take`](Self::take); [`remove`](Self::remove), with `&mut` |
/// | read a value | [`with`](Pool::with), [`get`](Pool::get), [`guard`](Self::guard) |
///
/// It dereferences to a [`Pool`], so handles, pins, guards and limits work as in every other pool. For objects that own memory, a
/// [`Pool`] is faster, because it recycles the objects with their memory. `D` is the [domain](Hooks::Readers) of the readers.
///
/// ```
/// use acedia::{Values, pin};
///
/// let shapes: Values<Box<dyn Fn(f64) -> f64 + Send + Sync>> = Values::new();
/// let square = shapes.insert(Box::new(|x| x * x));
/// let handle = square.handle();
/// assert_eq!((square)(3.0), 9.0);
/// assert_eq!(shapes.with(handle, |shape| shape(2.0)), Some(4.0));
/// drop(square); // drops the closure
/// assert!(shapes.get(handle, &pin()).is_none());
/// ```
///
/// Used as a map from handles to values, without owners:
///
/// ```
/// use acedia::{Handle, Values};
///
/// let names: Values<String> = Values::new();
/// let handle: Handle<String> = names.insert("anna".to_owned()).into_manual();
/// assert!(names.contains(handle));
/// assert_eq!(names.take(handle).unwrap(), "anna");
/// assert!(names.take(handle).is_err());
/// ```
///
/// The functions of a `Pool` that make an object without a value, such as [`allocate`](Pool::allocate), do not compile.
///
/// If an owner is forgotten ([`mem::forget`](std::mem::forget)) and its value has no handle, the value is not dropped, not even with the pool.
pub struct Values<T: 'static, D: Readers = Global> {
    pool: Pool<T, Dropping<D>>,
}

impl<T: Send + Sync + 'static> Values<T> {
    /// Creates an empty pool in the domain [`Global`]; for another one call [`in_domain`](Self::in_domain). Costs nothing until the
    /// first value is inserted.
    ///
    /// ```
    /// use acedia::Values;
    ///
    /// static NAMES: Values<&str> = Values::new();
    /// assert_eq!(NAMES.insert("anna").len(), 4);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self::in_domain()
    }
}

impl<T: Send + Sync + 'static, D: Readers> Default for Values<T, D> {
    fn default() -> Self {
        Self::in_domain()
    }
}

impl<T: 'static, D: Readers> Deref for Values<T, D> {
    type Target = Pool<T, Dropping<D>>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.pool
    }
}

impl<T: 'static, D: Readers> DerefMut for Values<T, D> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.pool
    }
}

impl<T: 'static, D: Readers> Sealed<T> for &Values<T, D> {}

impl<T: 'static, D: Readers> PoolOf<T> for &Values<T, D> {
    type Hooks = Dropping<D>;
}

impl<T: 'static, D: Readers> fmt::Debug for Values<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pool.fmt(f)
    }
}

/// The hooks of [`Values`]: the end of a life drops the value.
pub struct Dropping<D: Readers = Global>(PhantomData<fn() -> D>);

impl<D: Readers> fmt::Debug for Dropping<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dropping")
    }
}

// A slot has a value during a life, and none between lives.
#[diagnostic::do_not_recommend]
impl<T: 'static, D: Readers> Hooks<T> for Dropping<D> {
    type Readers = D;

    fn make() -> T {
        unreachable!("`INSERTED`: the engine makes no value")
    }

    // No `END`, which any program could call on a value of its own: `Erased::END` drops the value.

    const INSERTED: bool = true;
}

/// Hides a function of [`Pool`] that makes an object without a value behind one that does not compile. Without it, such a call is
/// refused only when a program is built, not by `cargo check`.
macro_rules! refused {
    ($($name:ident($($argument:ident)?),)*) => {
        impl<T: 'static, D: Readers> Values<T, D> {$(
            #[doc(hidden)]
            pub fn $name(&self $(, $argument: impl Sized)?) -> Owned<T, &Self>
            where
                Self: refused::MakesWithoutValue,
            {
                $(drop($argument);)?
                unreachable!("no type has this trait")
            }
        )*}
    };
}
refused! {
    allocate(),
    allocate_with(init),
    allocate_with_handle(init),
    allocate_many(count),
    allocate_fresh(),
    try_allocate(),
    try_allocate_with(init),
    try_allocate_fresh(),
}

mod refused {
    /// No type has this trait.
    #[diagnostic::on_unimplemented(
        message = "every object of a pool of values needs a value",
        label = "call `insert`, `try_insert` or `insert_with_handle` instead"
    )]
    pub trait MakesWithoutValue {}
}

impl<T: Send + Sync + 'static, D: Readers> Values<T, D> {
    /// Creates an empty pool in the domain `D`.
    ///
    /// ```
    /// use acedia::pool::GuardsOnly;
    /// use acedia::Values;
    ///
    /// let sockets: Values<std::net::UdpSocket, GuardsOnly> = Values::in_domain();
    /// assert_eq!(sockets.stats().live, 0);
    /// ```
    #[must_use]
    pub const fn in_domain() -> Self {
        Self {
            pool: Pool::with_hooks(),
        }
    }

    /// Same as [`Pool::keep`].
    #[must_use]
    pub const fn keep(mut self, policy: PoolPolicy) -> Self {
        self.pool.untyped.settings.policy = policy;
        self
    }

    /// Same as [`Pool::bounded`].
    #[must_use]
    pub const fn bounded(mut self, capacity: usize) -> Self {
        self.pool.untyped.settings.bound = Some(capacity);
        self
    }

    /// Same as [`Pool::waiting_at_most`].
    #[must_use]
    pub const fn waiting_at_most(mut self, most: usize) -> Self {
        self.pool.untyped.settings.most_waiting = Some(most);
        self
    }

    /// Begins a life with `value`, which ends with its last owner. To keep only the handle, call
    /// [`into_manual`](Owned::into_manual).
    ///
    /// # Panics
    ///
    /// See [`Pool::allocate`].
    #[inline]
    #[track_caller]
    #[must_use = "a value without an owner is dropped at once"]
    pub fn insert(&self, value: T) -> Owned<T, &Self> {
        let slot = self.pool.acquire_slot();
        // SAFETY: the slot is new or from a list of this pool, so it has no value, and its life is not visible.
        unsafe { Owned::begin_value(slot, value) }
    }

    /// Like [`insert`](Self::insert), but returns the value in the error.
    ///
    /// ```
    /// use acedia::{AllocateError, Values};
    ///
    /// let sessions = Values::new().bounded(1);
    /// let _anna = sessions.insert("anna".to_owned());
    /// let (error, name) = sessions.try_insert("bert".to_owned()).unwrap_err();
    /// assert!(matches!(error, AllocateError::Full { capacity: 1, .. }));
    /// assert_eq!(name, "bert"); // returned, for another try
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Pool::try_allocate`].
    #[track_caller]
    pub fn try_insert(&self, value: T) -> Result<Owned<T, &Self>, (AllocateError, T)> {
        match self.pool.acquire(true) {
            // SAFETY: as in `insert`.
            Ok(slot) => Ok(unsafe { Owned::begin_value(slot, value) }),
            Err(error) => Err((error, value)),
        }
    }

    /// Inserts the value that `make` returns. `make` gets the handle that the value will have; the handle resolves to `None`
    /// until the value is inserted.
    ///
    /// ```
    /// use acedia::{Handle, Values, pin};
    ///
    /// struct Node { own: Handle<Node> }
    /// let nodes: Values<Node> = Values::new();
    /// let node = nodes.insert_with_handle(|own| Node { own });
    /// assert!(node.own == node.handle());
    /// ```
    ///
    /// # Panics
    ///
    /// Like [`insert`](Self::insert), and also if `make` panics. In that case, the handle never resolves to a value.
    #[track_caller]
    #[must_use = "a value without an owner is dropped at once"]
    pub fn insert_with_handle(&self, make: impl FnOnce(Handle<T>) -> T) -> Owned<T, &Self> {
        let reserved = self.reserve();
        let value = make(reserved.handle());
        reserved.insert(value)
    }

    /// Same as [`Pool::try_reserve`].
    ///
    /// # Errors
    ///
    /// See [`Pool::try_allocate`].
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<T, &Self>, AllocateError> {
        let slot = self.pool.acquire(true)?;
        // SAFETY: as in `insert`. The owner is hidden in the reservation, which does not read the value before it begins the life.
        Ok(Reserved::of(unsafe { Owned::from_slot(slot) }))
    }

    /// Same as [`Pool::reserve`].
    ///
    /// # Panics
    ///
    /// See [`Pool::allocate`].
    #[track_caller]
    pub fn reserve(&self) -> Reserved<T, &Self> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// Same as [`Pool::reclaim`].
    ///
    /// # Errors
    ///
    /// See [`Pool::reclaim`].
    pub fn reclaim(&self, handle: Handle<T>) -> Result<Owned<T, &Self>, AccessError> {
        self.pool.reclaim(handle).map(Owned::in_pool)
    }

    /// Same as [`Pool::drain`].
    #[track_caller]
    pub fn drain(&mut self) -> impl Iterator<Item = Owned<T, &Self>> {
        self.pool.drain().map(Owned::in_pool)
    }

    /// Same as [`Pool::guard`].
    #[inline]
    #[must_use]
    pub fn guard(&self, handle: Handle<T>) -> Option<Guard<T, &Self>> {
        Guard::of_found(self.pool.find(handle)?, handle, self)
    }

    /// Same as [`Pool::try_guard`].
    ///
    /// # Errors
    ///
    /// See [`Pool::try_get`].
    pub fn try_guard(&self, handle: Handle<T>) -> Result<Guard<T, &Self>, AccessError> {
        self.guard(handle)
            .ok_or_else(|| self.pool.untyped.explain(handle.cast(), Reason::Hidden))
    }

    /// Ends the life of a [manual](Owned::into_manual) value, and returns the value. Refused while any thread has a pin of the pool's
    /// domain, even for another pool: if there may be readers, call [`free`](Pool::free).
    ///
    /// ```
    /// use acedia::{Reason, Values};
    ///
    /// let names: Values<String> = Values::new();
    /// let handle = names.insert("anna".to_owned()).into_manual();
    /// let guard = names.guard(handle).unwrap();
    /// assert_eq!(names.take(handle).unwrap_err().reason(), Reason::Read);
    /// drop(guard);
    /// assert_eq!(names.take(handle).unwrap(), "anna");
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`free`](Pool::free), and also [`Reason::Read`](crate::Reason::Read) if a thread may be reading the value, because
    /// a guard of the value or a pin of the pool's domain exists. The value then stays. A read during the call finds the value
    /// or `None`.
    ///
    /// # Cost
    ///
    /// Costs two fences, like [`Owned::exclusive`], and one atomic read-modify-write.
    #[track_caller]
    pub fn take(&self, handle: Handle<T>) -> Result<T, AccessError> {
        // Of two threads that take the same value, or of this and a free by handle, one gets the manual share (`Guards::take_manual`). If a
        // look-up comes before the life is hidden, and its pin or guard is still held, this returns `Reason::Read`. A later look-up finds
        // nothing.
        let (slot, ended) = self.pool.end_unread(handle, Location::caller())?;
        // SAFETY: the life is over and had no readers, and this thread alone has the slot. `put_away_value` does not touch the value.
        let value = unsafe { slot.object::<T>().read() };
        // After the read: from here on another thread may take the slot, and write its value there.
        recycle::put_away_value(self.pool.untyped.marked_tag(), slot, ended);
        Ok(value)
    }

    /// Like [`insert`](Self::insert) followed by [`into_manual`](Owned::into_manual), but for a program that borrows the pool
    /// mutably, as it would a slot map.
    ///
    /// ```
    /// use acedia::Values;
    ///
    /// let mut names: Values<String> = Values::new();
    /// let handle = names.add("anna".to_owned());
    /// assert_eq!(names.get_mut(handle).map(|name| name.len()), Some(4));
    /// assert_eq!(names.remove(handle).unwrap(), "anna");
    /// assert!(names.remove(handle).is_err());
    /// ```
    ///
    /// # Panics
    ///
    /// See [`Pool::allocate`].
    ///
    /// # Cost
    ///
    /// Performs no atomic read-modify-write, whereas `into_manual` performs one.
    #[inline]
    #[track_caller]
    pub fn add(&mut self, value: T) -> Handle<T> {
        let slot: Slot = self.pool.acquire_slot();
        // SAFETY: as in `insert`.
        unsafe { slot.object::<T>().write(value) };
        // After the write: it makes the life visible, and a thread that borrows the pool later may read the value by the handle.
        Pool::<T, Dropping<D>>::leave_alone(slot)
    }

    /// Like [`take`](Self::take), but for a program that borrows the pool mutably. It succeeds even under a pin, because
    /// any reference under a pin would borrow the pool. [`add`](Self::add) has an example.
    ///
    /// # Errors
    ///
    /// Like [`free`](Pool::free), and also [`Reason::Read`](crate::Reason::Read) if a guard of the value was forgotten.
    ///
    /// # Cost
    ///
    /// Performs no atomic read-modify-write and no fence.
    #[expect(clippy::inline_always, reason = "else the value is copied once more")]
    #[inline(always)]
    #[track_caller]
    pub fn remove(&mut self, handle: Handle<T>) -> Result<T, AccessError> {
        // A separate function returns the whole error. Otherwise the compiler copies the value in pieces, by the layout of the error, and the
        // processor waits for the stores of `add`.
        let Some((slot, ended)) = self.pool.end_alone(handle) else {
            return Err(self.refusal(handle));
        };
        recycle::put_away_value(self.pool.untyped.marked_tag(), slot, ended);
        // SAFETY: as in `take`. Guards and references borrow the pool, so there are none. The value is read last, so that it is copied
        // once: nothing touches it in a free slot, and the slot's next life begins by way of the pool, which this call has borrowed.
        Ok(unsafe { slot.object::<T>().read() })
    }

    /// Why [`remove`](Self::remove) finds no value that it may take: the error of [`take`](Self::take).
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn refusal(&self, handle: Handle<T>) -> AccessError {
        match self.pool.end_unread(handle, Location::caller()) {
            Err(error) => error,
            Ok(_) => {
                unreachable!("`end_alone` refuses only what `end_unread` refuses, and no other thread uses the pool")
            }
        }
    }
}

impl<T: Send + Sync + 'static, P: PoolOf<T, Hooks = Dropping<D>>, D: Readers> Reserved<T, P> {
    /// Begins the reserved life with `value`, and makes the value visible.
    ///
    /// ```
    /// use acedia::Values;
    ///
    /// let names: Values<String> = Values::new();
    /// let place = names.reserve();
    /// let handle = place.handle();
    /// assert!(!names.contains(handle));
    /// let name = place.insert(format!("the one in {handle}"));
    /// assert_eq!(names.with(handle, |name| name.len()), Some(name.len()));
    /// ```
    pub fn insert(self, value: T) -> Owned<T, P> {
        self.into_owner().show_value(value)
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
