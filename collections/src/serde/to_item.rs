//! [`to_item`]: items from the values of any type.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::depth::{Deeper, VALUES};
use super::error::ItemError;
use crate::item::simple::Simple;
use crate::{ArrayList, HashTable, Item};

/// Serializes any value into an item. `None` and `()` become none, sequences and tuples become lists, maps and structs become
/// tables, and bytes become lists of integers. Enums have the same form as in JSON, such as `"Walk"` and `{"Run":[1,2]}`. Keys
/// of maps that are integers or `bool`s become texts, because keys of JSON are strings; [`from_item`](crate::from_item) reads
/// them as numbers and `bool`s again.
///
/// ```
/// use acedia_collections::{from_item, to_item};
///
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
/// struct Pawn {
///     name: String,
///     id: u64,
///     speed: Option<f32>,
/// }
///
/// let pawn = Pawn { name: "Bob".into(), id: u64::MAX, speed: Some(5.673) };
/// let item = to_item(&pawn)?;
/// assert_eq!(item.get("id").as_ulong(), Some(u64::MAX));
/// assert_eq!(from_item::<Pawn>(&item)?, pawn);
/// # Ok::<(), acedia_collections::ItemError>(())
/// ```
///
/// # Errors
///
/// Any error of the value's own `Serialize`, an error for integers beyond 64 bits, and one for more than 128 levels of collections.
pub fn to_item<T: Serialize + ?Sized>(value: &T) -> Result<Item, ItemError> {
    value.serialize(ToItem)
}

struct ToItem;

/// The numbers and words that convert into an item as they are.
macro_rules! plain {
    ($($method:ident $type:ty;)+) => {$(
        fn $method(self, value: $type) -> Result<Item, ItemError> {
            Ok(value.into())
        }
    )+};
}

impl Serializer for ToItem {
    type Ok = Item;
    type Error = ItemError;
    type SerializeSeq = ToList;
    type SerializeTuple = ToList;
    type SerializeTupleStruct = ToList;
    type SerializeTupleVariant = ToList;
    type SerializeMap = ToTable;
    type SerializeStruct = ToTable;
    type SerializeStructVariant = ToTable;

    plain! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_str &str;
    }

    /// As an integer, like every number of a program.
    fn serialize_u8(self, value: u8) -> Result<Item, ItemError> {
        Ok(u16::from(value).into())
    }

    fn serialize_i128(self, value: i128) -> Result<Item, ItemError> {
        value.try_into().map_err(serde::ser::Error::custom)
    }

    fn serialize_u128(self, value: u128) -> Result<Item, ItemError> {
        value.try_into().map_err(serde::ser::Error::custom)
    }

    fn serialize_char(self, value: char) -> Result<Item, ItemError> {
        Ok(value.to_string().into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Item, ItemError> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<Item, ItemError> {
        Ok(Item::NONE)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Item, ItemError> {
        let _deeper = Deeper::wrapped(&VALUES)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Item, ItemError> {
        Ok(Item::NONE)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Item, ItemError> {
        Ok(Item::NONE)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Item, ItemError> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Item, ItemError> {
        let _deeper = Deeper::wrapped(&VALUES)?;
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Item, ItemError> {
        let _deeper = Deeper::inside(&VALUES, 1)?;
        Ok(tagged(Some(variant), value.serialize(self)?))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ToList, ItemError> {
        ToList::new(None, len.unwrap_or(0))
    }

    fn serialize_tuple(self, len: usize) -> Result<ToList, ItemError> {
        ToList::new(None, len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ToList, ItemError> {
        ToList::new(None, len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ToList, ItemError> {
        ToList::new(Some(variant), len)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ToTable, ItemError> {
        ToTable::new(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ToTable, ItemError> {
        ToTable::new(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ToTable, ItemError> {
        ToTable::new(Some(variant))
    }
}

/// The item, or a table of it under the variant's name.
fn tagged(variant: Option<&'static str>, item: Item) -> Item {
    match variant {
        Some(variant) => HashTable::from([(variant, item)]).into(),
        None => item,
    }
}

/// Inside a list or table, and inside the table of the variant.
fn inside(variant: Option<&'static str>) -> Result<Deeper, ItemError> {
    Deeper::inside(&VALUES, 1 + u32::from(variant.is_some()))
}

/// A list that is being made.
struct ToList {
    _deeper: Deeper,
    variant: Option<&'static str>,
    items: Vec<Item>,
}

impl ToList {
    /// The length is only a hint, and may come from a document.
    fn new(variant: Option<&'static str>, len: usize) -> Result<Self, ItemError> {
        Ok(Self {
            _deeper: inside(variant)?,
            variant,
            items: Vec::with_capacity(len.min(1024)),
        })
    }

    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ItemError> {
        self.items.push(value.serialize(ToItem)?);
        Ok(())
    }

    fn finish(self) -> Item {
        tagged(self.variant, ArrayList::from(self.items).into())
    }
}

/// Implements the traits of sequences for [`ToList`].
macro_rules! lists {
    ($($name:ident $method:ident;)+) => {$(
        impl $name for ToList {
            type Ok = Item;
            type Error = ItemError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ItemError> {
                self.add(value)
            }

            fn end(self) -> Result<Item, ItemError> {
                Ok(self.finish())
            }
        }
    )+};
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// A table that is being made.
struct ToTable {
    _deeper: Deeper,
    variant: Option<&'static str>,
    key: Item,
    entries: Vec<(Item, Item)>,
}

impl ToTable {
    fn new(variant: Option<&'static str>) -> Result<Self, ItemError> {
        Ok(Self {
            _deeper: inside(variant)?,
            variant,
            key: Item::NONE,
            entries: Vec::new(),
        })
    }

    fn finish(self) -> Item {
        tagged(self.variant, HashTable::from(self.entries).into())
    }
}

impl SerializeMap for ToTable {
    type Ok = Item;
    type Error = ItemError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ItemError> {
        let key = key.serialize(ToItem)?;
        self.key = match Simple::of(&key) {
            Simple::None => return Err(serde::ser::Error::custom("a key that is none")),
            Simple::Bool(value) => value.to_string().into(),
            Simple::Integer(value) => value.to_string().into(),
            Simple::Unsigned(value) => value.to_string().into(),
            _ => key,
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ItemError> {
        let key = std::mem::take(&mut self.key);
        self.entries.push((key, value.serialize(ToItem)?));
        Ok(())
    }

    fn end(self) -> Result<Item, ItemError> {
        Ok(self.finish())
    }
}

/// Implements the traits of structs for [`ToTable`].
macro_rules! tables {
    ($($name:ident)+) => {$(
        impl $name for ToTable {
            type Ok = Item;
            type Error = ItemError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), ItemError> {
                self.entries.push((key.into(), value.serialize(ToItem)?));
                Ok(())
            }

            fn end(self) -> Result<Item, ItemError> {
                Ok(self.finish())
            }
        }
    )+};
}

tables! { SerializeStruct SerializeStructVariant }
