//! Values that follow each other, values inside of longer texts, and errors for common mistakes.
use std::cell::Cell;
use std::io::{self, Read};

use crate::Drops;

use acedia_collections::Item;
use acedia_json::{self as json, json, show};
use acedia_json::{Decimals, Parser, Problem};

/// The printed values of a stream, and the error that ends it, read in one piece and byte by byte.
fn values(stream: &str) -> (Vec<String>, Option<String>) {
    let read = |values: &mut dyn Iterator<Item = Result<Item, json::ParseError>>| {
        let (mut all, mut error) = (Vec::new(), None);
        for value in &mut *values {
            match value {
                Ok(item) => all.push(show(&item).to_string()),
                Err(failed) => error = Some(failed.to_string()),
            }
        }
        assert!(values.next().is_none());
        (all, error)
    };
    let whole = read(&mut Parser::new().values(stream.as_bytes()));
    assert_eq!(
        whole,
        read(&mut Parser::new().values(Drops(stream.as_bytes()))),
        "{stream}"
    );
    whole
}

#[test]
fn values_follow_each_other() {
    for (stream, expected) in [
        ("", &[][..]),
        (" \n ", &[]),
        ("1", &["1"]),
        ("{\"a\":1}\n{\"a\":2}\r\n\n[3]", &["{\"a\":1}", "{\"a\":2}", "[3]"]),
        (
            "[][]{}\"a\"\"b\"null true",
            &["[]", "[]", "{}", "\"a\"", "\"b\"", "null", "true"],
        ),
        ("1 2.5\t-0\n[7]8", &["1", "2.5", "-0.0", "[7]", "8"]),
        ("1[2]", &["1", "[2]"]),
    ] {
        let (all, error) = values(stream);
        assert_eq!(
            (all, error),
            (expected.iter().map(ToString::to_string).collect(), None),
            "{stream}"
        );
    }
    for (stream, before, error) in [
        (
            "[1]\n[2,]\n[3]",
            1,
            "line 2, column 4: JSON does not allow a trailing comma before `]` or `}`",
        ),
        ("truefalse", 0, "line 1, column 5: expected the end of the value"),
        ("1true", 0, "line 1, column 2: expected the end of the value"),
        ("1 01", 1, "line 1, column 4: a number must not have leading zeros"),
        ("1,2", 1, "line 1, column 2: expected a value"),
        ("{\"a\":1}\n{\"a\":", 1, "line 2, column 6: expected a value"),
    ] {
        let (all, shown) = values(stream);
        assert_eq!((all.len(), shown.as_deref()), (before, Some(error)), "{stream}");
    }
}

/// Each line of a log is cut at each byte. No other line is lost, and the error has the right line number.
#[test]
fn a_torn_line_costs_one_line() {
    let records = [
        r#"{"id":1,"name":"a\"b","tags":["x",{"y":null}]}"#,
        r#"{"id":2,"name":"\u00e4","tags":[]}"#,
        "17",
        r#"[3,"\ud83d\ude00",-0.5e3]"#,
    ];
    let printed = |stream: &[u8]| -> Vec<Result<String, (u64, u64, bool)>> {
        let read = |lines: &mut dyn Iterator<Item = Result<Item, json::ParseError>>| {
            let shown = lines.map(|line| match line {
                Ok(item) => Ok(show(&item).to_string()),
                Err(error) => Err((error.line(), error.offset() + 1 - error.column(), error.is_eof())),
            });
            shown.collect::<Vec<_>>()
        };
        let whole = read(&mut Parser::new().lines(stream));
        assert_eq!(whole, read(&mut Parser::new().lines(Drops(stream))));
        whole
    };
    // Each line alone, except blank ones.
    let expected = |stream: &str| {
        let (mut start, count) = (0, stream.split('\n').count() as u64);
        let lines = (1_u64..).zip(stream.split('\n')).filter_map(|(number, line)| {
            let first = start;
            start += line.len() as u64 + 1;
            let read = json::parse(line).map(|item| show(&item).to_string());
            let read = read.map_err(|error| (number, first, error.is_eof() && number == count));
            (!line.trim().is_empty()).then_some(read)
        });
        lines.collect::<Vec<_>>()
    };
    for (torn, record) in records.iter().enumerate() {
        for len in 1..record.len() {
            for end in ["\r\n", "\n\n", "\n\t"] {
                let mut lines = records;
                lines[torn] = &record[..len];
                let stream = lines.join(end);
                let read = printed(stream.as_bytes());
                assert_eq!(read, expected(&stream), "{stream:?}");
                let errors = read.iter().filter(|line| line.is_err()).count();
                // A number is valid wherever it is cut.
                assert_eq!((read.len(), errors), (4, usize::from(*record != "17")));
            }
        }
    }
    assert_eq!(printed(b""), []);
    assert_eq!(printed(b"\n \r\n\t\n"), []);
    // Two values in a line, and a line that is not UTF-8.
    assert_eq!(
        printed(b"1 2\n\xff\n3"),
        [Err((1, 0, false)), Err((2, 4, false)), Ok("3".to_owned())]
    );
}

