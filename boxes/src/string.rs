//! `String` as a primitive.

use crate::hash;
use crate::lock::Lock;
use crate::primitive::Primitive;

impl Primitive for String {
    type Plain<'a> = &'a str;
    type Cell = Lock<Self>;
    const ARRAY_HASH: i32 = 48_216_321;

    #[inline]
    fn plain(&self) -> &str {
        self
    }

    #[inline]
    fn assign(&mut self, value: &str) {
        self.clear();
        self.push_str(value);
    }

    #[inline]
    fn reset(&mut self) {
        self.clear();
    }

    fn same(&self, other: &str) -> bool {
        self == other
    }

    fn value_hash(&self) -> i32 {
        hash::text(self)
    }

    fn sort(items: &mut [Self]) {
        items.sort();
    }

    fn find(items: &[Self], wanted: &str) -> Option<usize> {
        items.iter().position(|item| item == wanted)
    }

    fn replace(items: &mut [Self], old: &str, new: Self) -> usize {
        let matching = items.iter_mut().filter(|item| *item == old);
        matching.map(|item| item.clone_from(&new)).count()
    }

    fn remove_all(items: &mut Vec<Self>, unwanted: &str) -> usize {
        let before = items.len();
        items.retain(|item| item != unwanted);
        before - items.len()
    }
}
