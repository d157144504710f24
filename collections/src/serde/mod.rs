//! Serializing items and collections in any `serde` format.

mod error;
mod items;

use acedia::__private::{Any, Depth, Reader, Writer};
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};

use self::items::Items;
use crate::collection::{Collection, Content};
use crate::item::simple::Simple;
use crate::{ArrayList, HashTable, Item};

pub use self::error::ItemError;

/// Serializes any value into an item. `None` and `()` become none, sequences and tuples become lists, maps and structs become
/// tables, and bytes become lists of integers. Enums have the same form as in JSON, such as `"Walk"` and `{"Run":[1,2]}`. Keys
/// of maps that are integers or `bool`s become texts, because keys of JSON are strings; [`from_item`](crate::from_item) reads
/// them as numbers and `bool`s again.
///
/// ```
/// use acedia_collections::{from_item, to_item};
///
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Pawn {
///     name: String,
///     id: u64,
///     speed: Option<f32>,
/// }
///
/// let pawn = Pawn { name: "Bob".into(), id: u64::MAX, speed: Some(5.673) };
/// let item = to_item(&pawn)?;
/// assert_eq!(item.get("id").as_ulong(), Some(u64::MAX));
/// assert_eq!(from_item::<Pawn>(&item)?, pawn);
/// # Ok::<(), acedia_collections::ItemError>(())
/// ```
///
/// # Errors
///
/// An error of the value's own `Serialize`, an integer beyond 64 bits, more than 128 levels of collections, or more than 1,024
/// nested `Some`s and newtypes.
pub fn to_item<T: Serialize + ?Sized>(value: &T) -> Result<Item, ItemError> {
    Ok(value.serialize(Writer::<Items>::default())?)
}

/// Deserializes a value of any type from an item: the inverse of [`to_item`](crate::to_item). Boxes and refs are read as their
/// values, and all texts as strings. A key that is a text can also be read as a number or a `bool`, because keys of JSON are
/// strings. Each collection is copied under its lock before it is read.
///
/// ```
/// use acedia_collections::{ArrayList, Item, from_item};
///
/// let list = ArrayList::from([Item::from(7), 19.99.into()]);
/// let point: (i32, f64) = from_item(&list.into())?;
/// assert_eq!(point, (7, 19.99));
/// # Ok::<(), acedia_collections::ItemError>(())
/// ```
///
/// # Errors
///
/// The item does not have the form that the type expects, contains a number that does not fit in its type or an object of another
/// class, or is nested deeper than 128 levels. None, which JSON has instead of infinite numbers and NaN, is an error for an `f64`,
/// but not for an `Option<f64>`.
///
/// # Panics
///
/// If waiting for a collection, text or ref in it would deadlock: see [`ArrayList`](crate::ArrayList#threads).
pub fn from_item<T: DeserializeOwned>(item: &Item) -> Result<T, ItemError> {
    Ok(T::deserialize(Reader::<Items>::new(item.clone()))?)
}

/// Serializes none as `None`, numbers as `i64`, `u64`, `f32` or `f64`, and texts and boxed strings as strings. Lists, vectors and
/// boxed arrays become sequences, and tables become maps. A ref is serialized as a box. Most formats read an `f32` as an `f64`.
/// Objects of other classes are an error, and so are more than 128 levels of collections. Each collection is copied under its lock
/// before it is written.
impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Nested(self, Depth::default()).serialize(serializer)
    }
}

/// An item and its [`Depth`].
struct Nested<'a>(&'a Item, Depth<Items>);

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Collection::reach(self.0, &mut None) {
            Some(collection) => write(collection, self.1, serializer),
            None => Simple::of(self.0).serialize(serializer),
        }
    }
}

fn write<S: Serializer>(collection: Collection<'_>, depth: Depth<Items>, serializer: S) -> Result<S::Ok, S::Error> {
    let depth = depth.inside(1).map_err(S::Error::custom)?;
    // A copy: no lock may be held while foreign code runs and nested collections are waited for.
    match collection.content() {
        Content::List(items) => serializer.collect_seq(items.iter().map(|item| Nested(item, depth))),
        Content::Table(entries) => {
            let nested = |item| Nested(item, depth);
            serializer.collect_map(entries.iter().map(|(key, item)| (nested(key), nested(item))))
        }
    }
}

impl Serialize for Simple {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Unsigned(value) => serializer.serialize_u64(*value),
            Self::Float(value) => serializer.serialize_f32(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Other(class) => Err(S::Error::custom(format_args!(
                "an object of {class} can't be serialized; replace it with a text, a number or a collection"
            ))),
        }
    }
}

/// Serializes a sequence, like an [`Item`] of the list.
impl Serialize for ArrayList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(Collection::List(self), Depth::default(), serializer)
    }
}

/// Serializes a map, like an [`Item`] of the table. Keys are serialized like items; the format decides which types of
/// keys it accepts.
impl Serialize for HashTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(Collection::Table(self), Depth::default(), serializer)
    }
}

/// Deserializes from self-describing formats, up to 128 levels of collections. The format may round decimals. In a format that
/// is not self-describing, such as postcard, write the item as a text of JSON.
impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Any::<Items>::default().deserialize(deserializer)
    }
}

/// Deserializes a sequence, as an [`Item`] does. The result is a plain value outside of the pool. For a pooled object,
/// deserialize an [`Owned`](acedia::Owned):
///
/// ```
/// use acedia::Owned;
/// use acedia_collections::{ArrayList, HashTable};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Pawn {
///     name: String,
///     inventory: Owned<ArrayList>,
///     skills: Owned<HashTable>,
/// }
///
/// let text = r#"{"name":"Bob","inventory":["rope",7],"skills":{"aim":0.5}}"#;
/// let pawn: Pawn = serde_json::from_str(text)?;
/// assert_eq!(pawn.inventory.read()[1].as_int(), Some(7));
/// assert_eq!(serde_json::to_string(&pawn)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for ArrayList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer)?;
        let list = item
            .to_list()
            .ok_or_else(|| serde::de::Error::custom("expected a sequence"))?;
        Ok(list.take())
    }
}

/// Deserializes a map, as an [`Item`] does. The result is a plain value outside of the pool. For a pooled object,
/// deserialize an [`Owned`](acedia::Owned).
impl<'de> Deserialize<'de> for HashTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer)?;
        let table = item
            .to_table()
            .ok_or_else(|| serde::de::Error::custom("expected a map"))?;
        Ok(table.take())
    }
}

#[cfg(test)]
mod tests;
