//! [`Shape`]: the keys of tables that have the same keys in the same order.

use std::sync::Arc;

use acedia_allocator::{Object, Owned, allocate_with, class};
use acedia_text::{Text, is_exact};

use crate::{Item, Key};

/// The keys of tables that have the same keys in the same order: such tables keep nothing but their values.
///
/// ```text
/// shape   hashes  6f…  02…  9a…       once for all records of a document
///         keys    "x"  "y"  "name"
///                  │    │    │
/// tables  values   1    2   "a"       a vector each
///         values   3    4   "b"
/// ```
///
/// A look-up compares a few hashes that stand side by side, which all these tables share.
///
/// An object like others, because an owner more costs less than with an `Arc`.
#[derive(Default)]
pub(crate) struct Shape {
    hashes: Vec<u64>,
    keys: Vec<ShapeKey>,
}

impl Object for Shape {
    class!(Shape, "AcediaCore.HashTableShape");

    const FINALIZER: Option<fn(&mut Self)> = Some(|shape| {
        shape.hashes.clear();
        shape.keys.clear();
    });
}

/// A key that tables share. Always a text that is owned, so it cannot die.
#[derive(Clone)]
pub(crate) struct ShapeKey {
    pub(crate) item: Item,
    json: Arc<str>,
}

impl ShapeKey {
    /// The key as JSON writes it, and a colon: `"name":`.
    pub(crate) fn json(&self) -> &str {
        self.json_after(true)
    }

    /// The same, after a comma unless it is the first one.
    #[inline]
    pub(crate) fn json_after(&self, is_first: bool) -> &str {
        &self.json[usize::from(is_first)..]
    }
}

/// Tables of more keys are faster with an index of their own.
pub(crate) const MOST_KEYS: usize = 32;

impl Shape {
    /// The shape of these keys, which must be different, each with how JSON writes it: `,"name":`.
    pub(crate) fn new(keys: impl IntoIterator<Item = (Owned<Text>, Arc<str>)>) -> Owned<Self> {
        allocate_with(|shape: &mut Self| {
            for (text, json) in keys {
                shape.hashes.push(text.key_hash());
                shape.keys.push(ShapeKey {
                    item: text.into(),
                    json,
                });
            }
        })
    }

    pub(crate) fn keys(&self) -> &[ShapeKey] {
        &self.keys
    }

    /// Which of the keys is equal to `key`, whose hash is `hash`.
    #[inline]
    pub(super) fn position<K: Key>(&self, hash: u64, key: &K) -> Option<usize> {
        let exact = is_exact(hash);
        let mut from = 0;
        loop {
            let index = from + self.hashes[from..].iter().position(|own| *own == hash)?;
            if exact || key.finds(&self.keys[index].item) {
                return Some(index);
            }
            from = index + 1;
        }
    }

    /// The keys with their hashes.
    pub(super) fn hashed(&self) -> impl Iterator<Item = (u64, &Item)> {
        self.hashes.iter().copied().zip(self.keys.iter().map(|key| &key.item))
    }
}
