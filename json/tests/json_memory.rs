//! The memory that documents cost, all of which is freed. A single test in its process, because it counts bytes.
#![forbid(unsafe_code)]

use std::io::{self, Read};

use acedia::{Object, collect_garbage};
use acedia_collections::{ArrayList, HashTable, Item};
use acedia_json::{self as json, ParseError, Parser, Problem};
use acedia_text::Text;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const GIGABYTE: u64 = 1 << 30;
const MEGABYTE: usize = 1 << 20;

/// Repeats the same bytes.
struct Again<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *buffer {
            *byte = self.bytes[self.at];
            self.at = (self.at + 1) % self.bytes.len();
        }
        Ok(buffer.len())
    }
}

/// A gigabyte that begins with `start` and repeats `again`.
fn gigabyte(start: &'static str, again: &'static str) -> impl Read {
    let again = Again {
        bytes: again.as_bytes(),
        at: 0,
    };
    start.as_bytes().chain(again).take(GIGABYTE)
}

/// The result of `run`, and the peak of bytes that it allocated.
fn peak<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = run();
    (result, MEMORY.peak_usage() - before)
}

fn alive() -> u64 {
    [ArrayList::class(), HashTable::class(), Text::class()]
        .iter()
        .map(|class| class.stats().live)
        .sum()
}

#[test]
fn documents_cost_no_more_than_they_may() {
    gigabytes_that_are_refused();
    dense_documents();
    nothing_grows_with_the_number_of_documents();
}

type Check<'a> = &'a dyn Fn(&ParseError) -> bool;

fn gigabytes_that_are_refused() {
    let is_too_deep = |error: &ParseError| matches!(error.problem(), Problem::TooDeep(_));
    let is_too_large = |error: &ParseError| matches!(error.problem(), Problem::NumberTooLarge);
    let is_too_long = |error: &ParseError| matches!(error.problem(), Problem::TooLong(_));
    let (endless, short) = (Parser::new(), Parser::new().max_bytes(MEGABYTE as u64));
    let flat = Parser::new().max_depth(64);
    let cases: [(&str, &str, Parser, usize, Check<'_>); 10] = [
        ("", "[", endless, 32 * MEGABYTE, &is_too_deep),
        ("", "{\"a\":", endless, 64 * MEGABYTE, &is_too_deep),
        ("", "[", flat, MEGABYTE / 2, &is_too_deep),
        ("[", "9", endless, MEGABYTE, &is_too_large),
        ("-0.", "0", endless, MEGABYTE, &is_too_large),
        ("1e", "1", endless, MEGABYTE, &is_too_large),
        ("", " ", short, MEGABYTE, &is_too_long),
        ("\"", "text ", short, 4 * MEGABYTE, &is_too_long),
        ("\"", "\\n", short, 4 * MEGABYTE, &is_too_long),
        ("[", "[],", short, 64 * MEGABYTE, &is_too_long),
    ];
    for (start, again, parser, most, is_expected) in cases {
        let (result, bytes) = peak(|| parser.read(gigabyte(start, again)).map(drop));
        let error = result.expect_err("endless");
        assert!(is_expected(&error), "{start}{again}: {error}");
        assert!(bytes < most, "{start}{again}: {bytes} bytes");
        assert_eq!(alive(), 0, "{start}{again}");
        println!("{start}{again}…: {} KiB", bytes >> 10);
    }
}

/// Documents with as many objects as fit into their bytes.
fn dense_documents() {
    for part in [
        "1,",
        "[],",
        "{},",
        "\"\",",
        "[[1]],",
        "{\"a\":1},",
        "\"a longer text, as they are in most\",",
    ] {
        collect_garbage();
        let document = format!("[{}0]", part.repeat(MEGABYTE / 4 / part.len()));
        let (item, bytes) = peak(|| json::parse(&document).expect("JSON"));
        assert!(
            bytes < 100 * document.len(),
            "{part}: {bytes} bytes for {}",
            document.len()
        );
        println!("{part}: {} bytes for each of the document's", bytes / document.len());
        drop(item);
        assert_eq!(alive(), 0);
    }
}

fn nothing_grows_with_the_number_of_documents() {
    let document = format!(
        "[{}0]",
        "{\"name\":\"Bob\",\"list\":[1,2.5,3000000000,0.1,null,\"x\"]},".repeat(1000)
    );
    let broken = &document[..document.len() - 1];
    let round = || {
        let item: Item = json::parse(&document).expect("JSON");
        assert!(json::parse(broken).is_err());
        assert!(Parser::new().read(broken.as_bytes()).is_err());
        assert!(json::to_string(&item).is_ok_and(|printed| printed.len() > document.len() / 2));
    };
    let after = |rounds: u32| {
        (0..rounds).for_each(|_| round());
        collect_garbage();
        MEMORY.current_usage()
    };
    let (first, last) = (after(2), after(50));
    assert!(
        last <= first + (64 << 10),
        "{first} bytes at first, and {last} later on"
    );
    assert_eq!(alive(), 0);
}
