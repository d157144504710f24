//! What can become an item.

use acedia_allocator::{AnyHandle, AnyOwned, Handle, Object, Owned};
use acedia_boxes::{Vector, VectorBox};
use acedia_text::{BaseText, IntoText, Text};

use super::watch::Watch;
use super::{Item, Repr};

/// Numbers and `bool`s, which stay what they are.
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
    /// One owner more.
    fn from(object: &Owned<T>) -> Self {
        object.clone().into()
    }
}

impl From<AnyHandle> for Item {
    /// Nothing, if the life has ended.
    fn from(handle: AnyHandle) -> Self {
        if handle.is_allocated() {
            Self(Repr::Watched(Watch::new(handle)))
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
