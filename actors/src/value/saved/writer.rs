//! [`Writer`]: makes a [`Tree`] of a value.

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::TreeError;
use super::tree::Tree;

/// Makes a tree of a value.
pub(crate) struct Writer;

type Written = Result<Tree, TreeError>;

fn text(text: &str) -> Tree {
    Tree::Text(text.to_owned())
}

/// A variant with data: a map with its name as the only key.
fn variant(name: &str, data: Tree) -> Tree {
    Tree::Map(vec![(text(name), data)])
}

/// Like [`variant`], but returns the data alone if it belongs to no variant.
fn of_variant(name: Option<&str>, data: Tree) -> Tree {
    match name {
        Some(name) => variant(name, data),
        None => data,
    }
}

/// A list that is being written, of a variant, if it has a name.
pub(crate) struct ListWriter {
    variant: Option<&'static str>,
    items: Vec<Tree>,
}

impl ListWriter {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), TreeError> {
        let place = self.items.len();
        let item = item.serialize(Writer).map_err(|it| it.inside(format!("[{place}]")))?;
        self.items.push(item);
        Ok(())
    }

    fn done(self) -> Tree {
        of_variant(self.variant, Tree::List(self.items))
    }
}

/// A map that is being written, of a variant, if it has a name.
pub(crate) struct MapWriter {
    variant: Option<&'static str>,
    entries: Vec<(Tree, Tree)>,
    key: Tree,
}

impl MapWriter {
    const fn new(variant: Option<&'static str>) -> Self {
        Self {
            variant,
            entries: Vec::new(),
            key: Tree::Null,
        }
    }

    fn add<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(Writer).map_err(|it| it.inside(key))?;
        self.entries.push((text(key), value));
        Ok(())
    }

    fn done(self) -> Tree {
        of_variant(self.variant, Tree::Map(self.entries))
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
    type Error = TreeError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = ListWriter;
    type SerializeTupleStruct = ListWriter;
    type SerializeTupleVariant = ListWriter;
    type SerializeMap = MapWriter;
    type SerializeStruct = MapWriter;
    type SerializeStructVariant = MapWriter;

    ints! {
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64 serialize_i128 i128
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64
    }

    fn serialize_u128(self, it: u128) -> Written {
        i128::try_from(it).map(Tree::Int).map_err(TreeError::custom)
    }

    fn serialize_bool(self, it: bool) -> Written {
        Ok(Tree::Bool(it))
    }

    /// Formats keep other numbers as null, if at all.
    fn serialize_f32(self, it: f32) -> Written {
        if !it.is_finite() {
            return Err(TreeError::not_finite(it.into()));
        }
        Ok(Tree::Single(it))
    }

    fn serialize_f64(self, it: f64) -> Written {
        if !it.is_finite() {
            return Err(TreeError::not_finite(it));
        }
        Ok(Tree::Double(it))
    }

    fn serialize_char(self, it: char) -> Written {
        Ok(Tree::Text(it.to_string()))
    }

    fn serialize_str(self, it: &str) -> Written {
        Ok(text(it))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Written {
        Ok(Tree::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, it: &T) -> Written {
        it.serialize(self)
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
        Ok(variant(name, it.serialize(self).map_err(|it| it.inside(name))?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListWriter, TreeError> {
        Ok(ListWriter {
            variant: None,
            items: Vec::new(),
        })
    }

    fn serialize_tuple(self, _: usize) -> Result<ListWriter, TreeError> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListWriter, TreeError> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<ListWriter, TreeError> {
        Ok(ListWriter {
            variant: Some(name),
            items: Vec::new(),
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(Some(name)))
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident)+) => {$(
        impl $trait for ListWriter {
            type Ok = Tree;
            type Error = TreeError;

            fn $method<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), TreeError> {
                self.add(item)
            }

            fn end(self) -> Written {
                Ok(self.done())
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
            type Error = TreeError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), TreeError> {
                self.add(key, value)
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
    type Error = TreeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), TreeError> {
        self.key = key.serialize(Writer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        let key = std::mem::replace(&mut self.key, Tree::Null);
        let value = value.serialize(Writer).map_err(|it| it.inside(format!("[{key:?}]")))?;
        self.entries.push((key, value));
        Ok(())
    }

    fn end(self) -> Written {
        Ok(self.done())
    }
}
