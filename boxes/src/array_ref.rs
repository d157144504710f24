//! [`ArrayRef`]: an array that any thread can change.

use std::fmt;
use std::ops::{Bound, RangeBounds};
use std::vec;

use acedia_allocator::{ClassStorage, Object, Owned, allocate_with, kind};

use crate::lock::Lock;
use crate::primitive::Primitive;

/// An array as an object, which any thread can change; equal to itself alone.
///
/// ```
/// use acedia_boxes::FloatArrayRef;
///
/// let heights = FloatArrayRef::new([1.5, -2.0]);
/// heights.push(8.0).insert(0, 4.0).sort();
/// assert_eq!(heights.to_vec(), [-2.0, 1.5, 4.0, 8.0]);
/// assert_eq!(heights.find(4.0), Some(2));
/// assert_eq!((heights.len(), heights.get(9)), (4, None)); // without a copy of the array
/// assert_eq!(heights.with(|items| items.iter().sum::<f32>()), 11.5);
/// assert_ne!(heights, FloatArrayRef::new(heights.to_vec())); // two objects
/// ```
///
/// | | |
/// |---|---|
/// | whole | [`to_vec`](Self::to_vec) [`set`](Self::set) [`len`](Self::len) [`is_empty`](Self::is_empty) [`with`](Self::with) [`with_mut`](Self::with_mut) [`iter`](Self::iter) |
/// | length | [`resize`](Self::resize) [`clear`](Self::clear) [`push_defaults`](Self::push_defaults) [`insert_defaults`](Self::insert_defaults) [`remove_range`](Self::remove_range) |
/// | one item | [`get`](Self::get) [`get_or`](Self::get_or) [`set_item`](Self::set_item) [`push`](Self::push) [`insert`](Self::insert) [`remove`](Self::remove) |
/// | many | [`extend`](Self::extend) [`extend_from_slice`](Self::extend_from_slice) [`extend_from_ref`](Self::extend_from_ref) [`insert_slice`](Self::insert_slice) [`insert_ref`](Self::insert_ref) |
/// | by value | [`find`](Self::find) [`contains`](Self::contains) [`replace`](Self::replace) [`remove_first`](Self::remove_first) [`remove_all`](Self::remove_all) [`sort`](Self::sort) [`sort_descending`](Self::sort_descending) |
///
/// What returns the ref can be chained. An index that leads nowhere changes nothing: that is the seed's rule, and with
/// several threads the length may have changed since it was asked for.
///
/// # Threads
///
/// One lock per array; every call takes it once, and is one change for whoever looks. No call holds the locks of two
/// arrays. Closures and their rules: [there](crate#closures).
///
/// # Memory
///
/// The array's memory stays with its slot in the pool, and the next life begins empty, with that much room.
///
/// A call that makes the array longer panics, as `Vec` does, if it would have more than `isize::MAX` bytes.
///
/// An `ArrayRef` made by `From`, `FromIterator` or `Default` is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ArrayRef<T>(Lock<Vec<T>>);

/// The whole array.
impl<T: Primitive> ArrayRef<T> {
    /// A ref with these items in it.
    ///
    /// # Panics
    ///
    /// If the iterator does, or gives more than memory can hold.
    ///
    /// # Cost
    ///
    /// Copies the items, into memory that an earlier array has left, if there is enough.
    #[track_caller]
    pub fn new(items: impl IntoIterator<Item = T>) -> Owned<Self> {
        allocate_with(|it: &mut Self| it.0.get_mut().extend(items))
    }

    /// A copy of the items.
    #[must_use]
    #[doc(alias = "Get")]
    pub fn to_vec(&self) -> Vec<T> {
        self.0.read().clone()
    }

    /// Replaces the whole content by a copy of `items`.
    #[doc(alias = "Set")]
    pub fn set(&self, items: &[T]) -> &Self {
        let mut ours = self.0.write();
        ours.truncate(items.len());
        // What is there already is assigned to: strings keep their memory.
        let (head, tail) = items.split_at(ours.len());
        ours.clone_from_slice(head);
        ours.extend_from_slice(tail);
        self
    }

    /// The number of items.
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.0.read().len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.read().is_empty()
    }

    /// What `read` makes of the items, which are not copied.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([3, 1, 2]);
    /// assert_eq!(array.with(|items| items.iter().max().copied()), Some(3));
    /// ```
    ///
    /// Others can read meanwhile, and wait if they want to change the array.
    ///
    /// # Panics
    ///
    /// If `read` does; changing this very array inside `read` is a panic too.
    pub fn with<R>(&self, read: impl FnOnce(&[T]) -> R) -> R {
        self.0.with(|items| read(items))
    }

    /// Lets `change` change the array, with everything that a `Vec` can do. Others wait.
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
    /// If `change` does; the array then stays as it has left it. Using this very array inside `change`, except through its
    /// argument, is a panic too.
    pub fn with_mut<R>(&self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        self.0.with_mut(change)
    }

    /// The items as they are now, one by one: later changes are not seen, and no lock is held.
    #[must_use]
    pub fn iter(&self) -> vec::IntoIter<T> {
        self.to_vec().into_iter()
    }
}

