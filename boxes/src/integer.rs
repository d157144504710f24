//! Integers as primitives.

/// Makes an integer a primitive. Takes the atomic for it, its hash, and the hash of an empty array.
macro_rules! integer {
    ($type:ident in $atomic:ident, $hash:expr, $array_hash:literal) => {
        $crate::cell::atomic!($type in std::sync::atomic::$atomic, |value| value, |bits| bits);

        impl $crate::primitive::Primitive for $type {
            type Plain<'a> = Self;
            type Cell = std::sync::atomic::$atomic;
            const ARRAY_HASH: i32 = $array_hash;

            fn plain(&self) -> Self {
                *self
            }

            fn same(&self, other: Self) -> bool {
                *self == other
            }

            fn all_same(left: &[Self], right: &[Self]) -> bool {
                left == right
            }

            fn value_hash(&self) -> i32 {
                $hash(*self)
            }

            fn sort(items: &mut [Self]) {
                $crate::sort::integers(items);
            }

            $crate::scan::searches!();
        }

        impl $crate::primitive::Number for $type {
            fn fetch_add(cell: &std::sync::atomic::$atomic, summand: Self) -> Self {
                // As `update`: pairs with every access of the cell.
                cell.fetch_add(summand, std::sync::atomic::Ordering::AcqRel)
            }
        }
    };
}
pub(crate) use integer;
