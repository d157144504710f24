//! Serializing items and collections in any `serde` format.

mod depth;
mod error;
mod from_item;
mod to_item;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use self::depth::{Deeper, ITEMS};
use crate::collection::{Collection, Content};
use crate::item::simple::Simple;
use crate::{ArrayList, HashTable, Item};

pub use self::error::ItemError;
pub use self::from_item::from_item;
pub use self::to_item::to_item;

/// Serializes none as `None`, numbers as `i64`, `u64`, `f32` or `f64`, and texts and boxed strings as strings. Lists, vectors and
/// boxed arrays become sequences, and tables become maps. A ref is serialized as a box. Most formats read an `f32` as an `f64`.
/// Objects of other classes are an error, and so are more than 128 levels of collections. Each collection is copied under its lock
/// before it is written.
impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Collection::reach(self, &mut None) {
            Some(collection) => collection.serialize(serializer),
            None => Simple::of(self).serialize(serializer),
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
                "an object of {class} can't be written; put a text, a number or a collection in its place"
            ))),
        }
    }
}

impl Serialize for Collection<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let _deeper = Deeper::inside(&ITEMS, 1).map_err(S::Error::custom)?;
        // A copy, because the serializer is foreign code, and waits for the collections in this one.
        match self.content() {
            Content::List(items) => serializer.collect_seq(items),
            Content::Table(entries) => serializer.collect_map(entries),
        }
    }
}

/// Serializes a sequence, like an [`Item`] of the list.
impl Serialize for ArrayList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Collection::List(self).serialize(serializer)
    }
}

/// Serializes a map, like an [`Item`] of the table. Keys are serialized like items; the format decides which types of
/// keys it accepts.
impl Serialize for HashTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Collection::Table(self).serialize(serializer)
    }
}

/// Deserializes from self-describing formats, up to 128 levels of collections. The format may round decimals. In a format that
/// is not self-describing, such as postcard, write the item as a text of JSON.
impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
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
        let list = item.to_list().ok_or_else(|| D::Error::custom("expected a sequence"))?;
        Ok(list.take())
    }
}

/// Deserializes a map, as an [`Item`] does. The result is a plain value outside of the pool. For a pooled object,
/// deserialize an [`Owned`](acedia::Owned).
impl<'de> Deserialize<'de> for HashTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer)?;
        let table = item.to_table().ok_or_else(|| D::Error::custom("expected a map"))?;
        Ok(table.take())
    }
}

struct ItemVisitor;

/// The methods for values that convert into an item as they are.
macro_rules! plain {
    ($($method:ident $type:ty;)+) => {$(
        fn $method<E>(self, value: $type) -> Result<Item, E> {
            Ok(value.into())
        }
    )+};
}

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing, a bool, a number, a string, a sequence or a map")
    }

    fn visit_unit<E>(self) -> Result<Item, E> {
        Ok(Item::NONE)
    }

    fn visit_none<E>(self) -> Result<Item, E> {
        Ok(Item::NONE)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        let _deeper = Deeper::wrapped(&ITEMS).map_err(D::Error::custom)?;
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        let _deeper = Deeper::wrapped(&ITEMS).map_err(D::Error::custom)?;
        deserializer.deserialize_any(self)
    }

    plain! {
        visit_bool bool;
        visit_i64 i64;
        visit_u64 u64;
        visit_f32 f32;
        visit_f64 f64;
        visit_str &str;
        visit_string String;
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<Item, E> {
        value.try_into().map_err(E::custom)
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<Item, E> {
        value.try_into().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Item, A::Error> {
        let _deeper = Deeper::inside(&ITEMS, 1).map_err(A::Error::custom)?;
        let mut items: Vec<Item> = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(ArrayList::from(items).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let _deeper = Deeper::inside(&ITEMS, 1).map_err(A::Error::custom)?;
        let mut entries: Vec<(Item, Item)> = Vec::new();
        while let Some((key, item)) = map.next_entry::<Item, Item>()? {
            if key.is_none() {
                return Err(A::Error::custom("a key that is none"));
            }
            entries.push((key, item));
        }
        Ok(HashTable::from(entries).into())
    }
}

#[cfg(test)]
mod tests;
