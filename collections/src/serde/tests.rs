use acedia::__private::Data;
use acedia::{Object, Owned, class};
use acedia_boxes::{ByteArrayBox, StringArrayRef, StringBox, StringRef, Vector, VectorArrayBox};

use super::*;

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
    }
}

#[test]
fn what_cannot_be_written_is_an_error() {
    #[derive(Default)]
    struct Thing;
    impl Object for Thing {
        class!(Thing, "Test.SerdeThing");
    }
    let error = serde_json::to_string(&Item::from(Thing::allocate())).expect_err("no form");
    assert!(error.to_string().contains("Test.SerdeThing"), "{error}");
}

#[test]
fn depth_and_circles_are_errors() {
    let mut deep = Item::from(1);
    for _ in 0..Items::LEVELS {
        deep = ArrayList::from([deep]).into();
    }
    assert!(serde_json::to_string(&deep).is_ok());
    let deeper = Item::from(ArrayList::from([deep]));
    assert!(serde_json::to_string(&deeper).is_err());
    let circle = ArrayList::new();
    circle.write().push(circle.handle());
    assert!(serde_json::to_string(&*circle).is_err());
}

/// While a collection is written, the writer and other threads may lock it.
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

/// CBOR: a binary self-describing format, with keys of every kind.
#[test]
fn other_formats_are_read_back() {
    let table = HashTable::from([(Item::from("text"), Item::from(-2.5)), (7.into(), "seven".into())]);
    table
        .write()
        .set(true, ArrayList::from([Item::NONE, 3_000_000_000_f64.into()]));
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
    assert!(read(Items::LEVELS.into()).is_ok());
    let error = read(100_000).expect_err("too deep");
    assert!(error.to_string().contains("deeper than 128"), "{error}");
}

#[test]
fn lists_and_tables_by_themselves() {
    let table: Owned<HashTable> = serde_json::from_str(r#"{"a":[1],"a":[2,3]}"#).expect("a table");
    assert_eq!(table.get("a").to_list().expect("a list").len(), 2);
    let error = serde_json::from_str::<Owned<ArrayList>>("{}").expect_err("a map");
    assert!(error.to_string().starts_with("expected a sequence"));
    let error = serde_json::from_str::<Owned<HashTable>>("7").expect_err("a number");
    assert!(error.to_string().starts_with("expected a map"));
}
