//! [`read`]: makes a value of a [`Tree`].

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::error::SaveError;
use super::tree::Tree;

/// Makes a value of a tree. A field that the value's type does not have is an error.
pub(crate) fn read<T: DeserializeOwned>(tree: &Tree) -> Result<T, SaveError> {
    // The path takes time, so it is kept only where there is an error.
    T::deserialize(Reader(tree)).or_else(|_| with_path(tree))
}

fn with_path<T: DeserializeOwned>(tree: &Tree) -> Result<T, SaveError> {
    serde_path_to_error::deserialize(Reader(tree)).map_err(|error| {
        let path = error.path().to_string();
        error.into_inner().at(&path)
    })
}

struct Reader<'t>(&'t Tree);

impl IntoDeserializer<'_, SaveError> for Reader<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = SaveError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        match self.0 {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(it) => visitor.visit_bool(*it),
            Tree::Int(it) => visitor.visit_i64(*it),
            Tree::Natural(it) => visitor.visit_u64(*it),
            Tree::Single(it) if !it.is_finite() => Err(SaveError::not_finite((*it).into())),
            Tree::Double(it) if !it.is_finite() => Err(SaveError::not_finite(*it)),
            Tree::Single(it) => visitor.visit_f32(*it),
            Tree::Double(it) => visitor.visit_f64(*it),
            Tree::Text(it) => visitor.visit_str(it),
            Tree::List(items) => {
                let mut list = SeqDeserializer::new(items.iter().map(Reader));
                let value = visitor.visit_seq(&mut list)?;
                list.end()?;
                Ok(value)
            }
            Tree::Map(entries) => visitor.visit_map(map_of(entries.iter().map(|(key, value)| (key, value)))),
        }
    }

    /// A double that is too large for this would become infinite.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        match self.0 {
            Tree::Double(it) if it.abs() > f64::from(f32::MAX) => Err(SaveError::new(format_args!(
                "the number {it:e} is too large for an f32"
            ))),
            _ => self.deserialize_any(visitor),
        }
    }

    /// Bytes are a list of numbers.
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        match self.0 {
            Tree::List(_) => visitor.visit_byte_buf(serde::Deserialize::deserialize(self)?),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        match self.0 {
            Tree::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    /// A map of other keys than texts is a list of pairs.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, SaveError> {
        let Tree::List(items) = self.0 else {
            return self.deserialize_any(visitor);
        };
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Tree::List(pair) if pair.len() == 2 => pairs.push((&pair[0], &pair[1])),
                _ => return Err(SaveError::new("expected pairs of a key and a value")),
            }
        }
        visitor.visit_map(map_of(pairs.into_iter()))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, SaveError> {
        visitor.visit_newtype_struct(self)
    }

    /// A variant is its name, or a map with its name as the only key.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, SaveError> {
        match self.0 {
            Tree::Text(name) => visitor.visit_enum((&**name).into_deserializer()),
            Tree::Map(entries) if entries.len() == 1 => {
                let entry = map_of(entries.iter().map(|(key, value)| (key, value)));
                visitor.visit_enum(MapAccessDeserializer::new(entry))
            }
            _ => Err(SaveError::new(
                "expected the name of a variant, or a map with that as its only key",
            )),
        }
    }

    /// A struct asks for this if it has no field of this name.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, SaveError> {
        Err(SaveError::new("there is no such field"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f64 char str string unit unit_struct seq tuple tuple_struct struct identifier
    }
}

type Pair<'t> = (Reader<'t>, Reader<'t>);

fn map_of<'de, 't>(
    entries: impl Iterator<Item = (&'t Tree, &'t Tree)>,
) -> MapDeserializer<'de, impl Iterator<Item = Pair<'t>>, SaveError> {
    MapDeserializer::new(entries.map(|(key, value)| (Reader(key), Reader(value))))
}
