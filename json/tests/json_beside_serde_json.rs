//! Documents that are accepted and refused, beside `serde_json`.
#![forbid(unsafe_code)]

use acedia_json as json;
use acedia_json::show;
use serde_json::Value;

/// Documents as the world sends them, and whether both accept them.
const DOCUMENTS: &[(&str, bool)] = &[
    (r#"{"price": 19.99, "id": 18446744073709551615}"#, true),
    ("9223372036854775808", true),
    ("-9223372036854775809", true),
    ("123456789012345678901234567890", true),
    ("3.14159265358979323846264338327950288419716939937510", true),
    ("0.1000000000000000055511151231257827021181583404541015625", true),
    ("1e-400", true),
    ("2.2250738585072011e-308", true),
    ("-0", true),
    ("1E+2", true),
    ("[0.1, 0.5, 1.0, 1]", true),
    (r#"{"a": 1, "a": 2}"#, true),
    (r#"{"": null}"#, true),
    (r#""\u0000\ud83d\ude00\/""#, true),
    ("\"\u{7f}\u{2028}\"", true),
    (" \t\r\n[ ] ", true),
    ("1e309", false),
    ("\u{feff}{}", false),
    ("{} // end", false),
    ("/* start */ {}", false),
    ("[1,]", false),
    ("{\"a\": 1,}", false),
    ("{a: 1}", false),
    ("{'a': 1}", false),
    ("[NaN]", false),
    ("[-Infinity]", false),
    ("[007]", false),
    ("[+1]", false),
    ("[.5]", false),
    ("[0x10]", false),
    ("\"\\ud800\"", false),
    ("\"a\nb\"", false),
    ("True", false),
    ("", false),
    ("[1] [2]", false),
];

#[test]
fn both_accept_and_refuse_the_same() {
    for (document, accepted) in DOCUMENTS {
        let (ours, theirs) = (json::parse(document), serde_json::from_str::<Value>(document));
        assert_eq!((ours.is_ok(), theirs.is_ok()), (*accepted, *accepted), "{document}");
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            let read: Value = serde_json::from_str(&show(&ours).to_string()).expect("JSON");
            assert_eq!(read, theirs, "{document}");
        }
    }
}