/// Returns a line, a part of another one, and then an error.
struct Fails(bool);
impl Read for Fails {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::replace(&mut self.0, true) {
            return Err(io::Error::other("lost"));
        }
        buffer[..4].copy_from_slice(b"1\n2 ");
        Ok(4)
    }
}

#[test]
fn the_limit_of_bytes_holds_for_each_line() {
    let lines = |stream: &str| {
        let all = Parser::new().max_bytes(4).lines(stream.as_bytes());
        let shown = all.map(|line| line.map_or_else(|error| error.to_string(), |item| show(&item).to_string()));
        shown.collect::<Vec<_>>()
    };
    let long = "x".repeat(200_000);
    for end in ["", "\n", "\n[1]"] {
        let mut expected = vec!["1234", "line 2, column 5: the document has more than 4 bytes", "[25]"];
        expected.extend(["line 4, column 5: the document has more than 4 bytes"]);
        expected.extend((end.len() > 1).then_some("[1]"));
        assert_eq!(lines(&format!("1234\n12345\n[25]\n{long}{end}")), expected);
    }
    let mut lines = Parser::new().lines(Fails(false));
    assert!(lines.next().is_some_and(|line| line.is_ok()));
    let error = lines.next().expect("an error").expect_err("the reader fails");
    assert_eq!(error.to_string(), "line 2, column 3: reading failed: lost");
    assert!(matches!(error.problem(), Problem::Io(_)) && !error.is_eof() && lines.next().is_none());
}

/// Wherever a block ends, the result and the place of an error are the same as in memory.
#[test]
fn a_block_may_end_anywhere() {
    let long = format!(
        "[\"{}\",0.{},-{}]",
        "long ".repeat(20),
        "1234567890".repeat(3),
        "9".repeat(25)
    );
    for document in [
        &*long,
        r#"[{"name":"Bob","on":true},{"name":"Ann","on":false},{"name":"a","on":null},{"name":"","on":[]}, {"on":1}   ]"#,
        r#"["plain","\ud83d\ude00 \u00e9\n\"\\","é😀漢字","\ud83d\ude00"]                                     "#,
        r"[1,-2,0.5,-0,-0.0,1e5,1E-5,12345678901234567890,-9223372036854775808,1234567.25,0]         ",
        r#"["\ud83d\u0041                                  "]"#,
        r#"["\ud83dx                                        "]"#,
        r#"["\ude00                                         "]"#,
        r#"["\uzz00                                         "]"#,
        r#"["\x                                             "]"#,
        "[\"a\u{1}                                            \"]",
        "[\"é and no end                                     ",
        "[truf,                                              1]",
        "[01,                                                1]",
        "[1.,                                                1]",
        "{\"a\":1,\"b\" 2                                     }",
    ] {
        split_anywhere(document.as_bytes());
    }
    for wrong in [&b"\xff"[..], b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"e\xcc"] {
        for end in [
            &b"\", 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]"[..],
            b"\\n and more text behind it\"]",
            b"",
        ] {
            split_anywhere(&[&b"[\"some text "[..], wrong, end].concat());
        }
    }
}

/// The last bytes of a document are read by words like the others.
#[test]
fn a_document_may_end_anywhere() {
    let long = format!("{{\"{0}\":1,\"{0}\":2}}", "k".repeat(40));
    let ends = "0|-0|7|-7|12345678|1234567890123456789|18446744073709551616|0.5|-0.25|1.|-|1e|1e5|01|\
        0.1234567890123456789|{\"id\":1,\"name\":\"a\"}|{\"id\":1,\"name\":-2}|{\"id\":1,\"name\":|\
        {\"id\":1,\"name\"|{\"id\":1,\"na|{\"id\":1,|{\"id\"|{|[1|[1,|1\0|{\"id\":1\0|\
        {\"id\":1,\"name\0|\u{feff}";
    for end in ends.split('|').chain([&*long]) {
        for spaces in 0..70 {
            let document = " ".repeat(spaces) + end;
            let whole = shown(json::parse(&document));
            assert_eq!(
                shown(Parser::new().read(Drops(document.as_bytes()))),
                whole,
                "{document:?}"
            );
        }
    }
}

