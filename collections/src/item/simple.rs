//! [`Simple`]: what an item says to formats that know no objects.

use acedia_allocator::Class;
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef, Vector};
use acedia_text::{MutableText, Text};

use super::{Item, View};

/// What an item that is no collection says to formats that know no objects.
pub(crate) enum Simple {
    None,
    Bool(bool),
    Integer(i64),
    Double(f64),
    String(String),
    /// Of a vector or an array.
    Array(Vec<Simple>),
    /// Nothing, for objects of this class.
    Other(&'static Class),
}

impl Simple {
    #[inline]
    pub(crate) fn of(item: &Item) -> Self {
        match item.view() {
            View::None => Self::None,
            View::Bool(value) => value.into(),
            View::Byte(value) => value.into(),
            View::Int(value) => value.into(),
            View::Float(value) => value.into(),
            View::Owned(object) => Self::of_object(item, object.class()),
            View::Watched(handle) => Self::of_object(item, handle.class()),
        }
    }

    /// If it was watched and is freed meanwhile, it is nothing.
    fn of_object(item: &Item, class: &'static Class) -> Self {
        if class.is::<Text>() || class.is::<MutableText>() {
            return item.as_string().map_or(Self::None, Self::String);
        }
        Self::of_primitive::<f64>(item, class)
            .or_else(|| Self::of_primitive::<i64>(item, class))
            .or_else(|| Self::of_primitive::<f32>(item, class))
            .or_else(|| Self::of_primitive::<i32>(item, class))
            .or_else(|| Self::of_primitive::<bool>(item, class))
            .or_else(|| Self::of_primitive::<u8>(item, class))
            .or_else(|| Self::of_primitive::<String>(item, class))
            .or_else(|| Self::of_primitive::<Vector>(item, class))
            .unwrap_or(Self::Other(class))
    }

    /// For the four classes of a primitive.
    fn of_primitive<T: Primitive + Into<Self>>(item: &Item, class: &'static Class) -> Option<Self> {
        if class.is::<ValueBox<T>>() || class.is::<ValueRef<T>>() {
            Some(item.primitive::<T>().map_or(Self::None, Into::into))
        } else if class.is::<ArrayBox<T>>() || class.is::<ArrayRef<T>>() {
            let array = item.array::<T>();
            Some(array.map_or(Self::None, |items| {
                Self::Array(items.into_iter().map(Into::into).collect())
            }))
        } else {
            None
        }
    }
}

impl Item {
    /// The items of an array box or array ref of `T`.
    pub(crate) fn array<T: Primitive>(&self) -> Option<Vec<T>> {
        self.with(ArrayBox::<T>::to_vec)
            .or_else(|| self.with(ArrayRef::<T>::to_vec))
    }
}

impl From<bool> for Simple {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u8> for Simple {
    fn from(value: u8) -> Self {
        Self::Integer(value.into())
    }
}

impl From<i32> for Simple {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<i64> for Simple {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f32> for Simple {
    fn from(value: f32) -> Self {
        Self::Double(value.into())
    }
}

impl From<f64> for Simple {
    fn from(value: f64) -> Self {
        Self::Double(value)
    }
}

impl From<String> for Simple {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<Vector> for Simple {
    fn from(value: Vector) -> Self {
        Self::Array(<[f32; 3]>::from(value).into_iter().map(Self::from).collect())
    }
}
