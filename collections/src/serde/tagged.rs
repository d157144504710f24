//! [`Tagged`]: items with their kinds, for formats that are not self-describing.

use acedia_boxes::__private::{Value, Values};
use acedia_boxes::{ArrayBox, StringBox, Vector};
use acedia_text::{MutableText, Text};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use super::depth::Deeper;
use crate::collection::Collection;
use crate::item::simple::reader;
use crate::{ArrayList, HashTable, Item, View};

/// An item that is serialized together with its kind.
///
/// An [`Item`] can be deserialized from self-describing formats, such as JSON, TOML or CBOR. But for formats like
/// postcard and bincode, the reader must know the type of each value in advance. Therefore `Tagged` writes the kind
/// before the value.
///
/// ```
/// use acedia_collections::{HashTable, Item, Tagged};
///
/// let item =
///     Item::from(HashTable::from([("byte", Item::from(7_u8)), ("name", "Bob".into())]));
/// let bytes = postcard::to_stdvec(&Tagged(item.clone()))?;
/// let Tagged(back) = postcard::from_bytes(&bytes)?;
/// assert!(back.same_content(&item)); // the byte is still a byte, unlike in JSON
/// # Ok::<(), postcard::Error>(())
/// ```
///
/// `Tagged` preserves the kinds of numbers, vectors, boxes of strings and arrays, and the formats of texts (as markup). Refs and
/// mutable texts are written as their content. Objects of other classes are an error, and so are more than 128 levels of
/// collections. Reading a key that is none is an error.
#[derive(Clone, Debug, Default)]
pub struct Tagged(pub Item);

/// The serialized form. New kinds come at the end, because some formats number them.
#[derive(Default, serde::Serialize, serde::Deserialize)]
#[serde(rename = "Item")]
enum Wire {
    #[default]
    None,
    Bool(bool),
    Byte(u8),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Vector([f32; 3]),
    Text(String),
    List(Vec<Tagged>),
    Table(Vec<(Tagged, Tagged)>),
    String(String),
    Bools(Vec<bool>),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Strings(Vec<String>),
    Vectors(Vec<[f32; 3]>),
    ULong(u64),
    ULongs(Vec<u64>),
}

impl Serialize for Tagged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let _deeper = Deeper::new().map_err(S::Error::custom)?;
        let collection = Collection::with(&self.0, |collection| match collection {
            Collection::List(list) => Wire::List(list.read().iter().cloned().map(Tagged).collect()),
            Collection::Table(table) => Wire::Table(entries(table)),
        });
        let wire = match collection {
            Some(wire) => wire,
            None => single(&self.0).map_err(S::Error::custom)?,
        };
        // No lock is held here.
        wire.serialize(serializer)
    }
}

fn entries(table: &HashTable) -> Vec<(Tagged, Tagged)> {
    let entries = table.read();
    let entries = entries.iter().map(|(key, item)| (key.clone(), item.clone()));
    entries.map(|(key, item)| (Tagged(key), Tagged(item))).collect()
}

/// The serialized form of an item that is not a collection.
fn single(item: &Item) -> Result<Wire, String> {
    let class = match item.view() {
        View::None => return Ok(Wire::None),
        View::Bool(value) => return Ok(Wire::Bool(value)),
        View::Byte(value) => return Ok(Wire::Byte(value)),
        View::Int(value) => return Ok(Wire::Int(value)),
        View::Long(value) => return Ok(Wire::Long(value)),
        View::Float(value) => return Ok(Wire::Float(value)),
        View::Double(value) => return Ok(Wire::Double(value)),
        View::Owned(object) => object.class(),
        View::Watched(handle) => handle.class(),
    };
    if class.is::<Text>() || class.is::<MutableText>() {
        return Ok(item.to_markup().map_or(Wire::None, Wire::Text));
    }
    match reader(class) {
        Some(read) => Ok(read(item)),
        // The object was freed after the item was looked at.
        None if item.is_none() => Ok(Wire::None),
        None => Err(format!(
            "an object of {class} can't be written; put a text, a number or a collection in its place"
        )),
    }
}

impl From<Value> for Wire {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => Self::Bool(value),
            Value::Byte(value) => Self::Byte(value),
            Value::Int(value) => Self::Int(value),
            Value::Long(value) => Self::Long(value),
            Value::ULong(value) => Self::ULong(value),
            Value::Float(value) => Self::Float(value),
            Value::Double(value) => Self::Double(value),
            Value::String(value) => Self::String(value),
            Value::Vector(value) => Self::Vector(value.into()),
        }
    }
}

impl From<Values> for Wire {
    fn from(values: Values) -> Self {
        match values {
            Values::Bool(items) => Self::Bools(items),
            Values::Byte(items) => Self::Bytes(items),
            Values::Int(items) => Self::Ints(items),
            Values::Long(items) => Self::Longs(items),
            Values::ULong(items) => Self::ULongs(items),
            Values::Float(items) => Self::Floats(items),
            Values::Double(items) => Self::Doubles(items),
            Values::String(items) => Self::Strings(items),
            Values::Vector(items) => Self::Vectors(items.into_iter().map(Into::into).collect()),
        }
    }
}

impl<'de> Deserialize<'de> for Tagged {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _deeper = Deeper::new().map_err(D::Error::custom)?;
        Ok(Self(match Wire::deserialize(deserializer)? {
            Wire::None => Item::NONE,
            Wire::Bool(value) => value.into(),
            Wire::Byte(value) => value.into(),
            Wire::Int(value) => value.into(),
            Wire::Long(value) => value.into(),
            Wire::Float(value) => value.into(),
            Wire::Double(value) => value.into(),
            Wire::ULong(value) => value.into(),
            Wire::Vector([x, y, z]) => Vector::new(x, y, z).into(),
            Wire::Text(text) => Text::from_markup(&text).into(),
            Wire::List(items) => ArrayList::from(items.into_iter().map(|Self(item)| item)).into(),
            Wire::Table(entries) => {
                // `from` would leave such an entry out, and the reader would not learn of it.
                if entries.iter().any(|(Self(key), _)| key.is_none()) {
                    return Err(D::Error::custom("a key that is none"));
                }
                HashTable::from(entries.into_iter().map(|(Self(key), Self(item))| (key, item))).into()
            }
            Wire::String(value) => StringBox::new(&value).into(),
            Wire::Bools(items) => ArrayBox::new(items).into(),
            Wire::Bytes(items) => ArrayBox::new(items).into(),
            Wire::Ints(items) => ArrayBox::new(items).into(),
            Wire::Longs(items) => ArrayBox::new(items).into(),
            Wire::ULongs(items) => ArrayBox::new(items).into(),
            Wire::Floats(items) => ArrayBox::new(items).into(),
            Wire::Doubles(items) => ArrayBox::new(items).into(),
            Wire::Strings(items) => ArrayBox::new(items).into(),
            Wire::Vectors(items) => ArrayBox::<Vector>::new(items.into_iter().map(Into::into)).into(),
        }))
    }
}

#[cfg(test)]
mod tests;
