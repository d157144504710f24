use acedia::Object;
use acedia_boxes::{
    BoolArrayBox, ByteArrayBox, DoubleArrayBox, FloatArrayBox, IntArrayBox, IntArrayRef, IntRef, LongArrayBox,
    StringArrayBox, StringRef, ULongArrayBox, VectorArrayBox, VectorBox,
};

use super::super::depth::{DEEPEST, is_at_the_top};
use super::*;

fn round(item: &Item) -> Item {
    let tagged = Tagged(item.clone());
    let bytes = postcard::to_stdvec(&tagged).expect("writes");
    let back: Tagged = postcard::from_bytes(&bytes).expect("reads");
    let json = serde_json::to_string(&tagged).expect("writes");
    let also: Tagged = serde_json::from_str(&json).expect("reads");
    assert!(also.0.same_content(&back.0), "{json}");
    back.0
}

#[test]
fn kinds_come_back() {
    let keys = [
        Item::from(1_u8),
        1.into(),
        1.5_f32.into(),
        (1_i64 << 40).into(),
        u64::MAX.into(),
        true.into(),
    ];
    let more = [
        1.5.into(),
        Vector::new(1.0, -2.0, 0.5).into(),
        Text::from_markup("a {$red b} &{c").into(),
    ];
    let table = HashTable::from(keys.into_iter().chain(more).map(|key| (key.clone(), key)));
    assert_eq!(table.read().len(), 9);
    let item = Item::from(ArrayList::from([table.into(), Item::NONE, ArrayList::new().into()]));
    let back = round(&item);
    assert!(back.same_content(&item));
    let red = Item::from(Text::from_markup("{$red a}"));
    assert_eq!(round(&red).to_markup(), red.to_markup());
}

#[test]
fn boxes_of_strings_and_arrays_come_back() {
    let items: [Item; 10] = [
        StringBox::new("{a").into(),
        BoolArrayBox::new([true, false]).into(),
        ByteArrayBox::new([0, 255]).into(),
        IntArrayBox::new([1, -1]).into(),
        LongArrayBox::new([i64::MIN]).into(),
        ULongArrayBox::new([u64::MAX]).into(),
        FloatArrayBox::new([0.5, f32::INFINITY]).into(),
        DoubleArrayBox::new([0.1]).into(),
        StringArrayBox::new([String::new(), "ä".into()]).into(),
        VectorArrayBox::new([Vector::new(1.0, 2.0, 3.0)]).into(),
    ];
    for item in items {
        let bytes = postcard::to_stdvec(&Tagged(item.clone())).expect("writes");
        let Tagged(back) = postcard::from_bytes(&bytes).expect("reads");
        assert!(back == item && back.class() == item.class(), "{back:?}");
    }
}

#[test]
fn refs_become_what_is_in_them() {
    assert_eq!(round(&StringRef::new("s").into()), Item::from(StringBox::new("s")));
    assert_eq!(round(&IntArrayRef::new([7]).into()), Item::from(IntArrayBox::new([7])));
    assert_eq!(round(&IntRef::new(7).into()), Item::from(7));
    assert_eq!(round(&MutableText::from("m").into()), Item::from("m"));
    assert_eq!(
        round(&VectorBox::new(Vector::default()).into()),
        Item::from(Vector::default())
    );
    let dead = Item::from(IntRef::new(1).handle());
    assert_eq!(round(&dead), Item::NONE);
}

#[test]
fn what_has_no_form_is_an_error() {
    #[derive(Default)]
    struct Thing;
    impl Object for Thing {
        acedia::class!(Thing, "Test.TaggedThing");
    }
    let thing = Tagged(ArrayList::from([Thing::allocate()]).into());
    let error = serde_json::to_string(&thing).expect_err("no form");
    assert!(error.to_string().contains("Test.TaggedThing"), "{error}");
    let circle = ArrayList::new();
    circle.write().push(circle.handle());
    assert!(postcard::to_stdvec(&Tagged((&circle).into())).is_err());
    let error = serde_json::from_str::<Tagged>(r#"{"Table":[["None",{"Int":1}]]}"#).expect_err("no key");
    assert!(error.to_string().contains("a key that is none"), "{error}");
    assert!(is_at_the_top());
}

/// Every beginning of a document, each of its bytes changed, and one that goes deeper than the stack.
#[test]
fn documents_that_mean_harm() {
    let item = ArrayList::from([Item::from("text"), HashTable::from([(1, 2.5)]).into()]);
    let bytes = postcard::to_stdvec(&Tagged(item.into())).expect("writes");
    for end in 0..bytes.len() {
        assert!(postcard::from_bytes::<Tagged>(&bytes[..end]).is_err());
    }
    for at in 0..bytes.len() {
        for byte in [0, 1, 9, 10, 0x7f, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = byte;
            let _ = postcard::from_bytes::<Tagged>(&changed);
        }
    }
    // A list of one list of one list …
    let deep = [9, 1].repeat(1 << 20);
    assert!(postcard::from_bytes::<Tagged>(&deep).is_err());
    let fits = [9, 1].repeat(DEEPEST as usize - 1);
    assert!(postcard::from_bytes::<Tagged>(&[&fits[..], &[0]].concat()).is_ok());
    assert!(is_at_the_top());
}
