//! Collections that are nested deeper than the stack. Each operation either uses the same stack at any depth, or returns an error.
#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::thread;

use acedia::Owned;
use acedia_collections::{ArrayList, HashTable, Item, Nested, Pointer, Reason, from_item, to_item};
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, SerializeStructVariant, Serializer};

const DEEP: usize = 20_000;

fn on_a_stack_of(bytes: usize, run: fn()) {
    let thread = thread::Builder::new().stack_size(bytes).spawn(run);
    thread.expect("a thread").join().expect("no panic");
}

/// Lists and tables in turns, and the innermost of them.
fn deep() -> (Item, Owned<ArrayList>) {
    let innermost = ArrayList::new();
    let item = (0..DEEP).fold(Item::from(&innermost), |inner, level| match level % 2 {
        0 => ArrayList::from([inner]).into(),
        _ => HashTable::from([("a", inner)]).into(),
    });
    (item, innermost)
}

#[test]
fn collections_use_the_same_stack_at_any_depth() {
    // Less than 16 bytes for each level: recursion does not fit.
    on_a_stack_of(256 << 10, || {
        let (item, innermost) = deep();
        let (other, _) = deep();
        assert!(item != other && item.clone() == item && item.same_content(&other));
        assert!(HashSet::from([item.clone()]).contains(&item));
        let copy = item.deep_clone();
        assert!(copy.same_content(&item));
        assert_eq!(format!("{item:?}"), format!("{copy:?}"));
        innermost.write().push(7);
        assert!(!copy.same_content(&item));
        let way: Pointer = (0..DEEP).rev().map(|level| ["0", "a"][level % 2]).collect();
        assert_eq!(item.get_by(&way), Item::from(&innermost));
        let refused = innermost.write().try_push(&item).expect_err("it would own itself");
        assert_eq!(refused.reason(), Reason::Cycle);
        drop(refused);
        let root = ArrayList::new();
        root.set_by("/-", &item).expect("not too deep");
        let (list, table) = (item.to_list(), item.to_table());
        assert!(list.is_some() || table.is_some());
        drop((list, table, other, copy, item));
        let watched = root.handle();
        drop(root);
        assert!(!watched.is_allocated());
        assert_eq!((innermost.owners(), innermost.len()), (1, 1));
    });
}

/// Serializes itself in itself, without an end.
struct Endless(Shape);

#[derive(Clone, Copy, Debug)]
enum Shape {
    Some,
    Newtype,
    Sequence,
    Key,
    NewtypeVariant,
    StructVariant,
}

impl Serialize for Endless {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Shape::Some => serializer.serialize_some(self),
            Shape::Newtype => serializer.serialize_newtype_struct("Endless", self),
            Shape::Sequence => serializer.collect_seq([self]),
            Shape::Key => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry(self, &1)?;
                map.end()
            }
            Shape::NewtypeVariant => serializer.serialize_newtype_variant("Endless", 0, "A", self),
            Shape::StructVariant => {
                let mut fields = serializer.serialize_struct_variant("Endless", 0, "A", 1)?;
                fields.serialize_field("a", self)?;
                fields.end()
            }
        }
    }
}

#[derive(Debug, Deserialize)]
enum Chain {
    End,
    #[allow(dead_code, reason = "it is never read that far")]
    Link(Box<Chain>),
}

/// A type that any value seems to fit.
#[derive(Debug, Deserialize)]
struct Wrapped(#[allow(dead_code, reason = "there is nothing in it")] Option<Box<Wrapped>>);

#[test]
fn serde_stops_at_a_limit() {
    // The stack of a thread of `std`.
    on_a_stack_of(2 << 20, || {
        let is_limit =
            |error: &dyn ToString| assert!(error.to_string().contains("deeper than 128"), "{}", error.to_string());
        for shape in [
            Shape::Some,
            Shape::Newtype,
            Shape::Sequence,
            Shape::Key,
            Shape::NewtypeVariant,
            Shape::StructVariant,
        ] {
            is_limit(&to_item(&Endless(shape)).expect_err("endless"));
        }
        let (item, _) = deep();
        is_limit(&to_item(&item).expect_err("too deep"));
        is_limit(&serde_json::to_string(&item).expect_err("too deep"));
        is_limit(&from_item::<Item>(&item).expect_err("too deep"));
        is_limit(&from_item::<serde_json::Value>(&item).expect_err("too deep"));
        let chain = (0..DEEP).fold(Item::from("End"), |inner, _| HashTable::from([("Link", inner)]).into());
        is_limit(&from_item::<Chain>(&chain).expect_err("too deep"));
        is_limit(&from_item::<Wrapped>(&7.into()).expect_err("endless"));
        assert!(matches!(from_item(&Item::from("End")), Ok(Chain::End)));
        assert!(matches!(from_item(&Item::NONE), Ok(Wrapped(None))));
    });
}

/// Nested lists up to the limit go into an item and come back.
#[test]
fn as_deep_as_the_limit() {
    let lists = |levels: usize| (1..levels).fold(ArrayList::new(), |inner, _| ArrayList::from([inner]));
    let item = to_item(&*lists(128)).expect("not too deep");
    assert_eq!(item.get_by("/0".repeat(127)).to_list().map(|list| list.len()), Some(0));
    let back: Item = from_item(&item).expect("not too deep");
    assert!(back.same_content(&item));
    assert!(to_item(&*lists(129)).is_err());
    let chain = |links: usize| (0..links).fold(Item::from("End"), |inner, _| HashTable::from([("Link", inner)]).into());
    assert!(from_item::<Chain>(&chain(128)).is_ok() && from_item::<Chain>(&chain(129)).is_err());
}
