//! Tables that share their keys behave like other tables; printing of watched cycles and of locked lists.

use std::thread;
use std::time::Duration;

use acedia::{AnyHandle, Owned};
use acedia_boxes::IntRef;
use acedia_collections::__private::ByShape;
use acedia_collections::{ArrayList, HashTable, Item, TableWriter};
use acedia_json::{self as json, Printer};
use acedia_text::Text;

/// Two tables with the same keys. A key is shared once it has come before, so a third table comes first.
fn twins() -> [Owned<HashTable>; 2] {
    let table = r#"{"a": 1, "b": "two", "c": [3]}"#;
    let list = json::parse(format!("[{table}, {table}, {table}]")).expect("JSON");
    let list = list.to_list().expect("a list");
    let table = |index: usize| list.read()[index].to_owned_as::<HashTable>().expect("a table");
    [table(1), table(2)]
}

/// The expected tables.
fn model() -> Owned<HashTable> {
    let table = HashTable::from([("a", Item::from(1)), ("b", "two".into())]);
    table.write().set("c", ArrayList::from([3]));
    table
}

fn same(left: &Owned<HashTable>, right: &Owned<HashTable>) -> bool {
    Item::from(left).same_content(&right.into())
}

#[test]
fn a_change_of_one_leaves_the_others_alone() {
    type Change = fn(&mut TableWriter<'_>);
    let changes: [Change; 14] = [
        |table| {
            table.set("b", 2);
        },
        |table| {
            table.set("new", 2);
        },
        |table| {
            table.set(7, None::<i32>);
        },
        |table| {
            table.take("b");
        },
        |table| {
            table.take_entry("c");
        },
        |table| assert!(table.remove("a") && !table.remove("z")),
        |table| {
            table.retain(|_, item| item.as_int().is_none());
        },
        |table| assert_eq!(table.drain().count(), 3),
        |table| {
            table.clear().set("a", 2);
        },
        |table| {
            table.reserve(100);
        },
        |table| {
            table.set_minimal_capacity(100);
        },
        |table| assert_eq!(table.sweep(), 0),
        |table| {
            table.entry("a").and_modify(|_| 8.into()).or_insert(9);
        },
        |table| table.extend([("c", 1), ("d", 2)]),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let ([ours, twin], expected) = (twins(), model());
        change(&mut ours.write());
        change(&mut expected.write());
        assert!(same(&ours, &expected), "{number}: {ours:?}");
        assert_eq!(ours.read().len(), expected.read().len(), "{number}");
        assert!(same(&twin, &model()), "{number}: {twin:?}");
    }
}

/// A table that is the only one of its shape keeps it while texts are added, up to twelve entries.
#[test]
fn a_shape_of_one_table_gets_new_keys() {
    let owned = Text::from_markup("{$red red}");
    let watched = IntRef::new(1);
    let texts = [
        Item::from("d"),
        "longer than a hash".into(),
        "with \"quotes\"".into(),
        "k".repeat(70).into(),
        Item::from(&owned),
    ];
    let more = |from: usize, to: usize| (from..to).map(|number| Item::from(number.to_string()));
    let texts = || texts.iter().cloned().chain(more(0, 4));
    for (last, is_shaped) in [
        (vec![], true),
        (more(4, 5).collect(), false),
        (vec![Item::from(7)], false),
        (vec![watched.handle().into()], false),
    ] {
        // Keys are known after their second use.
        let documents = [0, 1, 2].map(|_| json::parse(r#"{"a": 1, "b": "two", "c": [3]}"#).expect("JSON"));
        let [.., document] = documents;
        let (table, expected) = (document.to_owned_as::<HashTable>().expect("a table"), model());
        for key in texts().chain(last) {
            table.write().entry(key.clone()).or_insert("new");
            expected.write().set(&key, "new");
            assert_eq!(table.read()[&key], Item::from("new"));
        }
        let shaped = |table: &Owned<HashTable>| matches!(table.read().by_shape(), ByShape::Shaped(..));
        assert_eq!((shaped(&table), shaped(&expected)), (is_shaped, false));
        for _ in 0..2 {
            assert!(table.read().keys().eq(expected.read().keys()) && same(&table, &expected));
            for printer in [Printer::new(), Printer::new().pretty(), Printer::new().sorted()] {
                let [ours, expected] =
                    [&table, &expected].map(|table| printer.print(&Item::from(table)).expect("printable"));
                assert_eq!(ours, expected);
            }
            for key in ["b", "longer than a hash"] {
                assert_eq!(table.write().remove(key), expected.write().remove(key));
            }
        }
    }
    assert_eq!(owned.owners(), 1 + 1, "that of `texts`");
}

/// A key that a program can tell from the shared one replaces it. The key of a string stays shared.
#[test]
fn a_key_that_is_set_is_stored_if_it_can_be_recognized() {
    let is_shared = |table: &Owned<HashTable>, twin: &Owned<HashTable>| {
        let key = |table: &Owned<HashTable>| table.read().get_entry("b").expect("there").0.handle();
        key(table) == key(twin)
    };
    let [table, twin] = twins();
    for value in 0..3 {
        let (key, before) = table.write().try_set("b", value).expect("admitted").expect("was there");
        assert!(key == Item::from("b") && before.is_some());
        assert!(is_shared(&table, &twin));
    }
    assert_eq!(
        (table.read()["b"].as_int(), twin.read()["b"].to_string().as_deref()),
        (Some(2), Some("two"))
    );
    assert_eq!(
        json::to_string(&Item::from(&table)).unwrap(),
        r#"{"a":1,"b":2,"c":[3]}"#
    );

    let owned = Text::from("b");
    let watched = Text::from("b");
    let handle = watched.handle();
    let formatted = Text::from_markup("{$red b}");
    for key in [Item::from(&owned), watched.into(), formatted.into()] {
        let [table, twin] = twins();
        let markup = key.to_markup();
        assert!(table.write().try_set(key, 7).expect("admitted").is_some());
        assert!(!is_shared(&table, &twin));
        let entries = table.read();
        let (stored, value) = entries.get_entry("b").expect("there");
        assert_eq!(
            (stored.to_markup(), value.as_int(), entries.len()),
            (markup, Some(7), 3)
        );
    }
    assert!(!handle.is_allocated());
    // A watched key is not a text of the table.
    let [table, _] = twins();
    table.write().set(owned.handle(), 7);
    drop(owned);
    assert_eq!((table.read().len(), table.read().contains_key("b")), (2, false));
}

#[test]
fn circles_are_seen() {
    let document = json::parse(r#"{"outer": {"inner": [{}]}}"#).expect("JSON");
    let whole = document.to_table().expect("a table");
    let inner = whole.read()["outer"].to_table().expect("a table").read()["inner"].clone();
    let inner = inner.to_list().expect("a list");
    assert!(inner.write().try_push(&whole).is_err());
    let innermost = inner.read()[0].to_table().expect("a table");
    assert!(innermost.write().try_set("up", &inner).is_err());
    assert!(innermost.write().try_set("other", HashTable::new()).is_ok());
}

#[test]
fn keys_are_freed_with_the_last_table() {
    let [table, twin] = twins();
    let keys: Vec<AnyHandle> = table.read().keys().filter_map(Item::handle).collect();
    drop(table);
    assert!(keys.iter().all(|key| key.is_allocated()) && same(&twin, &model()));
    drop(twin);
    assert!(!keys.iter().any(|key| key.is_allocated()));
}

#[test]
fn keys_that_look_alike_or_come_again() {
    for document in [
        r#"[{"a": 1, "b": 2}, {"a": 1, "a": 2}, {"a": 1, "b": 2, "a": 3}, {"b": 1, "a": 2}]"#,
        r#"[{"a": 1}, {"\u0061": 2}, {"a" : 3}, {"ab": 4}, {"a\"": 5}, {"": 6}, {"": 7, "": 8}]"#,
        r#"[{"ä": {"a": 1}}, {"ä": {"b": 1}}, {"\u00e4": {"b": 1}}, {"ä": {}}, {"ä": [{"a": 1}]}]"#,
    ] {
        compare(document);
    }
}

#[test]
fn more_keys_than_are_remembered() {
    let table = |keys: Vec<String>| {
        let entries: Vec<_> = keys.iter().map(|key| format!("\"{key}\":\"{key}\"")).collect();
        format!("{{{}}}", entries.join(","))
    };
    let all = |tables: Vec<String>| format!("[{}]", tables.join(","));
    let count_from = |first: usize, count: usize| (first..first + count).map(|i| i.to_string()).collect();
    for document in [
        // Tables of growing length, tables with a common beginning, and tables with nothing in common.
        all((0..50).map(|len| table(count_from(0, len))).collect()),
        all((0..40).map(|i| table(vec!["same".into(), i.to_string()])).collect()),
        all((0..3000).map(|i| table(count_from(i * 3, 3))).collect()),
        all((60..70).map(|len| table(vec!["k".repeat(len), "x".into()])).collect()),
        all(vec![table(count_from(0, 2000)); 2]),
    ] {
        compare(&document);
    }
}

/// Against another parser, and from a reader.
fn compare(document: &str) {
    let expected: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let ours = json::parse(document).expect("JSON");
    let read = json::Parser::new().read(document.as_bytes()).expect("JSON");
    assert!(ours.same_content(&read), "{document}");
    // The first item has its own keys, the second the keys that are known by then.
    for item in [&ours, &read] {
        for printer in [Printer::new(), Printer::new().pretty(), Printer::new().sorted()] {
            let printed = printer.print(item).expect("printable");
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&printed).expect("JSON"),
                expected
            );
        }
    }
}

#[test]
fn circles_of_watched_ones_are_cut_wherever_they_are() {
    let document = r#"{"a":[{"b":{}}],"z":[1]}"#;
    let whole = json::parse(document).expect("JSON");
    let table = whole.to_owned_as::<HashTable>().expect("a table");
    let list = table.read()["a"].to_owned_as::<ArrayList>().expect("a list");
    let inner = list.read()[0].to_owned_as::<HashTable>().expect("a table");
    let innermost = inner.read()["b"].to_owned_as::<HashTable>().expect("a table");
    let beside = table.read()["z"].to_owned_as::<ArrayList>().expect("a list");
    for (watched, expected) in [
        (Item::from(table.handle()), "null"),
        (list.handle().into(), "null"),
        (inner.handle().into(), "null"),
        (innermost.handle().into(), "null"),
        (beside.handle().into(), "[1]"),
    ] {
        innermost.write().set("up", watched);
        let printed = json::to_string(&whole).expect("printable");
        let up = format!(r#"{{"a":[{{"b":{{"up":{expected}}}}}],"z":[1]}}"#);
        assert_eq!(printed, up);
    }
}

#[test]
fn printing_never_waits_for_one_while_it_holds_another() {
    let outer = ArrayList::new();
    let inner = ArrayList::from([1]);
    outer.write().push(&inner).push(2);
    let changing = inner.write();
    let printing = thread::spawn({
        let outer = Item::from(&outer);
        move || json::to_string(&outer)
    });
    thread::sleep(Duration::from_millis(50));
    // This would wait forever if the other thread kept it locked.
    outer.write().push(3);
    drop(changing);
    let printed = printing.join().expect("no panic").expect("printable");
    assert!(["[[1],2]", "[[1],2,3]"].contains(&&*printed), "{printed}");
}
