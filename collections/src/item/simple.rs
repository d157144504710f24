//! [`Simple`]: what an item says to formats that know no objects.

use acedia_allocator::{Class, Object};
use acedia_boxes::{DoubleBox, DoubleRef, FloatBox, FloatRef, IntBox, IntRef, LongBox, LongRef};
use acedia_text::{MutableText, Text};

use super::{Item, View};

/// What an item that is no collection says to formats that know no objects.
pub(crate) enum Simple {
    None,
    Bool(bool),
    Integer(i64),
    Double(f64),
    /// To be read by [`Item::with_text`].
    Text,
    /// Nothing, for objects of this class.
    Other(&'static Class),
}

impl Simple {
    #[inline]
    pub(crate) fn of(item: &Item) -> Self {
        match item.view() {
            View::None => Self::None,
            View::Bool(value) => Self::Bool(value),
            View::Byte(value) => Self::Integer(value.into()),
            View::Int(value) => Self::Integer(value.into()),
            View::Float(value) => Self::Double(value.into()),
            View::Owned(object) => Self::of_object(item, object.class()),
            View::Watched(handle) => Self::of_object(item, handle.class()),
        }
    }

    /// If it was watched and is freed meanwhile, it is nothing.
    fn of_object(item: &Item, class: &'static Class) -> Self {
        if class.is::<Text>() || class.is::<MutableText>() {
            return Self::Text;
        }
        let integers = [IntBox::class, IntRef::class, LongBox::class, LongRef::class];
        let doubles = [FloatBox::class, FloatRef::class, DoubleBox::class, DoubleRef::class];
        if integers.iter().any(|integer| class == integer()) {
            item.as_long().map_or(Self::None, Self::Integer)
        } else if doubles.iter().any(|double| class == double()) {
            item.as_double().map_or(Self::None, Self::Double)
        } else if let Some(value) = item.as_bool() {
            Self::Bool(value)
        } else if let Some(value) = item.as_byte() {
            Self::Integer(value.into())
        } else {
            Self::Other(class)
        }
    }
}
