//! [`from_item`]: values of any type from items.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::depth::{Deeper, VALUES};
use super::error::ItemError;
use crate::Item;
use crate::collection::{Collection, Content};
use crate::item::simple::Simple;

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
/// The item does not have the form that the type expects, is or contains an object of another class, or is nested
/// deeper than 128 levels. An `f64` is not read from null, which JSON has instead of infinite numbers and NaN; an `Option<f64>`
/// is.
///
/// # Panics
///
/// If waiting for a collection, text or ref in it would deadlock: see [`ArrayList`](crate::ArrayList#threads).
pub fn from_item<T: DeserializeOwned>(item: &Item) -> Result<T, ItemError> {
    T::deserialize(FromItem(item.clone()))
}

struct FromItem(Item);

/// A type that reads itself.
macro_rules! deserializers {
    ($($type:ty)+) => {$(
        impl IntoDeserializer<'_, ItemError> for $type {
            type Deserializer = Self;

            fn into_deserializer(self) -> Self {
                self
            }
        }
    )+};
}

deserializers! { FromItem Simple FromKey }

impl<'de> Deserializer<'de> for FromItem {
    type Error = ItemError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
        let Some(content) = Collection::reach(&self.0, &mut None).map(Collection::content) else {
            return Simple::of(&self.0).deserialize_any(visitor);
        };
        let _deeper = Deeper::inside(&VALUES, 1)?;
        match content {
            Content::List(items) => {
                let mut items = SeqDeserializer::new(items.into_iter().map(FromItem));
                let value = visitor.visit_seq(&mut items)?;
                // A visitor of a tuple stops after its last field. What follows is an error, not lost.
                items.end()?;
                Ok(value)
            }
            Content::Table(entries) => {
                let entries = entries
                    .into_iter()
                    .map(|(key, item)| (FromKey(FromItem(key)), FromItem(item)));
                let mut entries = MapDeserializer::new(entries);
                let value = visitor.visit_map(&mut entries)?;
                entries.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
        if self.0.is_none() {
            visitor.visit_none()
        } else {
            let _deeper = Deeper::wrapped(&VALUES)?;
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ItemError> {
        let _deeper = Deeper::wrapped(&VALUES)?;
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ItemError> {
        let expected = "a string, or a table of one entry";
        let content = Collection::reach(&self.0, &mut None).map(Collection::content);
        match content {
            // A variant without content is its name alone.
            None => visitor.visit_enum(Variant(self, FromItem(Item::NONE))),
            Some(Content::Table(mut entries)) if entries.len() == 1 => match entries.pop() {
                Some((name, value)) => {
                    let _deeper = Deeper::inside(&VALUES, 1)?;
                    visitor.visit_enum(Variant(FromItem(name), FromItem(value)))
                }
                None => Err(ItemError::invalid_length(0, &expected)),
            },
            Some(Content::Table(_)) => Err(ItemError::invalid_value(Unexpected::Map, &expected)),
            Some(Content::List(_)) => Err(ItemError::invalid_type(Unexpected::Seq, &expected)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A key. Where the type asks for a number or a `bool`, a text is read as one, because JSON has no other keys.
struct FromKey(FromItem);

/// The methods of [`FromKey`] for types that a text may spell.
macro_rules! spelled {
    ($($method:ident $visit:ident;)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
            match self.0.0.to_string().map(|text| text.parse()) {
                Some(Ok(value)) => visitor.$visit(value),
                _ => self.0.$method(visitor),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for FromKey {
    type Error = ItemError;

    spelled! {
        deserialize_bool visit_bool;
        deserialize_i8 visit_i8;
        deserialize_i16 visit_i16;
        deserialize_i32 visit_i32;
        deserialize_i64 visit_i64;
        deserialize_i128 visit_i128;
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
        deserialize_u128 visit_u128;
        deserialize_f32 visit_f32;
        deserialize_f64 visit_f64;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
        let _deeper = Deeper::wrapped(&VALUES)?;
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ItemError> {
        let _deeper = Deeper::wrapped(&VALUES)?;
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ItemError> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Simple {
    type Error = ItemError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ItemError> {
        match self {
            Self::None => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Integer(value) => visitor.visit_i64(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Float(value) => visitor.visit_f32(value),
            Self::Double(value) => visitor.visit_f64(value),
            Self::String(value) => visitor.visit_string(value),
            Self::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Other(class) => Err(ItemError::custom(format_args!("an object of {class} can't be read"))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The name of a variant, and its content, which is nothing for a variant without.
struct Variant(FromItem, FromItem);

impl<'de> EnumAccess<'de> for Variant {
    type Error = ItemError;
    type Variant = FromItem;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, FromItem), ItemError> {
        Ok((seed.deserialize(self.0)?, self.1))
    }
}

impl<'de> VariantAccess<'de> for FromItem {
    type Error = ItemError;

    fn unit_variant(self) -> Result<(), ItemError> {
        serde::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ItemError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ItemError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, ItemError> {
        self.deserialize_any(visitor)
    }
}
