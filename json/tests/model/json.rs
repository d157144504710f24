//! JSON, read and printed, with `serde_json` as the model.

use std::io::{self, Read};

use acedia_collections::{Item, Nested as _, View};
use acedia_json::{Decimals, Parser, Printer, Problem, Unprintable};
use serde_json::Value;

/// The depth limit of the model.
const DEEPEST: usize = 127;

/// Gives a few bytes at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.0.len().min(3);
        self.0.read(&mut buffer[..len])
    }
}

/// Reads `document` in every way, prints it and reads it again. Whether it was JSON.
///
/// # Panics
///
/// If the ways disagree, with each other or with the model.
#[must_use]
pub fn run(document: &[u8]) -> bool {
    let parser = Parser::new().max_depth(DEEPEST);
    let exact = parser.decimals(Decimals::Exact);
    let model = serde_json::from_slice::<Value>(document);
    let (item, read) = (parser.parse(document), parser.read(Drops(document)));
    let item = match (item, read) {
        (Ok(item), Ok(read)) => {
            assert!(item.same_content(&read), "{document:?}");
            item
        }
        (Err(error), Err(read)) => {
            assert_eq!(error.to_string(), read.to_string());
            assert!(error.offset() <= document.len() as u64);
            let lines = document.split(|byte| *byte == b'\n').count() as u64;
            assert!(error.line() <= lines && error.column() <= document.len() as u64 + 1);
            assert!(model.is_err(), "{error}, but the model has {model:?}");
            assert!(exact.parse(document).is_err(), "{document:?}");
            return false;
        }
        (item, read) => panic!("{item:?} from memory, {read:?} from a reader"),
    };
    assert_same(&item, &model.expect("JSON for the model too"));
    match exact.parse(document) {
        Ok(exact) => assert!(exact.same_content(&item), "{document:?}"),
        Err(error) => assert!(matches!(error.problem(), Problem::Inexact), "{error}"),
    }
    for printer in [Printer::new(), Printer::new().pretty()] {
        let printer = printer.unprintable(Unprintable::Refuse);
        let text = printer.print(&item).expect("JSON can say it");
        assert_eq!(printer.print_text(&item).expect("as above").to_string(), text);
        let again = exact.parse(&text).expect("printed JSON");
        assert!(again.same_content(&item), "{text}");
        assert_same(&item, &serde_json::from_str(&text).expect("JSON for the model too"));
    }
    true
}

fn assert_same(item: &Item, model: &Value) {
    match model {
        Value::Null => assert!(item.is_none()),
        Value::Bool(value) => assert_eq!(item.as_bool(), Some(*value)),
        Value::Number(number) => {
            if let Some(value) = number.as_i64() {
                assert_eq!(item.as_long(), Some(value));
                let fits = i32::try_from(value).is_ok();
                assert_eq!(matches!(item.view(), View::Int(_)), fits, "{value}");
            } else if let Some(value) = number.as_u64() {
                assert_eq!(item.as_ulong(), Some(value));
            } else {
                let (ours, theirs) = (item.as_double(), number.as_f64());
                assert_eq!(ours.map(f64::to_bits), theirs.map(f64::to_bits));
            }
        }
        Value::String(value) => assert_eq!(item.to_string().as_ref(), Some(value)),
        Value::Array(values) => {
            assert_eq!(item.to_list().expect("a list").read().len(), values.len());
            for (index, value) in values.iter().enumerate() {
                assert_same(&item.get_by(&*format!("/{index}")), value);
            }
        }
        Value::Object(entries) => {
            let table = item.to_table().expect("a table");
            assert_eq!(table.read().len(), entries.len());
            for (key, value) in entries {
                assert!(table.read().contains_key(key));
                assert_same(&table.read()[key], value);
            }
        }
    }
}
