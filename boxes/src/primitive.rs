//! [`Primitive`]: what there are boxes and refs of, and the table of their classes.

use std::fmt;

use acedia_allocator::ClassStorage;
use acedia_allocator::kind::combine_hash;

use crate::lock::Lock;
use crate::value::{Value, Values};

/// What there are boxes and refs of: `bool`, `u8`, `i32`, `i64`, `f32`, `f64`, `String` and [`Vector`](crate::Vector).
///
/// Code can be written for all of them at once:
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
/// Sealed: what is not on the list has no classes.
pub trait Primitive: Classes + Clone + Default + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// How a value is passed that is only looked at or copied: a string as `&str`, everything else as it is.
    type Plain<'a>: Copy + fmt::Debug + fmt::Display + Into<Self>;

    /// Where a ref keeps it.
    #[doc(hidden)]
    type Cell: Cell<Self>;

    /// The hash of an empty array.
    #[doc(hidden)]
    const ARRAY_HASH: i32;

    /// The value as it is passed.
    fn plain(&self) -> Self::Plain<'_>;

    /// Another value in the same memory.
    #[doc(hidden)]
    fn assign(&mut self, value: Self::Plain<'_>) {
        *self = value.into();
    }

    /// The default value in the same memory.
    #[doc(hidden)]
    fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether two values are equal; an equivalence.
    #[doc(hidden)]
    fn same(&self, other: Self::Plain<'_>) -> bool;

    /// Whether two slices have the same length and the same values.
    #[doc(hidden)]
    fn all_same(left: &[Self], right: &[Self]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same(right.plain()))
    }

    /// The hash; the same for values that are [`same`](Self::same).
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

    /// The first item that is the same as `wanted`.
    #[doc(hidden)]
    fn find(items: &[Self], wanted: Self::Plain<'_>) -> Option<usize>;

    /// Puts `new` in the place of every item that is the same as `old`; how many.
    #[doc(hidden)]
    fn replace(items: &mut [Self], old: Self::Plain<'_>, new: Self) -> usize;

    /// Removes every item that is the same as `unwanted`; how many.
    #[doc(hidden)]
    fn remove_all(items: &mut Vec<Self>, unwanted: Self::Plain<'_>) -> usize;
}

/// A [`Primitive`] that can be added to: `u8`, `i32`, `i64`, `f32` and `f64`.
pub trait Number: Primitive {
    /// Adds, wrapping around; the number before.
    #[doc(hidden)]
    fn fetch_add(cell: &Self::Cell, summand: Self) -> Self;
}

/// Keeps one value that any thread can change: an atomic where the processor has one of that size, else a [`Lock`].
#[allow(
    unreachable_pub,
    reason = "reached through a bound of `Primitive::Cell`, where older compilers don't look"
)]
pub trait Cell<T: Primitive>: Default + Send + Sync + 'static {
    /// A cell with this value in it.
    fn holding(value: T) -> Self;

    /// The default value again; inner memory is kept.
    fn reset(&mut self);

    /// Another value, in a cell that nobody shares; inner memory is kept.
    fn assign(&mut self, value: T::Plain<'_>);

    /// The value.
    fn get(&self) -> T;

    /// Another value.
    fn set(&self, value: T::Plain<'_>);

    /// Another value, and the one before.
    fn replace(&self, value: T::Plain<'_>) -> T;

    /// What `read` makes of the value.
    fn with<R>(&self, read: impl FnOnce(T::Plain<'_>) -> R) -> R;

    /// Lets `change` change the value, perhaps in several tries.
    fn update<R>(&self, change: impl FnMut(&mut T) -> R) -> R;

    /// Prints the value, if that is possible without waiting.
    fn debug(&self, f: &mut fmt::DebugTuple<'_, '_>);
}

/// One value as an object, which does not change: equal and hashed by its content.
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
/// Boxes of different classes are never equal, whatever is in them: see [`AnyOwned`](acedia_allocator::AnyOwned). For
/// floats see [there](crate#floats).
///
/// A box is an [`Object`] and lives in its class's pool when it is made by [`new`](Self::new). One made by `From` or
/// `Default` is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ValueBox<T>(pub(crate) T);

/// One value as an object, which any thread can change; equal to itself alone.
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
/// A `bool` or a number is kept in one atomic of the standard library; all calls are lock-free. Reading acquires and
/// writing releases: who sees a value also sees what its writer did before. Different refs have no common order.
///
/// A string or a [`Vector`](crate::Vector) is kept behind a lock, so nobody ever sees half a change. Closures
/// given to [`with`](Self::with) and [`update`](Self::update) run under it, and may use the same ref as described
/// [there](crate#closures).
///
/// Like a box, a ref made by `From` or `Default` is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ValueRef<T: Primitive>(pub(crate) T::Cell);

/// An array as an object, which does not change: equal and hashed by its content.
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
/// Its memory stays with its slot in the pool and is used for the next array. An `ArrayBox` made by `From`, `FromIterator`
/// or `Default` is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ArrayBox<T>(pub(crate) Vec<T>);

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
/// What returns the ref can be chained. An index that leads nowhere changes nothing: that is the original's rule, and with
/// several threads the length may have changed since it was asked for.
///
/// Four changes are chained in the original and not here: [`remove`](Self::remove), [`replace`](Self::replace),
/// [`remove_first`](Self::remove_first) and [`remove_all`](Self::remove_all) say what they found, as `Vec`'s do. Asking first
/// would be no answer: another thread may change the array in between. [`remove_range`](Self::remove_range) can be chained,
/// with `index..=index` for one item.
///
/// ```
/// # use acedia_boxes::IntArrayRef;
/// assert_eq!(IntArrayRef::new([3, 1, 2]).remove_range(1..=1).sort().to_vec(), [2, 3]);
/// ```
///
/// # Threads
///
/// One lock per array; every call takes it once, and is one change for whoever looks. No call holds the locks
/// of two arrays. Closures and their rules: [there](crate#closures).
///
/// # Memory
///
/// The array's memory stays with its slot in the pool, and the next life begins empty, with that much room.
///
/// [`resize`](Self::resize), [`push_defaults`](Self::push_defaults), [`insert_defaults`](Self::insert_defaults) and
/// [`set_item`](Self::set_item) make an array as long as they are told. They change nothing if it would become longer than
/// `i32::MAX` items, or if the allocator refuses the memory. A system that promises more memory than it has can still end
/// the process while a long array is filled.
///
/// Any other call that makes the array longer panics, as `Vec` does, if it would have more than `isize::MAX` bytes.
///
/// An `ArrayRef` made by `From`, `FromIterator` or `Default` is a plain Rust value outside of the pool.
#[derive(Default)]
pub struct ArrayRef<T>(pub(crate) Lock<Vec<T>>);

/// The four classes of a primitive, and its place in the enums of all. Implemented by the table below and nowhere else, which
/// seals [`Primitive`].
pub trait Classes: Sized {
    #[doc(hidden)]
    fn into_value(self) -> Value;

    #[doc(hidden)]
    fn into_values(items: Vec<Self>) -> Values;

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
