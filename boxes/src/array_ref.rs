//! Methods of [`ArrayRef`], an array that any thread can change: the whole array and its length.

mod items;
mod traits;
mod values;

use std::ops::{Bound, RangeBounds};
use std::{iter, vec};

use acedia::{ClassStorage, Object, Owned, kind};

use crate::primitive::{ArrayRef, Primitive};

/// The whole array.
impl<T: Primitive> ArrayRef<T> {
    /// A ref with these items in it.
    ///
    /// ```
    /// # use acedia_boxes::{ByteArrayRef, StringArrayRef};
    /// assert_eq!(ByteArrayRef::new(0..3).to_vec(), [0, 1, 2]);
    /// assert_eq!(StringArrayRef::new(["a".to_owned()]).to_vec(), ["a"]);
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
    #[doc(alias("Initialize", "EmptyBoolArray", "EmptyByteArray", "EmptyFloatArray", "EmptyIntArray"))]
    pub fn new(items: impl IntoIterator<Item = T>) -> Owned<Self> {
        Self::allocate_with(|it| it.0.get_mut().extend(items))
    }

    /// A copy of the items.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let copy = IntArrayRef::new([1, 2]).to_vec();
    /// assert_eq!(copy, vec![1, 2]);
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "Get")]
    pub fn to_vec(&self) -> Vec<T> {
        self.0.read_briefly().clone()
    }

    /// Replaces the whole content by a copy of `items`.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1, 2]).set(&[3]).to_vec(), [3]);
    /// ```
    #[track_caller]
    #[doc(alias = "Set")]
    pub fn set(&self, items: &[T]) -> &Self {
        let mut ours = self.0.write_briefly();
        ours.truncate(items.len());
        // Existing items are assigned to, so that strings keep their memory.
        let (head, tail) = items.split_at(ours.len());
        ours.clone_from_slice(head);
        ours.extend_from_slice(tail);
        self
    }

    /// The number of items.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1, 2]).len(), 2);
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.0.read_briefly().len()
    }

    /// Whether there are no items.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert!(IntArrayRef::new([]).is_empty());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.0.read_briefly().is_empty()
    }

    /// Applies `read` to the items, without a copy.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([3, 1, 2]);
    /// assert_eq!(array.with(|items| items.iter().max().copied()), Some(3));
    /// ```
    ///
    /// Writers wait meanwhile. While a writer waits, new readers wait behind it, except readers that are inside a closure of a
    /// ref or hold the lock of a collection or text. So the closure must not wait for another thread that uses this ref.
    ///
    /// # Panics
    ///
    /// If `read` panics or changes this array.
    #[track_caller]
    pub fn with<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        read(&self.0.read_in_turn())
    }

    /// Changes the array by `change`, which can call all methods of `Vec`. Other threads wait meanwhile.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([3, 1, 2]);
    /// array.with_mut(|items| items.retain(|item| item % 2 == 1));
    /// assert_eq!(array.to_vec(), [3, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `change` panics, or uses this array except through its argument. The array then stays as `change` has left it.
    #[track_caller]
    pub fn with_mut<R>(&self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        change(&mut self.0.write())
    }

    /// Iterates over a copy of the items, without a lock. Later changes do not affect the copy.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// for item in array.iter() {
    ///     array.push(item * 10);
    /// }
    /// assert_eq!(array.to_vec(), [1, 2, 10, 20]);
    /// ```
    #[must_use]
    pub fn iter(&self) -> vec::IntoIter<T> {
        self.to_vec().into_iter()
    }
}

/// Methods that change the length of the array.
impl<T: Primitive> ArrayRef<T> {
    /// Shortens the array to `len` items, or lengthens it with default values. Does nothing if the array would get [too long](Self#memory).
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(
    ///     IntArrayRef::new([1, 2]).resize(1).resize(3).resize(usize::MAX).to_vec(),
    ///     [1, 0, 0]
    /// );
    /// ```
    #[track_caller]
    #[doc(alias = "SetLength")]
    pub fn resize(&self, len: usize) -> &Self {
        let mut items = self.0.write_briefly();
        if len <= items.len() || make_room(&mut items, Some(len)) {
            items.resize_with(len, T::default);
        }
        self
    }

    /// Removes all items.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1, 2]).clear().len(), 0);
    /// ```
    #[track_caller]
    #[doc(alias = "Empty")]
    pub fn clear(&self) -> &Self {
        self.0.write_briefly().clear();
        self
    }

    /// Adds `count` default values at the end. Does nothing if the array would get [too long](Self#memory).
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1]).push_defaults(2).to_vec(), [1, 0, 0]);
    /// ```
    #[track_caller]
    #[doc(alias = "Add")]
    pub fn push_defaults(&self, count: usize) -> &Self {
        let mut items = self.0.write_briefly();
        let len = items.len().checked_add(count);
        if make_room(&mut items, len) {
            items.extend(iter::repeat_n(T::default(), count));
        }
        self
    }

    /// Inserts `count` default values before the item at `index`. Does nothing if `index` is beyond the end, or if the
    /// array would get [too long](Self#memory).
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!(array.insert_defaults(1, 2).insert_defaults(7, 2).to_vec(), [1, 0, 0, 2]);
    /// ```
    #[track_caller]
    #[doc(alias = "Insert")]
    pub fn insert_defaults(&self, index: usize, count: usize) -> &Self {
        let mut items = self.0.write_briefly();
        let len = items.len().checked_add(count);
        if index <= items.len() && make_room(&mut items, len) {
            splice(&mut items, index, iter::repeat_n(T::default(), count));
        }
        self
    }

    /// Removes the items in the part of `range` that lies inside the array.
    ///
    /// ```
    /// # use acedia_boxes::ByteArrayRef;
    /// let array = ByteArrayRef::new([0, 1, 2, 3, 4, 5]);
    /// assert_eq!(array.remove_range(1..3).to_vec(), [0, 3, 4, 5]);
    /// assert_eq!(array.remove_range(3..100).to_vec(), [0, 3, 4]);
    /// assert_eq!(array.remove_range(3..).remove_range(7..9).len(), 3);
    /// ```
    #[track_caller]
    #[doc(alias = "Remove")]
    pub fn remove_range(&self, range: impl RangeBounds<usize>) -> &Self {
        let start = match range.start_bound() {
            Bound::Included(&start) => start,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&last) => last.saturating_add(1),
            Bound::Excluded(&end) => end,
            Bound::Unbounded => usize::MAX,
        };
        let mut items = self.0.write_briefly();
        let end = end.min(items.len());
        if start < end {
            items.drain(start..end);
        }
        self
    }
}

/// Reserves capacity for `len` items in all, and returns whether it succeeded. `None` stands for more than `usize::MAX`.
///
/// The limit is checked first, because a system that overcommits might not refuse the memory.
fn make_room<T>(items: &mut Vec<T>, len: Option<usize>) -> bool {
    const MOST: usize = i32::MAX as usize;

    len.filter(|len| *len <= MOST)
        .is_some_and(|len| items.try_reserve(len.saturating_sub(items.len())).is_ok())
}

/// Inserts `new` before the item at `index`, which is at most the length.
fn splice<T>(items: &mut Vec<T>, index: usize, new: impl IntoIterator<Item = T>) {
    items.splice(index..index, new);
}

impl<T: Primitive> Object for ArrayRef<T> {
    type Kind = kind::Identity;
    type Readers = acedia::pool::Global;

    #[inline]
    fn write_the_macro_class_here() -> &'static ClassStorage<Self> {
        T::array_ref()
    }

    #[inline]
    fn constructor(&mut self) {
        self.0.get_mut().clear();
    }
}
