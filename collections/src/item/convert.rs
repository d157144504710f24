//! Conversions into items.

use acedia_allocator::{AnyHandle, AnyOwned, Handle, Object, Owned};
use acedia_boxes::{LongBox, Vector, VectorBox};
use acedia_text::{BaseText, IntoText, Text};

use super::watch::Watch;
use super::{Item, Repr, ZEROS};

/// Numbers and `bool`s, kept in the item.
macro_rules! scalars {
    ($($type:ty => $kind:ident;)+) => {$(
        impl From<$type> for Item {
            #[inline]
            fn from(value: $type) -> Self {
                Self(Repr::$kind(ZEROS, value))
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
    /// Stays an `i64`, even if it is small. Becomes a box if 56 bits are not enough.
    ///
    /// ```
    /// use acedia_allocator::Class;
    /// use acedia_boxes::LongBox;
    /// use acedia_collections::Item;
    ///
    /// let (long, longest) = (Item::from(-1_i64 << 55), Item::from(i64::MIN));
    /// assert!(!long.is_owned() && longest.is_owned());
    /// assert_eq!((long.as_long(), longest.as_long()), (Some(-1 << 55), Some(i64::MIN)));
    /// assert_eq!(long.class(), Some(Class::of::<LongBox>()));
    /// ```
    #[inline]
    fn from(value: i64) -> Self {
        Repr::of_long(value).map_or_else(|| LongBox::new(value).into(), Self)
    }
}

impl From<AnyOwned> for Item {
    #[inline]
    fn from(object: AnyOwned) -> Self {
        Self(Repr::Owned(ZEROS, object))
    }
}

impl<T: Object> From<Owned<T>> for Item {
    #[inline]
    fn from(object: Owned<T>) -> Self {
        object.into_any().into()
    }
}

impl<T: Object> From<&Owned<T>> for Item {
    /// A new owner of the object.
    fn from(object: &Owned<T>) -> Self {
        object.clone().into()
    }
}

impl From<AnyHandle> for Item {
    /// Nothing, if the life has ended.
    fn from(handle: AnyHandle) -> Self {
        if handle.is_allocated() {
            Self(Repr::Watched(ZEROS, Watch::new(handle)))
        } else {
            Self::NONE
        }
    }
}

impl<T: Object> From<Handle<T>> for Item {
    /// Nothing, if the life has ended.
    fn from(handle: Handle<T>) -> Self {
        handle.as_any().into()
    }
}

impl From<&str> for Item {
    /// An immutable text.
    fn from(text: &str) -> Self {
        Text::from(text).into()
    }
}

impl From<String> for Item {
    /// An immutable text, with the string's own memory where that is possible.
    fn from(text: String) -> Self {
        text.into_text().into()
    }
}

impl From<BaseText> for Item {
    /// An immutable text, with the formats.
    fn from(text: BaseText) -> Self {
        text.into_text().into()
    }
}

impl From<Vector> for Item {
    /// A box.
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
