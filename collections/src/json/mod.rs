//! JSON: reads text into lists and tables, and prints lists and tables as text.
//!
//! ```
//! use acedia_collections::json;
//!
//! let config = json::parse(r#"{"name": "Bob", "lives": 3, "speed": [0.5, 1e300]}"#)?;
//! let table = config.as_table().unwrap();
//! table.write().set("lives", 2);
//! assert_eq!(table.read()["name"].as_string().as_deref(), Some("Bob"));
//! let again = json::parse(json::to_string(&config)?)?;
//! assert!(again.same_content(&config));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`parse`], [`Parser`] | reads a document from memory or a reader, with limits |
//! | [`to_string`], [`Printer`] | prints in one line or many, also in colours |
//! | [`ParseError`], [`PrintError`] | the errors, and the place of a parse error |
//!
//! Numbers keep their values: a number that no class of numbers holds exactly is refused, unless rounding is asked for
//! ([`Decimals::Nearest`]). Neither parsing nor printing uses stack per level of nesting.

// document ──► Source: Slice or Reader ──► parse ──► Notes: Stack of items, Shapes of keys ──► lists and tables
// items ──► print ──► Page ──► Sheet ──► String ──► color

mod brief;
mod color;
mod error;
mod escape;
mod notes;
pub(crate) mod number;
mod page;
mod parse;
pub(crate) mod parser;
mod print;
mod printer;
mod reach;
mod reader;
mod scan;
mod shapes;
mod sheet;
mod source;

pub use error::{ParseError, PrintError, Problem};
pub use parser::{Decimals, Parser};
pub use printer::{Printer, Unprintable};

use crate::Item;

/// Reads a document with the limits of [`Parser::new`].
///
/// ```
/// use acedia_collections::json;
///
/// let list = json::parse("[1, null, true]").unwrap().as_list().unwrap();
/// assert_eq!(list.read().len(), 3);
/// assert!(list.read().is_none(1));
/// ```
///
/// # Errors
///
/// As [`Parser::parse`].
#[doc(alias = "Parse")]
#[doc(alias = "IsNull")]
#[doc(alias = "ParseBoolean")]
#[doc(alias = "ParseNumber")]
#[doc(alias = "ParseString")]
pub fn parse(document: impl AsRef<[u8]>) -> Result<Item, ParseError> {
    Parser::new().parse(document)
}

/// Prints in one line, as [`Printer::new`] does. A value that JSON cannot express becomes `null` in a collection, and
/// an entry whose key is no text is left out. To get an error instead, use [`Unprintable::Refuse`].
///
/// ```
/// use acedia_collections::{ArrayList, Item, json};
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
/// As there.
#[doc(alias = "Print")]
#[doc(alias = "IsCompatible")]
#[track_caller]
pub fn to_string(item: &Item) -> Result<String, PrintError> {
    Printer::new().print(item)
}
