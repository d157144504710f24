#![doc = include_str!("../README.md")]
//!
//! | To | Use |
//! |---|---|
//! | read a document | [`parse`], [`from_reader`] |
//! | read within limits, read a prefix of a text, or read many values | [`Parser`] |
//! | read NDJSON, and continue after a wrong line | [`Parser::lines`] |
//! | print on one line | [`to_string`], [`to_writer`], [`show`] |
//! | print on several lines, or in color | [`Printer`] |
//! | write JSON in Rust code | [`json!`](crate::json!) |
//! | change a copy of a document by JSON Patch or JSON Merge Patch | [`patch()`], [`merge_patch`]; within limits, [`Patcher`] |
//! | change the document itself | [`patch_in_place`], [`merge_patch_in_place`] |
//! | find the place of an error | [`ParseError`], [`PrintError`], [`PatchError`] |
//!
//! The parser accepts what `serde_json` accepts, with two differences: it also accepts deeper nesting, and it rejects numbers
//! of more than 65,536 bytes. Integers of up to 64 bits keep their values. Other numbers become the nearest `f64`; with
//! [`Decimals::Exact`], a number that an `f64` would change is an error. Parsing and printing use a fixed amount of stack at
//! any depth of nesting.
//!
//! # Not supported
//!
//! * Comments, trailing commas, single quotes, `NaN`: each has an error of its own in [`Problem`].
//! * Encodings other than UTF-8, and byte order marks.
//! * An error for repeated keys. The last value wins.
//! * Parsing into structs. Use `acedia_collections::from_item` with the feature `serde`, or `serde_json`.

// document ──► Source: Slice or Reader ──► parse ──► Notes: Stack of items, Shapes of keys ──► lists and tables
// items ──► print ──► Page ──► Sheet ──► String ──► color

#![doc(html_root_url = "https://docs.rs/acedia-json/latest")]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

mod brief;
mod color;
mod error;
mod escape;
mod lines;
mod literal;
mod notes;
pub(crate) mod number;
mod page;
mod parse;
pub(crate) mod parser;
mod patch;
mod print;
mod printer;
mod reach;
mod reader;
mod scan;
mod shapes;
mod sheet;
mod show;
mod source;

pub use error::{ParseError, PrintError, Problem};
pub use parser::{Decimals, Parser};
pub use patch::{PatchError, PatchProblem, Patcher, merge_patch, merge_patch_in_place, patch, patch_in_place};
pub use printer::{Printer, Unprintable};
pub use show::{Shown, show};

use std::io;

use acedia_collections::Item;

/// Reads a document with the limits of [`Parser::new`].
///
/// ```
/// use acedia_json as json;
///
/// let list = json::parse("[1, null, true]").unwrap().to_list().unwrap();
/// assert_eq!(list.read().len(), 3);
/// assert!(list.read().is_none(1));
/// ```
///
/// # Errors
///
/// As [`Parser::parse`].
#[doc(alias(
    "from_str",
    "from_slice",
    "Parse",
    "IsNull",
    "ParseBoolean",
    "ParseNumber",
    "ParseString",
    "ParseIntegerVariableWith"
))]
pub fn parse(document: impl AsRef<[u8]>) -> Result<Item, ParseError> {
    Parser::new().parse(document)
}

/// Reads a document from a reader, 64 KiB at a time, with the limits of [`Parser::new`].
///
/// ```
/// use acedia_json as json;
///
/// let item = json::from_reader(&b"[1, 2]"[..])?;
/// assert_eq!(item.to_list().unwrap().read().len(), 2);
/// # Ok::<(), json::ParseError>(())
/// ```
///
/// # Errors
///
/// As [`Parser::read`].
pub fn from_reader(reader: impl io::Read) -> Result<Item, ParseError> {
    Parser::new().read(reader)
}

/// Prints in one line to a writer, in the form of [`to_string`]. The document is printed to memory first, so no collection is
/// locked while the writer waits.
///
/// ```
/// use acedia_collections::{ArrayList, Item};
/// use acedia_json as json;
///
/// let mut file = Vec::new();
/// json::to_writer(&mut file, &Item::from(ArrayList::from([1, 2])))?;
/// assert_eq!(file, b"[1,2]");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The writer fails, or printing fails with a [`PrintError`].
///
/// # Panics
///
/// As [`to_string`].
#[track_caller]
pub fn to_writer(mut writer: impl io::Write, item: &Item) -> io::Result<()> {
    let document = to_string(item).map_err(io::Error::other)?;
    writer.write_all(document.as_bytes())
}

/// Prints in one line, as [`Printer::new`] does. A value that JSON cannot express becomes `null` in a collection, and an entry whose key
/// is not a text is left out. To get an error instead, use [`Unprintable::Refuse`].
///
/// ```
/// use acedia_collections::{ArrayList, Item};
/// use acedia_json as json;
///
/// let list = Item::from(ArrayList::from([Item::from(1), Item::from("a\n"), Item::NONE]));
/// assert_eq!(json::to_string(&list)?, r#"[1,"a\n",null]"#);
/// # Ok::<(), json::PrintError>(())
/// ```
///
/// # Errors
///
/// As [`Printer::print`].
///
/// # Panics
///
/// As [`Printer::print`].
#[doc(alias("Print", "IsCompatible"))]
#[inline]
#[track_caller]
pub fn to_string(item: &Item) -> Result<String, PrintError> {
    Printer::new().print(item)
}

/// For the expansion of [`json!`].
#[doc(hidden)]
pub mod __private {
    pub use acedia_collections::{ArrayList, HashTable, Item};
}
