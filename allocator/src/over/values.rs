//! [`Values`]: a pool of values that are dropped at the end of each life.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::{fmt, mem};

use crate::pool::{Global, Hooks, Key, Owner, Pool, Readers, Reserved};
use crate::{AccessError, AllocateError};

/// A pool of values of any type: files, sockets, boxed traits. [`insert`](Pool::insert) begins a life with a value, and the end
/// of the life drops it, after its readers have left.
///
/// Keys, pins, guards and domains work as in every other pool. For objects that own memory, a [`Pool`] with other hooks is
/// faster, because it recycles the objects with their memory.
///
/// ```
/// use acedia::pool::{Pool, Values, pin};
///
/// let shapes: Values<Box<dyn Fn(f64) -> f64 + Send + Sync>> = Pool::values();
/// let square = shapes.insert(Box::new(|x| x * x));
/// let key = square.key();
/// assert_eq!((square)(3.0), 9.0);
/// assert_eq!(shapes.with(key, |shape| shape(2.0)), Some(4.0));
/// drop(square); // drops the closure
/// assert!(shapes.get(key, &pin()).is_none());
/// ```
///
/// Used as a map from keys to values, without owners:
///
/// ```
/// use acedia::pool::{Key, Pool, Values};
///
/// let names: Values<String> = Pool::values();
/// let key: Key = names.insert("anna".to_owned()).into_manual();
/// assert!(names.contains(key));
/// assert_eq!(names.take(key).unwrap(), "anna");
/// assert!(names.take(key).is_err());
/// ```
pub type Values<T, D = Global> = Pool<Value<T>, Dropping<D>>;

/// A value in a pool of [`Values`]. Dereferences to the value.
pub struct Value<T>(Option<T>);

impl<T> Deref for Value<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect(NOT_INSERTED)
    }
}

impl<T> DerefMut for Value<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect(NOT_INSERTED)
    }
}

const NOT_INSERTED: &str = "a visible life of a pool of values has a value";

impl<T: fmt::Debug> fmt::Debug for Value<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("no value"),
        }
    }
}

/// The hooks of [`Values`]: the end of a life drops the value. `D` is the [domain](Hooks::Readers) of the readers.
pub struct Dropping<D: Readers = Global>(PhantomData<fn() -> D>);

impl<D: Readers> Default for Dropping<D> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<D: Readers> fmt::Debug for Dropping<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dropping")
    }
}

#[diagnostic::do_not_recommend]
impl<T: 'static, D: Readers> Hooks<Value<T>> for Dropping<D> {
    type Readers = D;

    fn make() -> Value<T> {
        Value(None)
    }

    /// A value without a destructor stays until the next one replaces it, so that its end runs no code and waits for no reader.
    const END: Option<fn(&mut Value<T>)> = if mem::needs_drop::<T>() {
        Some(|value| drop(value.0.take()))
    } else {
        None
    };

    const INSERTED: bool = true;

    fn name() -> &'static str {
        std::any::type_name::<T>()
    }
}

impl<T: Send + Sync + 'static> Pool<Value<T>, Dropping> {
    /// Creates an empty pool of values. Costs nothing until the first value is inserted. For a pool in another domain, call
    /// [`with_hooks`](Self::with_hooks).
    ///
    /// ```
    /// use acedia::pool::{GuardsOnly, Pool, Values};
    ///
    /// let names = Pool::values();
    /// assert_eq!(names.insert("anna").len(), 4);
    /// let sockets: Values<std::net::UdpSocket, GuardsOnly> = Pool::with_hooks();
    /// assert_eq!(sockets.stats().live, 0);
    /// ```
    #[must_use]
    pub const fn values() -> Self {
        Self::with_hooks()
    }
}

