//! Methods of [`ArrayRef`] for one or many items by index.

use super::{make_room, splice};
use crate::primitive::{ArrayRef, Primitive};

/// Methods for one item.
impl<T: Primitive> ArrayRef<T> {
    /// A copy of the item at `index`, if there is one.
    ///
    /// ```
    /// # use acedia_boxes::StringArrayRef;
    /// let names = StringArrayRef::new(["a".to_owned()]);
    /// assert_eq!((names.get(0).as_deref(), names.get(1)), (Some("a"), None));
    /// ```
    #[must_use]
    #[track_caller]
    #[doc(alias = "GetItem")]
    pub fn get(&self, index: usize) -> Option<T> {
        self.0.read_briefly().get(index).cloned()
    }

    /// A copy of the item at `index`, or `default` if there is none.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([7]);
    /// assert_eq!((array.get_or(0, -1), array.get_or(1, -1)), (7, -1));
    /// ```
    #[must_use]
    #[track_caller]
    pub fn get_or(&self, index: usize, default: T) -> T {
        self.get(index).unwrap_or(default)
    }

    /// Changes the item at `index`. An array that is too short is lengthened, with default values in the gap. Does nothing if
    /// the array would get [too long](Self#memory).
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1]).set_item(3, 7).to_vec(), [1, 0, 0, 7]);
    /// ```
    #[track_caller]
    #[doc(alias = "SetItem")]
    pub fn set_item(&self, index: usize, item: T) -> &Self {
        let mut items = self.0.write_briefly();
        if let Some(place) = items.get_mut(index) {
            *place = item;
        } else if make_room(&mut items, index.checked_add(1)) {
            items.resize_with(index, T::default);
            items.push(item);
        }
        self
    }

    /// Adds an item at the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1]).push(2).push(3).to_vec(), [1, 2, 3]);
    /// ```
    #[track_caller]
    #[doc(alias = "AddItem")]
    pub fn push(&self, item: T) -> &Self {
        self.0.write_briefly().push(item);
        self
    }

    /// Inserts an item before the one at `index`. Does nothing if `index` is beyond the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1]);
    /// assert_eq!(array.insert(0, 2).insert(2, 3).insert(4, 5).to_vec(), [2, 1, 3]);
    /// ```
    #[track_caller]
    #[doc(alias = "InsertItem")]
    pub fn insert(&self, index: usize, item: T) -> &Self {
        let mut items = self.0.write_briefly();
        if index <= items.len() {
            items.insert(index, item);
        }
        self
    }

    /// Removes and returns the item at `index`, if there is one.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!((array.remove(0), array.remove(1), array.to_vec()), (Some(1), None, vec![2]));
    /// ```
    #[doc(alias = "RemoveIndex")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    #[track_caller]
    pub fn remove(&self, index: usize) -> Option<T> {
        let mut items = self.0.write_briefly();
        (index < items.len()).then(|| items.remove(index))
    }
}

/// Methods for many items.
impl<T: Primitive> ArrayRef<T> {
    /// Adds items at the end, all at once.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!(array.extend(array.iter().map(|item| item * 2)).to_vec(), [1, 2, 2, 4]);
    /// ```
    ///
    /// The iterator runs before the array is locked, so it may use the array, and sees the old items.
    ///
    /// # Panics
    ///
    /// If the iterator panics. Then nothing is added.
    #[track_caller]
    pub fn extend(&self, items: impl IntoIterator<Item = T>) -> &Self {
        let mut items: Vec<T> = items.into_iter().collect();
        self.0.write_briefly().append(&mut items);
        self
    }

    /// Adds copies of the items at the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1]).extend_from_slice(&[2, 3]).to_vec(), [1, 2, 3]);
    /// ```
    #[track_caller]
    #[doc(alias = "AddArray")]
    pub fn extend_from_slice(&self, items: &[T]) -> &Self {
        self.0.write_briefly().extend_from_slice(items);
        self
    }

    /// Adds copies of the items of another array, or of this one, at the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!(array.extend_from_ref(&array).to_vec(), [1, 2, 1, 2]);
    /// ```
    #[track_caller]
    #[doc(alias = "AddArrayRef")]
    pub fn extend_from_ref(&self, other: &Self) -> &Self {
        self.take_from(other, |items, mut copy| items.append(&mut copy))
    }

    /// Inserts copies of the items before the one at `index`. Does nothing if `index` is beyond the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1, 4]).insert_slice(1, &[2, 3]).to_vec(), [1, 2, 3, 4]);
    /// ```
    #[track_caller]
    #[doc(alias = "InsertArray")]
    pub fn insert_slice(&self, index: usize, items: &[T]) -> &Self {
        let mut ours = self.0.write_briefly();
        if index <= ours.len() {
            splice(&mut ours, index, items.iter().cloned());
        }
        self
    }

    /// Inserts copies of the items of another array, or of this one, before the item at `index`. Does nothing if `index` is
    /// beyond the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!(array.insert_ref(1, &array).to_vec(), [1, 1, 2, 2]);
    /// ```
    #[track_caller]
    #[doc(alias = "InsertArrayRef")]
    pub fn insert_ref(&self, index: usize, other: &Self) -> &Self {
        self.take_from(other, |items, copy| {
            if index <= items.len() {
                splice(items, index, copy);
            }
        })
    }

    /// Calls `put` with this array and a copy of `other`. Never locks two arrays at once. If both are one array, this is one
    /// change.
    #[track_caller]
    fn take_from(&self, other: &Self, put: impl FnOnce(&mut Vec<T>, Vec<T>)) -> &Self {
        if std::ptr::eq(self, other) {
            let mut items = self.0.write_briefly();
            let copy = items.clone();
            put(&mut items, copy);
        } else {
            let copy = other.to_vec();
            put(&mut self.0.write_briefly(), copy);
        }
        self
    }
}
