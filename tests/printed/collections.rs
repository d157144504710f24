//! Lists, tables, their items, and JSON.

use acedia_collections::*;
use acedia_json::{self as json, Decimals, Parser, Patcher, Printer, Unprintable, json};

use crate::shown::Shown;

#[test]
fn collections_print() {
    let mut shown = Shown::default();
    let list = ArrayList::from([1, 2]);
    let table = HashTable::from([("a", 1)]);
    let item = Item::from(7);
    shown
        .debug("ArrayList", &list, "…1…2…")
        .debug("HashTable", &table, "…a…1…")
        .debug("Items", &*list.read(), "[…1…2…]")
        .debug("Entries", &*table.read(), "{…a…1…}")
        .debug("ListIter", &list.read().iter(), "[…1…2…]")
        .debug("TableIter", &table.read().iter(), "{…a…1…}");
    shown.debug("ListWriter", &list.write(), "[…1…2…]");
    shown.debug("TableWriter", &table.write(), "{…a…1…}");
    shown.debug("Entry", &table.write().entry("b"), "Entry { table: {…}, key: …b… }");
    shown
        .debug("Item", &item, "…7…")
        .debug("View", &item.view(), "Int(7)")
        .debug("Tagged", &Tagged(item), "Tagged(…7…)")
        .both(
            "Pointer",
            &Pointer::from("/a~1b/0"),
            "Pointer([\"a/b\", \"0\"])",
            "/a~1b/0",
        )
        .debug(
            "json::Parser",
            &Parser::new(),
            "Parser { max_depth: 131072, max_bytes: …, decimals: Nearest }",
        )
        .debug(
            "json::Printer",
            &Printer::new(),
            "Printer { is_pretty: false, is_sorted: false, is_bounded: false, unprintable: LeaveOut, max_bytes: 18446744073709551615 }",
        )
        .debug(
            "json::Patcher",
            &Patcher::new(),
            "Patcher { max_items: 262144, max_depth: 131072 }",
        )
        .debug("json::Values", &Parser::new().values(&b""[..]), "Values { parser: …, .. }")
        .debug("json::Decimals", &Decimals::Nearest, "Nearest")
        .debug("json::Unprintable", &Unprintable::Refuse, "Refuse");

    errors_print(&mut shown);
    shown.is_right();
}

fn errors_print(shown: &mut Shown) {
    let list = ArrayList::from([1, 2]);
    let refused = list.write().try_push(&list).unwrap_err();
    shown
        .both(
            "Reason",
            &refused.reason(),
            "Cycle",
            "the collection would own itself and never be freed; insert its handle instead, which does not own it",
        )
        .both(
            "Refused",
            &refused,
            "Refused { item: …1…2…, reason: Cycle }",
            "the collection would own itself…",
        );
    let nowhere = list.set_by("/x/y", 1).unwrap_err();
    shown.both(
        "NestedError",
        &nowhere,
        "Missing(Pointer([\"x\", \"y\"]))",
        "/x/y refers to no place: …",
    );
    let parse = Parser::new().parse("[1,]").unwrap_err();
    shown
        .both("json::Problem", parse.problem(), "TrailingComma", "a trailing comma: …")
        .both(
            "json::ParseError",
            &parse,
            "ParseError { problem: TrailingComma, place: Place { offset: 3, line: 1, column: 4 }, is_eof: false }",
            "line 1, column 4: a trailing comma: …",
        );
    let patch = json::patch(&json!([]), &json!([{"op": "remove", "path": "/0"}])).unwrap_err();
    shown
        .both(
            "json::PatchProblem",
            patch.problem(),
            "Missing(Pointer([\"0\"]))",
            "/0 refers to no item",
        )
        .both(
            "json::PatchError",
            &patch,
            "PatchError { operation: 0, problem: … }",
            "operation 0: /0 refers to no item",
        );
    shown.both(
        "WrongItem",
        &bool::try_from(Item::from(7)).unwrap_err(),
        "WrongItem { item: …7…, wanted: \"bool\" }",
        "expected an item of the type `bool`, found `Int(7)`",
    );
    shown.both(
        "ItemError",
        &from_item::<bool>(&Item::from(7)).unwrap_err(),
        "ItemError(…)",
        "invalid type: integer `7`, expected a boolean",
    );
    let print = json::to_string(&Item::from(f32::NAN)).unwrap_err();
    shown.both(
        "json::PrintError",
        &print,
        "NotFinite",
        "JSON has no infinity and no NaN",
    );
}
