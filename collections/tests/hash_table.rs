//! `HashTable`: one test for each statement in the reference of a method.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia::kind::ValueHash;
use acedia::{AnyOwned, Object, Owned, class};
use acedia_boxes::{ByteArrayBox, DoubleBox, FloatBox, IntBox, IntRef, LongBox, StringBox, Vector, VectorBox};
use acedia_collections::{HashTable, Item, Reason, TableWriter};
use acedia_json::show;
use acedia_text::{BaseText, MutableText, Text};

/// An impossible capacity changes nothing, and does not abort the process.
#[test]
fn capacities_that_can_not_be_change_nothing() {
    /// The number of bytes fits into `usize`, but no system has that much memory.
    const TOO_MANY: usize = usize::MAX / if usize::BITS < 64 { 32 } else { 128 };
    let changes: [fn(&mut TableWriter<'_>); 4] = [
        |entries| _ = entries.reserve(usize::MAX),
        |entries| _ = entries.reserve(TOO_MANY),
        |entries| _ = entries.set_minimal_capacity(usize::MAX),
        |entries| _ = entries.set_minimal_capacity(TOO_MANY),
    ];
    for change in changes {
        let table = HashTable::from([("a", 1), ("b", 2)]);
        let message = catch_unwind(AssertUnwindSafe(|| change(&mut table.write()))).unwrap_err();
        let message = message.downcast_ref::<String>().expect("a message");
        assert!(
            message.starts_with("no memory for ") && message.ends_with(" of 2 entries"),
            "{message}"
        );
        assert_eq!((table.read().minimal_capacity(), table.read().len()), (0, 2));
        table.write().clear().set("c", 3);
        assert_eq!(table.read().len(), 1);
    }
}

#[test]
fn minimal_capacity_is_kept_for_a_life() {
    let table = HashTable::new();
    table.write().set_minimal_capacity(1000);
    assert!(table.read().minimal_capacity() == 1000 && table.read().capacity() >= 1000);
    table.write().clear();
    assert!(table.read().capacity() >= 1000);
    // Even if a large table is drained after most of its entries were removed.
    table
        .write()
        .set_minimal_capacity(20)
        .extend((0..1000).map(|number| (number, number)));
    table.write().retain(|_, number| number.as_int() == Some(1));
    assert_eq!(table.write().drain().count(), 1);
    assert!(table.read().capacity() >= 20);
    table.write().set_minimal_capacity(0);
    assert!(table.read().capacity() < 1000, "what is more is given back");
    table.write().set_minimal_capacity(10);
    drop(table);
    assert_eq!(HashTable::new().read().minimal_capacity(), 0);
}

/// In tables with keys of their own, with watched keys, and with shared keys of a document.
#[test]
fn replace_keeps_the_key_and_refuses_others() {
    let (key, pawn) = (Text::from("score"), IntRef::new(1));
    let own = HashTable::from([(&key, 3)]);
    let watching = HashTable::from([(Item::from(key.handle()), 3), (pawn.handle().into(), 4)]);
    let document = acedia_json::parse(r#"[{"score":1},{"score":2},{"score":3}]"#).unwrap();
    let shared = document.get(2).to_owned_as::<HashTable>().unwrap();
    for table in [&own, &watching, &shared] {
        let kept = |entries: &TableWriter<'_>| entries.keys().next().unwrap().handle();
        let mut entries = table.write();
        let before = kept(&entries);
        assert_eq!(entries.replace("score", 7).unwrap().as_int(), Some(3));
        assert!(entries["score"].as_int() == Some(7) && kept(&entries) == before);
        for refused in [entries.replace("lives", 8), entries.replace(Item::NONE, 8)] {
            let refused = refused.unwrap_err();
            assert_eq!(
                (refused.reason(), refused.into_item().as_int()),
                (Reason::NoKey, Some(8))
            );
        }
        let refused = entries.replace("score", table).unwrap_err();
        assert_eq!((refused.reason(), entries["score"].as_int()), (Reason::Cycle, Some(7)));
    }
    drop(pawn);
    assert_eq!(watching.write().replace("score", 9).unwrap().as_int(), Some(7));
    drop((key, own));
    assert!(watching.write().replace("score", 9).is_err(), "the key is dead");
}

/// In a table with keys of its own, and with shared keys of a document.
#[test]
fn an_entry_keeps_its_key() {
    let key = Text::from("score");
    let own = HashTable::from([(&key, 3)]);
    let document = acedia_json::parse(r#"[{"score":3},{"score":3}]"#).unwrap();
    let shared = document.get(1).to_owned_as::<HashTable>().unwrap();
    for table in [&own, &shared] {
        let mut entries = table.write();
        let before = entries.keys().next().unwrap().handle();
        let plus_one = |item: Item| (item.as_int().unwrap() + 1).into();
        assert_eq!(
            entries.entry("score").and_modify(plus_one).or_insert(0).as_int(),
            Some(4)
        );
        entries.replace("score", Item::NONE).unwrap();
        let absent = |_: Item| panic!("it has no item");
        assert_eq!(entries.entry("score").and_modify(absent).or_insert(7).as_int(), Some(7));
        let none = |_: Item| Item::NONE;
        assert_eq!(entries.entry("score").and_modify(none).or_insert(8).as_int(), Some(8));
        assert_eq!(entries.keys().next().unwrap().handle(), before);
        assert_eq!(entries.entry("lives").and_modify(absent).or_insert(1).as_int(), Some(1));
    }
    let around = catch_unwind(AssertUnwindSafe(|| {
        let _ = own.write().entry("score").and_modify(|_| Item::from(&own));
    }));
    assert!(around.is_err() && own.get("score").is_none());
}

#[test]
fn what_finds_what() {
    let (text, mutable, int_ref) = (Text::from("text"), MutableText::from("m"), IntRef::new(13));
    let table = HashTable::new();
    table
        .write()
        .set("text", 1)
        .set(13, 2)
        .set(13.0_f32, 3)
        .set(true, 4)
        .set(13_u8, 5)
        .set(StringBox::new("text"), 6)
        .set(LongBox::new(13), 7)
        .set(13.0, 8)
        .set(Vector::new(1.0, 0.0, f32::NAN), 9)
        .set(ByteArrayBox::new([1, 2]), 10)
        .set(&mutable, 11)
        .set(&int_ref, 12)
        .set("ключ", 13)
        .set(i64::MAX, 14)
        .set(f32::NAN, 15)
        .set(0.0_f32, 16);
    let entries = table.read();
    assert_eq!(entries.len(), 16, "they are all different keys");
    let found = [
        (&entries["text"], 1),
        (&entries[Item::from("text")], 1),
        (&entries[BaseText::from("text")], 1),
        (&entries[&Text::from("text")], 1),
        (&entries[&*Text::from("text")], 1),
        (&entries[String::from("text")], 1),
        (&entries[Text::from("text").into_any()], 1),
        (&entries[text.handle()], 1),
        (&entries[text.handle().to_any()], 1),
        (&entries["ключ"], 13),
        (&entries[&Text::from("ключ")], 13),
        (&entries[13], 2),
        (&entries[13_i64], 2),
        (&entries[&IntBox::new(13)], 2),
        (&entries[IntBox::new(13).into_any()], 2),
        (&entries[13.0_f32], 3),
        (&entries[&FloatBox::new(13.0)], 3),
        (&entries[true], 4),
        (&entries[13_u8], 5),
        (&entries[&StringBox::new("text")], 6),
        (&entries[&LongBox::new(13)], 7),
        (&entries[i64::MAX], 14),
        (&entries[&DoubleBox::new(13.0)], 8),
        (&entries[&VectorBox::new(Vector::new(1.0, -0.0, -f32::NAN))], 9),
        (&entries[&ByteArrayBox::new([1, 2])], 10),
        (&entries[&mutable], 11),
        (&entries[mutable.handle()], 11),
        (&entries[&int_ref], 12),
        (&entries[-f32::NAN], 15),
        (&entries[-0.0_f32], 16),
    ];
    for (number, (item, expected)) in found.into_iter().enumerate() {
        assert_eq!(item.as_int(), Some(expected), "{number}");
    }
    assert!(entries[i64::MIN].is_none());
    assert!(entries[&MutableText::from("m")].is_none() && entries[&IntRef::new(13)].is_none());
    assert!(entries[0.5].is_none() && entries[false].is_none());
}

/// Everything that can be found can also be found through a handle, and stored as a handle.
#[test]
fn keys_that_are_only_watched() {
    let (text, number, object) = (Text::from("t"), IntBox::new(7), IntRef::new(7));
    let custom = Coin::new(7);
    let table = HashTable::new();
    table
        .write()
        .set(text.handle(), 1)
        .set(number.handle(), 2)
        .set(object.handle(), 3)
        .set(custom.handle(), 4);
    {
        let entries = table.read();
        assert_eq!((entries["t"].as_int(), entries[7].as_int()), (Some(1), Some(2)));
        assert_eq!(
            (entries[&object].as_int(), entries[&Coin::new(7)].as_int()),
            (Some(3), Some(4))
        );
        assert_eq!(entries[custom.handle().to_any()].as_int(), Some(4));
        assert_eq!(entries.len(), 4);
    }
    // An equal key replaces a watched key, and vice versa.
    table.write().set("t", 10).set(object.clone(), 30);
    assert_eq!(table.read().len(), 4);
    table.write().set(text.handle(), 100);
    drop((text, number));
    let entries = table.read();
    assert_eq!(entries.len(), 2, "the freed are gone");
    assert!(!entries.contains_key("t") && !entries.contains_key(7) && entries.contains_key(&object));
    assert_eq!(entries.iter().count(), 2);
}

/// A lookup of the new key first meets the entry of the freed key, which has the same hash.
#[test]
fn a_key_that_is_equal_to_a_freed_one() {
    for name in ["t", "a name that is too long for an exact hash"] {
        let text = Text::from(name);
        let table = HashTable::new();
        table.write().set(text.handle(), 1);
        drop(text);
        assert!(table.read().get(name).is_none() && table.write().take(name).is_none());
        table.write().set(name, 2);
        let entries = table.read();
        assert_eq!((entries[name].as_int(), entries.len()), (Some(2), 1));
        assert_eq!(entries[&Text::from(name)].as_int(), Some(2));
        drop(entries);
        assert_eq!(table.write().take(name).as_int(), Some(2));
        assert!(table.read().get(name).is_none());
    }
}

#[test]
fn dead_keys_are_swept_and_their_items_released() {
    let value = IntRef::new(0);
    let table = HashTable::new();
    let pawns: Vec<_> = (0..1000).map(IntRef::new).collect();
    for pawn in &pawns {
        table.write().set(pawn.handle(), &value);
    }
    assert_eq!((table.read().len(), value.owners()), (1000, 1001));
    drop(pawns);
    assert_eq!((table.read().len(), value.owners()), (0, 1001), "nobody has swept");
    assert_eq!(table.write().sweep(), 1000);
    assert_eq!(value.owners(), 1);
    // The removal of a dead key releases the dead ones at the front.
    let (pawn, note) = (IntRef::new(1), IntRef::new(2));
    let (handle, notes) = (pawn.handle(), HashTable::from([(pawn.handle(), &note)]));
    drop(pawn);
    assert!(!notes.write().remove(handle));
    assert_eq!((note.owners(), notes.write().sweep()), (1, 0));
    // The table sweeps dead keys itself, before it grows.
    for round in 0..100_000 {
        table
            .write()
            .set(IntRef::new(round).handle(), 1)
            .set(IntRef::new(round).into_any().handle(), 1);
        let pawn = IntRef::new(round);
        table.write().set(pawn.handle(), &value);
    }
    assert!(table.read().capacity() < 5000, "{}", table.read().capacity());
    assert!(table.read().is_empty() && value.owners() < 5000);
    table.write().retain(|_, _| true);
    assert_eq!(value.owners(), 1);
}

#[test]
fn keys_freed_during_iteration() {
    let mut pawns: Vec<_> = (0..100).map(IntRef::new).collect();
    let table = HashTable::from(pawns.iter().map(|pawn| (pawn.handle(), pawn.get())));
    let entries = table.read();
    let mut seen = 0;
    for (key, item) in entries.iter() {
        assert_eq!(key.as_int(), item.as_int());
        seen += 1;
        pawns.retain(|pawn| Some(pawn.get()) == item.as_int() || pawn.get() % 2 == 0 || seen < 50);
    }
    assert!((50..100).contains(&seen), "saw {seen}");
    assert_eq!(entries.len(), pawns.len());
}

/// Keys whose public hashes are equal, which an attacker can construct: "bA" and "ab" have the same DJB2, and so has every sequence
/// of them.
#[test]
fn keys_that_flood_their_public_hashes_do_not_collide() {
    let text = |bits: u32| -> String { (0..17).map(|bit| ["bA", "ab"][(bits >> bit & 1) as usize]).collect() };
    let hash = Text::from(text(0)).hash_code();
    let kinds: [(u32, &dyn Fn(u32) -> AnyOwned); 3] = [
        (100_000, &|bits| Text::from(text(bits)).into()),
        (2000, &|bits| StringBox::new(&text(bits)).into()),
        (2000, &|bits| {
            LongBox::new(i64::from(bits) << 32 | i64::from(bits)).into()
        }),
    ];
    for (count, key) in kinds {
        let table = HashTable::from((0..count).map(|bits| (key(bits), 1)));
        assert_eq!((table.len(), table.read().collisions()), (count as usize, 0));
    }
    assert!((0..100).all(|bits| Text::from(text(bits)).hash_code() == hash));
}

thread_local! {
    static PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Equal by its number, with the same hash for all. Panics on demand.
#[derive(Default)]
struct Coin(i32);

impl Coin {
    fn new(number: i32) -> Owned<Self> {
        Self::allocate_with(|it| it.0 = number)
    }
}

impl Object for Coin {
    class!(Coin, "Test.Coin", kind = Value);
}

impl PartialEq for Coin {
    fn eq(&self, other: &Self) -> bool {
        assert!(!PANICS.get(), "in the equality");
        self.0 == other.0
    }
}

impl ValueHash for Coin {
    fn value_hash(&self) -> i32 {
        assert!(self.0 >= 0, "in the hash");
        1
    }
}

#[test]
fn hashes_that_collide_are_survived_and_reported() {
    let table = HashTable::new();
    for i in 0..1000 {
        table.write().set(Coin::new(i), i);
    }
    assert_eq!(table.read().len(), 1000);
    assert_eq!(table.read().collisions(), 1000 - 16);
    assert!((0..1000).all(|i| table.read()[&Coin::new(i)].as_int() == Some(i)));
    for i in 0..1000 {
        assert!(table.write().remove(Coin::new(i)));
    }
    assert!(table.read().is_empty());
}

#[test]
fn hash_and_equality_that_panic() {
    let table = HashTable::from((0..20).map(|i| (Coin::new(i), i)));
    let (unhashable, known, new) = (Coin::new(-1), Coin::new(3), Coin::new(30));
    let panics = |change: &dyn Fn()| catch_unwind(AssertUnwindSafe(change)).is_err();
    let fails = |key: &Owned<Coin>| {
        assert!(panics(&|| _ = table.write().set(key, 1)));
        assert!(panics(&|| _ = table.read().contains_key(key)));
        assert!(panics(&|| drop(table.write().take(key))));
    };
    fails(&unhashable);
    PANICS.set(true);
    fails(&known);
    fails(&new);
    PANICS.set(false);
    let owners = [unhashable, known, new].map(|key| key.owners());
    assert_eq!((owners, table.len()), ([1; 3], 20), "nothing is kept");
    assert!((0..20).all(|i| table.read()[&Coin::new(i)].as_int() == Some(i)));
}

#[test]
fn what_a_user_panics_in_leaves_a_usable_table() {
    let values: Vec<_> = (0..20).map(IntRef::new).collect();
    let watched: Vec<_> = (0..20).map(IntRef::new).collect();
    let table = HashTable::from(watched.iter().zip(&values).map(|(key, value)| (key.handle(), value)));
    let fails = |change: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(change)).is_err());
    fails(&|| {
        let mut seen = 0;
        table.write().retain(|_, _| {
            seen += 1;
            assert!(seen < 10, "in the choice");
            seen % 2 == 0
        });
    });
    let kept = table.read().len();
    assert!((10..20).contains(&kept), "{kept}");
    assert_eq!(values.iter().filter(|value| value.owners() == 2).count(), kept);
    fails(&|| {
        let key = table.read().keys().next().cloned().unwrap();
        let _ = table.write().entry(key).and_modify(|_| panic!("in the change"));
    });
    assert_eq!(
        (table.read().len(), table.read().iter_some().count()),
        (kept, kept - 1),
        "nothing stands there"
    );
    fails(&|| {
        table
            .write()
            .entry("new")
            .or_insert_with(|| -> i32 { panic!("in the default") });
    });
    fails(&|| {
        let entries = (0..10).map(|number| (number, if number < 5 { number } else { panic!("in the iterator") }));
        table.write().extend(entries);
    });
    assert!(!table.read().contains_key("new") && (0..5).all(|key| table.read()[key].as_int() == Some(key)));
    drop(watched);
    assert_eq!(table.write().sweep(), kept);
    assert_eq!(table.read().len(), 5);
    assert!(values.iter().all(|value| value.owners() == 1));
}

#[test]
fn a_key_that_dies_before_it_is_inserted_is_none() {
    let table = HashTable::from([(0, 0)]);
    let mut key = Some(IntRef::new(1));
    let handle = key.as_ref().unwrap().handle();
    let mut entries = table.write();
    let item = entries.entry(handle).or_insert_with(|| {
        key = None;
        5
    });
    assert!(item.is_none());
    assert_eq!((entries.len(), entries.iter().count()), (1, 1));
    assert!(entries.set("a", 1).remove("a") && entries.remove(0) && entries.is_empty());
}

#[test]
fn an_edit_of_a_document_shows_alone() {
    let wide = (0..50)
        .map(|index| format!(",\"key {index}\":{index}"))
        .collect::<Vec<_>>()
        .concat();
    for text in [
        r#"{"a":1,"b":{"c":[],"d":2},"e":3}"#.to_owned(),
        format!("{{\"a\":1{wide}}}"),
    ] {
        let document = acedia_json::parse(&text).unwrap();
        let table = document.to_table().unwrap();
        table.write().set("a", 7);
        assert_eq!(show(&document).to_string(), text.replace("\"a\":1", "\"a\":7"));
        table.write().remove("a");
        assert_eq!(show(&document).to_string(), text.replace("\"a\":1,", ""));
        table.write().set("a", 1);
        assert!(show(&document).to_string().ends_with(",\"a\":1}"));
    }
}
