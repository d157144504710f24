//! JSON Patch by the examples of RFC 6902, and JSON Merge Patch by those of RFC 7396.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Random, patch_model};
use acedia::Owned;
use acedia_boxes::{ByteBox, DoubleRef, IntRef, ULongBox};
use acedia_collections::{ArrayList, HashTable, Item, Nested, NestedError};
use acedia_json::{self as json, PatchProblem, Patcher, json, show};

/// The rows of `patch.txt` of one kind: the document, the patch and the result.
fn rows(kind: &str) -> impl Iterator<Item = [&'static str; 3]> {
    let rows = include_str!("patch.txt")
        .lines()
        .map(|row| row.split('\t').collect::<Vec<_>>());
    rows.filter_map(move |row| (row[0] == kind).then(|| [row[1], row[2], row[3]]))
}

#[test]
fn patches_do_what_the_standard_says() {
    for [document, patch, expected] in rows("patch") {
        let [before, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        let patched = json::patch(&before, &patch);
        assert_eq!(show(&before).to_string(), document, "the document stays as it was");
        let mut changed = before;
        let done = json::patch_in_place(&mut changed, &patch);
        assert_eq!(done.as_ref().err(), patched.as_ref().err(), "{document} {patch:?}");
        match expected.strip_prefix("! ") {
            None => {
                let patched = patched.unwrap_or_else(|error| panic!("{document} {patch:?}: {error}"));
                let expected = json::parse(expected).expect("JSON");
                assert!(patched.same_content(&expected), "{document} {patch:?}: {patched:?}");
                assert_eq!(show(&changed).to_string(), show(&patched).to_string());
            }
            Some(operation) => {
                let error = patched.expect_err(document);
                assert_eq!(
                    error.operation().to_string(),
                    operation,
                    "{document} {patch:?}: {error}"
                );
                assert_eq!(show(&changed).to_string(), document);
            }
        }
    }
}

/// Random operations of every kind, and one that fails at the end: the document is as before, with the same objects in the same
/// order. Without the last one, it equals the patched copy.
#[test]
fn a_patch_in_place_is_done_or_undone() {
    let mut random = Random(1);
    let mut below = |end| random.below(end);
    let keys: Vec<String> = (0..40).map(|key| format!("k{key}")).collect();
    let mut done = 0;
    for round in 0..300 {
        // Tables of a document, which share their keys, and tables with their own keys, with and without an index.
        let wide = below(40);
        let table = |below: &mut dyn FnMut(usize) -> usize| {
            let entries = keys[..wide].iter().map(|key| (key, below(9)));
            Item::from(HashTable::from(
                entries.map(|(key, number)| (key.as_str(), number as u64)),
            ))
        };
        let mut document = json!({"t": (table(&mut below)), "l": [1, [2], {"x": {}}, 4]});
        if round % 2 == 0 {
            document = json::parse(show(&document).to_string()).expect("JSON");
        }
        let place = |below: &mut dyn FnMut(usize) -> usize| match below(6) {
            0 => format!("/l/{}", below(5)),
            1 => "/l/2/x".to_owned(),
            2 => "/l/-".to_owned(),
            3 if below(20) == 0 => String::new(),
            _ => format!("/t/{}", keys[below(40)]),
        };
        let (mut operations, mut copy) = (Vec::new(), document.deep_clone());
        for _ in 0..below(80) {
            let [path, from] = [place(&mut below), place(&mut below)];
            let operation = match below(9) {
                0 => json!({"op": "add", "path": path, "value": [7]}),
                1 => json!({"op": "replace", "path": path, "value": {"y": 8}}),
                2 => json!({"op": "move", "path": path, "from": from}),
                3 => json!({"op": "copy", "path": path, "from": from}),
                4 => json!({"op": "test", "path": "/t", "value": {}}),
                _ => json!({"op": "remove", "path": path}),
            };
            // An operation that fails is left out.
            if let Ok(changed) = json::patch(&copy, &Item::from([operation.clone()])) {
                copy = changed;
                operations.push(operation);
            }
        }
        done += operations.len();
        let patch = Item::from(operations.clone());
        let before = show(&document).to_string();
        let (object, table) = (document.clone(), document.get("t"));
        operations.push(json!({"op": "remove", "path": "/nothing/here"}));
        json::patch_in_place(&mut document, &Item::from(operations)).expect_err("the last one fails");
        assert_eq!(show(&document).to_string(), before, "{patch:?}");
        assert!(document == object && document.get("t") == table);
        json::patch_in_place(&mut document, &patch).expect("as the copy");
        assert_eq!(show(&document).to_string(), show(&copy).to_string());
    }
    assert!(done > 3_000, "{done}");
}

/// The document is never copied: other owners of its tables see the change, and a large part that no operation names is not read.
/// Entries are put back in place despite dead keys and the holes of removed entries, which are not counted twice.
#[test]
fn a_table_with_dead_keys_is_put_back_in_order() {
    let refused = |table: &Owned<HashTable>, removed: &[String]| {
        let removals = removed
            .iter()
            .map(|key| json!({"op": "remove", "path": (format!("/{key}"))}));
        let failing = [
            json!({"op": "add", "path": "/new", "value": 1}),
            json!({"op": "remove", "path": "/none"}),
        ];
        let patch: Vec<Item> = removals.chain(failing).collect();
        let before = show(table).to_string();
        json::patch_in_place(&mut table.into(), &patch.into()).unwrap_err();
        assert_eq!(show(table).to_string(), before);
    };
    let keys: Vec<String> = (0..10).map(|key| format!("k{key}")).collect();
    let watched = IntRef::new(1);
    let table = HashTable::from(keys.iter().map(String::as_str).zip(0..));
    table.write().set(watched.handle(), 10).set("last", 11);
    drop(watched);
    refused(&table, &keys);

    let table = HashTable::from([("first", 1), ("last", 2)]);
    table.write().remove("first");
    refused(&table, &["last".to_owned()]);
    let watched = IntRef::new(1);
    table.write().set(watched.handle(), 3);
    table.write().remove(watched.handle());
    assert_eq!((table.len(), table.read().iter().count()), (1, 1));
}

#[test]
fn a_patch_in_place_touches_only_what_it_names() {
    let large = ArrayList::from([1, 2, 3]);
    let mut document = json!({"large": (&large), "small": {"a": 1}, "gone": {"b": [(&large)]}});
    let (small, gone) = (document.get("small"), document.get("gone"));
    // A copy would wait for this list forever, which panics.
    let guard = large.write();
    let patch = json!([
        {"op": "replace", "path": "/small/a", "value": 2},
        {"op": "add", "path": "/small/new", "value": [3]},
        {"op": "remove", "path": "/gone"},
    ]);
    json::patch_in_place(&mut document, &patch).expect("nothing else is read");
    assert_eq!(show(&small).to_string(), r#"{"a":2,"new":[3]}"#);
    assert!(small == document.get("small") && document.get("gone").is_none());
    let merge = json!({"small": {"a": null, "b": {"c": 4}}});
    json::merge_patch_in_place(&mut document, &merge).expect("no limit");
    assert_eq!(show(&small).to_string(), r#"{"new":[3],"b":{"c":4}}"#);
    drop(guard);
    assert_eq!(show(&gone).to_string(), r#"{"b":[[1,2,3]]}"#);
    // The value was copied, so a change of the document leaves the patch alone.
    document
        .get("small")
        .get("new")
        .to_list()
        .expect("a list")
        .write()
        .push(9);
    assert_eq!(patch.get(1).get("value").to_list().expect("a list").len(), 1);
}

/// A patch may be part of its document.
#[test]
fn a_document_patches_itself() {
    let mut document =
        json!({"patches": [[{"op": "remove", "path": "/patches"}], {"patches": {"a": 1}, "b": [2]}], "b": 0});
    let [patch, merge] = [0, 1].map(|index| document.get("patches").get(index));
    let copied = json::merge_patch(&document, &merge).expect("no limit");
    assert_eq!(show(&copied).to_string(), r#"{"patches":{"a":1},"b":[2]}"#);
    json::patch_in_place(&mut document, &patch).expect("a patch");
    assert_eq!(show(&document).to_string(), r#"{"b":0}"#);
    let whole = document.clone();
    json::patch_in_place(
        &mut document,
        &json!([{"op": "add", "path": "/self", "value": (&whole)}]),
    )
    .expect("a copy");
    json::merge_patch_in_place(&mut document, &whole).expect("no limit");
    assert_eq!(show(&document).to_string(), r#"{"b":0,"self":{"b":0}}"#);
    // The patch contains the document: the inserted document is not merged again.
    let around = json!({"again": (&whole), "list": [(&whole)]});
    json::merge_patch_in_place(&mut document, &around).expect("no limit");
    let expected = r#"{"b":0,"self":{"b":0},"again":{"b":0,"self":{"b":0}},"list":[{"b":0,"self":{"b":0}}]}"#;
    assert_eq!(show(&document).to_string(), expected);
}

/// If another thread changes a collection in a moved item for too long, the operation fails, and removed items are put back later.
#[test]
fn what_cannot_be_put_back_now_is_put_back_later() {
    let patch = json!([{"op": "remove", "path": "/a/y"}, {"op": "move", "from": "/a/x", "path": "/b/x"}]);
    // On a busy machine, the patch may begin after the lock is released, and succeed.
    let (mut document, before, error) = [200, 2_000, 20_000]
        .into_iter()
        .find_map(|millis| {
            let inner = ArrayList::from([1]);
            let mut document = json!({"a": {"x": [(&inner)], "y": 1}, "b": {}});
            let before = show(&document).to_string();
            let patched = std::thread::scope(|threads| {
                let (sender, locked) = std::sync::mpsc::channel();
                let inner = &inner;
                threads.spawn(move || {
                    let guard = inner.write();
                    sender.send(()).expect("it waits");
                    std::thread::sleep(std::time::Duration::from_millis(millis));
                    drop(guard);
                });
                locked.recv().expect("it is locked");
                json::patch_in_place(&mut document, &patch)
            });
            Some((document, before, patched.err()?))
        })
        .expect("locked for longer than 50 ms");
    assert_eq!(error.operation(), 1);
    assert_eq!(
        *error.problem(),
        PatchProblem::Refused(acedia_collections::Reason::Busy)
    );
    assert_eq!(show(&document).to_string(), before);
    json::patch_in_place(&mut document, &patch).expect("nobody holds it now");
    assert_eq!(show(&document).to_string(), r#"{"a":{},"b":{"x":[[1]]}}"#);
}

/// A guard of the calling thread outlives the call, so waiting for it would never end. It is in a removed item, and on the path of
/// a move.
#[test]
fn a_patch_is_undone_beside_a_guard() {
    let inner = ArrayList::from([1]);
    let mut document = json!({"o": {"a": [(&inner)], "y": 1, "l": [[(&inner)], 2]}, "b": {}});
    let (before, target) = (show(&document).to_string(), document.get("b"));
    let mut fails = |operation: &Item, panics: bool| {
        let guard = inner.write();
        let target = target.to_table().filter(|_| panics);
        let other_guard = target.as_ref().map(|target| target.write());
        let remove = json!({"op": "remove", "path": "/o/y"});
        let patch = json!([(&remove), operation, (&remove)]);
        let result = catch_unwind(AssertUnwindSafe(|| json::patch_in_place(&mut document, &patch)));
        drop((guard, other_guard));
        assert_eq!((result.is_err(), show(&document).to_string()), (panics, before.clone()));
    };
    for from in ["/o/a", "/o/l/0"] {
        fails(&json!({"op": "remove", "path": from}), false);
        fails(&json!({"op": "replace", "path": from, "value": 5}), false);
        fails(&json!({"op": "move", "from": from, "path": "/b/a"}), true);
    }
    fails(&json!({"op": "move", "from": "/o/a", "path": "/o/z"}), false);
}

#[test]
fn a_patch_that_fails_has_its_reason() {
    let problem = |document: &str, patch: &str| {
        let [document, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        json::patch(&document, &patch).expect_err("fails").problem().clone()
    };
    let differs = problem("[1]", r#"[{"op":"test","path":"/0","value":2}]"#);
    assert!(matches!(differs, PatchProblem::Differs(pointer) if pointer.to_string() == "/0"));
    let inside = problem("[[1]]", r#"[{"op":"move","from":"/0","path":"/0/0"}]"#);
    assert!(matches!(inside, PatchProblem::Inside(_)));
}

#[test]
fn merging_does_what_the_standard_says() {
    for [document, patch, expected] in rows("merge") {
        let [before, patch] = [document, patch].map(|text| json::parse(text).expect("JSON"));
        assert_eq!(
            show(json::merge_patch(&before, &patch).expect("no limit")).to_string(),
            expected,
            "{document} {patch:?}"
        );
        assert_eq!(show(&before).to_string(), document, "the document stays as it was");
        let mut changed = before;
        json::merge_patch_in_place(&mut changed, &patch).expect("no limit");
        assert_eq!(show(&changed).to_string(), expected);
    }
}

#[test]
fn depth_takes_no_stack() {
    const DEEP: usize = 50_000;
    let text = "{\"a\":".repeat(DEEP) + "1" + &"}".repeat(DEEP);
    let document = json::parse(&text).expect("JSON");
    let merged = json::merge_patch(&document, &document).expect("no limit");
    assert!(merged.same_content(&document));
    let patch = json!([{"op": "test", "path": "", "value": &document}]);
    assert!(json::patch(&document, &patch).is_ok());
}

/// Random documents, each as a patch of the one before it.
#[test]
fn any_document_may_be_taken_as_a_patch() {
    let mut random = Random(1);
    let mut document = String::new();
    let mut documents = Vec::new();
    for _ in 0..200 {
        document.clear();
        random.value(4, &mut document);
        documents.push(json::parse(&document).expect("JSON"));
    }
    for pair in documents.windows(2) {
        let [before, after] = pair else { unreachable!("pairs") };
        assert!(patch_model::run(
            format!("{}\n{}", show(before), show(after)).as_bytes()
        ));
    }
}

/// Whether the operation `test` finds the items equal, alone and inside of other collections.
fn is_tested_equal(left: &Item, right: &Item) -> bool {
    let answers = [
        (left.clone(), right.clone()),
        (right.clone(), left.clone()),
        (json!([{"a": (left.clone())}]), json!([{"a": (right.clone())}])),
    ]
    .map(|(document, value)| json::patch(&document, &json!([{"op": "test", "path": "", "value": value}])).is_ok());
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{left:?} {right:?} {answers:?}"
    );
    answers[0]
}

#[test]
fn numbers_of_every_kind_are_tested_by_value() {
    let seven: [Item; 8] = [
        7_u8.into(),
        7.into(),
        7.0.into(),
        7.0_f32.into(),
        ByteBox::new(7).into(),
        IntRef::new(7).into(),
        ULongBox::new(7).into(),
        DoubleRef::new(7.0).into(),
    ];
    for left in &seven {
        assert!(seven.iter().all(|right| is_tested_equal(left, right)), "{left:?}");
        assert!(!is_tested_equal(left, &8.into()) && !is_tested_equal(left, &true.into()));
        assert!(!is_tested_equal(left, &"7".into()));
    }
    assert!(is_tested_equal(&0.5_f32.into(), &0.5.into()));
    assert!(!is_tested_equal(&0.1_f32.into(), &0.1.into()));
    assert!(is_tested_equal(&f64::NAN.into(), &f32::NAN.into()));
    let watched = ArrayList::from([7.0]);
    let document = Item::from(ArrayList::from([watched.handle()]));
    assert!(json::patch(&document, &json!([{"op": "test", "path": "", "value": [[7]]}])).is_ok());
}

/// An object that a document watches is not part of the document.
#[test]
fn no_patch_changes_what_is_watched() {
    let (list, table) = (ArrayList::from([1]), HashTable::from([("a", 1)]));
    let document = Item::from(ArrayList::from([Item::from(list.handle()), table.handle().into()]));
    for path in ["/0/0", "/0/-", "/1/a", "/1/b"] {
        assert!(
            json::patch(&document, &json!([{"op": "add", "path": path, "value": 2}])).is_err(),
            "{path}"
        );
    }
    let merged = json::merge_patch(&json!({"t": (table.handle())}), &json!({"t": {"a": 2}})).expect("a merge");
    assert_eq!(merged.get_by("/t/a").as_int(), Some(2));
    assert_eq!((list.len(), table.len(), table.get("a").as_int()), (1, 1, Some(1)));
    // A table that watches itself is inserted as it is.
    table.write().set("me", table.handle());
    let merged = json::merge_patch(&json!({}), &Item::from(&table)).expect("a merge");
    assert_eq!(merged.get("me"), Item::from(&table));
}

/// 841 bytes of patch double a list 21 times.
#[test]
fn a_patch_cannot_make_a_document_grow_without_bound() {
    let document = json!({"a": [0]});
    let bomb = |count| {
        Item::from(ArrayList::from(vec![
            json!({"op": "copy", "from": "/a", "path": "/a/-"});
            count
        ]))
    };
    let before = show(&document).to_string();
    let error = json::patch(&document, &bomb(21)).expect_err("a bomb");
    assert!(matches!(error.problem(), PatchProblem::TooMany(262_144)), "{error}");
    assert_eq!(show(&document).to_string(), before);
    // 2, 4, 8 and 16 items are copied.
    let copied_within = |most| {
        let patcher = Patcher::new().max_items(most);
        patcher.patch_in_place(&mut document.deep_clone(), &bomb(4))
    };
    assert!(copied_within(30).is_ok());
    assert_eq!(copied_within(29).expect_err("one too many").operation(), 3);
}

#[test]
fn every_way_to_deepen_a_document_has_a_limit() {
    let patcher = Patcher::new().max_depth(3);
    let document = json!({"a": {"b": 0}, "c": [[0]], "d": [0]});
    for (operation, is_deep) in [
        (json!({"op": "add", "path": "/a/x", "value": [0]}), false),
        (json!({"op": "add", "path": "/a/x", "value": [[0]]}), true),
        (json!({"op": "replace", "path": "/a/b", "value": {}}), false),
        (json!({"op": "replace", "path": "/a/b", "value": {"x": {}}}), true),
        (json!({"op": "move", "from": "/d", "path": "/a/b"}), false),
        (json!({"op": "move", "from": "/c", "path": "/a/b"}), true),
        (json!({"op": "copy", "from": "/d", "path": "/a/b"}), false),
        (json!({"op": "copy", "from": "/c", "path": "/a/b"}), true),
    ] {
        let mut changed = document.deep_clone();
        let done = patcher.patch_in_place(&mut changed, &json!([(operation.clone())]));
        assert_eq!(done.is_err(), is_deep, "{operation:?}");
        if let Err(error) = done {
            assert!(matches!(error.problem(), PatchProblem::TooDeep(3)), "{error}");
            assert!(document.same_content(&changed));
        }
    }
    let merge = |patch: Item| patcher.merge_patch_in_place(&mut document.deep_clone(), &patch);
    assert!(merge(json!({"a": {"b": {"c": 0}}})).is_ok());
    assert_eq!(merge(json!({"a": {"b": {"c": {}}}})), Err(PatchProblem::TooDeep(3)));
}

#[test]
fn a_pointer_does_not_make_collections_deeper_than_the_parser_reads() {
    let deep = |levels: usize| json::parse("[".repeat(levels) + &"]".repeat(levels)).expect("within the limit");
    let whole = json!({"a": []});
    assert!(whole.set_by("/a/-", deep((1 << 17) - 2)).is_ok());
    json::parse(show(&whole).to_string()).expect("as deep as may be");
    let before = whole.deep_clone();
    let error = whole.set_by("/a/-", deep((1 << 17) - 1)).expect_err("too deep");
    assert!(matches!(error, NestedError::TooDeep(131_072)), "{error}");
    assert!(whole.same_content(&before));
    // A list that is twice in each outer list has few levels, but 2^100 items.
    let mut shared = ArrayList::from([1]);
    for _ in 0..100 {
        shared = ArrayList::from([&shared, &shared]);
    }
    assert!(whole.set_by("/b", &shared).is_ok());
}
