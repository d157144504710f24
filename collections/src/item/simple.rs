//! [`Simple`]: an item for formats that have no objects.
#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]

use acedia::Class;
use acedia_boxes::__private::{Value, Visitor, visit};
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef};
use acedia_text::{MutableText, Text};

use super::{Item, View};

/// The value of an item that is not a collection, for formats that have no objects.
#[expect(
    clippy::exhaustive_enums,
    reason = "the crates of this workspace alone use it, and must write each kind of value"
)]
#[derive(Default)]
pub enum Simple {
    #[default]
    None,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    String(String),
    /// The parts of a vector, or the items of an array.
    Array(Vec<Simple>),
    /// An object of another class, which has no such value.
    Other(&'static Class),
}

impl Simple {
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn of(item: &Item) -> Self {
        match item.view() {
            View::None => Self::None,
            View::Bool(value) => Self::Bool(value),
            View::Byte(value) => Self::Integer(value.into()),
            View::Int(value) => Self::Integer(value.into()),
            View::Long(value) => Self::Integer(value),
            View::Float(value) => Self::Float(value),
            View::Double(value) => Self::Double(value),
            View::Owned(object) => Self::of_object(item, object.class()),
            View::Watched(handle) => Self::of_object(item, handle.class()),
        }
    }

    #[inline]
    fn primitive<T: Primitive>(value: T) -> Self {
        match value.into_value() {
            Value::Bool(value) => Self::Bool(value),
            Value::Byte(value) => Self::Integer(value.into()),
            Value::Int(value) => Self::Integer(value.into()),
            Value::Long(value) => Self::Integer(value),
            Value::ULong(value) => Self::Unsigned(value),
            Value::Float(value) => Self::Float(value),
            Value::Double(value) => Self::Double(value),
            Value::String(value) => Self::String(value),
            Value::Vector(value) => Self::Array(<[f32; 3]>::from(value).map(Self::Float).into()),
        }
    }

    /// [`None`](Self::None) if the object was watched and has been freed meanwhile.
    #[track_caller]
    fn of_object(item: &Item, class: &'static Class) -> Self {
        if class.is::<Text>() || class.is::<MutableText>() {
            return item.to_string().map_or(Self::None, Self::String);
        }
        match visit(&mut Search(class)) {
            Some(read) => read(item),
            None => Self::Other(class),
        }
    }
}

/// Finds the function that reads the items of this class, if it is a class of a primitive. The function returns
/// [`Simple::None`] if a watched object has been freed meanwhile.
struct Search(&'static Class);

impl Visitor for Search {
    // A function pointer: passing values through memory costs more than printing them.
    type Found = fn(&Item) -> Simple;

    #[inline]
    fn visit<T: Primitive>(&mut self) -> Option<fn(&Item) -> Simple> {
        let Self(class) = self;
        if class.is::<ValueBox<T>>() || class.is::<ValueRef<T>>() {
            Some(|item| item.primitive().map_or(Simple::None, Simple::primitive::<T>))
        } else if class.is::<ArrayBox<T>>() || class.is::<ArrayRef<T>>() {
            Some(|item| {
                let items = item.with(ArrayBox::<T>::to_vec);
                let items = items.or_else(|| item.with(ArrayRef::<T>::to_vec));
                items.map_or(Simple::None, |items| {
                    Simple::Array(items.into_iter().map(Simple::primitive).collect())
                })
            })
        } else {
            None
        }
    }
}
