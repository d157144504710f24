//! Conversions of items into the values that they hold.

use std::error::Error;
use std::fmt;

use acedia::{AnyOwned, Object, Owned};
use acedia_boxes::Vector;

use super::{Item, View};
use crate::scalar::Scalar;

/// The error of an item that could not be converted, because it holds another kind of value.
/// [`into_item`](Self::into_item) returns the item.
///
/// ```
/// use acedia_collections::Item;
///
/// let error = i32::try_from(Item::from("seven")).unwrap_err();
/// assert_eq!(error.to_string(), "expected an item of the type `i32`, found `Text`");
/// assert_eq!(error.into_item().to_string().as_deref(), Some("seven"));
/// ```
///
/// An item that watches an object converts to its value, not to an owner:
///
/// ```
/// use acedia::Owned;
/// use acedia_boxes::IntRef;
/// use acedia_collections::Item;
///
/// let seven = IntRef::new(7);
/// let watched = Item::from(seven.handle());
/// assert_eq!(i32::try_from(watched.clone())?, 7);
/// let error = Owned::<IntRef>::try_from(watched).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "expected an item of the type `IntRef`, found a handle to an object of `IntRef`, not an owner"
/// );
/// # Ok::<(), acedia_collections::WrongItem>(())
/// ```
#[derive(Clone, Debug)]
pub struct WrongItem {
    item: Item,
    wanted: &'static str,
}

impl WrongItem {
    /// The item that could not be converted.
    #[must_use]
    pub fn into_item(self) -> Item {
        self.item
    }
}

impl fmt::Display for WrongItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected an item of the type `{}`, found ", self.wanted)?;
        match self.item.view() {
            View::None => f.write_str("none"),
            View::Owned(object) => write!(f, "`{}`", object.class().short_name()),
            View::Watched(handle) => {
                let class = handle.class().short_name();
                write!(f, "a handle to an object of `{class}`, not an owner")
            }
            _ => write!(f, "`{:?}`", self.item),
        }
    }
}

impl Error for WrongItem {}

/// Conversions by a getter.
macro_rules! by {
    ($($type:ty, $name:literal, $get:expr;)+) => {$(
        impl TryFrom<Item> for $type {
            type Error = WrongItem;

            /// The value of the item, or of the box or ref in it. Does not convert between integers and floats.
            #[track_caller]
            fn try_from(item: Item) -> Result<Self, WrongItem> {
                let get: fn(&Item) -> Option<Self> = $get;
                match get(&item) {
                    Some(value) => Ok(value),
                    None => Err(WrongItem { item, wanted: $name }),
                }
            }
        }
    )+};
}

by! {
    bool, "bool", Item::as_bool;
    u8, "u8", |item| item.as_byte().or_else(|| item.integer()?.try_into().ok());
    i8, "i8", |item| item.integer()?.try_into().ok();
    i16, "i16", |item| item.integer()?.try_into().ok();
    u16, "u16", |item| item.integer()?.try_into().ok();
    i32, "i32", |item| item.integer()?.try_into().ok();
    u32, "u32", |item| item.integer()?.try_into().ok();
    i64, "i64", |item| item.integer()?.try_into().ok();
    u64, "u64", |item| item.integer()?.try_into().ok();
    isize, "isize", |item| item.integer()?.try_into().ok();
    usize, "usize", |item| item.integer()?.try_into().ok();
    i128, "i128", Item::integer;
    f32, "f32", |item| match item.plain() {
        Some(Scalar::Float(value)) => Some(value),
        _ => item.primitive(),
    };
    f64, "f64", |item| if item.integer().is_none() { item.as_double() } else { None };
    String, "string", Item::to_string;
    Vector, "vector", Item::as_vector;
}

impl TryFrom<Item> for AnyOwned {
    type Error = WrongItem;

    /// The object that the item owns, or a new box of its number or `bool`.
    fn try_from(item: Item) -> Result<Self, WrongItem> {
        let wanted = "object";
        item.to_object().ok_or(WrongItem { item, wanted })
    }
}

impl<T: Object> TryFrom<Item> for Owned<T> {
    type Error = WrongItem;

    /// The object that the item owns.
    ///
    /// ```
    /// use acedia::Owned;
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let list = Owned::<ArrayList>::try_from(Item::from(ArrayList::from([1])))?;
    /// assert_eq!(list.len(), 1);
    /// # Ok::<(), acedia_collections::WrongItem>(())
    /// ```
    fn try_from(item: Item) -> Result<Self, WrongItem> {
        let wanted = T::class().short_name();
        item.to_owned_as().ok_or(WrongItem { item, wanted })
    }
}
