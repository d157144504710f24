//! [`Any`]: reads data from formats that describe themselves.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::{Data, Depth, Leaf, TOO_WIDE};

/// Reads data of any shape.
#[derive(Clone, Copy, Default)]
pub struct Any<D: Data>(Depth<D>);

impl<'de, D: Data> DeserializeSeed<'de> for Any<D> {
    type Value = D::Node;

    fn deserialize<T: Deserializer<'de>>(self, deserializer: T) -> Result<D::Node, T::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! leaves {
    ($($method:ident $type:ty => $leaf:ident)+) => {$(
        fn $method<E>(self, it: $type) -> Result<D::Node, E> {
            Ok(D::leaf(Leaf::$leaf(it.into())))
        }
    )+};
}

impl<'de, D: Data> Visitor<'de> for Any<D> {
    type Value = D::Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a boolean, a number, a string, a sequence or a map")
    }

    leaves! {
        visit_bool bool => Bool
        visit_i64 i64 => Int
        visit_u64 u64 => Natural
        visit_f32 f32 => Single
        visit_f64 f64 => Double
        visit_string String => Text
    }

    fn visit_str<E>(self, text: &str) -> Result<D::Node, E> {
        Ok(D::leaf(Leaf::Text(Cow::Borrowed(text))))
    }

    fn visit_i128<E: serde::de::Error>(self, it: i128) -> Result<D::Node, E> {
        match i64::try_from(it) {
            Ok(it) => self.visit_i64(it),
            Err(_) => self.visit_u128(it.try_into().map_err(|_| E::custom(TOO_WIDE))?),
        }
    }

    fn visit_u128<E: serde::de::Error>(self, it: u128) -> Result<D::Node, E> {
        self.visit_u64(it.try_into().map_err(|_| E::custom(TOO_WIDE))?)
    }

    fn visit_unit<E>(self) -> Result<D::Node, E> {
        Ok(D::leaf(Leaf::Null))
    }

    fn visit_none<E>(self) -> Result<D::Node, E> {
        Ok(D::leaf(Leaf::Null))
    }

    fn visit_some<T: Deserializer<'de>>(self, deserializer: T) -> Result<D::Node, T::Error> {
        Self(self.0.wrapped().map_err(T::Error::custom)?).deserialize(deserializer)
    }

    fn visit_newtype_struct<T: Deserializer<'de>>(self, deserializer: T) -> Result<D::Node, T::Error> {
        Self(self.0.wrapped().map_err(T::Error::custom)?).deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<D::Node, A::Error> {
        let inner = Self(self.0.inside(1).map_err(A::Error::custom)?);
        let mut nodes = Vec::new();
        while let Some(node) = sequence.next_element_seed(inner)? {
            nodes.push(node);
        }
        Ok(D::list(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<D::Node, A::Error> {
        let inner = Self(self.0.inside(1).map_err(A::Error::custom)?);
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry_seed(inner, inner)? {
            entries.push(entry);
        }
        D::map(entries).map_err(A::Error::custom)
    }
}