impl<T: Send + Sync + 'static, D: Readers> Pool<Value<T>, Dropping<D>> {
    /// Begins a life with `value`.
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    #[inline]
    #[track_caller]
    #[must_use = "a value without an owner is dropped at once"]
    pub fn insert(&self, value: T) -> Owner<'_, Value<T>, Dropping<D>> {
        self.begin_with(|place| place.0 = Some(value))
    }

    /// Like [`insert`](Self::insert), but returns the value in the error.
    ///
    /// ```
    /// use acedia::AllocateError;
    /// use acedia::pool::Pool;
    ///
    /// let sessions = Pool::values().bounded(1);
    /// let _anna = sessions.insert("anna".to_owned());
    /// let (error, name) = sessions.try_insert("bert".to_owned()).unwrap_err();
    /// assert!(matches!(error, AllocateError::Full { capacity: 1, .. }));
    /// assert_eq!(name, "bert"); // returned, for another try
    /// ```
    ///
    /// # Errors
    ///
    /// See [`try_allocate`](Self::try_allocate).
    ///
    /// # Panics
    ///
    /// See [`try_allocate`](Self::try_allocate).
    #[track_caller]
    pub fn try_insert(&self, value: T) -> Result<Owner<'_, Value<T>, Dropping<D>>, (AllocateError, T)> {
        let mut value = Some(value);
        match self.try_begin_with(|place| place.0 = value.take()) {
            Ok(owner) => Ok(owner),
            Err(error) => match value {
                Some(value) => Err((error, value)),
                None => unreachable!("only a new object takes the value"),
            },
        }
    }

    /// Inserts the value that `make` returns. `make` gets the key that the value will have; the key resolves to `None`
    /// until the value is inserted.
    ///
    /// ```
    /// use acedia::pool::{Key, Pool, Values, pin};
    ///
    /// let nodes: Values<Key> = Pool::values();
    /// let node = nodes.insert_with_key(|key| key);
    /// assert_eq!(nodes.get(node.key(), &pin()).map(|own| **own), Some(node.key()));
    /// ```
    ///
    /// # Panics
    ///
    /// Like [`allocate`](Self::allocate), and also if `make` panics. In that case, the key never resolves to a value.
    #[track_caller]
    #[must_use = "a value without an owner is dropped at once"]
    pub fn insert_with_key(&self, make: impl FnOnce(Key) -> T) -> Owner<'_, Value<T>, Dropping<D>> {
        let place = self.reserve();
        let value = make(place.key());
        place.insert(value)
    }

    /// Ends the life of a [manual](Owner::into_manual) value, and returns the value.
    ///
    /// ```
    /// use acedia::Reason;
    /// use acedia::pool::{Pool, Values};
    ///
    /// let names: Values<String> = Pool::values();
    /// let key = names.insert("anna".to_owned()).into_manual();
    /// let guard = names.guard(key).unwrap();
    /// assert_eq!(names.take(key).unwrap_err().reason(), Reason::Read);
    /// drop(guard);
    /// assert_eq!(names.take(key).unwrap(), "anna");
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`free`](Self::free), and also [`Reason::Read`](crate::Reason::Read) if a thread may be reading the value, because
    /// a guard of the value or a pin of the pool's domain exists. The value then stays. A read during the call finds the value
    /// or `None`.
    ///
    /// # Cost
    ///
    /// Costs two fences, like [`Owner::exclusive`].
    #[track_caller]
    pub fn take(&self, key: Key) -> Result<T, AccessError> {
        // Not by way of the result of `take_with`, whose layout differs: a copy would wait for the stores of the copy before it.
        let mut value = None;
        self.take_with(key, |place| mem::swap(&mut value, &mut place.0))?;
        Ok(inserted(value))
    }

    /// Like [`insert`](Self::insert) followed by [`into_manual`](Owner::into_manual), but for a program that borrows the pool
    /// mutably, as it would a slot map.
    ///
    /// ```
    /// use acedia::pool::{Pool, Values};
    ///
    /// let mut names: Values<String> = Pool::values();
    /// let key = names.add("anna".to_owned());
    /// assert_eq!(names.get_mut(key).map(|name| name.len()), Some(4));
    /// assert_eq!(names.remove(key).unwrap(), "anna");
    /// assert!(names.remove(key).is_err());
    /// ```
    ///
    /// # Panics
    ///
    /// See [`allocate`](Self::allocate).
    ///
    /// # Cost
    ///
    /// Performs no atomic read-modify-write, whereas `into_manual` performs one.
    #[inline]
    #[track_caller]
    #[must_use = "the value lives until it is removed by this key"]
    pub fn add(&mut self, value: T) -> Key {
        self.add_alone(|place| place.0 = Some(value))
    }

    /// Like [`take`](Self::take), but for a program that borrows the pool mutably. A pin does not make it fail, because any
    /// reference under a pin would borrow the pool. [`add`](Self::add) has an example.
    ///
    /// # Errors
    ///
    /// Like [`free`](Self::free), and also [`Reason::Read`](crate::Reason::Read) if a guard of the value was forgotten.
    ///
    /// # Cost
    ///
    /// Performs no atomic read-modify-write and no fence.
    #[inline]
    #[track_caller]
    pub fn remove(&mut self, key: Key) -> Result<T, AccessError> {
        match self.take_alone(key, |place| place.0.take()) {
            Some(value) => Ok(inserted(value)),
            None => self.take(key),
        }
    }
}

/// The value of a life that has begun.
fn inserted<T>(value: Option<T>) -> T {
    match value {
        Some(value) => value,
        None => unreachable!("{NOT_INSERTED}"),
    }
}

impl<'p, T: 'static, D: Readers> Reserved<'p, Value<T>, Dropping<D>> {
    /// Begins the reserved life with `value`, and makes the value visible.
    ///
    /// ```
    /// use acedia::pool::{Pool, Values};
    ///
    /// let names: Values<String> = Pool::values();
    /// let place = names.reserve();
    /// let key = place.key();
    /// assert!(!names.contains(key));
    /// let name = place.insert(format!("the one in {key}"));
    /// assert_eq!(names.with(key, |name| name.len()), Some(name.len()));
    /// ```
    pub fn insert(self, value: T) -> Owner<'p, Value<T>, Dropping<D>> {
        self.fill_with(|place| place.0 = Some(value))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
