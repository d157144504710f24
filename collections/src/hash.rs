//! The hashes of keys. An attacker who chooses keys cannot make them collide.
//!
//! A text has its own [keyed hash](acedia_text::key_hash). If that hash is [exact](acedia_text::is_exact), a table that
//! finds it has found the text, so no other key may have an exact hash. Boxes and array boxes may hold untrusted data,
//! so they are hashed here by content, with a key drawn once per process. Objects of other classes have a hash of 32
//! bits of their own. If such hashes collide, the table gets slow, and [counts](crate::Entries::collisions) the
//! collisions.

use std::hash::{BuildHasher, Hash, Hasher};

use acedia::{AnyOwned, Class};
use acedia_boxes::{ArrayBox, Primitive, ValueBox, Vector};
use acedia_text::{Keyed, Text, inexact};
use ahash::AHasher;

use crate::Item;
use crate::scalar::Scalar;

#[inline]
pub(crate) fn of_scalar(scalar: Scalar) -> u64 {
    let (kind, bits) = scalar.bits();
    let mut hasher = Keyed.build_hasher();
    hasher.write_u32(kind);
    hasher.write_u64(bits);
    inexact(hasher.finish())
}

/// The hash of an item as a key, or `None` if it is nothing or freed.
pub(crate) fn of_item(item: &Item) -> Option<u64> {
    if let Some(text) = item.object().and_then(AnyOwned::downcast_ref::<Text>) {
        return Some(text.key_hash());
    }
    // A watched text, which may have been freed since.
    if item.is::<Text>() {
        return own_hash(item);
    }
    if let Some(scalar) = item.scalar() {
        return Some(of_scalar(scalar));
    }
    // Boxes with equal content are equal only if they have one class, so the class is hashed, too.
    let class = item.class()?;
    let mut hasher = Keyed.build_hasher();
    hasher.write_usize(std::ptr::from_ref(class).addr());
    if !feed_box(item, class, &mut hasher) {
        hasher.write_u64(own_hash(item)?);
    }
    Some(inexact(hasher.finish()))
}

impl Hash for Item {
    /// Equal items have equal hashes, as keys of `std`'s maps too. An item that watches has the hash of nothing as soon as its object is
    /// freed, so a map of `std` no longer finds it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(of_item(self).unwrap_or_default());
    }
}

/// The hash that the object's class computes.
fn own_hash(item: &Item) -> Option<u64> {
    match item.object() {
        Some(object) => Some(object.table_hash()),
        None => item.watched()?.table_hash(),
    }
}

/// Hashes the content of a box or array box. Returns whether the item is one.
fn feed_box(item: &Item, class: &Class, hasher: &mut AHasher) -> bool {
    feed::<i64>(item, class, hasher)
        || feed::<f64>(item, class, hasher)
        || feed::<String>(item, class, hasher)
        || feed::<Vector>(item, class, hasher)
        || feed::<i32>(item, class, hasher)
        || feed::<f32>(item, class, hasher)
        || feed::<u8>(item, class, hasher)
        || feed::<bool>(item, class, hasher)
        || feed::<u64>(item, class, hasher)
}

fn feed<T: Fed>(item: &Item, class: &Class, hasher: &mut AHasher) -> bool {
    let fed = if class.is::<ValueBox<T>>() {
        item.with(|it: &ValueBox<T>| {
            let value: T = it.get().into();
            value.feed(hasher);
        })
    } else if class.is::<ArrayBox<T>>() {
        item.with(|it: &ArrayBox<T>| it.iter().for_each(|value| value.feed(hasher)))
    } else {
        None
    };
    fed.is_some()
}

/// A value to hash: values that boxes call equal are hashed alike.
trait Fed: Primitive {
    fn feed(&self, hasher: &mut AHasher);
}

impl Fed for bool {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write_u8((*self).into());
    }
}

impl Fed for u8 {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write_u8(*self);
    }
}

impl Fed for i32 {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write_i32(*self);
    }
}

impl Fed for i64 {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write_i64(*self);
    }
}

impl Fed for u64 {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write_u64(*self);
    }
}

impl Fed for f32 {
    fn feed(&self, hasher: &mut AHasher) {
        f64::from(*self).feed(hasher);
    }
}

impl Fed for f64 {
    fn feed(&self, hasher: &mut AHasher) {
        let canonical = if self.is_nan() { f64::NAN } else { *self + 0.0 };
        hasher.write_u64(canonical.to_bits());
    }
}

impl Fed for String {
    fn feed(&self, hasher: &mut AHasher) {
        hasher.write(self.as_bytes());
        hasher.write_u8(0xff);
    }
}

impl Fed for Vector {
    fn feed(&self, hasher: &mut AHasher) {
        self.x.feed(hasher);
        self.y.feed(hasher);
        self.z.feed(hasher);
    }
}
