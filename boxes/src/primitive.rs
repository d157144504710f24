//! [`Primitive`], and the four families of objects that hold primitives.
//!
//! The traits and the families name each other, so they are in one file. The methods of each family are in a file of its own.

use std::fmt;

use acedia::ClassStorage;
use acedia::kind::combine_hash;

use crate::lock::Lock;
use crate::value::Value;

/// A type with boxes and refs: `bool`, `u8`, `i32`, `i64`, `u64`, `f32`, `f64`, `String` or [`Vector`](crate::Vector).
///
/// Generic code can handle all of them:
///
/// ```
/// use acedia_boxes::{IntBox, Primitive, StringBox, ValueBox};
///
/// fn is_default<T: Primitive>(value: &ValueBox<T>) -> bool {
///     *value == T::default()
/// }
/// assert!(is_default(&IntBox::new(0)));
/// assert!(!is_default(&StringBox::new("0")));
/// ```
///
/// This trait is sealed: other types have no classes.
pub trait Primitive: Classes + Clone + Default + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The type of a value that is passed to be read or copied: `&str` for a string, otherwise the type itself.
    type Plain<'a>: Copy + fmt::Debug + fmt::Display + Into<Self>;

    /// The content of a ref.
    #[doc(hidden)]
    type Cell: Cell<Self>;

    /// The hash of an empty array.
    #[doc(hidden)]
    const ARRAY_HASH: i32;

    /// The value as a [`Plain`](Self::Plain).
    fn plain(&self) -> Self::Plain<'_>;

    /// Replaces the value in the same memory.
    #[doc(hidden)]
    fn assign(&mut self, value: Self::Plain<'_>) {
        *self = value.into();
    }

    /// Restores the default value in the same memory.
    #[doc(hidden)]
    fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether two values are equal. An equivalence relation.
    #[doc(hidden)]
    fn same(&self, other: Self::Plain<'_>) -> bool;

    /// Whether two slices have the same length and the same values.
    #[doc(hidden)]
    fn all_same(left: &[Self], right: &[Self]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same(right.plain()))
    }

    /// The hash, equal for values that are [`same`](Self::same).
    #[doc(hidden)]
    fn value_hash(&self) -> i32;

    /// One step of the hash of an array.
    #[doc(hidden)]
    fn fold_hash(&self, so_far: i32) -> i32 {
        combine_hash(so_far, self.value_hash())
    }

    /// Sorts, stably.
    #[doc(hidden)]
    fn sort(items: &mut [Self]);

    /// The index of the first item that is the same as `wanted`.
    #[doc(hidden)]
    fn find(items: &[Self], wanted: Self::Plain<'_>) -> Option<usize>;

    /// Replaces every item that is the same as `old` by `new`, and returns their number.
    #[doc(hidden)]
    fn replace(items: &mut [Self], old: Self::Plain<'_>, new: Self) -> usize;

    /// Removes every item that is the same as `unwanted`, and returns their number.
    #[doc(hidden)]
    fn remove_all(items: &mut Vec<Self>, unwanted: Self::Plain<'_>) -> usize;
}

/// A [`Primitive`] that can be added: `u8`, `i32`, `i64`, `u64`, `f32` or `f64`.
pub trait Number: Primitive {
    /// Adds to the number, and returns the previous number. Integers wrap around.
    #[doc(hidden)]
    fn fetch_add(cell: &Self::Cell, summand: Self) -> Self;
}

/// One value that any thread can change: an atomic if there is one of that size, otherwise a [`Lock`].
#[allow(
    unreachable_pub,
    reason = "reached through a bound of `Primitive::Cell`, where older compilers don't look"
)]
pub trait Cell<T: Primitive>: Default + Send + Sync + 'static {
    /// A cell with this value in it.
    fn holding(value: T) -> Self;

    /// Restores the default value, and keeps inner memory.
    fn reset(&mut self);

    /// Replaces the value of a cell that is not shared, and keeps inner memory.
    fn assign(&mut self, value: T::Plain<'_>);

    /// The value.
    fn get(&self) -> T;

    /// Replaces the value.
    fn set(&self, value: T::Plain<'_>);

    /// Replaces the value, and returns the one before.
    fn replace(&self, value: T::Plain<'_>) -> T;

    /// Applies `read` to the value.
    fn with<R>(&self, read: impl FnOnce(T::Plain<'_>) -> R) -> R;

    /// Changes the value by `change`, perhaps in several attempts.
    fn update<R>(&self, change: impl FnMut(&mut T) -> R) -> R;

    /// Prints the value, if that is possible without waiting.
    fn debug(&self, f: &mut fmt::DebugTuple<'_, '_>);
}

/// A value as an object that does not change. It is compared and hashed by its content.
///
/// ```
/// use acedia_boxes::{FloatBox, IntBox, StringBox};
///
/// let seven = IntBox::new(7);
/// assert_eq!(seven.get(), 7);
/// assert_eq!(seven, IntBox::new(7)); // two objects
/// assert_eq!(seven.hash_code(), 458_752);
/// assert_eq!(StringBox::new("seven").get(), "seven");
/// assert_eq!(*FloatBox::new(-2.48), -2.48); // a plain value
/// ```
///
/// Boxes of different classes are never equal: see [`AnyOwned`](acedia::AnyOwned). There are [rules for
/// floats](crate#floats).
///
/// A box that [`new`](Self::new) makes is an [`Object`](acedia::Object) in the pool of its class. A box that `From` or `Default`
/// makes is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ValueBox<T>(pub(crate) T);

/// A value as an object that any thread can change. It is equal only to itself.
///
/// ```
/// use acedia_boxes::{IntRef, StringRef};
///
/// let count = IntRef::new(7);
/// std::thread::scope(|scope| {
///     scope.spawn(|| count.fetch_add(1));
///     scope.spawn(|| count.fetch_add(1));
/// });
/// assert_eq!(count.get(), 9);
/// assert_ne!(count, IntRef::new(9)); // two objects
///
/// let name = StringRef::new("Pawn");
/// name.update(|it| it.push_str("18"));
/// assert_eq!(name.with(str::len), 6);
/// ```
///
/// # Threads
///
/// A `bool` or a number is in one atomic of the standard library, and all calls are lock-free. Reads are acquire loads and
/// writes are release stores: a thread that reads a value also sees everything that the writer did before. Changes of
/// different refs have no common order.
///
/// A string or a [`Vector`](crate::Vector) is protected by a lock, so no thread sees half a change. The closures of
/// [`with`](Self::with) and [`update`](Self::update) run under the lock. The [rules for closures](crate#closures) say
/// when they may use the same ref.
///
/// A ref that `From` or `Default` makes is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ValueRef<T: Primitive>(pub(crate) T::Cell);

/// An array as an object that does not change. It is compared and hashed by its content.
///
/// ```
/// use acedia_boxes::{FloatArrayBox, IntArrayBox};
///
/// let primes = IntArrayBox::new([2, 3, 5]);
/// assert_eq!((primes.len(), primes.get(1), primes.get(3)), (3, Some(3), None));
/// assert_eq!(primes.find(5), Some(2));
/// assert_eq!(primes, IntArrayBox::new(vec![2, 3, 5])); // two objects
/// assert_eq!(*primes, [2, 3, 5]); // a plain array
/// assert!(FloatArrayBox::new([]).is_empty());
/// ```
///
/// The memory of the array stays with its slot in the pool, for the next array. An `ArrayBox` that `From`, `FromIterator` or
/// `Default` makes is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ArrayBox<T>(pub(crate) Vec<T>);

/// An array as an object that any thread can change. It is equal only to itself.
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
/// | Part | Methods |
/// |---|---|
/// | the whole array | [`to_vec`](Self::to_vec) [`set`](Self::set) [`len`](Self::len) [`is_empty`](Self::is_empty) [`with`](Self::with) [`with_mut`](Self::with_mut) [`iter`](Self::iter) |
/// | the length | [`resize`](Self::resize) [`clear`](Self::clear) [`push_defaults`](Self::push_defaults) [`insert_defaults`](Self::insert_defaults) [`remove_range`](Self::remove_range) |
/// | one item | [`get`](Self::get) [`get_or`](Self::get_or) [`set_item`](Self::set_item) [`push`](Self::push) [`insert`](Self::insert) [`remove`](Self::remove) |
/// | many items | [`extend`](Self::extend) [`extend_from_slice`](Self::extend_from_slice) [`extend_from_ref`](Self::extend_from_ref) [`insert_slice`](Self::insert_slice) [`insert_ref`](Self::insert_ref) |
/// | items by value | [`find`](Self::find) [`contains`](Self::contains) [`replace`](Self::replace) [`remove_first`](Self::remove_first) [`remove_all`](Self::remove_all) [`sort`](Self::sort) [`sort_descending`](Self::sort_descending) |
///
/// Methods that return the ref can be chained. An index out of range changes nothing (but `set_item` lengthens the array),
/// because another thread may have changed the length since it was read.
///
/// Four methods can be chained in Acedia but not here: [`remove`](Self::remove), [`replace`](Self::replace),
/// [`remove_first`](Self::remove_first) and [`remove_all`](Self::remove_all) return the result of the change. A query before the
/// change would be unreliable, because another thread may change the array in between. To remove one item in a chain, call
/// [`remove_range`](Self::remove_range) with `index..=index`.
///
/// ```
/// # use acedia_boxes::IntArrayRef;
/// assert_eq!(IntArrayRef::new([3, 1, 2]).remove_range(1..=1).sort().to_vec(), [2, 3]);
/// ```
///
/// # Threads
///
/// There is one lock per array. Every call takes the lock once, so other threads see each call as one change. No call holds the
/// locks of two arrays. There are [rules for closures](crate#closures).
///
/// # Memory
///
/// The array's memory stays with its slot in the pool: the next life begins empty, with that capacity.
///
/// [`resize`](Self::resize), [`push_defaults`](Self::push_defaults), [`insert_defaults`](Self::insert_defaults) and
/// [`set_item`](Self::set_item) can make an array arbitrarily long. They change nothing if the array would have more than
/// `i32::MAX` items, or if the allocator refuses the memory. A system that overcommits memory can still end the process while
/// a long array is filled.
///
/// Any other call that makes the array longer panics, as `Vec` does, if the array would have more than `isize::MAX` bytes.
///
/// An `ArrayRef` that `From`, `FromIterator` or `Default` makes is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ArrayRef<T>(pub(crate) Lock<Vec<T>>);

/// The four classes of a primitive, and its variant of [`Value`]. Only `table.rs` implements this trait, which
/// seals [`Primitive`].
pub trait Classes: Sized {
    #[doc(hidden)]
    fn into_value(self) -> Value;

    #[doc(hidden)]
    fn value_box() -> &'static ClassStorage<ValueBox<Self>>
    where
        Self: Primitive;

    #[doc(hidden)]
    fn value_ref() -> &'static ClassStorage<ValueRef<Self>>
    where
        Self: Primitive;

    #[doc(hidden)]
    fn array_box() -> &'static ClassStorage<ArrayBox<Self>>
    where
        Self: Primitive;

    #[doc(hidden)]
    fn array_ref() -> &'static ClassStorage<ArrayRef<Self>>
    where
        Self: Primitive;
}
