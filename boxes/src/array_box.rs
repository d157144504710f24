//! Methods of [`ArrayBox`]: an array that does not change.

use std::fmt;
use std::slice;

use acedia::kind::{self, ValueHash};
use acedia::{ClassStorage, Object, Owned};

use crate::primitive::{ArrayBox, Primitive};

impl<T: Primitive> ArrayBox<T> {
    /// A box with these items in it.
    ///
    /// ```
    /// # use acedia_boxes::StringArrayBox;
    /// let names = StringArrayBox::new(["a", "b"].map(String::from));
    /// assert_eq!(names.get(1), Some("b"));
    /// ```
    ///
    /// # Panics
    ///
    /// If the iterator panics, or its items would take more than `isize::MAX` bytes.
    ///
    /// # Cost
    ///
    /// Reuses the memory of the slot's previous array, if it is large enough.
    #[track_caller]
    #[doc(alias("Initialize", "BoolArray", "ByteArray", "FloatArray", "IntArray", "VectorArray"))]
    pub fn new(items: impl IntoIterator<Item = T>) -> Owned<Self> {
        Self::allocate_with(|it| it.0.extend(items))
    }

    /// The items, without a copy.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayBox;
    /// assert_eq!(IntArrayBox::new([1, 2]).as_slice(), [1, 2]);
    /// ```
    #[must_use]
    #[doc(alias = "Get")]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// A copy of the items.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        self.0.clone()
    }

    /// The number of items.
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item at `index`, if there is one.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayBox;
    /// let array = IntArrayBox::new([7]);
    /// assert_eq!((array.get(0), array.get(1)), (Some(7), None));
    /// ```
    #[must_use]
    #[doc(alias = "GetItem")]
    pub fn get(&self, index: usize) -> Option<T::Plain<'_>> {
        self.0.get(index).map(T::plain)
    }

    /// The item at `index`, or `default` if there is none.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayBox;
    /// assert_eq!(IntArrayBox::new([7]).get_or(1, -1), -1);
    /// ```
    #[must_use]
    pub fn get_or<'a>(&'a self, index: usize, default: T::Plain<'a>) -> T::Plain<'a> {
        self.get(index).unwrap_or(default)
    }

    /// The index of the first item that is equal to `wanted`.
    ///
    /// ```
    /// # use acedia_boxes::StringArrayBox;
    /// let names = StringArrayBox::new(["a", "b"].map(String::from));
    /// assert_eq!((names.find("b"), names.find("c")), (Some(1), None));
    /// ```
    ///
    /// # Cost
    ///
    /// As [`ArrayRef::find`](crate::ArrayRef::find).
    #[must_use]
    #[doc(alias = "Find")]
    pub fn find(&self, wanted: T::Plain<'_>) -> Option<usize> {
        T::find(&self.0, wanted)
    }

    /// Whether an item is equal to `wanted`.
    #[must_use]
    pub fn contains(&self, wanted: T::Plain<'_>) -> bool {
        self.find(wanted).is_some()
    }

    /// The items in order.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayBox;
    /// assert_eq!(IntArrayBox::new([1, 2]).iter().sum::<i32>(), 3);
    /// ```
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T: Primitive> Object for ArrayBox<T> {
    type Kind = kind::Value;
    type Readers = acedia::pool::Global;

    #[inline]
    fn write_the_macro_class_here() -> &'static ClassStorage<Self> {
        T::array_box()
    }

    #[inline]
    fn constructor(&mut self) {
        self.0.clear();
    }
}

impl<T: Primitive> ValueHash for ArrayBox<T> {
    fn value_hash(&self) -> i32 {
        self.iter().fold(T::ARRAY_HASH, |so_far, item| item.fold_hash(so_far))
    }
}

impl<T: Primitive> PartialEq for ArrayBox<T> {
    fn eq(&self, other: &Self) -> bool {
        T::all_same(&self.0, &other.0)
    }
}

impl<T: Primitive> Eq for ArrayBox<T> {}

impl<T: Primitive> PartialEq<[T]> for ArrayBox<T> {
    fn eq(&self, other: &[T]) -> bool {
        T::all_same(&self.0, other)
    }
}

impl<T: Primitive, const N: usize> PartialEq<[T; N]> for ArrayBox<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        T::all_same(&self.0, other)
    }
}

impl<T: Primitive> PartialEq<Vec<T>> for ArrayBox<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        T::all_same(&self.0, other)
    }
}

impl<T> AsRef<[T]> for ArrayBox<T> {
    fn as_ref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T: Primitive> IntoIterator for &'a ArrayBox<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Primitive> From<Vec<T>> for ArrayBox<T> {
    fn from(items: Vec<T>) -> Self {
        Self(items)
    }
}

impl<T: Primitive> FromIterator<T> for ArrayBox<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T: Primitive> fmt::Display for ArrayBox<T> {
    /// Prints the items as a list: `[1, 2]`, `["a", "b"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T: Primitive> fmt::Debug for ArrayBox<T> {
    /// Prints the class and the items: `IntArrayBox([1, 2])`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(Self::class().short_name()).field(&self.0).finish()
    }
}
