//! Hostile documents, which must leave nothing behind. A single test in its process, because it counts objects.
#![forbid(unsafe_code)]

use std::io::{self, Read};
use std::thread;

use acedia::{Object, class};
use acedia_boxes::{DoubleBox, LongBox, Vector, VectorArrayBox};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json::{self as json, Parser, PrintError, Printer, Problem, Unprintable};
use acedia_text::Text;

const DEEP: usize = 100_000;

#[test]
fn nothing_is_left_of_documents_that_mean_harm() {
    // On a small stack, so that recursion for each level would not fit.
    let small = thread::Builder::new().stack_size(256 << 10);
    let all = small.spawn(|| {
        for case in [
            truncated,
            deep,
            endless,
            too_long,
            large_numbers,
            not_utf8,
            failing_readers,
            unprintable,
            watched_circles,
            long_ways_by_handles,
        ] {
            case();
            assert_eq!(alive(), 0);
        }
    });
    all.expect("a thread").join().expect("no panic");
}

/// Objects of all classes that JSON uses.
fn alive() -> u64 {
    let classes = [
        ArrayList::class(),
        HashTable::class(),
        Text::class(),
        LongBox::class(),
        DoubleBox::class(),
    ];
    classes.iter().map(|class| class.stats().live).sum()
}

const DOCUMENT: &str = r#"{"list":[1,-2.5,9000000000000000000,0.1,"a\u00e4\n",{"x":[[],{}]},true,null],"":{"k":"v"}}"#;

/// Every beginning of a document, and every document with one byte changed.
fn truncated() {
    assert!(json::parse(DOCUMENT).is_ok());
    for end in 0..DOCUMENT.len() {
        let error = json::parse(&DOCUMENT[..end]).expect_err("broken off");
        assert!(error.offset() <= end as u64, "{error}");
        assert!(Parser::new().read(&DOCUMENT.as_bytes()[..end]).is_err());
    }
    let mut accepted = 0;
    for at in 0..DOCUMENT.len() {
        for byte in [0, b'"', b'\\', b'{', b']', b',', b'0', 0xff] {
            let mut changed = DOCUMENT.as_bytes().to_vec();
            changed[at] = byte;
            accepted += u32::from(json::parse(changed).is_ok());
        }
    }
    assert!(accepted > 10, "{accepted}");
}

fn deep() {
    let lists = "[".repeat(DEEP) + &"]".repeat(DEEP);
    let tables = "{\"a\":".repeat(DEEP) + "1" + &"}".repeat(DEEP);
    let mixed = "[1,{\"a\":".repeat(DEEP / 2) + "\"\"" + &"},2]".repeat(DEEP / 2);
    for document in [lists, tables, mixed] {
        let item = json::parse(&document).expect("not too deep");
        assert_eq!(json::to_string(&item).expect("printable"), document);
        let pretty = Printer::new().pretty().print(&item).expect("printable");
        assert!(pretty.len() > document.len() && pretty.len() < 200 * document.len());
        assert!(json::parse(&pretty).expect("is JSON").same_content(&item));
    }
}

