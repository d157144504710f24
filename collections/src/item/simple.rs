//! [`Simple`]: an item for formats that have no objects.

use std::marker::PhantomData;

use acedia::Class;
use acedia_boxes::__private::{Value, Values, Visitor, visit};
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef, Vector};
use acedia_text::{MutableText, Text};

use super::{Item, View};

/// The value of an item that is not a collection, for formats that have no objects.
#[expect(
    clippy::exhaustive_enums,
    reason = "the crates of this workspace alone use it, and must write each kind of value"
)]
#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]
#[derive(Default)]
pub enum Simple {
    #[default]
    None,
    Bool(bool),
    Integer(i64),
    /// A `u64` of any size.
    Unsigned(u64),
    Float(f32),
    Double(f64),
    String(String),
    /// Of a vector or an array.
    Array(Vec<Simple>),
    /// An object of another class, which has no such value.
    Other(&'static Class),
}

#[allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]
impl Simple {
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn of(item: &Item) -> Self {
        match item.view() {
            View::None => Self::None,
            View::Bool(value) => value.into(),
            View::Byte(value) => value.into(),
            View::Int(value) => value.into(),
            View::Long(value) => value.into(),
            View::Float(value) => value.into(),
            View::Double(value) => value.into(),
            View::Owned(object) => Self::of_object(item, object.class()),
            View::Watched(handle) => Self::of_object(item, handle.class()),
        }
    }

    /// Nothing, if the object was watched and has been freed meanwhile.
    #[track_caller]
    fn of_object(item: &Item, class: &'static Class) -> Self {
        if class.is::<Text>() || class.is::<MutableText>() {
            return item.as_string().map_or(Self::None, Self::String);
        }
        match reader(class) {
            Some(read) => read(item),
            None => Self::Other(class),
        }
    }
}

/// The function that reads the items of this class, if it is a class of a primitive. A watched item that has been freed
/// since reads as the default.
#[inline]
pub(crate) fn reader<C: From<Value> + From<Values> + Default>(class: &'static Class) -> Option<fn(&Item) -> C> {
    visit(&mut Search(class, PhantomData))
}

/// Compares a class with those of each primitive.
struct Search<C>(&'static Class, PhantomData<C>);

impl<C: From<Value> + From<Values> + Default> Visitor for Search<C> {
    // A function pointer: passing values through memory costs more than printing them.
    type Found = fn(&Item) -> C;

    #[inline]
    fn visit<T: Primitive>(&mut self) -> Option<fn(&Item) -> C> {
        let Self(class, _) = self;
        if class.is::<ValueBox<T>>() || class.is::<ValueRef<T>>() {
            Some(|item| {
                item.primitive()
                    .map_or_else(C::default, |value: T| value.into_value().into())
            })
        } else if class.is::<ArrayBox<T>>() || class.is::<ArrayRef<T>>() {
            Some(|item| {
                item.array()
                    .map_or_else(C::default, |items| T::into_values(items).into())
            })
        } else {
            None
        }
    }
}

impl From<Value> for Simple {
    #[inline]
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => value.into(),
            Value::Byte(value) => value.into(),
            Value::Int(value) => value.into(),
            Value::Long(value) => value.into(),
            Value::ULong(value) => value.into(),
            Value::Float(value) => value.into(),
            Value::Double(value) => value.into(),
            Value::String(value) => value.into(),
            Value::Vector(value) => value.into(),
        }
    }
}

impl From<Values> for Simple {
    fn from(values: Values) -> Self {
        match values {
            Values::Bool(items) => items.into(),
            Values::Byte(items) => items.into(),
            Values::Int(items) => items.into(),
            Values::Long(items) => items.into(),
            Values::ULong(items) => items.into(),
            Values::Float(items) => items.into(),
            Values::Double(items) => items.into(),
            Values::String(items) => items.into(),
            Values::Vector(items) => items.into(),
        }
    }
}

impl<T: Into<Self>> From<Vec<T>> for Simple {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl Item {
    /// The items of an array box or array ref of `T`.
    fn array<T: Primitive>(&self) -> Option<Vec<T>> {
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

impl From<u64> for Simple {
    fn from(value: u64) -> Self {
        Self::Unsigned(value)
    }
}

impl From<f32> for Simple {
    fn from(value: f32) -> Self {
        Self::Float(value)
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
        <[f32; 3]>::from(value).to_vec().into()
    }
}
