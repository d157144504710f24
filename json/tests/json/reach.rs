//! Printing collections that other threads can reach or cannot, and parsing one document after another.

use std::thread;

use acedia_collections::Nested as _;
use acedia_json::{self as json, Printer};

const DOCUMENT: &str =
    r#"{"name":"Bob","at":[1,-2.5,null],"bag":{"gold":7,"gems":["ruby",{"size":12345678901}]},"none":{}}"#;

/// Handles, other owners and locks of inner collections make printing take another code path, with the same result.
#[test]
fn what_others_can_reach_is_printed_alike() {
    let item = json::parse(DOCUMENT).expect("JSON");
    let print = || json::to_string(&item).expect("printable");
    assert_eq!(print(), DOCUMENT);
    let table = item.to_table().expect("a table");
    assert_eq!(print(), DOCUMENT, "with another owner outside");
    {
        let entries = table.read();
        assert_eq!(print(), DOCUMENT, "while it is read");
        let _at = entries["at"].to_list().expect("a list");
        let _bag = entries["bag"].to_table().expect("a table");
        drop(entries);
        assert_eq!(print(), DOCUMENT, "with other owners inside");
    }
    let gems = item.get_by("/bag/gems").to_list().expect("a list");
    {
        let _reading = gems.read();
        assert_eq!(print(), DOCUMENT, "while what is inside is read");
    }
    let handle = item.get_by("/bag/gems").handle().expect("a list");
    drop(gems);
    assert_eq!(print(), DOCUMENT, "with a handle");
    assert!(handle.is_allocated());
    // No longer with the keys of a shape.
    table.write().set("name", "Ann").set("new", 1);
    let sorted = Printer::new().sorted().print(&item).expect("printable");
    assert!(sorted.starts_with(
        r#"{"at":[1,-2.5,null],"bag":{"gems":["ruby",{"size":12345678901}],"gold":7},"name":"Ann","new":1"#
    ));
    assert!(json::parse(print()).expect("JSON").same_content(&item));
}

/// The numbers of a pair change under one lock, so they are printed equal.
#[test]
fn what_is_changed_meanwhile_is_printed_as_it_was_or_is() {
    const ROUNDS: i32 = if cfg!(miri) { 10 } else { 2000 };
    let item = json::parse(r#"{"pairs":[[0,0],[0,0]],"other":{"pair":[0,0]}}"#).expect("JSON");
    let pairs = ["/pairs/0", "/pairs/1", "/other/pair"];
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..ROUNDS {
                for pair in pairs {
                    let pair = item.get_by(pair).to_list().expect("a list");
                    pair.write().set(0, round).set(1, round);
                }
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    let printed = json::parse(json::to_string(&item).expect("printable")).expect("JSON");
                    for pair in pairs {
                        let pair = printed.get_by(pair).to_list().expect("a list");
                        let pair = pair.read();
                        assert_eq!(pair[0].as_int(), pair[1].as_int());
                    }
                }
            });
        }
    });
}

/// A thread reuses memory for its next document, but no keys.
#[test]
fn documents_know_nothing_of_each_other() {
    let object = |keys: usize, value: usize| {
        let entries: Vec<_> = (0..keys).map(|key| format!("\"key {key}\":{value}")).collect();
        format!("[{{{}}},{{\"inner\":{{{}}}}}]", entries.join(","), entries.join(","))
    };
    for (value, keys) in [3, 20, 200, 1500, 2, 17, 16, 0, 33].into_iter().enumerate() {
        let document = object(keys, value);
        let item = json::parse(&document).expect("JSON");
        let elsewhere = thread::scope(|scope| scope.spawn(|| json::parse(&document)).join());
        let elsewhere = elsewhere.expect("no panic").expect("JSON");
        assert!(item.same_content(&elsewhere), "{document}");
        assert!(json::parse(&document[1..]).is_err() && json::parse(&document[..document.len() - 1]).is_err());
        if keys <= 33 {
            let printed = json::to_string(&item).expect("printable");
            assert!(json::parse(printed).expect("JSON").same_content(&item));
        }
    }
}
