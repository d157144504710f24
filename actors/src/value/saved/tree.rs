//! [`Tree`]: data of any shape.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Data of any shape, as self-describing formats have it.
///
/// The fields of actors are read only when all actors are known, since they refer to each other. Until then they are a tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Int(i128),
    /// Apart from doubles, so that it is printed with fewer digits.
    Single(f32),
    Double(f64),
    Text(String),
    List(Vec<Tree>),
    /// In the order in which it was written.
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    /// The value of a key of a map.
    pub(crate) fn get(&self, wanted: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        let has_key = |(key, _): &&(Self, Self)| matches!(key, Self::Text(key) if key == wanted);
        entries.iter().find(has_key).map(|(_, value)| value)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(it) => serializer.serialize_bool(*it),
            Self::Int(it) => match (i64::try_from(*it), u64::try_from(*it)) {
                (Ok(it), _) => serializer.serialize_i64(it),
                (_, Ok(it)) => serializer.serialize_u64(it),
                _ => serializer.serialize_i128(*it),
            },
            Self::Single(it) => serializer.serialize_f32(*it),
            Self::Double(it) => serializer.serialize_f64(*it),
            Self::Text(it) => serializer.serialize_str(it),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
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
        Tree::deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        Tree::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, it: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(it))
    }

    fn visit_i64<E: Error>(self, it: i64) -> Result<Tree, E> {
        Ok(Tree::Int(it.into()))
    }

    fn visit_u64<E: Error>(self, it: u64) -> Result<Tree, E> {
        Ok(Tree::Int(it.into()))
    }

    fn visit_i128<E: Error>(self, it: i128) -> Result<Tree, E> {
        Ok(Tree::Int(it))
    }

    fn visit_u128<E: Error>(self, it: u128) -> Result<Tree, E> {
        i128::try_from(it).map(Tree::Int).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, it: f64) -> Result<Tree, E> {
        Ok(Tree::Double(it))
    }

    fn visit_f32<E: Error>(self, it: f32) -> Result<Tree, E> {
        Ok(Tree::Single(it))
    }

    fn visit_str<E: Error>(self, it: &str) -> Result<Tree, E> {
        Ok(Tree::Text(it.to_owned()))
    }

    fn visit_string<E: Error>(self, it: String) -> Result<Tree, E> {
        Ok(Tree::Text(it))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Tree, E> {
        Ok(Tree::List(bytes.iter().map(|byte| Tree::Int((*byte).into())).collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Tree, A::Error> {
        let mut map: Vec<(Tree, Tree)> = Vec::new();
        while let Some((key, value)) = entries.next_entry()? {
            map.push((key, value));
        }
        Ok(Tree::Map(map))
    }
}
