//! The standard library's traits for [`ArrayRef`].

use std::fmt;
use std::vec;

use acedia::Object;

use crate::lock::Lock;
use crate::primitive::{ArrayRef, Primitive};

impl<T: Primitive> Extend<T> for ArrayRef<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        Self::extend(self, items);
    }
}

impl<T: Primitive> Extend<T> for &ArrayRef<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        ArrayRef::extend(self, items);
    }
}

impl<T: Primitive> IntoIterator for &ArrayRef<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    /// As [`ArrayRef::iter`].
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Primitive> From<Vec<T>> for ArrayRef<T> {
    fn from(items: Vec<T>) -> Self {
        Self(Lock::new(items))
    }
}

impl<T: Primitive> FromIterator<T> for ArrayRef<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<T: Primitive> fmt::Display for ArrayRef<T> {
    /// Prints the items as a list: `[1, 2]`, `["a", "b"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|items| fmt::Debug::fmt(items, f))
    }
}

impl<T: Primitive> fmt::Debug for ArrayRef<T> {
    /// Prints the class and the items: `IntArrayRef([1, 2])`. Prints `<locked>` if the items cannot be locked at once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(Self::class().short_name()).field(&self.0).finish()
    }
}
