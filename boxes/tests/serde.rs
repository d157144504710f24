//! Boxes and refs in a format of `serde`.

use std::fmt::Debug;

use acedia::{Object, Owned};
use acedia_boxes::{
    ArrayBox, ArrayRef, ByteBox, IntArrayRef, IntBox, Primitive, StringRef, ValueBox, ValueRef, Vector, VectorBox,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, to_string};

/// Every family of one primitive, as values and as objects.
fn round_trip<T: Primitive + Serialize + DeserializeOwned>(values: &[T], printed: &[&str]) {
    let list = format!("[{}]", printed.join(","));
    for (value, printed) in values.iter().zip(printed) {
        of::<ValueBox<T>>(&ValueBox::new(value.plain()), printed, |back| *back == *value);
        of::<ValueRef<T>>(&ValueRef::new(value.plain()), printed, |back| {
            ValueBox::from(back.get()) == *value
        });
    }
    of::<ArrayBox<T>>(&ArrayBox::new(values.iter().cloned()), &list, |back| *back == *values);
    of::<ArrayRef<T>>(&ArrayRef::new(values.iter().cloned()), &list, |back| {
        ArrayBox::from(back.to_vec()) == *values
    });
}

fn of<O: Object + Debug + Serialize + DeserializeOwned>(
    object: &Owned<O>,
    printed: &str,
    is_same: impl Fn(&O) -> bool,
) {
    assert_eq!(to_string(&**object).unwrap(), printed);
    let back: O = from_str(printed).unwrap();
    assert!(is_same(&back), "{back:?}");
    assert_eq!(to_string(object).unwrap(), printed);
    let back: Owned<O> = from_str(printed).unwrap();
    assert!(is_same(&back) && !back.is_same(object), "{back:?}");
}

#[test]
fn what_is_written_reads_back() {
    round_trip(&[true, false], &["true", "false"]);
    round_trip(&[0_u8, 255], &["0", "255"]);
    round_trip(&[i32::MIN, 7], &["-2147483648", "7"]);
    round_trip(&[i64::MAX, -1], &["9223372036854775807", "-1"]);
    round_trip(&[0.1_f32, -2.5], &["0.1", "-2.5"]);
    round_trip(&[0.1_f64, -0.0], &["0.1", "-0.0"]);
    round_trip(&["", "ä\n"].map(String::from), &["\"\"", "\"ä\\n\""]);
    round_trip(&[Vector::new(1.0, -2.5, 0.0)], &["[1.0,-2.5,0.0]"]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    assert!(from_str::<ByteBox>("256").is_err() && from_str::<IntBox>("\"7\"").is_err());
    assert!(from_str::<VectorBox>("[1.0]").is_err() && from_str::<IntArrayRef>("[1,null]").is_err());
    assert!(from_str::<StringRef>("7").is_err());
    assert!(from_str::<Owned<IntBox>>("[]").is_err());
}
