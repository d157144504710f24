//! Items: the getters, and objects that are freed outside.
#![forbid(unsafe_code)]

use acedia::{AnyOwned, Object, Owned, pin};
use acedia_boxes::{
    BoolBox, BoolRef, ByteBox, ByteRef, DoubleBox, FloatBox, FloatRef, IntArrayBox, IntArrayRef, IntBox, IntRef,
    LongBox, StringBox, ULongBox, Vector, VectorBox, VectorRef,
};
use acedia_collections::{ArrayList, HashTable, Item, Nested, OwnedOrGuard, from_item};
use acedia_json::{self as json, show};
use acedia_text::{BaseText, MutableText, Text, text};

#[test]
fn typed_getters_take_boxes_refs_and_plain_values() {
    let all = |item: &Item| {
        let small = (item.as_bool(), item.as_byte(), item.as_vector());
        (small, item.as_int(), item.as_long(), item.as_float(), item.as_double())
    };
    let (vector, none) = (Vector::new(1.0, 2.0, 3.0), (None, None, None));
    let kinds: [([Item; 3], _); 5] = [
        (
            [true.into(), BoolBox::new(true).into(), BoolRef::new(true).into()],
            ((Some(true), None, None), None, None, None, None),
        ),
        (
            [7_u8.into(), ByteBox::new(7).into(), ByteRef::new(7).into()],
            ((None, Some(7), None), None, None, None, None),
        ),
        (
            [7.into(), IntBox::new(7).into(), IntRef::new(7).into()],
            (none, Some(7), Some(7), Some(7.0), Some(7.0)),
        ),
        (
            [7.9_f32.into(), FloatBox::new(7.9).into(), FloatRef::new(7.9).into()],
            (none, Some(7), Some(7), Some(7.9), Some(7.9_f32.into())),
        ),
        (
            [
                vector.into(),
                VectorBox::new(vector).into(),
                VectorRef::new(vector).into(),
            ],
            ((None, None, Some(vector)), None, None, None, None),
        ),
    ];
    for (items, expected) in kinds {
        assert_eq!(items.each_ref().map(all), [expected; 3]);
    }
    assert_eq!(Item::from(-7.9).as_int(), Some(-7));
    assert_eq!(
        (Item::from(f32::NAN).as_int(), Item::from(1e20).as_int()),
        (Some(0), Some(i32::MAX))
    );
    assert_eq!(Item::from(LongBox::new(5)).as_int(), Some(5));
    for long in [i64::MAX, (1 << 55) - 1, 1 << 40, 5, 0, -1, -1 << 55, i64::MIN] {
        let (plain, boxed) = (Item::from(long), Item::from(LongBox::new(long)));
        // A plain integer equals the smallest box that holds it.
        let int = i32::try_from(long);
        assert!((plain == boxed) == int.is_err() && (plain.class() == boxed.class()) == int.is_err());
        assert!(plain != Item::from(long ^ 1) && plain == plain.to_object().unwrap().into());
        assert!(int.map_or(true, |int| plain == Item::from(int) && plain == IntBox::new(int).into()));
        assert_eq!(plain.is_owned(), long >> 55 != long >> 63);
        let floats = (long.to_string().parse().ok(), long.to_string().parse().ok());
        for item in [plain, boxed, Item::from(long).to_object().unwrap().into()] {
            assert_eq!((item.as_long(), item.as_int()), (Some(long), i32::try_from(long).ok()));
            assert_eq!((item.as_double(), item.as_float()), floats);
            assert_eq!(
                (item.as_bool(), item.as_byte(), show(&item).to_string()),
                (None, None, long.to_string())
            );
        }
    }
    assert_eq!(Item::from(DoubleBox::new(0.1)).as_double(), Some(0.1));
    assert_eq!(Item::from("7").as_int(), None);
}

macro_rules! conversions {
    ($item:ident: $($type:ty)+; $($value:expr),+) => {
        vec![$(format!("{:?}", <$type>::try_from($item.clone()).ok()),)+ $(format!("{:?}", $value)),+]
    };
}

/// Everything that an item converts to, except owners.
fn conversions(item: &Item) -> Vec<String> {
    conversions! {
        item: bool u8 i8 i16 u16 i32 u32 i64 u64 isize usize i128 f32 f64 String Vector;
        (item.as_bool(), item.as_byte(), item.as_int(), item.as_long(), item.as_ulong()),
        (item.as_float(), item.as_double(), item.as_vector()),
        (item.to_string(), item.to_markup(), item.with_text(BaseText::len)),
        (item.to_text(), item.to_mutable_text(), item.to_list(), item.to_table()),
        (item.get(0), item.get("a"), item.get_by("/0"), item.get_by("/a")),
        (item.class(), item.handle(), item.is_none(), item.to_list().map(|list| list.get_by("/0"))),
        from_item::<serde_json::Value>(item)
    }
}