/// Endless documents.
fn endless() {
    let error = Parser::new()
        .read(io::repeat(b'[').take(4 << 30))
        .expect_err("too deep");
    assert!(
        matches!(error.problem(), Problem::TooDeep(limit) if *limit >= DEEP),
        "{error}"
    );
    let brackets = "[".repeat(10 << 20);
    let error = json::parse(&brackets).expect_err("too deep");
    assert!(matches!(error.problem(), Problem::TooDeep(limit) if error.offset() == *limit as u64));
    let limited = Parser::new().max_depth(usize::MAX).max_bytes(1 << 20);
    assert!(matches!(
        limited.read(io::repeat(b'[')).unwrap_err().problem(),
        Problem::TooLong(_)
    ));
    assert!(matches!(
        limited.read(&br#"{"a":"#[..]).unwrap_err().problem(),
        Problem::Expected(_)
    ));
}

fn too_long() {
    let parser = Parser::new().max_bytes(4);
    for (document, fits) in [("[12]", true), ("[123]", false), ("[12] ", false), ("123", true)] {
        for result in [parser.parse(document), parser.read(document.as_bytes())] {
            match result {
                Ok(_) => assert!(fits, "{document}"),
                Err(error) => {
                    assert!(
                        !fits && matches!(error.problem(), Problem::TooLong(4)),
                        "{document}: {error}"
                    );
                    assert_eq!((error.offset(), error.column()), (4, 5));
                }
            }
        }
    }
    // An error before the limit is reported first.
    let error = parser.read(&b"x          "[..]).expect_err("no value");
    assert!(matches!(error.problem(), Problem::Expected(_)));
    assert_eq!(error.offset(), 0);
    let flat = Parser::new().max_depth(0);
    assert!(flat.parse("1").is_ok() && flat.parse("[]").is_err() && flat.parse("{}").is_err());
}

fn large_numbers() {
    let digits = "9".repeat(1 << 20);
    for number in [
        digits.clone(),
        format!("-{digits}"),
        format!("1e{digits}"),
        format!("1e-{digits}"),
    ] {
        for document in [number.clone(), format!("[[1],{number}]"), format!("{{\"a\":{number}}}")] {
            let error = json::parse(&document).expect_err("too large");
            assert!(matches!(error.problem(), Problem::NumberTooLarge), "{error}");
        }
    }
    let tenth = json::parse(format!("0.1{}", "0".repeat(1 << 15))).expect("a tenth");
    assert_eq!(tenth.as_double(), Some(0.1));
    let one = json::parse(format!("0.{}1e{}", "0".repeat((1 << 15) - 1), 1 << 15)).expect("one");
    assert_eq!(one.as_double(), Some(1.0));
}

fn not_utf8() {
    let mut document = format!("[\"{}\"]", "ä".repeat(100_000)).into_bytes();
    document[100_003] = 0xff;
    for error in [json::parse(&document), Parser::new().read(&document[..])] {
        let error = error.expect_err("not UTF-8");
        assert!(matches!(error.problem(), Problem::Utf8), "{error}");
        assert!((100_002..=100_003).contains(&error.offset()), "{}", error.offset());
    }
}

fn failing_readers() {
    /// Returns some bytes, is interrupted, and fails.
    struct Failing(u32);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                1 => (&b"[1, {\"a\": 2}, "[..]).read(buffer),
                2 => Err(io::ErrorKind::Interrupted.into()),
                3 => (&b"\"ab"[..]).read(buffer),
                _ => Err(io::Error::other("on purpose")),
            }
        }
    }
    struct Panicking;
    impl Read for Panicking {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("in the reader")
        }
    }
    /// Claims to have read more than fits.
    struct Boasting(&'static [u8; 2]);
    impl Read for Boasting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for (byte, given) in buffer.iter_mut().zip(self.0.iter().cycle()) {
                *byte = *given;
            }
            Ok(buffer.len() + 1)
        }
    }
    let error = Parser::new()
        .max_bytes(100_000)
        .read(Boasting(b"  "))
        .expect_err("too long");
    assert!(matches!(error.problem(), Problem::TooLong(100_000)), "{error}");
    let panics = io::repeat(b' ').take(70_000).chain(Panicking);
    let mut values = Parser::new().values(panics);
    let next = std::panic::AssertUnwindSafe(|| values.next());
    assert!(std::panic::catch_unwind(next).is_err());
    assert!(values.next().is_none(), "it has ended");
    let mut lines = Parser::new().lines(Boasting(b"1\n"));
    assert_eq!(lines.nth(100_000).expect("a line").expect("a number").as_int(), Some(1));
    let error = Parser::new().read(Failing(0)).expect_err("fails");
    assert!(matches!(error.problem(), Problem::Io(error) if error.to_string() == "on purpose"));
    assert_eq!(error.offset(), 17);
    assert!(std::error::Error::source(&error).is_some());
    // Even after a whole document, because more bytes could follow.
    let whole = (&b"[1] "[..]).chain(Failing(3));
    assert!(matches!(
        Parser::new().read(whole).unwrap_err().problem(),
        Problem::Io(_)
    ));
}

/// A class that JSON cannot express.
#[derive(Default)]
struct Thing;
impl Object for Thing {
    class!(Thing, "Test.Thing");
}

