//! [`Reader`]: makes values from data.

use std::borrow::Cow;
use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::{Data, DataError, Depth, Leaf, View};

/// Reads a value from a node. A text that is a key can be read as a number or a `bool`, because all keys of JSON are texts.
pub struct Reader<'t, D: Data, const KEY: bool = false> {
    part: D::Part<'t>,
    depth: Depth<D>,
}

impl<'t, D: Data> Reader<'t, D> {
    pub fn new(part: D::Part<'t>) -> Self {
        let depth = Depth::default();
        Self { part, depth }
    }
}

impl<D: Data, const KEY: bool> Reader<'_, D, KEY> {
    /// The value that a key's text spells.
    #[inline]
    fn spelled<T: FromStr>(&self) -> Option<T> {
        match KEY.then(|| D::view(&self.part)) {
            Some(Ok(View::Leaf(Leaf::Text(text)))) => text.parse().ok(),
            _ => None,
        }
    }
}

impl<D: Data, const KEY: bool> IntoDeserializer<'_, DataError> for Reader<'_, D, KEY> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[inline]
pub fn visit<'de, D: Data, V: Visitor<'de>>(
    view: View<'_, D>,
    depth: Depth<D>,
    visitor: V,
) -> Result<V::Value, DataError> {
    match view {
        View::Leaf(leaf) => {
            D::check(&leaf)?;
            match leaf {
                Leaf::Null => visitor.visit_unit(),
                Leaf::Bool(it) => visitor.visit_bool(it),
                Leaf::Int(it) => visitor.visit_i64(it),
                Leaf::Natural(it) => visitor.visit_u64(it),
                Leaf::Single(it) => visitor.visit_f32(it),
                Leaf::Double(it) => visitor.visit_f64(it),
                Leaf::Text(Cow::Borrowed(it)) => visitor.visit_str(it),
                Leaf::Text(Cow::Owned(it)) => visitor.visit_string(it),
            }
        }
        View::List(parts) => {
            let depth = depth.inside(1)?;
            let mut list = SeqDeserializer::new(parts.map(|part| Reader::<D> { part, depth }));
            let value = visitor.visit_seq(&mut list)?;
            // A visitor of a tuple stops after its last field. Further parts are an error.
            list.end()?;
            Ok(value)
        }
        View::Map(entries) => visit_map::<D, V>(entries, depth, visitor),
    }
}

/// The readers of an entry's key and value.
type Entry<'t, D> = (Reader<'t, D, true>, Reader<'t, D>);

fn entries_of<'de, 't, D: Data>(
    entries: impl Iterator<Item = (D::Part<'t>, D::Part<'t>)>,
    depth: Depth<D>,
) -> MapDeserializer<'de, impl Iterator<Item = Entry<'t, D>>, DataError> {
    MapDeserializer::new(entries.map(move |(key, part)| (Reader { part: key, depth }, Reader { part, depth })))
}

fn visit_map<'de, 't, D: Data, V: Visitor<'de>>(
    entries: impl Iterator<Item = (D::Part<'t>, D::Part<'t>)>,
    depth: Depth<D>,
    visitor: V,
) -> Result<V::Value, DataError> {
    let mut map = entries_of::<D>(entries, depth.inside(1)?);
    let value = visitor.visit_map(&mut map)?;
    map.end()?;
    Ok(value)
}

macro_rules! spelled {
    ($($method:ident $visit:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
            match self.spelled() {
                Some(value) => visitor.$visit(value),
                None => self.deserialize_any(visitor),
            }
        }
    )+};
}

impl<'de, D: Data, const KEY: bool> Deserializer<'de> for Reader<'_, D, KEY> {
    type Error = DataError;

    spelled! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_i128 visit_i128
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_u128 visit_u128
        deserialize_f64 visit_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        D::visit(&self.part, self.depth, visitor)
    }

    /// A larger double would become infinite, so it is an error.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        if let Some(value) = self.spelled() {
            return visitor.visit_f32(value);
        }
        match D::view(&self.part)? {
            View::Leaf(Leaf::Double(it)) if it.is_finite() && it.abs() > f32::MAX.into() => Err(DataError::new(
                format_args!("the number {it:e} is too large for an f32"),
            )),
            view => visit(view, self.depth, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        if D::is_null(&self.part) {
            visitor.visit_none()
        } else {
            let depth = self.depth.wrapped()?;
            visitor.visit_some(Self { depth, ..self })
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, DataError> {
        let depth = self.depth.wrapped()?;
        visitor.visit_newtype_struct(Self { depth, ..self })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        let parts = match D::view(&self.part)? {
            View::List(parts) if D::PAIRS => parts,
            view => return visit(view, self.depth, visitor),
        };
        let mut pairs = Vec::with_capacity(parts.size_hint().0);
        for part in parts {
            let View::List(mut pair) = D::view(&part)? else {
                return Err(DataError::new(NO_PAIR));
            };
            match (pair.next(), pair.next(), pair.next()) {
                (Some(key), Some(value), None) => pairs.push((key, value)),
                _ => return Err(DataError::new(NO_PAIR)),
            }
        }
        visit_map::<D, V>(pairs.into_iter(), self.depth, visitor)
    }

    /// A variant is its name, or a map with its name as the only key.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        match D::view(&self.part)? {
            View::Leaf(Leaf::Text(name)) => visitor.visit_enum(name.into_deserializer()),
            View::Map(entries) if entries.size_hint().0 == 1 => {
                let entry = entries_of::<D>(entries, self.depth.inside(1)?);
                visitor.visit_enum(MapAccessDeserializer::new(entry))
            }
            _ => Err(DataError::new(
                "expected an enum: the name of a variant, or a map with that name as its only key",
            )),
        }
    }

    /// serde calls this for a field that the struct does not have.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DataError> {
        if D::STRICT {
            return Err(DataError::new("there is no such field"));
        }
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct struct identifier
    }
}

const NO_PAIR: &str = "expected a map, or a list of pairs of a key and a value";