/// The length of the array.
impl<T: Primitive> ArrayRef<T> {
    /// Cuts the array off at that length, or lengthens it with default values.
    #[doc(alias = "SetLength")]
    pub fn resize(&self, len: usize) -> &Self {
        self.0.write().resize_with(len, T::default);
        self
    }

    /// Removes all items.
    #[doc(alias = "Empty")]
    pub fn clear(&self) -> &Self {
        self.0.write().clear();
        self
    }

    /// Adds `count` default values at the end.
    #[doc(alias = "Add")]
    pub fn push_defaults(&self, count: usize) -> &Self {
        let mut items = self.0.write();
        let len = items.len().saturating_add(count);
        items.resize_with(len, T::default);
        drop(items);
        self
    }

    /// Inserts `count` default values before the item at `index`; nothing if that is behind the end.
    #[doc(alias = "Insert")]
    pub fn insert_defaults(&self, index: usize, count: usize) -> &Self {
        let mut items = self.0.write();
        if index <= items.len() {
            splice(&mut items, index, std::iter::repeat_n(T::default(), count));
        }
        drop(items);
        self
    }

    /// Removes the items in `range`, as far as there are any.
    ///
    /// ```
    /// # use acedia_boxes::ByteArrayRef;
    /// let array = ByteArrayRef::new([0, 1, 2, 3, 4, 5]);
    /// assert_eq!(array.remove_range(1..3).to_vec(), [0, 3, 4, 5]);
    /// assert_eq!(array.remove_range(3..100).to_vec(), [0, 3, 4]);
    /// assert_eq!(array.remove_range(3..).remove_range(7..9).len(), 3);
    /// ```
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
        let mut items = self.0.write();
        let end = end.min(items.len());
        if start < end {
            items.drain(start..end);
        }
        drop(items);
        self
    }
}

/// One item.
impl<T: Primitive> ArrayRef<T> {
    /// A copy of the item at `index`, if there is one.
    #[must_use]
    #[doc(alias = "GetItem")]
    pub fn get(&self, index: usize) -> Option<T> {
        self.0.read().get(index).cloned()
    }

    /// A copy of the item at `index`, or `default` if there is none.
    #[must_use]
    pub fn get_or(&self, index: usize, default: T) -> T {
        self.get(index).unwrap_or(default)
    }

    /// Changes the item at `index`. An array that is too short is lengthened, with default values in the gap.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// assert_eq!(IntArrayRef::new([1]).set_item(3, 7).to_vec(), [1, 0, 0, 7]);
    /// ```
    #[doc(alias = "SetItem")]
    pub fn set_item(&self, index: usize, item: T) -> &Self {
        let mut items = self.0.write();
        if let Some(place) = items.get_mut(index) {
            *place = item;
        } else {
            items.resize_with(index, T::default);
            items.push(item);
        }
        drop(items);
        self
    }

    /// Adds an item at the end.
    #[doc(alias = "AddItem")]
    pub fn push(&self, item: T) -> &Self {
        self.0.write().push(item);
        self
    }

    /// Inserts an item before the one at `index`; nothing if that is behind the end.
    #[doc(alias = "InsertItem")]
    pub fn insert(&self, index: usize, item: T) -> &Self {
        let mut items = self.0.write();
        if index <= items.len() {
            items.insert(index, item);
        }
        drop(items);
        self
    }

    /// Removes the item at `index`, if there is one, and gives it.
    #[doc(alias = "RemoveIndex")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    pub fn remove(&self, index: usize) -> Option<T> {
        let mut items = self.0.write();
        (index < items.len()).then(|| items.remove(index))
    }
}

/// Many items.
impl<T: Primitive> ArrayRef<T> {
    /// Adds items at the end, all at once.
    ///
    /// The iterator runs before the array is locked, so it may use the array: what it reads is what was there before.
    ///
    /// # Panics
    ///
    /// If the iterator does; nothing is added then.
    pub fn extend(&self, items: impl IntoIterator<Item = T>) -> &Self {
        let mut items: Vec<T> = items.into_iter().collect();
        self.0.write().append(&mut items);
        self
    }

    /// Adds copies of the items at the end.
    #[doc(alias = "AddArray")]
    pub fn extend_from_slice(&self, items: &[T]) -> &Self {
        self.0.write().extend_from_slice(items);
        self
    }

    /// Adds copies of the items of another array, or of this one, at the end.
    ///
    /// ```
    /// # use acedia_boxes::IntArrayRef;
    /// let array = IntArrayRef::new([1, 2]);
    /// assert_eq!(array.extend_from_ref(&array).to_vec(), [1, 2, 1, 2]);
    /// ```
    #[doc(alias = "AddArrayRef")]
    pub fn extend_from_ref(&self, other: &Self) -> &Self {
        self.take_from(other, |items, mut copy| items.append(&mut copy))
    }

    /// Inserts copies of the items before the one at `index`; nothing if that is behind the end.
    #[doc(alias = "InsertArray")]
    pub fn insert_slice(&self, index: usize, items: &[T]) -> &Self {
        let mut ours = self.0.write();
        if index <= ours.len() {
            splice(&mut ours, index, items.iter().cloned());
        }
        drop(ours);
        self
    }

