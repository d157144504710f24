//! [`Key`]: the types that can be looked up.

use std::any::Any;

use acedia::{AnyHandle, AnyOwned, Handle, Kind, Object, Owned};
use acedia_text::{BaseText, Text, exact_hash, key_hash};

use crate::Item;
use crate::hash;
use crate::scalar::Scalar;

/// A type of keys that can be looked up in a collection without making an item first.
///
/// | A key of type | finds |
/// |---|---|
/// | `&str`, `String`, [`BaseText`], [`Text`] | a [`Text`] with these characters |
/// | `bool`, integers, `f32`, `f64` | the same value, in an item or in the box that [`Item::to_object`] makes of it |
/// | [`Owned`], [`AnyOwned`], [`Handle`], [`AnyHandle`], [`Item`] | equal items: texts and boxes by class and content, every other object by its class's equality, by default identity |
///
/// Integers of different widths are equal by value: `7_i32` finds `7_u64`. A `u8` is a byte, and never equals an integer. An
/// integer never equals a float, and an `f32` never equals an `f64`. A freed object and [`Item::NONE`] are not found in a table; in
/// a list they find the items that are none.
///
/// ```
/// use acedia_boxes::IntBox;
/// use acedia_collections::HashTable;
///
/// let table = HashTable::new();
/// table.write().set("seven", 7).set(13, "thirteen");
/// let entries = table.read();
/// assert_eq!(entries["seven"].as_int(), Some(7));
/// assert!(entries.contains_key(13) && entries.contains_key(&IntBox::new(13)));
/// assert!(!entries.contains_key(13.0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be looked up in a collection",
    label = "not a string, a text, an object, an item, a `bool`, an integer or a float"
)]
pub trait Key: sealed::Sealed {}

impl<K: sealed::Sealed + ?Sized> Key for K {}

pub(crate) mod sealed {
    use crate::Item;

    pub trait Sealed {
        /// The hash in tables, or `None` if this cannot be a key. The hash is [exact](acedia_text::is_exact) for short
        /// texts only.
        #[doc(hidden)]
        fn key_hash(&self) -> Option<u64>;

        /// The hash, if it is exact and cheap to compute. The caller falls back on [`key_hash`](Self::key_hash).
        #[doc(hidden)]
        #[inline]
        fn exact_hash(&self) -> Option<u64> {
            None
        }

        /// The index in a list, if this is an integer.
        #[doc(hidden)]
        fn index(&self) -> Option<usize> {
            None
        }

        /// Whether `item` is equal to this key.
        #[doc(hidden)]
        fn finds(&self, item: &Item) -> bool;
    }
}

use sealed::Sealed;

impl<K: Sealed + ?Sized> Sealed for &K {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        (**self).key_hash()
    }

    #[inline]
    fn exact_hash(&self) -> Option<u64> {
        (**self).exact_hash()
    }

    fn index(&self) -> Option<usize> {
        (**self).index()
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        (**self).finds(item)
    }
}

impl Sealed for str {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        Some(key_hash(self))
    }

    #[inline]
    fn exact_hash(&self) -> Option<u64> {
        exact_hash(self)
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        is_text(item, |text| *text == *self)
    }
}

impl Sealed for String {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        self.as_str().key_hash()
    }

    #[inline]
    fn exact_hash(&self) -> Option<u64> {
        self.as_str().exact_hash()
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        self.as_str().finds(item)
    }
}

impl Sealed for BaseText {
    fn key_hash(&self) -> Option<u64> {
        Some(self.key_hash())
    }

    fn finds(&self, item: &Item) -> bool {
        is_text(item, |text| **text == *self)
    }
}

impl Sealed for Text {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        Some(self.key_hash())
    }

    #[inline]
    fn exact_hash(&self) -> Option<u64> {
        self.known_exact_hash()
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        is_text(item, |text| *text == *self)
    }
}

/// Whether the item is an owned or watched text that `equal` accepts.
#[inline]
fn is_text(item: &Item, equal: impl FnOnce(&Text) -> bool) -> bool {
    match item.object() {
        Some(object) => object.downcast_ref().is_some_and(equal),
        None => is_watched_text(item, equal),
    }
}

/// Out of line, to keep the path of owned objects short.
#[cold]
#[inline(never)]
fn is_watched_text(item: &Item, equal: impl FnOnce(&Text) -> bool) -> bool {
    item.with(equal).unwrap_or(false)
}

/// Numbers and `bool`s.
macro_rules! scalars {
    ($($type:ty => $kind:ident;)+) => {$(
        impl Sealed for $type {
            #[inline]
            fn key_hash(&self) -> Option<u64> {
                Some(hash::of_scalar(Scalar::$kind((*self).into())))
            }

            fn index(&self) -> Option<usize> {
                Item::from(*self).try_into().ok()
            }

            #[inline]
            fn finds(&self, item: &Item) -> bool {
                item.scalar() == Some(Scalar::$kind((*self).into()))
            }
        }
    )+};
}

scalars! {
    bool => Bool;
    u8 => Byte;
    i8 => Int;
    i16 => Int;
    u16 => Int;
    i32 => Int;
    u32 => Int;
    i64 => Int;
    f32 => Float;
    f64 => Double;
}

impl Sealed for Item {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        hash::of_item(self)
    }

    fn index(&self) -> Option<usize> {
        self.clone().try_into().ok()
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        self == item
    }
}

impl<T: Object> Sealed for Owned<T> {
    #[inline]
    fn key_hash(&self) -> Option<u64> {
        match as_text(&**self) {
            Some(text) => Some(text.key_hash()),
            None => Item::from(self).key_hash(),
        }
    }

    #[inline]
    fn exact_hash(&self) -> Option<u64> {
        as_text(&**self)?.known_exact_hash()
    }

    fn index(&self) -> Option<usize> {
        Item::from(self).index()
    }

    #[inline]
    fn finds(&self, item: &Item) -> bool {
        match item.object() {
            Some(object) => {
                object.index() == self.index() || object.downcast_ref().is_some_and(|other| T::Kind::equal(other, self))
            }
            None => is_watched(self, item),
        }
    }
}

/// As [`is_watched_text`].
#[cold]
#[inline(never)]
fn is_watched<T: Object>(object: &Owned<T>, item: &Item) -> bool {
    Item::from(object) == *item
}

/// The object, if `T` is `Text`, which is known at compile time.
#[inline]
fn as_text<T: Object>(object: &T) -> Option<&Text> {
    let object: &dyn Any = object;
    object.downcast_ref()
}

/// Keys that are looked up as items.
macro_rules! as_items {
    ($($type:ty, [$($generic:tt)*];)+) => {$(
        impl<$($generic)*> Sealed for $type {
            fn key_hash(&self) -> Option<u64> {
                Item::from(self.clone()).key_hash()
            }

            fn index(&self) -> Option<usize> {
                Item::from(self.clone()).try_into().ok()
            }

            fn finds(&self, item: &Item) -> bool {
                Item::from(self.clone()) == *item
            }
        }
    )+};
}

as_items! {
    isize, [];
    usize, [];
    u64, [];
    AnyOwned, [];
    AnyHandle, [];
    Handle<T>, [T: Object];
}
