//! Valid and invalid JSON: the list of cases in `cases.txt`, each from memory and from a reader.
use crate::Drops;
use acedia_boxes::{
    BoolBox, BoolRef, ByteBox, ByteRef, DoubleBox, DoubleRef, FloatBox, FloatRef, IntBox, IntRef, LongBox, LongRef,
};
use acedia_collections::Item;
use acedia_json::{self as json, ParseError, Parser};

/// The result of both ways to read a document.
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

/// The document of a row.
fn unescape(escaped: &str) -> Vec<u8> {
    let mut parts = escaped.split('\\');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    while let Some(part) = parts.next() {
        match part.strip_prefix('x') {
            Some(part) => {
                bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
                bytes.extend(&part.as_bytes()[2..]);
            }
            // Two backslashes are one.
            None => bytes.extend([b"\\", parts.next().unwrap().as_bytes()].concat()),
        }
    }
    bytes
}

/// The columns of the rows.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let rows = include_str!("cases.txt").lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split('\t').collect())
}

/// The documents of common mistakes, and their errors.
fn mistakes() -> impl Iterator<Item = (Vec<u8>, &'static str)> {
    let rows = include_str!("mistakes.txt").lines().skip(1);
    rows.filter_map(|row| row.split_once('\t'))
        .map(|(document, error)| (unescape(document), error))
}

/// All these documents, and whether they are JSON.
pub(crate) fn documents() -> impl Iterator<Item = (bool, Vec<u8>)> {
    let rows = rows().map(|columns| (columns[0] == "y", unescape(columns[2])));
    rows.chain(mistakes().map(|(document, _)| (false, document)))
}

#[test]
fn common_mistakes_have_names() {
    for (document, expected) in mistakes() {
        let error = read(&document).expect_err("a mistake").in_file("");
        assert_eq!(error.trim_start_matches(':'), expected, "{}", document.escape_ascii());
    }
}

#[test]
fn each_document_is_printed_or_refused() {
    for columns in rows() {
        let document = unescape(columns[2]);
        match columns[0] {
            "y" => is_printed_as(&document, std::str::from_utf8(&unescape(columns[3])).unwrap()),
            _ => is_refused_at(&document, columns[3].parse().unwrap()),
        }
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
    // Far behind the bytes that a reader keeps.
    let digits = "9".repeat(200_000);
    let error = read(format!("[1,\n {digits}1]").as_bytes()).expect_err("too large");
    assert_eq!((error.line(), error.column(), error.offset()), (2, 2, 5));
    let lines = "\n".repeat(200_000);
    let error = read(format!("[{lines}  x]").as_bytes()).expect_err("no value");
    assert_eq!((error.line(), error.column(), error.offset()), (200_001, 3, 200_003));
}

/// All classes of numbers, boxes and refs, and their values when they are read back.
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
