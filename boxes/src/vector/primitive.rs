//! [`Vector`] as a primitive.

use acedia::kind::combine_hash;

use super::Vector;
use crate::hash;
use crate::lock::Lock;
use crate::primitive::Primitive;
use crate::scan;

impl Primitive for Vector {
    type Plain<'a> = Self;
    type Cell = Lock<Self>;
    const ARRAY_HASH: i32 = 28_492_904;

    fn plain(&self) -> Self {
        *self
    }

    fn same(&self, other: Self) -> bool {
        let mut pairs = self.components().into_iter().zip(other.components());
        pairs.all(|(left, right)| left.same(right))
    }

    fn value_hash(&self) -> i32 {
        let [x, y, z] = self.components().map(hash::float);
        combine_hash(combine_hash(x, y), z)
    }

    fn sort(items: &mut [Self]) {
        items.sort_by(|left, right| left.order(*right));
    }

    scan::searches!();
}