fn shown(read: Result<Item, json::ParseError>) -> String {
    match read {
        Ok(item) => show(&item).to_string(),
        Err(error) => format!("{error}, offset {}, {}", error.offset(), error.is_eof()),
    }
}

fn split_anywhere(document: &[u8]) {
    let whole = shown(json::parse(document));
    for at in 0..document.len() {
        let (before, after) = document.split_at(at);
        let read = || before.chain(after);
        assert_eq!(shown(Parser::new().read(read())), whole, "split at {at}");
        // The second value expects the keys of the first one.
        let mut values = Parser::new().values(document.chain(read()));
        let first = values.next().expect("a value").map(drop);
        if first.is_ok() {
            assert_eq!(shown(values.next().expect("a value")), whole, "split at {at}");
        }
    }
}

/// Escapes of every code unit, alone and in pairs, in memory. Read byte by byte, they take the other code path.
#[test]
fn every_code_unit() {
    const UNITS: [u32; 9] = [0, 0x41, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
    let check = |units: &[u32], is_capital: bool, is_in_bytes: bool| {
        let mut document = String::from("\"");
        for unit in units {
            let digits = if is_capital {
                format!("{unit:04X}")
            } else {
                format!("{unit:04x}")
            };
            document.extend(["\\u", &digits]);
        }
        document.push('"');
        let all = units.iter().map(|unit| u16::try_from(*unit).unwrap());
        let expected: Result<String, _> = char::decode_utf16(all).collect();
        let check = |read: Result<Item, json::ParseError>| match (&read, &expected) {
            (Ok(item), Ok(expected)) => assert_eq!(item.to_string().as_ref(), Some(expected), "{document}"),
            (Err(error), Err(_)) => {
                assert!(matches!(error.problem(), Problem::Surrogate), "{document}: {error}");
                let wrong = units.len() == 2 && !(0xd800..0xe000).contains(&units[0]);
                assert_eq!(error.offset(), if wrong { 7 } else { 1 }, "{document}");
            }
            _ => panic!("{document}: {read:?}"),
        };
        check(json::parse(&document));
        if is_in_bytes {
            check(Parser::new().read(Drops(document.as_bytes())));
        }
    };
    for unit in 0..=0xffff {
        check(&[unit], unit % 2 == 0, unit % 16 == 0);
    }
    for first in UNITS.into_iter().chain((0xd800..0xe000).step_by(7)) {
        for second in UNITS {
            check(&[first, second], false, first % 2 == 0);
        }
    }
}

#[test]
fn values_have_the_keys_of_earlier_ones_on_any_thread() {
    let line = "{\"id\":1,\"name\":\"Bob\",\"tags\":[{\"id\":2}]}\n";
    let stream = line.repeat(5);
    let mut values = Parser::new().values(stream.as_bytes());
    let first: Vec<Item> = values.by_ref().take(3).map(Result::unwrap).collect();
    let others = std::thread::scope(|scope| {
        let read = scope.spawn(move || {
            let rest: Vec<Item> = values.map(Result::unwrap).collect();
            let changed = rest[0].to_table().unwrap();
            changed.write().remove("name");
            assert_eq!(show(&rest[0]).to_string(), "{\"id\":1,\"tags\":[{\"id\":2}]}");
            rest[1].clone()
        });
        read.join().unwrap()
    });
    for value in first.iter().chain([&others]) {
        assert_eq!(show(value).to_string(), line.trim_end());
    }
}

/// More keys and sequences than are remembered: the later ones have their own.
#[test]
fn a_stream_may_have_any_number_of_keys() {
    let line = |nth: u32| format!("{{\"a{nth}\":1,\"b{nth}\":{{\"c{nth}\":2}}}}");
    let stream: Vec<String> = (0..3000).flat_map(|nth| [line(nth), line(nth), line(nth)]).collect();
    let joined = stream.join("\n");
    let values = Parser::new().values(joined.as_bytes());
    let mut count = 0;
    for (value, line) in values.zip(&stream) {
        assert_eq!(show(value.unwrap()).to_string(), *line);
        count += 1;
    }
    assert_eq!(count, stream.len());
}

#[test]
fn a_reader_that_fails_ends_the_values() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("on purpose"))
        }
    }
    let failing = |text: &'static str| text.as_bytes().chain(Failing);
    // More digits of the number could follow, but nothing of the list.
    for (text, before) in [("[1] 2", 1), ("[1]", 1), ("", 0), ("[1] [", 1)] {
        let mut values = Parser::new().values(failing(text));
        for _ in 0..before {
            assert!(values.next().is_some_and(|value| value.is_ok()), "{text}");
        }
        let error = values.next().expect("the error").expect_err("fails");
        assert!(matches!(error.problem(), Problem::Io(_)), "{text}: {error}");
        assert!(values.next().is_none());
    }
}

