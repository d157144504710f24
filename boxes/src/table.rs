//! The table of the classes of every primitive.

use acedia_allocator::{ClassStorage, Family, class_table};

use crate::float::float;
use crate::integer::integer;
use crate::primitive::{ArrayBox, ArrayRef, Classes, Primitive, ValueBox, ValueRef};
use crate::value::{Value, Values};
use crate::{Vector, hash, scan, sort};

/// What is to be done with a primitive that is known at run time only.
pub trait Visitor {
    /// What it finds.
    type Found;

    /// Looks at one primitive; `None` if it is another one.
    fn visit<T: Primitive>(&mut self) -> Option<Self::Found>;
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
