//! [`Writer`]: makes data from values.

use std::borrow::Cow;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::{Data, DataError, Depth, Leaf, TOO_WIDE};

/// Makes a node from a value.
#[derive(Clone, Copy, Default)]
pub struct Writer<D: Data>(Depth<D>);

type Made<D> = Result<<D as Data>::Node, DataError>;

impl<D: Data> Writer<D> {
    fn leaf(leaf: Leaf<'_>) -> Made<D> {
        D::check(&leaf)?;
        Ok(D::leaf(leaf))
    }

    /// `len` is only a hint, and may come from a document.
    fn group<P>(self, levels: u16, variant: Option<&'static str>, len: usize) -> Result<Group<D, P>, DataError> {
        Ok(Group {
            inner: Self(self.0.inside(levels)?),
            variant,
            parts: Vec::with_capacity(len.min(1024)),
            key: None,
        })
    }
}

/// A list, map or struct that is being made, perhaps as the data of a variant.
pub struct Group<D: Data, P> {
    inner: Writer<D>,
    variant: Option<&'static str>,
    parts: Vec<P>,
    /// The key of a map's next value.
    key: Option<D::Node>,
}

type ListWriter<D> = Group<D, <D as Data>::Node>;
type MapWriter<D> = Group<D, (<D as Data>::Node, <D as Data>::Node)>;

/// A variant with data is a map with its name as the only key.
fn of_variant<D: Data>(name: Option<&'static str>, data: D::Node) -> Made<D> {
    match name {
        Some(name) => D::map(vec![(D::name(name), data)]),
        None => Ok(data),
    }
}

macro_rules! leaves {
    ($($method:ident $type:ty => $leaf:ident)+) => {$(
        fn $method(self, it: $type) -> Made<D> {
            Self::leaf(Leaf::$leaf(it.into()))
        }
    )+};
}

impl<D: Data> Serializer for Writer<D> {
    type Ok = D::Node;
    type Error = DataError;
    type SerializeSeq = ListWriter<D>;
    type SerializeTuple = ListWriter<D>;
    type SerializeTupleStruct = ListWriter<D>;
    type SerializeTupleVariant = ListWriter<D>;
    type SerializeMap = MapWriter<D>;
    type SerializeStruct = MapWriter<D>;
    type SerializeStructVariant = MapWriter<D>;

    leaves! {
        serialize_bool bool => Bool
        serialize_i8 i8 => Int
        serialize_i16 i16 => Int
        serialize_i32 i32 => Int
        serialize_i64 i64 => Int
        serialize_u8 u8 => Int
        serialize_u16 u16 => Int
        serialize_u32 u32 => Int
        serialize_u64 u64 => Natural
        serialize_f32 f32 => Single
        serialize_f64 f64 => Double
    }

    fn serialize_i128(self, it: i128) -> Made<D> {
        match i64::try_from(it) {
            Ok(it) => self.serialize_i64(it),
            Err(_) => self.serialize_u128(it.try_into().map_err(|_| DataError::new(TOO_WIDE))?),
        }
    }

    fn serialize_u128(self, it: u128) -> Made<D> {
        self.serialize_u64(it.try_into().map_err(|_| DataError::new(TOO_WIDE))?)
    }

    fn serialize_char(self, it: char) -> Made<D> {
        self.serialize_str(it.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, it: &str) -> Made<D> {
        Self::leaf(Leaf::Text(Cow::Borrowed(it)))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Made<D> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Made<D> {
        Self::leaf(Leaf::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, it: &T) -> Made<D> {
        D::some(it.serialize(Self(self.0.wrapped()?))?)
    }

    fn serialize_unit(self) -> Made<D> {
        Self::leaf(Leaf::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Made<D> {
        Self::leaf(Leaf::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Made<D> {
        Ok(D::name(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, it: &T) -> Made<D> {
        it.serialize(Self(self.0.wrapped()?))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        it: &T,
    ) -> Made<D> {
        let data = it.serialize(Self(self.0.inside(1)?));
        let data = data.map_err(|error| error.inside(name))?;
        of_variant::<D>(Some(name), data)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ListWriter<D>, DataError> {
        self.group(1, None, len.unwrap_or(0))
    }

    fn serialize_tuple(self, len: usize) -> Result<ListWriter<D>, DataError> {
        self.group(1, None, len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListWriter<D>, DataError> {
        self.group(1, None, len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<ListWriter<D>, DataError> {
        self.group(2, Some(name), len)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<MapWriter<D>, DataError> {
        self.group(1 + u16::from(D::PAIRS), None, len.unwrap_or(0))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<MapWriter<D>, DataError> {
        self.group(1, None, len)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<MapWriter<D>, DataError> {
        self.group(2, Some(name), len)
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident)+) => {$(
        impl<D: Data> $trait for ListWriter<D> {
            type Ok = D::Node;
            type Error = DataError;

            fn $method<T: Serialize + ?Sized>(&mut self, it: &T) -> Result<(), DataError> {
                let node = it.serialize(self.inner);
                let node = node.map_err(|error| error.inside(&format!("[{}]", self.parts.len())))?;
                self.parts.push(node);
                Ok(())
            }

            fn end(self) -> Made<D> {
                of_variant::<D>(self.variant, D::list(self.parts))
            }
        }
    )+};
}

lists! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

impl<D: Data> MapWriter<D> {
    fn add<T: Serialize + ?Sized>(&mut self, key: D::Node, value: &T) -> Result<(), DataError> {
        let value = value.serialize(self.inner);
        let value = value.map_err(|error| error.inside(&D::step(&key)))?;
        self.parts.push((key, value));
        Ok(())
    }

    fn finish(self) -> Made<D> {
        of_variant::<D>(self.variant, D::map(self.parts)?)
    }
}

impl<D: Data> SerializeMap for MapWriter<D> {
    type Ok = D::Node;
    type Error = DataError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), DataError> {
        self.key = Some(D::key(key.serialize(self.inner)?));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), DataError> {
        let key = self.key.take().unwrap_or_else(|| D::leaf(Leaf::Null));
        self.add(key, value)
    }

    fn end(self) -> Made<D> {
        self.finish()
    }
}

macro_rules! structs {
    ($($trait:ident)+) => {$(
        impl<D: Data> $trait for MapWriter<D> {
            type Ok = D::Node;
            type Error = DataError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, it: &T) -> Result<(), DataError> {
                self.add(D::name(name), it)
            }

            fn end(self) -> Made<D> {
                self.finish()
            }
        }
    )+};
}

structs! { SerializeStruct SerializeStructVariant }
