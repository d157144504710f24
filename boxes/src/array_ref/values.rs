//! Methods of [`ArrayRef`] for items by value: finding, replacing, removing and sorting them.

use crate::primitive::{ArrayRef, Primitive};

/// Methods that find items by value. Floats are compared by the [rules for floats](crate#floats).
impl<T: Primitive> ArrayRef<T> {
    /// The index of the first item that is equal to `wanted`.
    ///
    /// ```
    /// # use acedia_boxes::{FloatArrayRef, StringArrayRef};
    /// let numbers = FloatArrayRef::new([0.5, f32::NAN]);
    /// assert_eq!(
    ///     (numbers.find(0.5), numbers.find(f32::NAN), numbers.find(2.0)),
    ///     (Some(0), Some(1), None)
    /// );
    /// assert_eq!(StringArrayRef::new(["a".to_owned()]).find("a"), Some(0));
    /// ```
    ///
    /// # Cost
    ///
    /// Numbers are compared in vectorized blocks. This is several times faster than `iter().position()`, and two to three times
    /// faster for numbers of eight bytes.
    #[must_use]
    #[track_caller]
    #[doc(alias = "Find")]
    pub fn find(&self, wanted: T::Plain<'_>) -> Option<usize> {
        T::find(&self.0.read_briefly(), wanted)
    }

    /// Whether an item is equal to `wanted`.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert!(IntArrayRef::new([1, 2]).contains(2));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn contains(&self, wanted: T::Plain<'_>) -> bool {
        self.find(wanted).is_some()
    }

    /// Replaces every item that is equal to `old` by `new`, and returns their number.
    ///
    /// ```
    /// # use acedia_boxes::StringArrayRef;
    /// let names = StringArrayRef::new(["a", "b", "a"].map(String::from));
    /// assert_eq!(names.replace("a", "c".to_owned()), 2);
    /// assert_eq!(names.to_vec(), ["c", "b", "c"]);
    /// ```
    #[doc(alias = "Replace")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    #[track_caller]
    pub fn replace(&self, old: T::Plain<'_>, new: T) -> usize {
        T::replace(&mut self.0.write_briefly(), old, new)
    }

    /// Removes the first item that is equal to `unwanted`, and returns whether there was one.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2, 1]);
    /// assert!(array.remove_first(1) && !array.remove_first(3));
    /// assert_eq!(array.to_vec(), [2, 1]);
    /// ```
    #[doc(alias = "RemoveItem")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    #[track_caller]
    pub fn remove_first(&self, unwanted: T::Plain<'_>) -> bool {
        let mut items = self.0.write_briefly();
        let found = T::find(&items, unwanted);
        found.map(|at| items.remove(at)).is_some()
    }

    /// Removes every item that is equal to `unwanted`, and returns their number.
    ///
    /// ```
    /// # use acedia_boxes::BoolArrayRef;
    /// let flags = BoolArrayRef::new([true, false, true]);
    /// assert_eq!((flags.remove_all(true), flags.to_vec()), (2, vec![false]));
    /// ```
    ///
    /// # Cost
    ///
    /// One pass. For numbers, it has no branch per item.
    #[doc(alias = "RemoveItem")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    #[track_caller]
    pub fn remove_all(&self, unwanted: T::Plain<'_>) -> usize {
        T::remove_all(&mut self.0.write_briefly(), unwanted)
    }

    /// Sorts the array, the smallest item first. Stable.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([2, 3, 1]).sort().to_vec(), [1, 2, 3]);
    /// ```
    ///
    /// `false` comes before `true`. Strings are ordered by code points, and vectors by `x`, then `y`, then `z`. Floats are
    /// ordered by the [rules for floats](crate#floats): as numbers, with -0.0 before 0.0, although -0.0 and 0.0 are equal
    /// as items.
    ///
    /// # Cost
    ///
    /// Arrays of at least 64 `u8`, 200 numbers of four bytes or 1,000 of eight bytes are sorted by radix in linear time, with
    /// scratch memory of the array's size. Floats are first copied as integers, into as much memory again. Numbers that are
    /// already in ascending or descending order take one pass. A radix sort is 3.2 times faster than `sort_unstable` for
    /// 100,000 `i32`, and 1.1 times faster for 100,000 `i64` or `f64` (random values, Zen 5).
    #[track_caller]
    #[doc(alias = "Sort")]
    pub fn sort(&self) -> &Self {
        T::sort(&mut self.0.write_briefly());
        self
    }

    /// Sorts the array, the greatest item first. Stable.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([2, 3, 1]).sort_descending().to_vec(), [3, 2, 1]);
    /// ```
    ///
    /// # Cost
    ///
    /// [`sort`](Self::sort) and two reversals.
    #[track_caller]
    #[doc(alias = "Sort")]
    pub fn sort_descending(&self) -> &Self {
        let mut items = self.0.write_briefly();
        // Reversed before and after, so that equal items keep their order.
        items.reverse();
        T::sort(&mut items);
        items.reverse();
        self
    }
}
