//! [`Shape`]: the keys of tables that have the same keys in the same order.

use std::sync::Arc;

use acedia_allocator::Owned;
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
pub(crate) struct Shape {
    hashes: Box<[u64]>,
    keys: Box<[ShapeKey]>,
}

/// A key that tables share. Always a text that is owned, so it cannot die.
#[derive(Clone)]
pub(crate) struct ShapeKey {
    pub(crate) item: Item,
    /// The key as JSON writes it, and a colon: `"name":`.
    pub(crate) json: Arc<str>,
}

/// Tables of more keys are faster with an index of their own.
pub(crate) const MOST_KEYS: usize = 32;

impl Shape {
    /// The shape of these keys, which must be different.
    pub(crate) fn new(keys: impl IntoIterator<Item = (Owned<Text>, Arc<str>)>) -> Self {
        let (hashes, keys): (Vec<_>, Vec<_>) = keys
            .into_iter()
            .map(|(text, json)| {
                (
                    text.key_hash(),
                    ShapeKey {
                        item: text.into(),
                        json,
                    },
                )
            })
            .unzip();
        Self {
            hashes: hashes.into(),
            keys: keys.into(),
        }
    }

    pub(crate) fn keys(&self) -> &[ShapeKey] {
        &self.keys
    }

    /// Which of the keys is equal to `key`, whose hash is `hash`.
    #[inline]
    pub(super) fn position<K: Key>(&self, hash: u64, key: &K) -> Option<usize> {
        let exact = key.is_text() && is_exact(hash);
        let mut hashes = self.hashes.iter().enumerate();
        let found = hashes.find(|(index, own)| **own == hash && (exact || key.finds(&self.keys[*index].item)));
        found.map(|(index, _)| index)
    }

    /// The keys with their hashes.
    pub(super) fn hashed(&self) -> impl Iterator<Item = (u64, &Item)> {
        self.hashes.iter().copied().zip(self.keys.iter().map(|key| &key.item))
    }
}