/// Endless, and read in bounded memory: `json_memory.rs` measures documents.
#[test]
fn values_are_read_one_by_one() {
    let endless = io::repeat(b'7')
        .take(3)
        .chain(io::repeat(b'\n').take(1 << 24))
        .chain(io::repeat(b'['));
    let mut values = Parser::new().values(endless);
    assert_eq!(
        values.next().and_then(Result::ok).and_then(|item| item.as_int()),
        Some(777)
    );
    assert!(
        values
            .next()
            .is_some_and(|value| matches!(value.unwrap_err().problem(), Problem::TooDeep(_)))
    );
}

#[test]
fn a_value_inside_of_a_text() {
    for (text, value, rest) in [
        ("{\"a\":[1]} and more", "{\"a\":[1]}", " and more"),
        (" 7, 8", "7", ", 8"),
        ("\"a\"b", "\"a\"", "b"),
        ("null)", "null", ")"),
        ("[]", "[]", ""),
    ] {
        let (item, len) = Parser::new().parse_prefix(text).expect("a value");
        assert_eq!((show(&item).to_string().as_str(), &text[len..]), (value, rest));
    }
    // Bytes after the value need not be UTF-8.
    let (item, len) = Parser::new().parse_prefix(b"[1]\xff").expect("a value");
    assert!(len == 3 && item.to_list().is_some());
    for text in ["", "x", "[1", "7x", "1.5.5", "nullx"] {
        assert!(Parser::new().parse_prefix(text).is_err(), "{text}");
    }
    let short = Parser::new().max_bytes(3);
    assert!(short.parse_prefix("[1] [2]").is_ok());
    let error = short.parse_prefix("[12] [2]").expect_err("too long");
    assert!(matches!(error.problem(), Problem::TooLong(3)) && error.offset() == 3);
}

/// A call does not read the text after its value, so reading a whole text takes linear time.
#[test]
fn many_values_inside_of_a_text() {
    const VALUES: usize = if cfg!(miri) { 10 } else { 200_000 };
    let text = r#"{"a":1}"#.repeat(VALUES);
    let (mut rest, mut values) = (&*text, 0);
    while !rest.is_empty() {
        let (item, len) = Parser::new().parse_prefix(rest).expect("a value");
        values += usize::from(item.get("a").as_int() == Some(1));
        rest = &rest[len..];
    }
    assert_eq!(values, VALUES);
}

#[test]
fn json_in_the_source() {
    let (words, nothing) = (["a", "b"], None::<i32>);
    let item = json!({
        "expressions": [-1, 1 + 1, words.len(), [1, 2, 3].len(), words[0], nothing, Some(7),],
        "nested": [null, [], {}, [[true]], {"a": {"b": [1.5]}}],
        (words[1]): u64::MAX,
        "last": null,
    });
    assert_eq!(
        show(&item).to_string(),
        concat!(
            r#"{"expressions":[-1,2,2,3,"a",null,7],"nested":[null,[],{},[[true]],{"a":{"b":[1.5]}}],"#,
            r#""b":18446744073709551615,"last":null}"#
        )
    );
    assert!(json!(null).is_none() && json!("text").to_text().is_some() && json!(&item) == item);
}

/// Counts the reads that return no bytes.
struct Ending<'a>(&'a [u8], &'a Cell<usize>);

impl Read for Ending<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(1);
        let read = self.0.read(&mut buffer[..len])?;
        self.1.set(self.1.get() + usize::from(read == 0));
        Ok(read)
    }
}

