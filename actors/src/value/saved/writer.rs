//! [`write`]: makes a [`Tree`] of a value.

use std::borrow::Cow;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::SaveError;
use super::tree::Tree;

/// Makes a tree of a value.
pub(crate) fn write(value: &impl Serialize) -> Written {
    value.serialize(Writer { left: LEVELS })
}

/// Readers of JSON stop at 128 levels. Those of CBOR stop at 256, of which a level of a tree takes up to three.
const LEVELS: u8 = 80;

#[derive(Clone, Copy)]
struct Writer {
    /// The number of levels that may still be nested.
    left: u8,
}

impl Writer {
    /// For what is this many levels below.
    fn below(self, levels: u8) -> Result<Self, SaveError> {
        match self.left.checked_sub(levels) {
            Some(left) => Ok(Self { left }),
            None => Err(SaveError::new(
                "lists, maps and `Some` are nested too deeply to be read back",
            )),
        }
    }
}

type Written = Result<Tree, SaveError>;

fn text(text: impl Into<Cow<'static, str>>) -> Tree {
    Tree::Text(text.into())
}

/// A variant with data: a map with its name as the only key.
fn variant(name: &'static str, data: Tree) -> Tree {
    Tree::Map(vec![(text(name), data)])
}

/// Like [`variant`], but returns the data alone if it belongs to no variant.
fn of_variant(name: Option<&'static str>, data: Tree) -> Tree {
    match name {
        Some(name) => variant(name, data),
        None => data,
    }
}

/// A list that is being written, of a variant, if it has a name.
struct ListWriter {
    item: Writer,
    variant: Option<&'static str>,
    items: Vec<Tree>,
}

/// A map or struct that is being written, of a variant, if it has a name.
struct MapWriter {
    item: Writer,
    variant: Option<&'static str>,
    key: Tree,
    entries: Vec<(Tree, Tree)>,
}

impl MapWriter {
    fn new(item: Writer, variant: Option<&'static str>, len: usize) -> Self {
        Self {
            item,
            variant,
            key: Tree::Null,
            entries: Vec::with_capacity(len),
        }
    }

    /// The value of the key.
    fn add(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), SaveError> {
        let key = std::mem::replace(&mut self.key, Tree::Null);
        let value = value.serialize(self.item).map_err(|error| match &key {
            Tree::Text(key) => error.inside(key),
            Tree::Int(key) => error.inside(&key.to_string()),
            _ => error.inside("?"),
        });
        self.entries.push((key, value?));
        Ok(())
    }

    /// Most formats have no other keys than texts. A map with others is a list of pairs.
    fn done(self) -> Tree {
        let are_texts = self.entries.iter().all(|(key, _)| matches!(key, Tree::Text(_)));
        let tree = if are_texts {
            Tree::Map(self.entries)
        } else {
            let entries = self.entries.into_iter();
            Tree::List(entries.map(|(key, value)| Tree::List(vec![key, value])).collect())
        };
        of_variant(self.variant, tree)
    }
}

macro_rules! ints {
    ($($method:ident $type:ty)+) => {$(
        fn $method(self, it: $type) -> Written {
            Ok(Tree::Int(it.into()))
        }
    )+};
}

impl Serializer for Writer {
    type Ok = Tree;
    type Error = SaveError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = ListWriter;
    type SerializeTupleStruct = ListWriter;
    type SerializeTupleVariant = ListWriter;
    type SerializeMap = MapWriter;
    type SerializeStruct = MapWriter;
    type SerializeStructVariant = MapWriter;

    ints! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32
    }

    fn serialize_u64(self, it: u64) -> Written {
        Ok(Tree::natural(it))
    }

    fn serialize_bool(self, it: bool) -> Written {
        Ok(Tree::Bool(it))
    }

    /// Formats keep other numbers as null, if at all.
    fn serialize_f32(self, it: f32) -> Written {
        if !it.is_finite() {
            return Err(SaveError::not_finite(it.into()));
        }
        Ok(Tree::Single(it))
    }

    fn serialize_f64(self, it: f64) -> Written {
        if !it.is_finite() {
            return Err(SaveError::not_finite(it));
        }
        Ok(Tree::Double(it))
    }

    fn serialize_char(self, it: char) -> Written {
        Ok(text(it.to_string()))
    }

    fn serialize_str(self, it: &str) -> Written {
        Ok(text(it.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Written {
        Ok(Tree::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, it: &T) -> Written {
        match it.serialize(self.below(1)?)? {
            Tree::Null => Err(SaveError::new(
                "a `Some` that contains `None` or nothing can't be told from `None`; use an enum",
            )),
            it => Ok(it),
        }
    }

    fn serialize_unit(self) -> Written {
        Ok(Tree::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Tree::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Written {
        Ok(text(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, it: &T) -> Written {
        it.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        it: &T,
    ) -> Written {
        let data = it.serialize(self.below(1)?).map_err(|it| it.inside(name))?;
        Ok(variant(name, data))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ListWriter, SaveError> {
        Ok(ListWriter {
            item: self.below(1)?,
            variant: None,
            items: Vec::with_capacity(len.unwrap_or(0)),
        })
    }

    fn serialize_tuple(self, len: usize) -> Result<ListWriter, SaveError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListWriter, SaveError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<ListWriter, SaveError> {
        Ok(ListWriter {
            item: self.below(2)?,
            variant: Some(name),
            items: Vec::with_capacity(len),
        })
    }

    /// A list of pairs has a level more than a map.
    fn serialize_map(self, len: Option<usize>) -> Result<MapWriter, SaveError> {
        Ok(MapWriter::new(self.below(2)?, None, len.unwrap_or(0)))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<MapWriter, SaveError> {
        Ok(MapWriter::new(self.below(1)?, None, len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        len: usize,
    ) -> Result<MapWriter, SaveError> {
        Ok(MapWriter::new(self.below(2)?, Some(name), len))
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident)+) => {$(
        impl $trait for ListWriter {
            type Ok = Tree;
            type Error = SaveError;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), SaveError> {
                let place = self.items.len();
                let item = item.serialize(self.item);
                self.items.push(item.map_err(|it| it.inside(&format!("[{place}]")))?);
                Ok(())
            }

            fn end(self) -> Written {
                Ok(of_variant(self.variant, Tree::List(self.items)))
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

macro_rules! structs {
    ($($trait:ident)+) => {$(
        impl $trait for MapWriter {
            type Ok = Tree;
            type Error = SaveError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), SaveError> {
                self.key = text(key);
                self.add(value)
            }

            fn end(self) -> Written {
                Ok(self.done())
            }
        }
    )+};
}

structs! { SerializeStruct SerializeStructVariant }

impl SerializeMap for MapWriter {
    type Ok = Tree;
    type Error = SaveError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), SaveError> {
        self.key = key.serialize(self.item)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), SaveError> {
        self.add(value)
    }

    fn end(self) -> Written {
        Ok(self.done())
    }
}
