//! [`ValueRef`]: one value that any thread can change.

use std::fmt;

use acedia_allocator::{ClassStorage, Object, Owned, allocate_with, kind};

use crate::primitive::{Cell, Number, Primitive, ValueRef};

impl<T: Primitive> ValueRef<T> {
    /// A ref with this value in it.
    ///
    /// ```
    /// # use acedia_boxes::{BoolRef, StringRef};
    /// assert!(BoolRef::new(true).get());
    /// let text = String::from("seven");
    /// assert_eq!(StringRef::new(&text).get(), text);
    /// ```
    ///
    /// A string is copied into memory that an earlier ref has left, if there is one.
    ///
    /// # Panics
    ///
    /// As [`allocate`](acedia_allocator::allocate): this class adds no reason.
    ///
    /// # Cost
    ///
    /// That of [`allocate`](acedia_allocator::allocate).
    #[inline]
    #[track_caller]
    #[doc(alias = "Initialize")]
    #[doc(alias = "RefAPI")]
    pub fn new(value: T::Plain<'_>) -> Owned<Self> {
        allocate_with(|it: &mut Self| it.0.assign(value))
    }

    /// The value; of a string, a copy: [`with`](Self::with) makes none.
    ///
    /// # Cost
    ///
    /// A plain load on most processors; for what is behind a lock, two locked instructions.
    #[inline]
    #[must_use]
    #[doc(alias = "Get")]
    pub fn get(&self) -> T {
        self.0.get()
    }

    /// What `read` makes of the value; a string is not copied.
    ///
    /// ```
    /// # use acedia_boxes::StringRef;
    /// assert_eq!(StringRef::new("seven").with(str::len), 5);
    /// ```
    ///
    /// With a string or a vector, do not wait in the closure for another thread that uses this ref.
    ///
    /// # Panics
    ///
    /// If `read` does.
    #[inline]
    pub fn with<R>(&self, read: impl FnOnce(T::Plain<'_>) -> R) -> R {
        self.0.with(read)
    }

    /// Changes the value.
    ///
    /// ```
    /// # use acedia_boxes::FloatRef;
    /// let speed = FloatRef::new(-2.48);
    /// assert_eq!(speed.set(0.56).get(), 0.56);
    /// ```
    ///
    /// # Cost
    ///
    /// A plain store on most processors; for what is behind a lock, two locked instructions. Strings keep their memory.
    #[inline]
    #[doc(alias = "Set")]
    pub fn set(&self, value: T::Plain<'_>) -> &Self {
        self.0.set(value);
        self
    }

    /// Changes the value, and gives the one before. Nobody else gets the same one.
    ///
    /// ```
    /// # use acedia_boxes::BoolRef;
    /// let open = BoolRef::new(true);
    /// assert_eq!((open.replace(false), open.get()), (true, false));
    /// ```
    #[inline]
    #[must_use = "use `set` if the value before is not needed"]
    pub fn replace(&self, value: T::Plain<'_>) -> T {
        self.0.replace(value)
    }

    /// Lets `change` change the value, as one change for whoever looks.
    ///
    /// ```
    /// # use acedia_boxes::{IntRef, Vector, VectorRef};
    /// let score = IntRef::new(90);
    /// let before = score.update(|it| std::mem::replace(it, (*it + 20).min(100)));
    /// assert_eq!((before, score.get()), (90, 100));
    ///
    /// let place = VectorRef::new(Vector::default());
    /// place.update(|it| it.y = 2.0);
    /// assert_eq!(place.get(), Vector::new(0.0, 2.0, 0.0));
    /// ```
    ///
    /// If a `bool` or a number has another value when `change` ends than when it began, `change` is called again, with the
    /// new value. That holds whoever changed it: a `change` that itself changes this ref in every call can be called
    /// [for ever](crate#closures).
    ///
    /// # Panics
    ///
    /// If `change` does; using a string's or vector's ref inside its own `change` is a panic too. A string or a vector then stays as `change` has left it; a number is not changed.
    #[doc(alias = "SetX")]
    #[doc(alias = "SetY")]
    #[doc(alias = "SetZ")]
    pub fn update<R>(&self, change: impl FnMut(&mut T) -> R) -> R {
        self.0.update(change)
    }
}

impl<T: Number> ValueRef<T> {
    /// Adds to the number, and gives the one before. Integers wrap around.
    ///
    /// ```
    /// # use acedia_boxes::{ByteRef, FloatRef};
    /// let byte = ByteRef::new(250);
    /// assert_eq!((byte.fetch_add(10), byte.get()), (250, 4));
    /// assert_eq!(FloatRef::new(0.5).fetch_add(1.0), 0.5);
    /// ```
    #[inline]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    pub fn fetch_add(&self, summand: T) -> T {
        T::fetch_add(&self.0, summand)
    }
}

impl<T: Primitive> Object for ValueRef<T> {
    type Kind = kind::Identity;

    #[inline]
    fn storage() -> &'static ClassStorage<Self> {
        T::value_ref()
    }

    #[inline]
    fn constructor(&mut self) {
        self.0.reset();
    }
}

impl<T: Primitive> From<T> for ValueRef<T> {
    fn from(value: T) -> Self {
        Self(T::Cell::holding(value))
    }
}

impl<T: Primitive> fmt::Display for ValueRef<T> {
    /// The value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|value| fmt::Display::fmt(&value, f))
    }
}

impl<T: Primitive> fmt::Debug for ValueRef<T> {
    /// The class and the value: `IntRef(7)`; `<locked>` instead of a value that cannot be had without waiting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(Self::class().short_name());
        self.0.debug(&mut tuple);
        tuple.finish()
    }
}