    /// Inserts copies of the items of another array, or of this one, before the item at `index`; nothing if that is behind
    /// the end.
    #[doc(alias = "InsertArrayRef")]
    pub fn insert_ref(&self, index: usize, other: &Self) -> &Self {
        self.take_from(other, |items, copy| {
            if index <= items.len() {
                splice(items, index, copy);
            }
        })
    }

    /// Passes this array and a copy of `other` on. Two arrays are never locked at once; with itself it is one change.
    fn take_from(&self, other: &Self, put: impl FnOnce(&mut Vec<T>, Vec<T>)) -> &Self {
        if std::ptr::eq(self, other) {
            let mut items = self.0.write();
            let copy = items.clone();
            put(&mut items, copy);
        } else {
            let copy = other.to_vec();
            put(&mut self.0.write(), copy);
        }
        self
    }
}

/// Items by value. What "equal" means for floats: [there](crate#floats).
impl<T: Primitive> ArrayRef<T> {
    /// The index of the first item that is equal to `wanted`.
    ///
    /// # Cost
    ///
    /// Compares numbers a vector at a time: several times as fast as `iter().position()`.
    #[must_use]
    #[doc(alias = "Find")]
    pub fn find(&self, wanted: T::Plain<'_>) -> Option<usize> {
        T::find(&self.0.read(), wanted)
    }

    /// Whether an item is equal to `wanted`.
    #[must_use]
    pub fn contains(&self, wanted: T::Plain<'_>) -> bool {
        self.find(wanted).is_some()
    }

    /// Puts `new` in the place of every item that is equal to `old`; how many there were.
    ///
    /// ```
    /// # use acedia_boxes::StringArrayRef;
    /// let names = StringArrayRef::new(["a", "b", "a"].map(String::from));
    /// assert_eq!(names.replace("a", "c".to_owned()), 2);
    /// assert_eq!(names.to_vec(), ["c", "b", "c"]);
    /// ```
    #[doc(alias = "Replace")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    pub fn replace(&self, old: T::Plain<'_>, new: T) -> usize {
        T::replace(&mut self.0.write(), old, new)
    }

    /// Removes the first item that is equal to `unwanted`; whether there was one.
    #[doc(alias = "RemoveItem")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    pub fn remove_first(&self, unwanted: T::Plain<'_>) -> bool {
        let mut items = self.0.write();
        let found = T::find(&items, unwanted);
        found.map(|at| items.remove(at)).is_some()
    }

    /// Removes every item that is equal to `unwanted`; how many there were.
    ///
    /// ```
    /// # use acedia_boxes::BoolArrayRef;
    /// let flags = BoolArrayRef::new([true, false, true]);
    /// assert_eq!((flags.remove_all(true), flags.to_vec()), (2, vec![false]));
    /// ```
    ///
    /// # Cost
    ///
    /// One pass, which does not depend on foreseeing which items go.
    #[doc(alias = "RemoveItem")]
    #[allow(clippy::must_use_candidate, reason = "mostly called for its effect")]
    pub fn remove_all(&self, unwanted: T::Plain<'_>) -> usize {
        T::remove_all(&mut self.0.write(), unwanted)
    }

    /// Sorts the array, the smallest item first. Stable.
    ///
    /// `false` comes before `true`, strings are compared by their characters' code points, vectors by `x`, then `y`, then
    /// `z`, floats as described [there](crate#floats).
    ///
    /// # Cost
    ///
    /// Many numbers are sorted by radix, in linear time and with scratch memory of the array's size; an array that is
    /// in order already, upwards or downwards, is looked at once.
    #[doc(alias = "Sort")]
    pub fn sort(&self) -> &Self {
        T::sort(&mut self.0.write());
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
    /// As [`sort`](Self::sort), and two reversals.
    #[doc(alias = "Sort")]
    pub fn sort_descending(&self) -> &Self {
        let mut items = self.0.write();
        // Reversed before, too, so that equal items keep their order.
        items.reverse();
        T::sort(&mut items);
        items.reverse();
        drop(items);
        self
    }
}

/// Inserts `new` before the item at `index`, which is at most the length.
fn splice<T>(items: &mut Vec<T>, index: usize, new: impl IntoIterator<Item = T>) {
    items.splice(index..index, new);
}

impl<T: Primitive> Object for ArrayRef<T> {
    type Kind = kind::Identity;

    #[inline]
    fn storage() -> &'static ClassStorage<Self> {
        T::array_ref()
    }

    #[inline]
    fn constructor(&mut self) {
        self.0.get_mut().clear();
    }
}

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
    /// The items as a list: `[1, 2]`, `["a", "b"]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|items| fmt::Debug::fmt(items, f))
    }
}

impl<T: Primitive> fmt::Debug for ArrayRef<T> {
    /// The class and the items: `IntArrayRef([1, 2])`; `<locked>` instead of items that cannot be had without waiting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(Self::class().short_name()).field(&self.0).finish()
    }
}
