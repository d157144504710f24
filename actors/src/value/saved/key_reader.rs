//! [`KeyReader`]: reads a key of a map, which many formats keep as text.

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{EnumAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::error::TreeError;

/// Reads a key that is text, either as the text or as the number that it spells.
pub(crate) struct KeyReader<'t>(pub(crate) &'t str);

macro_rules! parsed {
    ($($method:ident $visit:ident $type:ty)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            match self.0.parse::<$type>() {
                Ok(it) => visitor.$visit(it),
                Err(_) => visitor.visit_str(self.0),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for KeyReader<'_> {
    type Error = TreeError;

    parsed! {
        deserialize_bool visit_bool bool
        deserialize_i8 visit_i8 i8 deserialize_i16 visit_i16 i16 deserialize_i32 visit_i32 i32
        deserialize_i64 visit_i64 i64 deserialize_i128 visit_i128 i128
        deserialize_u8 visit_u8 u8 deserialize_u16 visit_u16 u16 deserialize_u32 visit_u32 u32
        deserialize_u64 visit_u64 u64 deserialize_u128 visit_u128 u128
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_some(self)
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
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for KeyReader<'_> {
    type Error = TreeError;
    type Variant = <StrDeserializer<'static, TreeError> as EnumAccess<'de>>::Variant;

    fn variant_seed<S: serde::de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), TreeError> {
        StrDeserializer::new(self.0).variant_seed(seed)
    }
}
