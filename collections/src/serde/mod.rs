//! Items and collections in any format that `serde` knows.

mod depth;
mod tagged;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use self::depth::Deeper;
use crate::collection::Collection;
use crate::item::Simple;
use crate::json::number;
use crate::{ArrayList, HashTable, Item};

pub use self::tagged::Tagged;

/// Nothing as none, numbers as `i64` or `f64`, texts and boxed strings as strings, lists, vectors and boxed arrays as
/// sequences, tables as maps, and refs as boxes. Objects of other classes are an error, and so are more than 128 levels of collections. Each is locked while it is written.
impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut serializer = Some(serializer);
        let collection = Collection::with(self, |collection| {
            let serializer = serializer.take()?;
            Some(match collection {
                Collection::List(list) => list.serialize(serializer),
                Collection::Table(table) => table.serialize(serializer),
            })
        });
        let Some(serializer) = serializer else {
            return collection
                .flatten()
                .unwrap_or_else(|| Err(S::Error::custom("no collection")));
        };
        Simple::of(self).serialize(serializer)
    }
}

impl Serialize for Simple {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Double(value) => serializer.serialize_f64(*value),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Other(class) => Err(S::Error::custom(format_args!("an object of {class} can't be written"))),
        }
    }
}

/// As a sequence, as an [`Item`] of it.
impl Serialize for ArrayList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let _deeper = Deeper::new().map_err(S::Error::custom)?;
        // A copy, because the serializer is anybody's code, and waits for the collections in this one.
        let items: Vec<Item> = self.read().iter().cloned().collect();
        serializer.collect_seq(items)
    }
}

/// As a map, as an [`Item`] of it. Keys are written as items are; which ones a format accepts is its own business.
impl Serialize for HashTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let _deeper = Deeper::new().map_err(S::Error::custom)?;
        // A copy, as above.
        let entries: Vec<(Item, Item)> = {
            let entries = self.read();
            entries.iter().map(|(key, item)| (key.clone(), item.clone())).collect()
        };
        serializer.collect_map(entries)
    }
}

/// What describes itself, to 128 levels of collections: as [`Parser`](crate::json::Parser) reads JSON, with decimals as the
/// format has rounded them. For what does not describe itself there is [`Tagged`].
impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemVisitor)
    }
}

/// Of a sequence, as an [`Item`] reads it. A plain Rust value outside of the pool; an [`Owned`](acedia_allocator::Owned) of it is
/// read as an object:
///
/// ```
/// use acedia_allocator::Owned;
/// use acedia_collections::{ArrayList, HashTable};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Pawn {
///     name: String,
///     inventory: Owned<ArrayList>,
///     skills: Owned<HashTable>,
/// }
///
/// let text = r#"{"name":"Bob","inventory":["rope",7],"skills":{"aim":0.5}}"#;
/// let pawn: Pawn = serde_json::from_str(text)?;
/// assert_eq!(pawn.inventory.read()[1].as_int(), Some(7));
/// assert_eq!(serde_json::to_string(&pawn)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
impl<'de> Deserialize<'de> for ArrayList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer)?;
        let list = item.as_list().ok_or_else(|| D::Error::custom("expected a sequence"))?;
        Ok(list.take())
    }
}

/// Of a map, as an [`Item`] reads it: see [`ArrayList`]'s.
impl<'de> Deserialize<'de> for HashTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer)?;
        let table = item.as_table().ok_or_else(|| D::Error::custom("expected a map"))?;
        Ok(table.take())
    }
}

struct ItemVisitor;