fn unprintable() {
    let strict = Printer::new().unprintable(Unprintable::Refuse);
    let (thing, nan) = (Item::from(Thing::allocate()), Item::from(f32::NAN));
    for (item, error) in [
        (&thing, PrintError::Class(Thing::class())),
        (&nan, PrintError::NotFinite),
    ] {
        assert_eq!(json::to_string(item), Err(error.clone()));
        let list = Item::from(ArrayList::from([Item::from(1), item.clone(), Item::from(2)]));
        assert_eq!(json::to_string(&list).as_deref(), Ok("[1,null,2]"));
        assert_eq!(strict.print(&list), Err(error.clone()));
        let nested = Item::from(ArrayList::from([list, item.clone()]));
        assert_eq!(json::to_string(&nested).as_deref(), Ok("[[1,null,2],null]"));
        assert_eq!(strict.print(&nested), Err(error));
    }
    // An array or vector can be printed; a NaN in it cannot.
    let places = VectorArrayBox::new([Vector::new(f32::NAN, 1.0, f32::INFINITY)]);
    let (array, list) = (Item::from(&places), Item::from(ArrayList::from([places])));
    assert_eq!(json::to_string(&array).as_deref(), Ok("[[null,1.0,null]]"));
    assert_eq!(
        Printer::new().pretty().print(&list).as_deref(),
        Ok("[\n  [[null,1.0,null]]\n]")
    );
    assert_eq!(strict.print(&array), Err(PrintError::NotFinite));
    // A skipped key leaves no comma behind.
    let table = HashTable::new();
    table.write().set(7, 1).set("a", 2).set(thing, 3).set(0.5, 4);
    let table = Item::from(table);
    assert_eq!(json::to_string(&table).as_deref(), Ok("{\"a\":2}"));
    assert_eq!(Printer::new().pretty().print(&table).as_deref(), Ok("{\n  \"a\": 2\n}"));
    assert!(matches!(strict.print(&table), Err(PrintError::Key(_))));
    // A freed object that is watched is printed as `null`.
    let gone = Item::from(ArrayList::from([Text::from("gone").handle()]));
    assert_eq!(strict.print(&gone).as_deref(), Ok("[null]"));
}

/// For each collection, printing checks whether the next one encloses it.
fn long_ways_by_handles() {
    const LENGTH: usize = if cfg!(debug_assertions) { 20_000 } else { 60_000 };
    let all: Vec<_> = (0..LENGTH).map(|_| ArrayList::new()).collect();
    for pair in all.windows(2) {
        // The second handle is to an enclosing list.
        pair[0].write().push(pair[1].handle()).push(pair[0].handle());
    }
    all[LENGTH - 1]
        .write()
        .push(all[0].handle())
        .push(all[LENGTH / 2].handle());
    let text = json::to_string(&Item::from(&all[0])).expect("leaves circles out");
    assert_eq!(text.len(), "[,null]".len() * (LENGTH - 1) + "[null,null]".len());
}

fn watched_circles() {
    let (outer, inner) = (ArrayList::new(), HashTable::new());
    inner.write().set("up", outer.handle()).set("self", inner.handle());
    outer.write().push(&inner).push(outer.handle()).push(1);
    let item = Item::from(&outer);
    let text = json::to_string(&item).expect("leaves circles out");
    assert!(
        text == "[{\"up\":null,\"self\":null},null,1]" || text == "[{\"self\":null,\"up\":null},null,1]",
        "{text}"
    );
    let strict = Printer::new().unprintable(Unprintable::Refuse);
    assert_eq!(strict.print(&item), Err(PrintError::Cycle));
    // A list that encloses twice does so until the outer one ends: inside `[1, …]` and after it.
    let (first, second) = (ArrayList::new(), ArrayList::new());
    second.write().push(1).push(&first).push(first.handle());
    first.write().push(second.handle()).push(first.handle());
    let item = Item::from(&first);
    assert_eq!(json::to_string(&item).as_deref(), Ok("[[1,[null,null],null],null]"));
    // Seen twice, but not in a cycle.
    let shared = Text::from("shared");
    let twice = Item::from(ArrayList::from([&shared, &shared]));
    assert_eq!(strict.print(&twice).as_deref(), Ok("[\"shared\",\"shared\"]"));
}
