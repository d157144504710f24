//! [`Reader`]: makes a value of a [`Tree`].

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::error::TreeError;
use super::tree::Tree;

/// Makes a value of a tree. A field that the value's type does not have is an error.
pub(crate) struct Reader<'t>(pub(crate) &'t Tree);

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = TreeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(it) => visitor.visit_bool(*it),
            Tree::Int(it) => visitor.visit_i64(*it),
            Tree::Natural(it) => visitor.visit_u64(*it),
            Tree::Single(it) if !it.is_finite() => Err(TreeError::not_finite((*it).into())),
            Tree::Double(it) if !it.is_finite() => Err(TreeError::not_finite(*it)),
            Tree::Single(it) => visitor.visit_f32(*it),
            Tree::Double(it) => visitor.visit_f64(*it),
            Tree::Text(it) => visitor.visit_str(it),
            Tree::List(items) => {
                let mut list = ListReader { items, next: 0 };
                let value = visitor.visit_seq(&mut list)?;
                if list.next < items.len() {
                    return Err(TreeError::invalid_length(items.len(), &"fewer items"));
                }
                Ok(value)
            }
            Tree::Map(entries) => {
                visitor.visit_map(MapReader::new(entries.iter().map(|(key, value)| Ok((key, value)))))
            }
        }
    }

    /// A double that is too large for this would become infinite.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Double(it) if it.abs() > f64::from(f32::MAX) => Err(TreeError::custom(format_args!(
                "the number {it:e} is too large for an f32"
            ))),
            _ => self.deserialize_any(visitor),
        }
    }

    /// A number of more than 64 bits is a text.
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Text(it) => visitor.visit_i128(it.parse().map_err(TreeError::custom)?),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Text(it) => visitor.visit_u128(it.parse().map_err(TreeError::custom)?),
            _ => self.deserialize_any(visitor),
        }
    }

    /// Bytes are a list of numbers.
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::List(_) => visitor.visit_byte_buf(serde::Deserialize::deserialize(self)?),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Null => visitor.visit_none(),
            tree => visitor.visit_some(Reader(tree.unwrapped().unwrap_or(tree))),
        }
    }

    /// A map of other keys than texts is a list of pairs.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::List(pairs) => visitor.visit_map(MapReader::new(pairs.iter().map(entry_of))),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        match self.0 {
            Tree::Text(name) => visitor.visit_enum(VariantReader { name, data: None }),
            Tree::Map(entries) => match &entries[..] {
                [(Tree::Text(name), data)] => visitor.visit_enum(VariantReader { name, data: Some(data) }),
                _ => Err(TreeError::custom(
                    "expected a map with a variant's name as its only key",
                )),
            },
            _ => Err(TreeError::custom(
                "expected the name of a variant, or a map with that as its only key",
            )),
        }
    }

    /// A struct asks for this if it has no field of this name.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, TreeError> {
        Err(TreeError::custom("there is no such field"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f64 char str string unit unit_struct seq tuple tuple_struct struct identifier
    }
}

struct ListReader<'t> {
    items: &'t [Tree],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut ListReader<'_> {
    type Error = TreeError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, TreeError> {
        let Some(item) = self.items.get(self.next) else {
            return Ok(None);
        };
        let place = self.next;
        self.next += 1;
        let value = seed.deserialize(Reader(item));
        value.map(Some).map_err(|it| it.inside(format!("[{place}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

/// Reads entries, in order.
struct MapReader<'t, I> {
    entries: I,
    value: Option<(&'t Tree, &'t Tree)>,
}

impl<I> MapReader<'_, I> {
    const fn new(entries: I) -> Self {
        Self { entries, value: None }
    }
}

/// An entry of a map that was written as a list of pairs.
fn entry_of(pair: &Tree) -> Result<(&Tree, &Tree), TreeError> {
    match pair {
        Tree::List(pair) => match &pair[..] {
            [key, value] => Ok((key, value)),
            _ => Err(TreeError::invalid_length(pair.len(), &"a key and a value")),
        },
        _ => Err(TreeError::custom("expected a key and its value")),
    }
}

impl<'t, 'de, I: Iterator<Item = Result<(&'t Tree, &'t Tree), TreeError>>> MapAccess<'de> for MapReader<'t, I> {
    type Error = TreeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, TreeError> {
        self.value = self.entries.next().transpose()?;
        let key = self.value.map(|(key, _)| seed.deserialize(Reader(key)));
        key.transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, TreeError> {
        let Some((key, value)) = self.value.take() else {
            return Err(TreeError::custom("a value without a key"));
        };
        seed.deserialize(Reader(value)).map_err(|it| it.inside(key.as_place()))
    }
}

struct VariantReader<'t> {
    name: &'t str,
    data: Option<&'t Tree>,
}

impl<'t> VariantReader<'t> {
    fn data(&self) -> Result<Reader<'t>, TreeError> {
        let data = self.data.map(Reader);
        data.ok_or_else(|| TreeError::custom(format_args!("variant {} needs data", self.name)))
    }
}

impl<'de> EnumAccess<'de> for VariantReader<'_> {
    type Error = TreeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), TreeError> {
        Ok((seed.deserialize(StrDeserializer::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for VariantReader<'_> {
    type Error = TreeError;

    fn unit_variant(self) -> Result<(), TreeError> {
        match self.data {
            None | Some(Tree::Null) => Ok(()),
            Some(_) => Err(TreeError::custom(format_args!("variant {} takes no data", self.name))),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, TreeError> {
        seed.deserialize(self.data()?).map_err(|it| it.inside(self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, TreeError> {
        self.data()?.deserialize_any(visitor).map_err(|it| it.inside(self.name))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, TreeError> {
        self.data()?.deserialize_any(visitor).map_err(|it| it.inside(self.name))
    }
}