/// At a terminal, the end would have to be typed again.
#[test]
fn a_reader_is_not_asked_again_after_its_end() {
    let ends = |document: &str, read: &dyn Fn(Ending<'_>)| {
        let count = Cell::new(0);
        read(Ending(document.as_bytes(), &count));
        assert_eq!(count.get(), 1, "{document:?}");
    };
    for document in [
        "", " ", "1", "-", "1.", "tru", "\"", "\"\\u1", "\"\u{e4}", "[1, 2]", "[1,", "{\"a\": ", "[1] ", "[[]]\n",
    ] {
        ends(document, &|reader| _ = json::from_reader(reader).is_ok());
        ends(document, &|reader| _ = Parser::new().values(reader).count());
        ends(document, &|reader| _ = Parser::new().lines(reader).count());
        ends(document, &|reader| _ = Parser::new().max_bytes(0).lines(reader).count());
        ends(document, &|reader| {
            let mut values = Parser::new().values(reader);
            for _ in 0..4 {
                values.next();
            }
        });
    }
}

/// Valid documents, with every token that can be cut.
const DOCUMENTS: &[&str] = &[
    r#" {"a": [1, -2.5, 0.125e+10, true, false, null], "b\n": {"c": "\u00e4\ud83d\ude00\/"}, "": []} "#,
    "\"\u{e4}\u{4e2d}\u{1f600} text of more than eight bytes\\\\\"",
    "-0.000000000000000000001E-30",
    "[123456789012345678901234567890, 9223372036854775808, 18446744073709551616]",
    "[[[{}], {\"k\": \"v\", \"k2\": {\"k\": \"v\"}}, {\"k\": 1, \"k2\": 2}]]",
    "[true,false,null,-1,1.5]\n",
    "\"\\ud834\\udd1e\\b\\f\\n\\r\\t\\\"\"",
];

#[test]
fn input_that_was_cut_off_is_no_wrong_input() {
    let huge = format!("[{}e-300]", "9".repeat(320));
    let (mut cut, mut wrong) = (0, 0);
    for document in DOCUMENTS.iter().copied().chain([&*huge]) {
        let document = document.as_bytes();
        json::parse(document).expect("valid");
        for parser in [Parser::new(), Parser::new().decimals(Decimals::Exact)] {
            if parser.parse(document).is_err() {
                continue;
            }
            for len in 0..document.len() {
                let prefix = &document[..len];
                let errors = |prefix: &[u8]| {
                    let errors = [parser.parse(prefix).err(), parser.read(Drops(prefix)).err()];
                    let answers = errors.map(|error| error.map(|error| (error.is_eof(), error.to_string())));
                    assert_eq!(answers[0], answers[1], "{:?}", String::from_utf8_lossy(prefix));
                    answers.into_iter().next().flatten()
                };
                if let Some((is_eof, error)) = errors(prefix) {
                    assert!(is_eof, "{error}: {:?}", String::from_utf8_lossy(prefix));
                    cut += 1;
                }
                // No valid document has this byte anywhere.
                let broken = [prefix, b"\x01"].concat();
                let (is_eof, error) = errors(&broken).expect("a wrong byte");
                assert!(!is_eof, "{error}: {:?}", String::from_utf8_lossy(&broken));
                wrong += 1;
            }
        }
    }
    assert!(cut > 500 && wrong > 500, "{cut} {wrong}");
    for wrong in [
        "[1x",
        "[1.x",
        "[trx",
        "[tru ",
        "-x",
        "1 2",
        "{\"a\" 1",
        "\"\\x",
        "\"\\ud800x",
        "\"\\ud800\\u0041",
        "01",
        "[1,]",
    ] {
        assert!(!json::parse(wrong).expect_err("wrong").is_eof(), "{wrong}");
        assert!(
            !json::from_reader(wrong.as_bytes()).expect_err("wrong").is_eof(),
            "{wrong}"
        );
    }
    assert!(!Parser::new().max_depth(0).parse("[").expect_err("a limit").is_eof());
    assert!(
        !Parser::new()
            .max_bytes(1)
            .read(&b"[["[..])
            .expect_err("a limit")
            .is_eof()
    );
    assert!(!json::parse("1".repeat(70_000)).expect_err("a limit").is_eof());
    let last = Parser::new().values(&b"[1]\n[2,"[..]).last().expect("two");
    assert!(last.expect_err("cut off").is_eof());
}
