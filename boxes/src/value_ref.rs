//! Methods of [`ValueRef`]: one value that any thread can change.

use std::fmt;

use acedia::{ClassStorage, Object, Owned, kind};

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
    /// A string reuses the memory of the slot's previous string.
    ///
    /// # Panics
    ///
    /// As [`allocate`](acedia::Object::allocate).
    ///
    /// # Cost
    ///
    /// As [`allocate`](acedia::Object::allocate).
    #[inline]
    #[track_caller]
    #[doc(alias = "Initialize")]
    #[doc(alias = "IsInitialized")]
    #[doc(alias = "RefAPI")]
    pub fn new(value: T::Plain<'_>) -> Owned<Self> {
        Self::allocate_with(|it| it.0.assign(value))
    }

    /// The value. A string is copied; [`with`](Self::with) avoids the copy.
    ///
    /// # Cost
    ///
    /// A plain load on most processors. A ref with a lock takes two atomic read-modify-writes.
    #[inline]
    #[must_use]
    #[track_caller]
    #[doc(alias = "Get")]
    pub fn get(&self) -> T {
        self.0.get()
    }

    /// Applies `read` to the value. Does not copy a string.
    ///
    /// ```
    /// # use acedia_boxes::StringRef;
    /// assert_eq!(StringRef::new("seven").with(str::len), 5);
    /// ```
    ///
    /// The closure of a string or a vector must not wait for another thread that uses this ref.
    ///
    /// # Panics
    ///
    /// If `read` panics.
    #[inline]
    #[track_caller]
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
    /// A plain store on most processors. A ref with a lock takes two atomic read-modify-writes. Strings keep their
    /// memory.
    #[inline]
    #[track_caller]
    #[doc(alias = "Set")]
    pub fn set(&self, value: T::Plain<'_>) -> &Self {
        self.0.set(value);
        self
    }

    /// Replaces the value, and returns the previous value. A value that was set once is returned at most once, even if
    /// several threads call this.
    ///
    /// ```
    /// # use acedia_boxes::BoolRef;
    /// let open = BoolRef::new(true);
    /// assert_eq!((open.replace(false), open.get()), (true, false));
    /// ```
    #[inline]
    #[must_use = "use `set` if the previous value is not needed"]
    #[track_caller]
    pub fn replace(&self, value: T::Plain<'_>) -> T {
        self.0.replace(value)
    }

    /// Changes the value by `change`. Other threads see it as one change.
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
    /// If the ref is a `bool` or a number, and its value has changed while `change` was running, `change` is called again
    /// with the new value. That includes changes by `change` itself: if it changes this ref in every call, it is called
    /// [forever](crate#closures).
    ///
    /// # Panics
    ///
    /// If `change` panics, or uses the same ref of a string or a vector. A string or a vector then stays as `change` has left it;
    /// a `bool` or a number is not changed.
    #[track_caller]
    #[doc(alias = "SetX")]
    #[doc(alias = "SetY")]
    #[doc(alias = "SetZ")]
    pub fn update<R>(&self, change: impl FnMut(&mut T) -> R) -> R {
        self.0.update(change)
    }
}

impl<T: Number> ValueRef<T> {
    /// Adds to the number, and returns the previous number. Integers wrap around.
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
    type Readers = acedia::pool::Global;

    #[inline]
    fn write_the_macro_class_here() -> &'static ClassStorage<Self> {
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
    /// Prints the class and the value: `IntRef(7)`. Prints `<locked>` if the value cannot be locked at once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(Self::class().short_name());
        self.0.debug(&mut tuple);
        tuple.finish()
    }
}
