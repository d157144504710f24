//! [`Simple`]: what an item says to formats that know no objects.

use std::marker::PhantomData;

use acedia_allocator::Class;
use acedia_boxes::__private::{Value, Values, Visitor, visit};
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef, Vector};
use acedia_text::{MutableText, Text};

use super::{Item, View};

/// What an item that is no collection says to formats that know no objects.
#[derive(Default)]
pub(crate) enum Simple {
    #[default]
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
        found(item, class).unwrap_or(Self::Other(class))
    }
}

/// What is in an item of this class, if that is one of the classes of a primitive: the default if the item was only watched
/// and has been freed since.
#[inline]
pub(crate) fn found<C: From<Value> + From<Values> + Default>(item: &Item, class: &'static Class) -> Option<C> {
    visit(&mut Search(item, class, PhantomData))
}

/// Compares the class of an item with those of each primitive.
struct Search<'a, C>(&'a Item, &'static Class, PhantomData<C>);

impl<C: From<Value> + From<Values> + Default> Visitor for Search<'_, C> {
    type Found = C;

    #[inline]
    fn visit<T: Primitive>(&mut self) -> Option<C> {
        let Self(item, class, _) = self;
        if class.is::<ValueBox<T>>() || class.is::<ValueRef<T>>() {
            let value = item.primitive().map(T::into_value);
            Some(value.map_or_else(C::default, C::from))
        } else if class.is::<ArrayBox<T>>() || class.is::<ArrayRef<T>>() {
            let items = item.array().map(T::into_values);
            Some(items.map_or_else(C::default, C::from))
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
        <[f32; 3]>::from(value).to_vec().into()
    }
}
