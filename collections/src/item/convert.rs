//! Conversions into items.

use std::num::TryFromIntError;

use acedia::{AnyHandle, AnyOwned, Handle, Object, Owned};
use acedia_boxes::{DoubleBox, LongBox, ULongBox, Vector, VectorBox};
use acedia_text::{BaseText, CachedText, IntoText, Text};

use super::watch::Watch;
use super::wide::{Double, Long};
use super::{Item, Repr};

/// Numbers and `bool`s, which are kept in the item.
macro_rules! scalars {
    ($($type:ty => $kind:ident;)+) => {$(
        impl From<$type> for Item {
            #[inline]
            fn from(value: $type) -> Self {
                Self(Repr::$kind(value))
            }
        }
    )+};
}

scalars! {
    bool => Bool;
    u8 => Byte;
    i32 => Int;
    f32 => Float;
}

impl From<i64> for Item {
    /// Becomes a box if the number needs more than 56 bits.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// let (long, longest) = (Item::from(-1_i64 << 55), Item::from(i64::MIN));
    /// assert!(!long.is_owned() && longest.is_owned());
    /// assert_eq!((long.as_long(), longest.as_long()), (Some(-1 << 55), Some(i64::MIN)));
    /// assert!(Item::from(7_i64) == Item::from(7)); // an integer has no width
    /// ```
    #[inline]
    fn from(value: i64) -> Self {
        match i32::try_from(value) {
            Ok(value) => value.into(),
            Err(_) => Long::of(value).map_or_else(|| LongBox::new(value).into(), |long| Self(Repr::Long(long))),
        }
    }
}

impl From<u64> for Item {
    /// Becomes the item of the same `i64`, or a box if the number is larger.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// assert!(Item::from(7_u64) == Item::from(7));
    /// assert_eq!(Item::from(u64::MAX).as_ulong(), Some(u64::MAX));
    /// ```
    #[inline]
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or_else(|_| ULongBox::new(value).into(), Self::from)
    }
}

/// Integers that 64 bits hold.
macro_rules! integers {
    ($($type:ty => $wide:ty;)+) => {$(
        impl From<$type> for Item {
            /// Becomes the item of the same 64-bit integer.
            #[inline]
            #[allow(clippy::cast_lossless, reason = "`isize` and `usize` have no `From`, but at most 64 bits")]
            fn from(value: $type) -> Self {
                (value as $wide).into()
            }
        }
    )+};
}

integers! {
    i8 => i64;
    i16 => i64;
    u16 => i64;
    u32 => i64;
    isize => i64;
    usize => u64;
}

impl TryFrom<i128> for Item {
    type Error = TryFromIntError;

    /// Becomes the item of the same `i64` or `u64`.
    ///
    /// ```
    /// use acedia_collections::Item;
    ///
    /// assert_eq!(Item::try_from(7_i128).unwrap().as_int(), Some(7));
    /// assert!(Item::try_from(i128::MIN).is_err());
    /// ```
    fn try_from(value: i128) -> Result<Self, TryFromIntError> {
        i64::try_from(value).map_or_else(|_| u64::try_from(value).map(Self::from), |value| Ok(value.into()))
    }
}

impl TryFrom<u128> for Item {
    type Error = TryFromIntError;

    /// Becomes the item of the same `u64`.
    fn try_from(value: u128) -> Result<Self, TryFromIntError> {
        u64::try_from(value).map(Self::from)
    }
}

impl From<f64> for Item {
    /// Becomes a box if the magnitude is 2^897 (about 1e270) or more, or for NaN.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// assert_eq!(ArrayList::from([19.99]).get(0).as_double(), Some(19.99));
    /// assert!(!Item::from(0.1).is_owned() && Item::from(1e300).is_owned());
    /// ```
    #[inline]
    fn from(value: f64) -> Self {
        Double::of(value).map_or_else(|| DoubleBox::new(value).into(), |double| Self(Repr::Double(double)))
    }
}

impl From<AnyOwned> for Item {
    #[inline]
    fn from(object: AnyOwned) -> Self {
        Self(Repr::Owned(object))
    }
}

impl<T: Object> From<Owned<T>> for Item {
    #[inline]
    fn from(object: Owned<T>) -> Self {
        object.into_any().into()
    }
}

impl<T: Object> From<&Owned<T>> for Item {
    /// Becomes a new owner of the object.
    fn from(object: &Owned<T>) -> Self {
        object.clone().into()
    }
}

impl From<AnyHandle> for Item {
    /// Becomes none if the object has been freed.
    fn from(handle: AnyHandle) -> Self {
        if handle.is_allocated() {
            Self(Repr::Watched(Watch::new(handle)))
        } else {
            Self::NONE
        }
    }
}

impl<T: Object> From<Handle<T>> for Item {
    /// Becomes none if the object has been freed.
    fn from(handle: Handle<T>) -> Self {
        handle.to_any().into()
    }
}

impl From<&str> for Item {
    /// Becomes an immutable text.
    fn from(text: &str) -> Self {
        Text::from(text).into()
    }
}

impl From<String> for Item {
    /// Becomes an immutable text, which takes over the memory of the string if possible.
    fn from(text: String) -> Self {
        text.into_text().into()
    }
}

impl From<BaseText> for Item {
    /// Becomes an immutable text with the same formats.
    fn from(text: BaseText) -> Self {
        text.into_text().into()
    }
}

impl From<&'static CachedText> for Item {
    /// Becomes an owner of the text that all uses of this place in the source share, as with `text!("sword")`.
    fn from(text: &'static CachedText) -> Self {
        text.owner().into()
    }
}

impl From<Vector> for Item {
    /// Becomes a box.
    fn from(vector: Vector) -> Self {
        VectorBox::new(vector).into()
    }
}

impl<T: Into<Self>> From<Option<T>> for Item {
    fn from(item: Option<T>) -> Self {
        item.map_or(Self::NONE, Into::into)
    }
}

impl From<&Self> for Item {
    fn from(item: &Self) -> Self {
        item.clone()
    }
}
