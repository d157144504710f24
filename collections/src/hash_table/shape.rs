//! [`Shape`]: keys shared by tables that have the same keys in the same order.
#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]

use acedia::{Object, Owned, class};
use acedia_text::{Text, is_exact};

use crate::{Item, Key};

/// The keys of tables that have the same keys in the same order: each such table keeps only its values.
///
/// ```text
/// shape   hashes  6f…  02…  9a…       once for all records of a document
///         keys    "x"  "y"  "name"
///                  │    │    │
/// tables  values   1    2   "a"       a vector each
///         values   3    4   "b"
/// ```
///
/// A lookup goes from the low bits of the hash to the index of a key, and compares the hash of that key. Many tables
/// share this data, so it is likely in the cache.
///
/// A pooled object, because a new owner of one costs less than a clone of an `Arc`.
#[derive(Default)]
pub struct Shape {
    places: Places,
    /// The hashes of the keys; those behind the last key are unused.
    hashes: [u64; MOST_KEYS],
    keys: Vec<ShapeKey>,
}

impl Object for Shape {
    class!(Shape, "AcediaCore.HashTableShape");

    const FINALIZER: Option<fn(&mut Self)> = Some(|shape| {
        shape.places = Places::default();
        shape.keys.clear();
    });
}

/// An open-addressing table of key indices: an index is at its hash's place, or at the next place that was free.
struct Places([u8; Self::COUNT]);

impl Places {
    /// Four places per key, so that most keys are at their own place.
    const COUNT: usize = 4 * MOST_KEYS;

    /// The index of no key.
    const FREE: u8 = u8::MAX;

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lowest bits are all that counts")]
    fn of(hash: u64) -> usize {
        hash as usize % Self::COUNT
    }

    #[inline]
    fn after(place: usize) -> usize {
        (place + 1) % Self::COUNT
    }
}

impl Default for Places {
    fn default() -> Self {
        Self([Self::FREE; Self::COUNT])
    }
}

/// A shared key. Always an owned text, so it cannot be freed.
pub struct ShapeKey {
    pub item: Item,
    /// Its JSON form, with a comma before it and a colon after it: `,"name":`. The first bytes are inline, so that most
    /// keys are copied without a loop.
    pub json: [u8; KEY_ROOM],
    /// The bytes behind the first [`KEY_ROOM`].
    pub json_rest: Vec<u8>,
    /// The length of the JSON form in bytes, or 0 if the form is not known.
    pub json_len: usize,
}

/// The number of bytes of the JSON form that are kept inline.
pub const KEY_ROOM: usize = 32;

/// The most keys of a shape. Tables with more keys are faster with an index of their own.
pub const MOST_KEYS: usize = 32;

impl Shape {
    /// The shape of these keys: at most [`MOST_KEYS`], all different, each with its hash and its JSON form `,"name":`.
    pub fn new<'a>(keys: impl IntoIterator<Item = (Owned<Text>, u64, &'a [u8])>) -> Owned<Self> {
        Self::allocate_with(|shape| {
            for (text, hash, json) in keys {
                shape.push(hash, text.into(), json);
            }
        })
    }

    /// Adds a key: an owned text. `json` may be empty, if the JSON form is not known.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the array of hashes has fewer places")]
    pub(super) fn push(&mut self, hash: u64, key: Item, json: &[u8]) {
        let mut place = Places::of(hash);
        while self.places.0[place] != Places::FREE {
            place = Places::after(place);
        }
        let index = self.keys.len();
        self.hashes[index] = hash;
        self.places.0[place] = index as u8;
        // Filled in its place: a move right after the bytes were written in pieces would stall on store forwarding.
        self.keys.push(ShapeKey::EMPTY);
        self.keys[index].fill(key, json);
    }

    #[inline]
    #[must_use]
    pub fn keys(&self) -> &[ShapeKey] {
        &self.keys
    }

    /// The index of the key that is equal to `key`, whose hash is `hash`.
    #[inline]
    pub(super) fn position<K: Key>(&self, hash: u64, key: &K) -> Option<usize> {
        let exact = is_exact(hash);
        self.find(hash, |index| exact || key.finds(&self.keys[index].item))
    }

    /// The index of the key that has this [exact](is_exact) hash.
    #[inline]
    pub(super) fn position_of_exact(&self, hash: u64) -> Option<usize> {
        self.find(hash, |_| true)
    }

    #[inline]
    fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        let mut place = Places::of(hash);
        loop {
            let index = usize::from(self.places.0[place]);
            // The index of a free place is out of range.
            let own = *self.hashes.get(index)?;
            if own == hash && is_it(index) {
                return Some(index);
            }
            place = Places::after(place);
        }
    }

    pub(super) fn hashed(&self) -> impl Iterator<Item = (u64, &Item)> {
        self.hashes.iter().copied().zip(self.keys.iter().map(|key| &key.item))
    }
}

impl ShapeKey {
    const EMPTY: Self = Self {
        item: Item::NONE,
        json: [0; KEY_ROOM],
        json_rest: Vec::new(),
        json_len: 0,
    };

    #[inline]
    fn fill(&mut self, item: Item, json: &[u8]) {
        let (first, rest) = json.split_at(json.len().min(KEY_ROOM));
        self.item = item;
        self.json[..first.len()].copy_from_slice(first);
        self.json_rest.extend_from_slice(rest);
        self.json_len = json.len();
    }
}

#[cfg(test)]
mod tests;