impl ItemVisitor {
    /// An integer that may need more than 64 bits.
    fn integer<E: serde::de::Error>(value: impl fmt::Display) -> Result<Item, E> {
        number::item(value.to_string().as_bytes(), crate::json::Decimals::Exact).map_err(E::custom)
    }
}

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing, a bool, a number, a string, a sequence or a map")
    }

    fn visit_unit<E>(self) -> Result<Item, E> {
        Ok(Item::NONE)
    }

    fn visit_none<E>(self) -> Result<Item, E> {
        Ok(Item::NONE)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Item, E> {
        Ok(value.into())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Item, E> {
        i32::try_from(value).map_or_else(|_| Self::integer(value), |value| Ok(value.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Item, E> {
        i32::try_from(value).map_or_else(|_| Self::integer(value), |value| Ok(value.into()))
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<Item, E> {
        Self::integer(value)
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<Item, E> {
        Self::integer(value)
    }

    fn visit_f64<E>(self, value: f64) -> Result<Item, E> {
        Ok(number::of_double(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Item, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Item, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Item, A::Error> {
        let _deeper = Deeper::new().map_err(A::Error::custom)?;
        let mut items: Vec<Item> = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(ArrayList::from(items).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let _deeper = Deeper::new().map_err(A::Error::custom)?;
        let mut entries: Vec<(Item, Item)> = Vec::new();
        while let Some((key, item)) = map.next_entry::<Item, Item>()? {
            if key.is_none() {
                return Err(A::Error::custom("a key that is nothing"));
            }
            entries.push((key, item));
        }
        Ok(HashTable::from(entries).into())
    }
}

#[cfg(test)]
mod tests {
    use acedia_allocator::{Object, Owned, class};
    use acedia_boxes::{ByteArrayBox, LongBox, StringArrayRef, StringBox, StringRef, Vector, VectorArrayBox};

    use super::depth::{DEEPEST, is_at_the_top};
    use super::*;
    use crate::json;

    #[test]
    fn what_is_written_reads_back() {
        let text = r#"{"a":[1,-2.5,3000000000,0.1,"ä\n",{"x":[[],{}]},true,null],"":{"k":"v"}}"#;
        let item = json::parse(text).expect("JSON");
        let value = serde_json::to_value(&item).expect("writes");
        assert_eq!(value, serde_json::from_str::<serde_json::Value>(text).expect("JSON"));
        let back: Item = serde_json::from_value(value).expect("reads");
        assert!(back.same_content(&item));
        let back: Item = serde_json::from_str(text).expect("reads");
        assert!(back.same_content(&item));
        let table = item.as_table().expect("a table");
        assert_eq!(serde_json::to_value(&*table).ok(), serde_json::to_value(&item).ok());
    }

    #[test]
    fn boxed_strings_arrays_and_vectors_are_written() {
        let items: [(Item, &str); 6] = [
            (StringBox::new("a\n").into(), r#""a\n""#),
            (StringRef::new("b").into(), r#""b""#),
            (Vector::new(1.0, -2.0, 0.5).into(), "[1.0,-2.0,0.5]"),
            (ByteArrayBox::new([1, 255]).into(), "[1,255]"),
            (StringArrayRef::new(["a", "b"].map(String::from)).into(), r#"["a","b"]"#),
            (VectorArrayBox::new([Vector::default()]).into(), "[[0.0,0.0,0.0]]"),
        ];
        for (item, written) in items {
            assert_eq!(serde_json::to_string(&item).expect("writes"), written);
            assert_eq!(json::to_string(&item).as_deref(), Ok(written));
        }
    }

    #[test]
    fn what_cannot_be_kept_or_written_is_an_error() {
        #[derive(Default)]
        struct Thing;
        impl Object for Thing {
            class!(Thing, "Test.SerdeThing");
        }
        assert!(serde_json::from_str::<Item>("18446744073709551615").is_err());
        let large: Item = serde_json::from_str("9223372036854775807").expect("fits");
        assert_eq!(large.with(|it: &LongBox| it.get()), Some(i64::MAX));
        let error = serde_json::to_string(&Item::from(Thing::allocate())).expect_err("no form");
        assert!(error.to_string().contains("Test.SerdeThing"), "{error}");
    }

    #[test]
    fn depth_and_circles_are_errors() {
        let mut deep = Item::from(1);
        for _ in 0..DEEPEST {
            deep = ArrayList::from([deep]).into();
        }
        assert!(serde_json::to_string(&deep).is_ok());
        let deeper = Item::from(ArrayList::from([deep]));
        assert!(serde_json::to_string(&deeper).is_err());
        let circle = ArrayList::new();
        circle.write().push(circle.handle());
        assert!(serde_json::to_string(&*circle).is_err());
        assert!(is_at_the_top());
    }

    /// CBOR, as a format in bytes that describes itself, with keys of every kind.
    /// What is written to may use the collections, and so may other threads while one is waited for.
    #[test]
    fn nothing_is_locked_while_something_is_written() {
        struct Changing<'a>(&'a ArrayList, &'a HashTable, usize);
        impl std::io::Write for Changing<'_> {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.write().push(1);
                self.1.write().set("a", 1);
                self.2 += bytes.len();
                Ok(bytes.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let table = HashTable::from([("a", 1), ("b", 2)]);
        let list = ArrayList::from([Item::from(&table), "c".into()]);
        let mut writer = Changing(&list, &table, 0);
        serde_json::to_writer(&mut writer, &*list).expect("writes");
        assert_eq!(writer.2, r#"[{"a":1,"b":2},"c"]"#.len());
        assert!(list.read().len() > 2);
    }

    #[test]
    fn other_formats_are_read_back() {
        let table = HashTable::from([(Item::from("text"), Item::from(-2.5)), (7.into(), "seven".into())]);
        table
            .write()
            .set(true, ArrayList::from([Item::NONE, 3_000_000_000_f32.into()]));
        let item = Item::from(&table);
        let mut bytes = Vec::new();
        ciborium::into_writer(&item, &mut bytes).expect("writes");
        let back: Item = ciborium::from_reader(&bytes[..]).expect("reads");
        assert!(back.same_content(&item), "{back:?}");
        for end in 0..bytes.len() {
            assert!(ciborium::from_reader::<Item, _>(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn reading_has_a_limit_of_its_own() {
        // Lists of one list, in CBOR.
        let read = |levels: usize| {
            let bytes = [vec![0x81; levels - 1], vec![0x80]].concat();
            ciborium::de::from_reader_with_recursion_limit::<Item, _>(&bytes[..], usize::MAX)
        };
        assert!(read(DEEPEST as usize).is_ok());
        let error = read(100_000).expect_err("too deep");
        assert!(error.to_string().contains("deeper than 128"), "{error}");
        assert!(is_at_the_top());
    }

    #[test]
    fn lists_and_tables_by_themselves() {
        let list = |text| serde_json::from_str::<Owned<ArrayList>>(text);
        assert_eq!(list("[1,[2]]").expect("a list").read().len(), 2);
        assert!(
            list("{}")
                .expect_err("a map")
                .to_string()
                .starts_with("expected a sequence")
        );
        let table = |text| serde_json::from_str::<Owned<HashTable>>(text);
        assert_eq!(
            table(r#"{"a":1,"a":2}"#).expect("a table").read()["a"].as_int(),
            Some(2)
        );
        assert!(
            table("7")
                .expect_err("a number")
                .to_string()
                .starts_with("expected a map")
        );
    }
}
