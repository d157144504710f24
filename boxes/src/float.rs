//! Floats as primitives.

/// Makes a float a primitive. Takes the atomic for its bits, the integer of its size, its hash, one step of the hash of an
/// array, and the hash of an empty array.
macro_rules! float {
    ($type:ident in $atomic:ident as $int:ident, $hash:path, $fold_hash:path, $array_hash:literal) => {
        $crate::cell::atomic!($type in std::sync::atomic::$atomic, $type::to_bits, $type::from_bits);

        #[expect(clippy::float_cmp, reason = "the comparison is meant to be exact")]
        impl $crate::primitive::Primitive for $type {
            type Plain<'a> = Self;
            type Cell = std::sync::atomic::$atomic;
            const ARRAY_HASH: i32 = $array_hash;

            fn plain(&self) -> Self {
                *self
            }

            fn same(&self, other: Self) -> bool {
                // The condition does not depend on the item, so a search checks it once.
                if other.is_nan() { self.is_nan() } else { *self == other }
            }

            fn value_hash(&self) -> i32 {
                $hash(*self)
            }

            fn fold_hash(&self, so_far: i32) -> i32 {
                $fold_hash(so_far, *self)
            }

            fn sort(items: &mut [Self]) {
                let mut numbers = items.len();
                if $crate::scan::find(items, |item| item.is_nan()).is_some() {
                    // Stable, because NaNs can differ in their bits.
                    items.sort_by_key(|item| item.is_nan());
                    numbers = items.partition_point(|item| !item.is_nan());
                }
                // Sorted as integers in the order of `total_cmp`, which compare faster. The conversion is its own inverse.
                let ordered = |bits: $int| bits ^ ((bits >> ($int::BITS - 1)) & $int::MAX);
                let numbers = &mut items[..numbers];
                let bits = numbers.iter().map(|number| $int::from_ne_bytes(number.to_ne_bytes()));
                let mut keys: Vec<$int> = bits.map(ordered).collect();
                $crate::sort::integers(&mut keys);
                for (number, key) in numbers.iter_mut().zip(keys) {
                    *number = Self::from_ne_bytes(ordered(key).to_ne_bytes());
                }
            }

            $crate::scan::searches!();
        }

        impl $crate::primitive::Number for $type {
            fn fetch_add(cell: &std::sync::atomic::$atomic, summand: Self) -> Self {
                $crate::primitive::Cell::<Self>::update(cell, |value| std::mem::replace(value, *value + summand))
            }
        }
    };
}
pub(crate) use float;
