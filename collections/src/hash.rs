//! The hashes of keys. An attacker who chooses keys cannot make them collide.
//!
//! A text has its own [keyed hash](acedia_text::key_hash). If that hash is [exact](acedia_text::is_exact), a table that
//! finds it has found the text, so no other key may have an exact hash. Boxes and array boxes may hold untrusted data,
//! so they are hashed here by content, with a key drawn once per process. Objects of other classes use their class's hash,
//! by default of 32 bits. If such hashes collide, the table gets slow, and [counts](crate::Entries::collisions) the
//! collisions.

use std::hash::{BuildHasher, Hash, Hasher};

use acedia::{AnyOwned, Class};
use acedia_boxes::__private::{Value, Visitor, visit};
use acedia_boxes::{ArrayBox, Primitive, ValueBox};
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

/// The hash of an item as a key, or `None` if the item is none.
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
    // Boxes with equal content are equal only if they are of the same class, so the class is hashed, too.
    let class = item.class()?;
    let mut hasher = Keyed.build_hasher();
    hasher.write_usize(std::ptr::from_ref(class).addr());
    if !feed_box(item, class, &mut hasher) {
        hasher.write_u64(own_hash(item)?);
    }
    Some(inexact(hasher.finish()))
}

impl Hash for Item {
    /// Equal items have equal hashes, so items can be keys of `std`'s maps. Once a watched object is freed, its item has the hash
    /// of [`Item::NONE`], so a map of `std` no longer finds it.
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
fn feed_box(item: &Item, class: &'static Class, hasher: &mut AHasher) -> bool {
    struct Feeding<'a>(&'a Item, &'static Class, &'a mut AHasher);
    impl Visitor for Feeding<'_> {
        type Found = ();

        fn visit<T: Primitive>(&mut self) -> Option<()> {
            let Self(item, class, hasher) = self;
            let mut feed = |value: T| feed(value.into_value(), hasher);
            if class.is::<ValueBox<T>>() {
                item.with(|it: &ValueBox<T>| feed(it.get().into()))
            } else if class.is::<ArrayBox<T>>() {
                item.with(|it: &ArrayBox<T>| it.iter().cloned().for_each(feed))
            } else {
                None
            }
        }
    }
    visit(&mut Feeding(item, class, hasher)).is_some()
}

/// Values that boxes call equal are hashed alike.
fn feed(value: Value, hasher: &mut AHasher) {
    match value {
        Value::Bool(value) => hasher.write_u8(value.into()),
        Value::Byte(value) => hasher.write_u8(value),
        Value::Int(value) => hasher.write_i32(value),
        Value::Long(value) => hasher.write_i64(value),
        Value::ULong(value) => hasher.write_u64(value),
        Value::Float(value) => feed(Value::Double(value.into()), hasher),
        Value::Double(value) => {
            let canonical = if value.is_nan() { f64::NAN } else { value + 0.0 };
            hasher.write_u64(canonical.to_bits());
        }
        Value::String(value) => {
            hasher.write(value.as_bytes());
            hasher.write_u8(0xff);
        }
        Value::Vector(value) => {
            for part in <[f32; 3]>::from(value) {
                feed(Value::Float(part), hasher);
            }
        }
    }
}
