//! Integers as primitives.

use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU8, Ordering};

use crate::cell::atomic;
use crate::hash;
use crate::primitive::{Number, Primitive};
use crate::scan;
use crate::sort;

macro_rules! integers {
    ($($type:ident in $atomic:ident {
        hash: $hash:path, array_hash: $array_hash:literal, sort: $sort:path,
        $($searches:tt)*
    })+) => {$(
        atomic!($type in $atomic, |value| value, |bits| bits);

        impl Primitive for $type {
            type Plain<'a> = Self;
            type Cell = $atomic;
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
                $sort(items);
            }

            $($searches)*
        }

        impl Number for $type {
            fn fetch_add(cell: &$atomic, summand: Self) -> Self {
                // As `update`: pairs with every access of the cell.
                cell.fetch_add(summand, Ordering::AcqRel)
            }
        }
    )+};
}

integers! {
    u8 in AtomicU8 {
        hash: hash::byte, array_hash: -3_736_245, sort: sort::narrow,
        fn find(items: &[Self], wanted: Self) -> Option<usize> {
            memchr::memchr(wanted, items)
        }
        fn replace(items: &mut [Self], old: Self, new: Self) -> usize {
            scan::replace(items, |item| *item == old, new)
        }
        fn remove_all(items: &mut Vec<Self>, unwanted: Self) -> usize {
            scan::remove_all(items, |item| *item == unwanted)
        }
    }
    i32 in AtomicI32 {
        hash: hash::int, array_hash: 143_628_345, sort: sort::narrow,
        scan::by!(|wanted| |item: &Self| *item == wanted);
    }
    i64 in AtomicI64 {
        hash: hash::long, array_hash: 143_628_345, sort: sort::wide,
        scan::by!(|wanted| |item: &Self| *item == wanted);
    }
}
