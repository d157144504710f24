//! Values of any type into items and back.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use acedia_boxes::{FloatRef, IntArrayBox, Vector};
use acedia_collections::{ArrayList, HashTable, Item, from_item, to_item};
use acedia_json::{self as json, json, show};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Move {
    Stay,
    Jump(f32),
    Walk(i8, u8),
    Run { to: [u16; 2], by: Option<char> },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Newtype(u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct All {
    unit: (),
    empty: Unit,
    flag: bool,
    id: Newtype,
    small: i64,
    name: String,
    price: f64,
    speed: f32,
    nothing: Option<i32>,
    some: Option<Vec<u8>>,
    moves: Vec<Move>,
    by_name: BTreeMap<String, (i32, f64)>,
    by_number: BTreeMap<u32, bool>,
    large: u128,
}

#[test]
fn values_come_back() {
    let all = All {
        unit: (),
        empty: Unit,
        flag: true,
        id: Newtype(u64::MAX),
        small: i64::MIN,
        name: "ä\n".into(),
        price: 19.99,
        speed: 5.673,
        nothing: None,
        some: Some(vec![0, 255]),
        moves: vec![
            Move::Stay,
            Move::Jump(0.1),
            Move::Walk(-1, 1),
            Move::Run {
                to: [1, 2],
                by: Some('x'),
            },
        ],
        by_name: [("a".to_owned(), (1, 0.5))].into(),
        by_number: [(7, true), (9, false)].into(),
        large: 1 << 63,
    };
    let item = to_item(&all).expect("an item");
    assert_eq!(from_item::<All>(&item).expect("all"), all);
    // As through JSON, whose keys are strings.
    let printed = serde_json::to_string(&all).expect("JSON");
    assert_eq!(show(&item).to_string(), printed);
    assert_eq!(
        from_item::<All>(&json::parse(printed).expect("JSON")).expect("all"),
        all
    );
    let table = item.to_table().expect("a table");
    assert!(table.read()["by_number"].to_table().expect("a table").read()["9"].as_bool() == Some(false));
}

#[test]
fn keys_are_read_from_what_json_writes() {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Side {
        Left,
    }
    fn comes_back<K: Serialize + serde::de::DeserializeOwned + Ord + std::fmt::Debug>(key: K, printed: &str) {
        let map = BTreeMap::from([(key, 7)]);
        let item = to_item(&map).expect("an item");
        assert_eq!(show(&item).to_string(), printed);
        assert_eq!(serde_json::to_string(&map).expect("JSON"), printed);
        for item in [item, json::parse(printed).expect("JSON")] {
            assert_eq!(from_item::<BTreeMap<K, i32>>(&item).expect("a map"), map);
        }
    }
    comes_back(-1_i8, r#"{"-1":7}"#);
    comes_back(u64::MAX, r#"{"18446744073709551615":7}"#);
    comes_back(i64::MIN, r#"{"-9223372036854775808":7}"#);
    comes_back(true, r#"{"true":7}"#);
    comes_back('x', r#"{"x":7}"#);
    comes_back(Newtype(2), r#"{"2":7}"#);
    comes_back(Some(3_u8), r#"{"3":7}"#);
    comes_back(Side::Left, r#"{"Left":7}"#);
    comes_back("1".to_owned(), r#"{"1":7}"#);
    assert!(from_item::<BTreeMap<i32, i32>>(&json!({"a": 7})).is_err());
    assert!(from_item::<BTreeMap<u8, i32>>(&json!({"256": 7})).is_err());
}

#[test]
fn items_are_read_as_values() {
    let item = Item::from(ArrayList::from([
        Item::from(FloatRef::new(0.5)),
        2.into(),
        Vector::new(1.0, 2.0, 3.0).into(),
    ]));
    let read: (f32, u8, [f64; 3]) = from_item(&item).expect("a tuple");
    assert_eq!(read, (0.5, 2, [1.0, 2.0, 3.0]));
    let numbers: Vec<i32> = from_item(&IntArrayBox::new([1, 2]).into()).expect("numbers");
    assert_eq!(numbers, [1, 2]);
    let value: serde_json::Value = from_item(&json!({"a": [1, null, {"b": 0.1}]})).expect("a value");
    assert_eq!(value, serde_json::json!({"a": [1, null, {"b": 0.1}]}));
    let again: Item = from_item(&item).expect("an item");
    assert_eq!(show(&again).to_string(), show(&item).to_string());
}

#[test]
fn what_does_not_fit_is_an_error() {
    let error = to_item(&u128::MAX).unwrap_err().to_string();
    assert!(error.contains("does not fit into 64 bits"), "{error}");
    assert!(to_item(&BTreeMap::from([((), 1)])).is_err());
    assert!(from_item::<u8>(&256.into()).is_err());
    assert!(from_item::<f32>(&1e39.into()).is_err());
    assert_eq!(from_item::<f32>(&f64::INFINITY.into()), Ok(f32::INFINITY));
    assert!(from_item::<(i32, i32)>(&json!([1, 2, 3])).is_err());
    assert!(from_item::<Move>(&json!({"Jump": 1.0, "Stay": null})).is_err());
    assert!(from_item::<Move>(&json!([])).is_err() && from_item::<Move>(&json!("Fly")).is_err());
    // Not "unit value": JSON writes an infinite number as null.
    let error = from_item::<f64>(&Item::NONE).expect_err("no number");
    assert_eq!(error.to_string(), "invalid type: null, expected f64");
    assert_eq!(from_item::<Option<f64>>(&Item::NONE), Ok(None));
    let circle = HashTable::new();
    circle.write().set("self", circle.handle());
    let error = from_item::<serde_json::Value>(&circle.into()).expect_err("too deep");
    assert!(error.to_string().contains("deeper than 128"), "{error}");
}

/// `lists` nested lists, each inside `of` `Some`s.
#[derive(Clone, Copy)]
struct Onion {
    lists: u8,
    skins: u8,
    of: u8,
}

impl Serialize for Onion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self { skins: 1.., .. } => serializer.serialize_some(&Self {
                skins: self.skins - 1,
                ..*self
            }),
            Self { lists: 1.., of, .. } => serializer.collect_seq([Self {
                lists: self.lists - 1,
                skins: of,
                of,
            }]),
            _ => serializer.serialize_unit(),
        }
    }
}

#[test]
fn some_uses_stack_also_between_collections() {
    let write = |of| {
        to_item(&Onion {
            lists: 120,
            skins: of,
            of,
        })
    };
    assert!(write(8).is_ok());
    let error = write(100).expect_err("too deep");
    assert!(error.to_string().contains("deeper than 128"), "{error}");
}
