//! [`Tree`]: data of any shape.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Data of any shape.
///
/// The fields of actors are read only when all actors are known, since they refer to each other. Until then they are a tree.
///
/// A human-readable format gets the shape of the data. Any other gets the derived form, which tags each value with its kind,
/// because many of these formats (postcard, bincode) can't be read without knowing the type. `Tree::serialize` is the derived
/// one; the methods of the traits choose.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(remote = "Self")]
pub(crate) enum Tree {
    #[serde(rename = "n")]
    Null,
    #[serde(rename = "b")]
    Bool(bool),
    #[serde(rename = "i")]
    Int(i64),
    /// If it is too large for an `Int`.
    #[serde(rename = "u")]
    Natural(u64),
    /// Apart from doubles, so that it is printed with fewer digits.
    #[serde(rename = "f")]
    Single(f32),
    #[serde(rename = "d")]
    Double(f64),
    #[serde(rename = "s")]
    /// Names of fields are borrowed.
    Text(Cow<'static, str>),
    #[serde(rename = "l")]
    List(Vec<Tree>),
    /// In the order in which it was written.
    #[serde(rename = "m")]
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    pub(crate) fn natural(number: u64) -> Self {
        i64::try_from(number).map_or(Self::Natural(number), Self::Int)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return Self::serialize(self, serializer);
        }
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(it) => serializer.serialize_bool(*it),
            Self::Int(it) => serializer.serialize_i64(*it),
            Self::Natural(it) => serializer.serialize_u64(*it),
            Self::Single(it) => serializer.serialize_f32(*it),
            Self::Double(it) => serializer.serialize_f64(*it),
            Self::Text(it) => serializer.serialize_str(it),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Self::deserialize(deserializer);
        }
        deserializer.deserialize_any(AnyShape)
    }
}

struct AnyShape;

impl<'de> Visitor<'de> for AnyShape {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields of an actor")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Deserialize::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Deserialize::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, it: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(it))
    }

    fn visit_i64<E: Error>(self, it: i64) -> Result<Tree, E> {
        Ok(Tree::Int(it))
    }

    fn visit_u64<E: Error>(self, it: u64) -> Result<Tree, E> {
        Ok(Tree::natural(it))
    }

    fn visit_f64<E: Error>(self, it: f64) -> Result<Tree, E> {
        Ok(Tree::Double(it))
    }

    fn visit_f32<E: Error>(self, it: f32) -> Result<Tree, E> {
        Ok(Tree::Single(it))
    }

    fn visit_str<E: Error>(self, it: &str) -> Result<Tree, E> {
        Ok(Tree::Text(it.to_owned().into()))
    }

    fn visit_string<E: Error>(self, it: String) -> Result<Tree, E> {
        Ok(Tree::Text(it.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Tree::Map(map))
    }
}