#[test]
fn every_conversion_but_into_owners_sees_through_a_handle() {
    let text = Text::from_markup("{$red a}b");
    let objects: [AnyOwned; 14] = [
        BoolRef::new(true).into_any(),
        ByteBox::new(7).into_any(),
        IntRef::new(7).into_any(),
        LongBox::new(-1 << 40).into_any(),
        ULongBox::new(u64::MAX).into_any(),
        FloatRef::new(0.5).into_any(),
        DoubleBox::new(0.1).into_any(),
        StringBox::new("s").into_any(),
        VectorBox::new(Vector::new(1.0, 2.0, 3.0)).into_any(),
        IntArrayBox::new([1, 2]).into_any(),
        text.clone().into_any(),
        MutableText::from("m").into_any(),
        ArrayList::from([7]).into_any(),
        HashTable::from([("a", 7)]).into_any(),
    ];
    for object in objects {
        let (owned, watched) = (Item::from(object.clone()), Item::from(object.handle()));
        let found = conversions(&owned);
        assert_eq!(conversions(&watched), found);
        assert!(found.iter().any(|one| one.contains("Some")), "{found:?}");
        assert!(watched.to_object().is_none());
        let error = AnyOwned::try_from(watched.clone()).expect_err("no owner");
        assert!(error.to_string().ends_with("not an owner"), "{error}");
    }
    let list = ArrayList::from([1]);
    let watched = Item::from(list.handle());
    let guard = watched.to_list().expect("a list");
    guard.write().push(2);
    assert_eq!((list.len(), list.owners()), (2, 1));
    assert!(matches!(guard, OwnedOrGuard::Guard(..)) && Item::from(&guard) == watched);
    drop(list);
    assert!(watched.to_list().is_none() && watched.is_none() && guard.len() == 2);
    assert!(Item::from(&guard).is_none());
}

#[test]
fn numbers_become_objects_when_asked() {
    for (item, class) in [
        (Item::from(true), BoolBox::class()),
        (Item::from(1_u8), ByteBox::class()),
        (Item::from(1.0), DoubleBox::class()),
        (Item::from(1.0_f32), FloatBox::class()),
        (Item::from(1_i64), IntBox::class()),
        (Item::from(1_u64 << 32), LongBox::class()),
        (Item::from(u64::MAX), ULongBox::class()),
        (Item::from(1e300), DoubleBox::class()),
    ] {
        let object = item.to_object().unwrap();
        assert_eq!((object.class(), item.class()), (class, Some(class)));
        assert!(item == Item::from(object));
    }
    let list = Item::from(ArrayList::from(["a", "b"]));
    let index = IntBox::new(1);
    for item in [list.get(&index), list.get(index.handle()), list.get(Item::from(&index))] {
        assert_eq!(item.to_string().as_deref(), Some("b"));
    }
}

/// Each of a list's five watched items is freed once, before and during a read.
#[test]
fn freed_items_in_every_position() {
    for at in 0..5 {
        for pinned in [false, true] {
            let mut refs: Vec<_> = (0..5).map(IntRef::new).collect();
            let list = ArrayList::from(refs.iter().map(Owned::handle));
            let table = HashTable::from(refs.iter().map(|it| (it.get(), it.handle())));
            let keys = HashTable::from(refs.iter().map(|it| (it.handle(), it.get())));
            let pin = pinned.then(pin);
            let also_freed = Item::from(IntRef::new(7).handle());
            drop(refs.remove(at));
            let _next = IntRef::new(99);
            let items = list.read();
            assert_eq!((items.len(), items.iter_some().count()), (5, 4));
            assert!(items.get(at).is_none() && items.is_none(at) && items[at].as_int().is_none());
            assert_eq!((items.find(Item::NONE), items.find(also_freed)), (Some(at), Some(at)));
            let entries = table.read();
            let key = i32::try_from(at).unwrap();
            assert!(entries.contains_key(key) && entries.get(key).is_none() && entries.iter_some().count() == 4);
            assert!(keys.read().len() == 4 && keys.read().iter().all(|(_, item)| item.as_int() != Some(key)));
            drop((items, entries, pin));
            assert_eq!(list.write().remove_all(Item::NONE), 1);
            assert!(list.write().take(at).is_some() || at == 4);
            assert_eq!(keys.write().sweep(), 1);
        }
    }
}

#[derive(Default)]
struct Thing;
impl Object for Thing {
    acedia::class!(Thing, "Test.ShownThing");
}

