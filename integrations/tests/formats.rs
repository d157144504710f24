//! Lists and tables through `serde`, in JSON and in CBOR.

use acedia::{Object, class};
use acedia_boxes::{DoubleBox, LongBox};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json as json;
use acedia_text::Text;

#[path = "../../tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_example_finds_both_equal() {
    let output = example::run("formats", &[], "");
    let said = stdout(&output);
    let lines: Vec<_> = said.lines().collect();
    assert!(
        matches!(lines[..], [json, cbor] if json.starts_with("JSON: ") && cbor.starts_with("CBOR: ")),
        "{said}"
    );
    assert!(lines.iter().all(|line| line.ends_with(" bytes, back equal")), "{said}");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn every_simple_value_comes_back_equal() {
    let floats = [0.0, -0.0, 0.1, 2.5, f64::MIN_POSITIVE, f64::MAX].map(Item::from);
    let doubles = [0.1, 1e300, -2.5e-300].map(|value| Item::from(DoubleBox::new(value)));
    let integers = [0, 7, -7, i32::MIN, i32::MAX].map(Item::from);
    let longs = [i64::MIN, i64::from(i32::MAX) + 1, i64::MAX].map(|value| Item::from(LongBox::new(value)));
    let texts = ["", "seven", "Ä\u{0}\n\"\\", "\u{1F600}"].map(Item::from);
    let others = [Item::NONE, true.into(), false.into()];
    for item in floats
        .into_iter()
        .chain(doubles)
        .chain(integers)
        .chain(longs)
        .chain(texts)
        .chain(others)
    {
        let list = Item::from(ArrayList::from([item.clone()]));
        let table = Item::from(HashTable::from([("key", item.clone())]));
        for whole in [item, list, table] {
            assert!(through_json(&whole).same_content(&whole), "{whole:?}");
            assert!(through_cbor(&whole).same_content(&whole), "{whole:?}");
        }
    }
}

#[test]
fn depth_and_keys_are_kept_as_far_as_the_format_knows_them() {
    let deep = (0..100).fold(Item::from(7), |inner, depth| match depth % 2 {
        0 => ArrayList::from([inner, Item::NONE]).into(),
        _ => HashTable::from([("in", inner)]).into(),
    });
    assert!(through_json(&deep).same_content(&deep) && through_cbor(&deep).same_content(&deep));
    // CBOR has keys of all kinds, JSON only strings.
    let numbered = Item::from(HashTable::from([(Item::from(7), "seven"), (Item::from(true), "yes")]));
    assert!(through_cbor(&numbered).same_content(&numbered));
    let back = through_json(&numbered).to_table().expect("a table");
    assert_eq!(back.read()["7"].to_string().as_deref(), Some("seven"));
    assert!(!back.read().contains_key(7));
}

#[test]
fn the_crates_own_json_and_serdes_are_the_same() {
    let text = r#"{"a":[1,-2.5,3000000000,0.1,"ä\n",{"x":[[],{}]},true,null]}"#;
    let ours = json::parse(text).expect("JSON");
    let theirs: Item = serde_json::from_str(text).expect("JSON");
    assert!(ours.same_content(&theirs));
    assert!(through_cbor(&ours).same_content(&theirs));
}

/// A class that no format can express.
#[derive(Default)]
struct Stranger;
impl Object for Stranger {
    class!(Stranger, "Test.Stranger");
}

#[test]
fn the_dead_are_written_as_nothing_and_strangers_not_at_all() {
    let text = Text::new("gone");
    let list = ArrayList::from([Item::from(text.handle())]);
    drop(text);
    assert_eq!(serde_json::to_string(&*list).expect("writes"), "[null]");
    let item = Item::from(Stranger::allocate());
    let json = serde_json::to_string(&item).expect_err("no form").to_string();
    let cbor = ciborium::into_writer(&item, Vec::new())
        .expect_err("no form")
        .to_string();
    assert!(
        json.contains("Test.Stranger") && cbor.contains("Test.Stranger"),
        "{json}\n{cbor}"
    );
    // Neither format trusts its input.
    for cut in [&b"\x81"[..], b"\x9f\x01", b"\xff", b"\xa1\xf6\x01"] {
        assert!(ciborium::from_reader::<Item, _>(cut).is_err(), "{cut:?}");
    }
}

fn through_json(item: &Item) -> Item {
    let written = serde_json::to_string(item).expect("writes");
    serde_json::from_str(&written).expect("reads")
}

fn through_cbor(item: &Item) -> Item {
    let mut written = Vec::new();
    ciborium::into_writer(item, &mut written).expect("writes");
    ciborium::from_reader(&*written).expect("reads")
}
