//! [`Primitive`]: what there are boxes and refs of, and the table of their classes.

use std::fmt;

use acedia_allocator::kind::combine_hash;
use acedia_allocator::{ClassStorage, Family, class_table};

use crate::cell::Cell;
use crate::float::float;
use crate::integer::integer;
use crate::{ArrayBox, ArrayRef, ValueBox, ValueRef, Vector, hash, scan, sort};

/// What there are boxes and refs of: `bool`, `u8`, `i32`, `i64`, `f32`, `f64`, `String` and [`Vector`].
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

/// What is to be done with a primitive that is known at run time only.
pub trait Visitor {
    /// What it finds.
    type Found;

    /// Looks at one primitive; `None` if it is another one.
    fn visit<T: Primitive>(&mut self) -> Option<Self::Found>;
}

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

/// Gives each primitive its four classes and those their aliases, and its place among all; and makes what is of a common kind a
/// primitive.
macro_rules! primitives {
    ($($type:ident $name:ident: $value_box:ident $value_ref:ident $array_box:ident $array_ref:ident $(= $kind:ident($($parameters:tt)*))?;)+) => {
        $(
            $($kind!($type $($parameters)*);)?

            class_table! {
                ValueBox<$type> => concat!("AcediaCore.", stringify!($value_box)),
                ValueRef<$type> => concat!("AcediaCore.", stringify!($value_ref)),
                ArrayBox<$type> => concat!("AcediaCore.", stringify!($array_box)),
                ArrayRef<$type> => concat!("AcediaCore.", stringify!($array_ref)),
            }

            impl Classes for $type {
                #[inline]
                fn into_value(self) -> Value {
                    Value::$name(self)
                }

                #[inline]
                fn into_values(items: Vec<Self>) -> Values {
                    Values::$name(items)
                }

                #[inline]
                fn value_box() -> &'static ClassStorage<ValueBox<Self>> {
                    <ValueBox<Self> as Family>::storage()
                }

                #[inline]
                fn value_ref() -> &'static ClassStorage<ValueRef<Self>> {
                    <ValueRef<Self> as Family>::storage()
                }

                #[inline]
                fn array_box() -> &'static ClassStorage<ArrayBox<Self>> {
                    <ArrayBox<Self> as Family>::storage()
                }

                #[inline]
                fn array_ref() -> &'static ClassStorage<ArrayRef<Self>> {
                    <ArrayRef<Self> as Family>::storage()
                }
            }
        )+

        /// A value of any primitive.
        #[derive(Clone, Debug)]
        pub enum Value {
            $(
                #[doc = concat!("A `", stringify!($type), "`.")]
                $name($type),
            )+
        }

        /// An array of any primitive.
        #[derive(Clone, Debug)]
        pub enum Values {
            $(
                #[doc = concat!("`", stringify!($type), "`s.")]
                $name(Vec<$type>),
            )+
        }

        /// Shows the visitor each primitive until it finds what it looks for.
        #[inline]
        pub fn visit<V: Visitor>(visitor: &mut V) -> Option<V::Found> {
            $(
                let found = visitor.visit::<$type>();
                if found.is_some() {
                    return found;
                }
            )+
            None
        }

        /// The aliases, which the crate exports.
        pub(crate) mod aliases {
            use super::{ArrayBox, ArrayRef, ValueBox, ValueRef, Vector};

            $(
                #[doc = concat!("A `", stringify!($type), "` that does not change: class `AcediaCore.", stringify!($value_box), "`.")]
                pub type $value_box = ValueBox<$type>;
                #[doc = concat!("A `", stringify!($type), "` that may change: class `AcediaCore.", stringify!($value_ref), "`.")]
                pub type $value_ref = ValueRef<$type>;
                #[doc = concat!("`", stringify!($type), "`s that do not change: class `AcediaCore.", stringify!($array_box), "`.")]
                pub type $array_box = ArrayBox<$type>;
                #[doc = concat!("`", stringify!($type), "`s that may change: class `AcediaCore.", stringify!($array_ref), "`.")]
                pub type $array_ref = ArrayRef<$type>;
            )+
        }
    };
}

// Integers and floats say where a ref keeps them, their hashes, and how they are sorted and searched for. The others have a
// file of their own: `boolean.rs`, `string.rs`, `vector.rs`. What is likely to be met as an object comes first.
primitives! {
    f64 Double: DoubleBox DoubleRef DoubleArrayBox DoubleArrayRef = float(in AtomicU64 as i64, hash::double, hash::fold_double, 92_167_438, sort::wide);
    i64 Long: LongBox LongRef LongArrayBox LongArrayRef = integer(in AtomicI64, hash::long, 143_628_345, sort::wide, scan::equal);
    String String: StringBox StringRef StringArrayBox StringArrayRef;
    f32 Float: FloatBox FloatRef FloatArrayBox FloatArrayRef = float(in AtomicU32 as i32, hash::float, hash::fold_float, 92_167_438, sort::narrow);
    i32 Int: IntBox IntRef IntArrayBox IntArrayRef = integer(in AtomicI32, hash::int, 143_628_345, sort::narrow, scan::equal);
    bool Bool: BoolBox BoolRef BoolArrayBox BoolArrayRef;
    u8 Byte: ByteBox ByteRef ByteArrayBox ByteArrayRef = integer(in AtomicU8, hash::byte, -3_736_245, sort::narrow, scan::byte);
    Vector Vector: VectorBox VectorRef VectorArrayBox VectorArrayRef;
}
