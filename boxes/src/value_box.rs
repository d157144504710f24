//! Methods of [`ValueBox`]: one value that does not change.

use std::{fmt, mem};

use acedia::kind::{self, ValueHash};
use acedia::{ClassStorage, Object, Owned};

use crate::primitive::{Primitive, ValueBox};

impl<T: Primitive> ValueBox<T> {
    /// A box with this value in it.
    ///
    /// ```
    /// # use acedia_boxes::{BoolBox, StringBox};
    /// assert!(BoolBox::new(true).get());
    /// let text = String::from("seven");
    /// assert_eq!(StringBox::new(&text).to_string(), text);
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
    #[doc(alias = "BoxAPI")]
    pub fn new(value: T::Plain<'_>) -> Owned<Self> {
        Self::allocate_with(|it| it.0.assign(value))
    }

    /// The value. A string is borrowed, not copied.
    #[inline]
    #[must_use]
    #[doc(alias = "Get")]
    pub fn get(&self) -> T::Plain<'_> {
        self.0.plain()
    }
}

#[cfg(feature = "serde")]
impl<T> ValueBox<T> {
    pub(crate) const fn value(&self) -> &T {
        &self.0
    }
}

impl<T: Primitive> Object for ValueBox<T> {
    type Kind = kind::Value;
    type Readers = acedia::pool::Global;

    #[inline]
    fn write_the_macro_class_here() -> &'static ClassStorage<Self> {
        T::value_box()
    }

    #[inline]
    fn constructor(&mut self) {
        self.0.reset();
    }
}

impl<T: Primitive> ValueHash for ValueBox<T> {
    // A number is hashed in a few instructions. A cache would have to be cleared at the start of a life.
    const CACHED: bool = mem::needs_drop::<T>();

    fn value_hash(&self) -> i32 {
        self.0.value_hash()
    }
}

impl<T: Primitive> PartialEq for ValueBox<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(other.0.plain())
    }
}

impl<T: Primitive> Eq for ValueBox<T> {}

impl<T: Primitive> PartialEq<T> for ValueBox<T> {
    fn eq(&self, other: &T) -> bool {
        self.0.same(other.plain())
    }
}

impl PartialEq<str> for ValueBox<String> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl<T: Primitive> From<T> for ValueBox<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Primitive> fmt::Display for ValueBox<T> {
    /// The value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<T: Primitive> fmt::Debug for ValueBox<T> {
    /// Prints the class and the value: `IntBox(7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(Self::class().short_name()).field(&self.0).finish()
    }
}
