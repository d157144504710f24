//! [`Writer`]: makes a [`Tree`] of a value.

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::TreeError;
use super::tree::Tree;

/// Makes a tree of a value.
#[derive(Clone, Copy)]
pub(crate) struct Writer {
    /// The number of levels that may still be nested.
    left: u8,
}

impl Writer {
    /// Readers of JSON stop at 128 levels. Those of CBOR stop at 256, of which a level of a tree takes up to three.
    const LEVELS: u8 = 80;

    pub(crate) const fn new() -> Self {
        Self { left: Self::LEVELS }
    }

    /// For what contains trees that were written with the limit.
    pub(crate) const fn around() -> Self {
        Self { left: u8::MAX }
    }

    /// For what is this many levels below.
    fn below(self, levels: u8) -> Result<Self, TreeError> {
        let left = self.left.checked_sub(levels);
        let left =
            left.ok_or_else(|| TreeError::custom("lists, maps and `Some` are nested too deeply to be read back"))?;
        Ok(Self { left })
    }
}

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
    item: Writer,
    variant: Option<&'static str>,
    items: Vec<Tree>,
}

impl ListWriter {
    fn add<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), TreeError> {
        let place = self.items.len();
        let item = item
            .serialize(self.item)
            .map_err(|it| it.inside(format!("[{place}]")))?;
        self.items.push(item);
        Ok(())
    }

    fn done(self) -> Tree {
        of_variant(self.variant, Tree::List(self.items))
    }
}

/// A map or struct that is being written, of a variant, if it has a name.
pub(crate) struct MapWriter {
    item: Writer,
    variant: Option<&'static str>,
    entries: Vec<(Tree, Tree)>,
    key: Tree,
}

impl MapWriter {
    const fn new(item: Writer, variant: Option<&'static str>) -> Self {
        Self {
            item,
            variant,
            entries: Vec::new(),
            key: Tree::Null,
        }
    }

    fn add<T: Serialize + ?Sized>(&mut self, key: Tree, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(self.item).map_err(|it| it.inside(key.as_place()))?;
        self.entries.push((key, value));
        Ok(())
    }

    /// Most formats have no other keys than texts. A map with others is a list of pairs.
    fn done(self) -> Tree {
        let are_texts = self.entries.iter().all(|(key, _)| matches!(key, Tree::Text(_)));
        let tree = if are_texts {
            Tree::Map(self.entries)
        } else {
            let pairs = self
                .entries
                .into_iter()
                .map(|(key, value)| Tree::List(vec![key, value]));
            Tree::List(pairs.collect())
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
    type Error = TreeError;
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
        self.serialize_u128(it.into())
    }

    /// Most formats have no larger numbers than those of 64 bits.
    fn serialize_i128(self, it: i128) -> Written {
        Ok(Tree::int(it).unwrap_or_else(|| Tree::Text(it.to_string())))
    }

    fn serialize_u128(self, it: u128) -> Written {
        match i128::try_from(it) {
            Ok(it) => self.serialize_i128(it),
            Err(_) => Ok(Tree::Text(it.to_string())),
        }
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
        let it = it.serialize(self.below(1)?)?;
        Ok(if it.is_wrapped() { it.wrap() } else { it })
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

    fn serialize_seq(self, _: Option<usize>) -> Result<ListWriter, TreeError> {
        Ok(ListWriter {
            item: self.below(1)?,
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
            item: self.below(2)?,
            variant: Some(name),
            items: Vec::new(),
        })
    }

    /// A list of pairs has a level more than a map.
    fn serialize_map(self, _: Option<usize>) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(self.below(2)?, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(self.below(1)?, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<MapWriter, TreeError> {
        Ok(MapWriter::new(self.below(2)?, Some(name)))
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
                self.add(text(key), value)
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
        self.key = key.serialize(self.item)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        let key = std::mem::replace(&mut self.key, Tree::Null);
        self.add(key, value)
    }

    fn end(self) -> Written {
        Ok(self.done())
    }
}
