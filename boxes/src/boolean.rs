//! `bool` as a primitive.

use std::sync::atomic::AtomicBool;

use crate::cell::atomic;
use crate::hash;
use crate::primitive::Primitive;
use crate::scan;

atomic!(bool in AtomicBool, |value| value, |bits| bits);

impl Primitive for bool {
    type Plain<'a> = Self;
    type Cell = AtomicBool;
    const ARRAY_HASH: i32 = 537_276_224;

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
        hash::boolean(*self)
    }

    fn fold_hash(&self, so_far: i32) -> i32 {
        hash::fold_boolean(so_far, *self)
    }

    fn sort(items: &mut [Self]) {
        let falses = items.iter().filter(|item| !**item).count();
        let (first, rest) = items.split_at_mut(falses);
        first.fill(false);
        rest.fill(true);
    }

    scan::searches!();
}