/// The output of `{:?}` is useful in a failing test.
#[test]
fn items_print_what_is_in_them() {
    let shown = |item: Item| format!("{item:?}");
    assert_eq!(shown("a\"b".into()), r#""a\"b""#);
    assert_eq!(shown(MutableText::from("m").into()), r#"MutableText("m")"#);
    assert_eq!(shown(DoubleBox::new(0.5).into()), "DoubleBox(0.5)");
    assert_eq!(shown(StringBox::new("s").into()), r#"StringBox("s")"#);
    assert_eq!(shown(IntArrayRef::new([1, 2]).into()), "IntArrayRef([1, 2])");
    assert!(shown(Thing::allocate().into()).starts_with("Test.ShownThing(slot "));
    let text = Text::from("t");
    let watched = Item::from(text.handle());
    assert_eq!(format!("{watched:?}"), r#"Watched("t")"#);
    drop(text);
    assert!(shown(watched).starts_with("Freed(AnyHandle(AcediaCore.Text, slot "));
    // Printing a cycle ends, and printing does not wait for a list that is being changed.
    let list = ArrayList::from([1]);
    list.write().push(list.handle());
    assert_eq!(
        format!("{list:?}"),
        format!("[Int(1), Watched(AcediaCore.ArrayList(slot {}))]", list.index())
    );
    let table = HashTable::from([("list", &list)]);
    let writer = list.write();
    assert_eq!(format!("{table:?}"), r#"{"list": ArrayList(<locked>)}"#);
    drop(writer);
}

/// Each of several tables watches all others.
#[test]
fn what_watches_each_other_is_printed_so_often() {
    let tables: Vec<_> = (0..40).map(|_| HashTable::new()).collect();
    for (number, table) in tables.iter().enumerate() {
        let handles = tables.iter().map(|other| Item::from(other.handle()));
        table
            .write()
            .set("number", i32::try_from(number).unwrap())
            .set("friends", ArrayList::from(handles));
    }
    // The first table, 39 others, and a thousand times one of them again. Then marks, which are not JSON.
    for _ in 0..2 {
        let shown = show(&tables[0]).to_string();
        assert_eq!(shown.matches("number").count(), 40 + 1000);
        assert!(shown.contains(r#"[null,{"number":1"#) && shown.contains("{…}"));
        assert!(json::parse(&shown).is_err(), "cut short, and not JSON");
    }
    let inner = ArrayList::from([1]);
    let twice = ArrayList::from([Item::from(inner.handle()), inner.handle().into(), (&inner).into()]);
    assert_eq!(show(&twice).to_string(), "[[1],[1],[1]]");
    let often = ArrayList::from(vec![inner.handle(); 1002]);
    assert_eq!(show(&often).to_string(), format!("[{}[…]]", "[1],".repeat(1001)));
    // `{:?}` shows owned collections to the eighth level.
    let mut deep = ArrayList::from([7]);
    for _ in 0..8 {
        deep = ArrayList::from([deep]);
    }
    assert_eq!(format!("{deep:?}"), "[[[[[[[[ArrayList(…)]]]]]]]]");
}

#[test]
fn items_are_shown_as_json() {
    let (watched, freed) = (IntRef::new(8), IntRef::new(9).handle());
    let items: [(Item, &str); 5] = [
        (f64::NAN.into(), "null"),
        (Vector::new(1.0, 0.1, 0.5).into(), "[1.0,0.1,0.5]"),
        (watched.handle().into(), "8"),
        (freed.into(), "null"),
        (Thing::allocate().into(), "null"),
    ];
    for (item, shown) in items {
        assert_eq!(show(&item).to_string(), shown);
    }
    let mut deep = ArrayList::new();
    for _ in 0..10_000 {
        deep = ArrayList::from([deep]);
    }
    assert_eq!(show(&deep).to_string(), "[".repeat(10_001) + &"]".repeat(10_001));
}

#[test]
fn numbers_of_every_type_become_items() {
    let sevens: [Item; 8] = [
        7_i8.into(),
        7_i16.into(),
        7_u16.into(),
        7_u32.into(),
        7_i64.into(),
        7_u64.into(),
        7_isize.into(),
        7_usize.into(),
    ];
    let table = HashTable::from([(7, "seven")]);
    for seven in sevens {
        assert!(seven == Item::from(7) && table.read().contains_key(&seven));
        assert_eq!((seven.as_int(), seven.as_ulong()), (Some(7), Some(7)));
        table.write().set(seven, "seven");
    }
    let entries = table.read();
    assert!(entries.contains_key(7_u64) && entries.contains_key(7_usize) && entries.contains_key(7_i8));
    assert!(entries.len() == 1 && !entries.contains_key(7_u8) && !entries.contains_key(7.0));
    assert!(!entries.contains_key(LongBox::new(7)) && entries.contains_key(IntBox::new(7)));
    for large in [1 << 55, 1 << 63, u64::MAX] {
        let item = Item::from(large);
        assert_eq!(
            (item.as_ulong(), show(&item).to_string()),
            (Some(large), large.to_string())
        );
        assert!(item == Item::from(large) && item == Item::try_from(i128::from(large)).unwrap());
        assert_eq!(item == ULongBox::new(large).into(), large > i64::MAX as u64);
        let table = HashTable::from([(large, 1)]);
        assert!(table.read().contains_key(large) && table.read().contains_key(item));
    }
    assert!(Item::try_from(u128::MAX).is_err() && Item::try_from(-1_i128 << 64).is_err());
    // An `f32` and an `f64` are never equal, whatever their value.
    for (float, double) in [(0.5_f32, 0.5), (0.1, 0.1)] {
        assert!(Item::from(float) != Item::from(double));
        let list = ArrayList::from([Item::from(float), double.into()]);
        assert_eq!((list.read().find(float), list.read().find(double)), (Some(0), Some(1)));
    }
}

#[test]
fn a_text_of_a_place_in_the_source_is_one_object() {
    let put = || Item::from(text!("sword"));
    assert!(put().is_owned() && put().same_value(&put()));
    assert_eq!(put().handle(), put().handle());
}
