//! Valid and invalid JSON: a list of cases, each from memory and from a reader, with those of the public list
//! `JSONTestSuite` (`json_cases/suite.rs`).
//!
//! `CHOSEN` has the cases that the standard (RFC 8259) leaves open, with the reason of each choice.
#![forbid(unsafe_code)]

#[path = "json_cases/suite.rs"]
mod suite;

use std::io::{self, Read};

use acedia_boxes::{
    BoolBox, BoolRef, ByteBox, ByteRef, DoubleBox, DoubleRef, FloatBox, FloatRef, IntBox, IntRef, LongBox, LongRef,
};
use acedia_collections::{Item, Items};
use acedia_json::{self as json, ParseError, Parser};

/// JSON, and what it prints as.
const ACCEPTED: &[(&str, &str)] = &[
    // Words, and white space around everything.
    ("null", "null"),
    ("true", "true"),
    ("false", "false"),
    (" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", "[1,2]"),
    ("{ \"a\" : 1 }", r#"{"a":1}"#),
    // Lists and tables.
    ("[]", "[]"),
    ("{}", "{}"),
    ("[[],[[]],{}]", "[[],[[]],{}]"),
    ("[null,true,\"\",0]", "[null,true,\"\",0]"),
    (r#"{"":0}"#, r#"{"":0}"#),
    (r#"{"a":{"b":[{}]}}"#, r#"{"a":{"b":[{}]}}"#),
    (r#"{"a":null}"#, r#"{"a":null}"#),
    (r#"{"\u0061":1}"#, r#"{"a":1}"#),
    // Numbers.
    ("0", "0"),
    ("-1", "-1"),
    ("123456789", "123456789"),
    ("2147483648", "2147483648"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("0.5", "0.5"),
    ("-0.1", "-0.1"),
    ("1.0", "1.0"),
    ("1.50", "1.5"),
    ("1e2", "100.0"),
    ("1E+2", "100.0"),
    ("1e-2", "0.01"),
    ("0e5", "0.0"),
    ("0.0e-1", "0.0"),
    ("123.456e78", "1.23456e80"),
    // Strings.
    (r#""""#, r#""""#),
    (r#""a b""#, r#""a b""#),
    (r#""\"\\\/\b\f\n\r\t""#, r#""\"\\/\b\f\n\r\t""#),
    (r#""\u0000\u001F""#, r#""\u0000\u001f""#),
    (r#""\u007f""#, "\"\u{7f}\""),
    (r#""\u00e4\u00E4ä""#, r#""äää""#),
    (r#""\ud83d\ude00😀""#, r#""😀😀""#),
    (r#""\u2028\u2029""#, "\"\u{2028}\u{2029}\""),
    ("\"\u{10ffff}\u{fffe}\"", "\"\u{10ffff}\u{fffe}\""),
];

/// Invalid JSON, and the offset of the error.
const REFUSED: &[(&[u8], u64)] = &[
    // Nothing, and too much.
    (b"", 0),
    (b" \n", 2),
    (b"1 2", 2),
    (b"[]]", 2),
    (b"{}}", 2),
    (b"null,", 4),
    (b"\"a\"x", 3),
    // Broken off.
    (b"[", 1),
    (b"[1", 2),
    (b"[1,", 3),
    (b"{", 1),
    (b"{\"a\"", 4),
    (b"{\"a\":", 5),
    (b"{\"a\":1", 6),
    (b"{\"a\":1,", 7),
    (b"\"", 1),
    (b"\"a", 2),
    (b"\"\\", 2),
    (b"\"\\u00", 5),
    (b"tr", 0),
    (b"-", 1),
    (b"1.", 2),
    (b"1e", 2),
    (b"1e+", 3),
    // Commas and colons.
    (b"[1,]", 3),
    (b"[,1]", 1),
    (b"[1,,2]", 3),
    (b"[1 2]", 3),
    (b"[1:2]", 2),
    (b"[,]", 1),
    (b"{\"a\":1,}", 7),
    (b"{,}", 1),
    (b"{\"a\" 1}", 5),
    (b"{\"a\",1}", 4),
    (b"{\"a\"::1}", 5),
    (b"{\"a\":1 \"b\":2}", 7),
    (b"{\"a\":}", 5),
    (b"[}", 1),
    (b"{]", 1),
    (b"[1}", 2),
    (b"{\"a\":1]", 6),
    (b"]", 0),
    // Keys.
    (b"{a:1}", 1),
    (b"{1:1}", 1),
    (b"{null:1}", 1),
    (b"{'a':1}", 1),
    (b"{[]:1}", 1),
    (b"{9999E9999:1}", 1),
    (b"{\"a\" b}", 5),
    (b"{{\"a\":1}}", 1),
    (b"{\xf0\x9f\x87\xa8}", 1),
    // Words.
    (b"nul", 0),
    (b"null0", 4),
    (b"True", 0),
    (b"NULL", 0),
    (b"truefalse", 4),
    (b"[a]", 1),
    (b"undefined", 0),
    (b"NaN", 0),
    (b"Infinity", 0),
    (b"-Infinity", 1),
    // Numbers.
    (b"01", 1),
    (b"-01", 2),
    (b"00", 1),
    (b"+1", 0),
    (b"--1", 1),
    (b".5", 0),
    (b"-.5", 1),
    (b"1.e5", 2),
    (b"1.5.5", 3),
    (b"1e5e5", 3),
    (b"1e5.5", 3),
    (b"0x10", 1),
    (b"1_000", 1),
    (b"1a", 1),
    (b"1.5f", 3),
    (b"0e+", 3),
    (b"1.0e-", 5),
    (b"0.e1", 2),
    (b"2.e+3", 2),
    (b"1eE2", 2),
    (b"1 000.0", 2),
    (b"- 1", 1),
    (b"[1-2]", 2),
    (b"[+Inf]", 1),
    (b"\xef\xbc\x91", 0), // a wide 1
    // Strings.
    (b"'a'", 0),
    (b"\"\n\"", 1),
    (b"\"\t\"", 1),
    (b"\"a\x00\"", 2),
    (b"\"\x1f\"", 1),
    (b"\"\\a\"", 1),
    (b"\"\\'\"", 1),
    (b"\"\\x00\"", 1),
    (b"\"\\U0041\"", 1),
    (b"\"\\u00g0\"", 1),
    (b"\"\\u 041\"", 1),
    (b"\"\\\n\"", 1),
    (b"[\\u000A\"\"]", 1),
    (b"\"\\\"", 3),
    (b"\"\\\xf0\x9f\x8c\x80\"", 1),
    (b"\"\\u", 3),
    // Other things.
    (b"// a\n1", 0),
    (b"/* a */ 1", 0),
    (b"[1 // a\n]", 3),
    (b"{\"a\":/*b*/1}", 5),
    (b"{\"a\":1}#", 7),
    (b"[][]", 2),
    (b"[\xe2\x81\xa0]", 1), // a joiner of words
    (b"\x0c1", 0),
    (b"\xc2\xa01", 0), // a space that does not break
    (b"<a>", 0),
    (b"*", 0),
    // Not UTF-8.
    (b"\"\xff\"", 1),
    (b"\"a\xc3\x28\"", 2),
    (b"\"\\n\xe2\x82\"", 3),
    (b"\"\xc0\x80\"", 1),
    (b"\"\xed\xa0\x80\"", 1),
    (b"\"\xf4\x90\x80\x80\"", 1),
    (b"[\xff]", 1),
    (b"\xff", 0),
    (b"\xff\xfe1\x00", 0), // UTF-16
];

/// The cases that the standard leaves open: the result, and the reason.
const CHOSEN: &[(&[u8], Result<&str, u64>, &str)] = &[
    (
        br#"{"a":1,"a":2}"#,
        Ok(r#"{"a":2}"#),
        "the last of equal keys wins, as in most readers and in the seed",
    ),
    (
        br#"{"a":1,"\u0061":null}"#,
        Ok(r#"{"a":null}"#),
        "keys are compared as they are meant, not as they are written",
    ),
    (
        b"\xef\xbb\xbf1",
        Err(0),
        "a byte order mark is not of JSON, and the standard forbids to send one",
    ),
    (b"-0", Ok("-0.0"), "the integer has no sign, so a float keeps it"),
    (
        b"18446744073709551615",
        Ok("18446744073709551615"),
        "integers of 64 bits stay",
    ),
    (b"9223372036854775808", Ok("9223372036854775808"), "as above"),
    (
        b"[18446744073709551616]",
        Ok("[1.8446744073709552e19]"),
        "a larger integer is the nearest double",
    ),
    (b"1e400", Err(0), "it would become infinite"),
    (b"[-1e-400]", Ok("[-0.0]"), "the nearest double is zero"),
    (b"5e-324", Ok("5e-324"), "the smallest double there is"),
    (
        b"0.1000000000000000055511151231257827",
        Ok("0.1"),
        "the nearest double, as in other parsers",
    ),
    (
        b"[0.10000000000000001]",
        Ok("[0.1]"),
        "the nearest double is this, rounded to 17 digits",
    ),
    (b"[4.9e-324]", Ok("[5e-324]"), "as above, rounded to two"),
    (b"[4.8e-324]", Ok("[5e-324]"), "as above"),
    (b"[9007199254740993.0]", Ok("[9007199254740992.0]"), "as above"),
    (
        b"[0.10000000000000000000]",
        Ok("[0.1]"),
        "zeros at the end are no more digits",
    ),
    (
        br#""\ud800""#,
        Err(1),
        "half of a pair is no character, and a text has only characters",
    ),
    (br#""\udc00""#, Err(1), "as above"),
    (br#""\ud800\ud800""#, Err(1), "as above"),
    (br#""\ud800a""#, Err(1), "as above"),
    (br#""\ud888\u1234""#, Err(1), "as above"),
    (br#""\udd1e\ud834""#, Err(1), "a pair the wrong way round, as above"),
    (
        b"\"\xfc\x83\xbf\xbf\xbf\xbf\"",
        Err(1),
        "the longer forms of a character are not UTF-8 any more",
    ),
    (
        b"[100000000000000000000]",
        Ok("[1e20]"),
        "the double is exactly this number",
    ),
    (
        b"[123123123123123123123]",
        Ok("[1.2312312312312313e20]"),
        "the nearest double",
    ),
    (b"[0.5e00000001]", Ok("[5.0]"), "an exponent may have zeros before it"),
    (
        b"[1.5e+9999999999999999999]",
        Err(1),
        "an exponent may be of any length, but this one is too large",
    ),
    (
        b"\"\xef\xbf\xbf\xf0\x9f\xbf\xbe\"",
        Ok("\"\u{ffff}\u{1fffe}\""),
        "non-characters are code points like others",
    ),
    (
        b"[\"\x7f\"]",
        Ok("[\"\x7f\"]"),
        "only what is below the space must be escaped",
    ),
    (b"1", Ok("1"), "a document is any value, as in the newer standard"),
];

/// Gives one byte at a time, so that every token crosses the end of a block.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}

/// The result of reading a document in both ways.
fn read(document: &[u8]) -> Result<Item, ParseError> {
    let (whole, drops) = (json::parse(document), Parser::new().read(Drops(document)));
    let shown = document.escape_ascii();
    match (&whole, &drops) {
        (Ok(whole), Ok(drops)) => assert!(whole.same_content(drops), "{shown}"),
        (Err(whole), Err(drops)) => {
            assert_eq!(whole.to_string(), drops.to_string(), "{shown}");
            assert_eq!(whole.offset(), drops.offset(), "{shown}");
        }
        _ => panic!("{shown}: {whole:?} from memory, {drops:?} from a reader"),
    }
    whole
}

#[track_caller]
fn is_printed_as(document: &[u8], printed: &str) {
    let shown = document.escape_ascii();
    let item = read(document).unwrap_or_else(|error| panic!("{shown}: {error}"));
    let again = json::to_string(&item).unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert_eq!(again, printed, "{shown}");
    assert!(
        read(again.as_bytes()).is_ok_and(|again| again.same_content(&item)),
        "{shown}"
    );
}

#[track_caller]
fn is_refused_at(document: &[u8], offset: u64) {
    let shown = document.escape_ascii();
    match read(document) {
        Ok(item) => panic!("{shown} is {item:?}"),
        Err(error) => assert_eq!(error.offset(), offset, "{shown}: {error}"),
    }
}

#[test]
fn what_is_json_is_accepted() {
    for (document, printed) in ACCEPTED {
        is_printed_as(document.as_bytes(), printed);
    }
}

#[test]
fn what_is_no_json_is_refused_where_it_stops_being_any() {
    for (document, offset) in REFUSED {
        is_refused_at(document, *offset);
    }
}

#[test]
fn what_is_left_open_is_decided() {
    for (document, decision, reason) in CHOSEN {
        println!("{}: {reason}", document.escape_ascii());
        match decision {
            Ok(printed) => is_printed_as(document, printed),
            Err(offset) => is_refused_at(document, *offset),
        }
    }
}

#[test]
fn the_public_list_is_kept() {
    for (name, document, printed) in suite::ACCEPTED {
        println!("y_{name}");
        is_printed_as(document.as_bytes(), printed);
    }
    for (name, document, offset) in suite::REFUSED {
        println!("n_{name}");
        is_refused_at(document, *offset);
    }
    for (name, document, offset, reason) in suite::OPEN {
        println!("i_{name}: {reason}");
        is_refused_at(document, *offset);
    }
    // n_structure_100000_opening_arrays, n_structure_open_array_object, i_structure_500_nested_arrays
    is_refused_at(&b"[".repeat(100_000), 100_000);
    is_refused_at(&b"[{\"\":".repeat(50_000), 250_000);
    let nested = "[".repeat(500) + &"]".repeat(500);
    is_printed_as(nested.as_bytes(), &nested);
}

#[test]
fn errors_know_line_and_column() {
    let error = read(b"[\n  1,\r\n  \"\xc3\xa4\" x\n]").expect_err("no comma");
    assert_eq!((error.line(), error.column(), error.offset()), (3, 8, 15));
    assert_eq!(error.to_string(), "line 3, column 8: expected `,` or `]`");
    let error = read(b"\n\n").expect_err("empty");
    assert_eq!((error.line(), error.column()), (3, 1));
    // Far behind what a reader still has.
    let digits = "9".repeat(200_000);
    let error = read(format!("[1,\n {digits}1]").as_bytes()).expect_err("too large");
    assert_eq!((error.line(), error.column(), error.offset()), (2, 2, 5));
    let lines = "\n".repeat(200_000);
    let error = read(format!("[{lines}  x]").as_bytes()).expect_err("no value");
    assert_eq!((error.line(), error.column(), error.offset()), (200_001, 3, 200_003));
}

#[test]
fn a_null_is_nothing_that_counts() {
    let list = json::parse("[null]").unwrap().to_list().unwrap();
    let is_one_nothing = |items: &Items| items.len() == 1 && items.is_none(0);
    assert!(is_one_nothing(&list.read()));
    let table = json::parse(r#"{"a":null}"#).unwrap().to_table().unwrap();
    assert!(table.read().len() == 1 && table.read().contains_key("a") && table.read().get("a").is_none());
}

/// Every class of numbers, boxes and refs alike, and what reads back as the same value.
#[test]
fn numbers_of_all_classes_are_printed() {
    let items: [(Item, &str); 16] = [
        (true.into(), "true"),
        (BoolBox::new(false).into(), "false"),
        (BoolRef::new(true).into(), "true"),
        (7_u8.into(), "7"),
        (ByteBox::new(255).into(), "255"),
        (ByteRef::new(0).into(), "0"),
        (IntBox::new(i32::MIN).into(), "-2147483648"),
        (IntRef::new(7).into(), "7"),
        (LongBox::new(i64::MIN).into(), "-9223372036854775808"),
        (LongRef::new(7).into(), "7"),
        (0.1_f32.into(), "0.1"),
        (FloatBox::new(-0.0).into(), "-0.0"),
        (FloatRef::new(2.0).into(), "2.0"),
        (DoubleBox::new(0.1).into(), "0.1"),
        (DoubleRef::new(1e300).into(), "1e300"),
        (f32::MAX.into(), "3.4028235e38"),
    ];
    for (item, printed) in items {
        assert_eq!(json::to_string(&item).as_deref(), Ok(printed), "{item:?}");
        let back = json::parse(printed).expect("JSON");
        assert_eq!(
            back.as_float(),
            item.as_float().or_else(|| item.as_byte().map(f32::from)),
            "{item:?}"
        );
        assert_eq!(back.as_bool(), item.as_bool(), "{item:?}");
    }
}
