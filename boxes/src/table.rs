//! The table of all primitives and their classes.

use acedia::{ClassStorage, Family, class_table};

use crate::float::float;
use crate::integer::integer;
use crate::primitive::{ArrayBox, ArrayRef, Classes, Primitive, ValueBox, ValueRef};
use crate::value::Value;
use crate::{Vector, hash};

/// An operation on a primitive that is only known at run time.
pub trait Visitor {
    /// The result.
    type Found;

    /// Tries one primitive; `None` asks for the next one.
    fn visit<T: Primitive>(&mut self) -> Option<Self::Found>;
}

/// Gives each primitive its four classes with their aliases, implements [`Classes`] and [`visit`], and implements [`Primitive`]
/// for integers and floats.
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

        /// Passes each primitive to the visitor, until one gives a result.
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

        /// The aliases that the crate exports.
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

// Integers and floats are given with the arguments of `integer!` and `float!`. The others are in `boolean.rs`, `string.rs` and
// `vector/primitive.rs`. The most common ones come first, since `visit` tries them in order.
primitives! {
    f64 Double: DoubleBox DoubleRef DoubleArrayBox DoubleArrayRef = float(in AtomicU64 as i64, hash::double, hash::fold_double, 92_167_438);
    i64 Long: LongBox LongRef LongArrayBox LongArrayRef = integer(in AtomicI64, hash::long, 143_628_345);
    String String: StringBox StringRef StringArrayBox StringArrayRef;
    f32 Float: FloatBox FloatRef FloatArrayBox FloatArrayRef = float(in AtomicU32 as i32, hash::float, hash::fold_float, 92_167_438);
    i32 Int: IntBox IntRef IntArrayBox IntArrayRef = integer(in AtomicI32, hash::int, 143_628_345);
    bool Bool: BoolBox BoolRef BoolArrayBox BoolArrayRef;
    u8 Byte: ByteBox ByteRef ByteArrayBox ByteArrayRef = integer(in AtomicU8, hash::byte, -3_736_245);
    u64 ULong: ULongBox ULongRef ULongArrayBox ULongArrayRef = integer(in AtomicU64, hash::ulong, 143_628_345);
    Vector Vector: VectorBox VectorRef VectorArrayBox VectorArrayRef;
}
