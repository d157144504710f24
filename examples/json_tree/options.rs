//! [`Options`]: what the command line says.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use acedia_collections::{Item, Pointer};
use acedia_json as json;
use lexopt::prelude::*;

/// Printed by `--help`.
pub(crate) const HELP: &str = "\
Reads JSON into lists and tables, changes it, and prints the items that the POINTERs name.

Usage: cargo run --release --example json_tree -- [OPTIONS] [FILE] [POINTER]...

  FILE       a file, or - for standard input [default: -]
  POINTER    a JSON Pointer to an item, like /players/0/name; without any, the whole document is printed

Options:
      --set POINTER=JSON  sets the item at POINTER; its list or table must exist
      --remove POINTER    removes the item at POINTER; in a list, null takes its place
      --patch FILE        changes the document by a JSON Patch (RFC 6902)
      --merge FILE        changes the document by a JSON Merge Patch (RFC 7396)
      --diff FILE         prints the JSON Patch that turns this document into FILE
      --print             prints the whole document after the items
      --pretty            prints each element of an array or object on a line of its own
      --sorted            prints keys in alphabetical order instead of document order
      --color             prints colours, for a terminal
      --depth N           how deeply lists and tables may be nested [default: 131072]
      --exact             refuses numbers that an f64 cannot hold exactly; otherwise the nearest f64 is taken
  -h, --help              print this

Changes are made in the order given, before any item is printed. Exit status: 0 if every pointer refers to
an item, null included; 1 if one refers to no item; 2 if something could not be read or changed.
";

/// A document that is no JSON, as a line that editors can follow: `FILE:LINE:COLUMN: what is wrong`.
#[derive(Debug)]
pub(crate) struct Misread(String);

impl Misread {
    pub(crate) fn boxed(file: impl fmt::Display, error: &json::ParseError) -> Box<dyn Error> {
        Box::new(Self(error.in_file(file)))
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misread {}

/// A change to the document.
#[derive(Debug)]
pub(crate) enum Edit {
    /// Puts an item there.
    Set(Pointer, Item),
    /// Takes the item out.
    Remove(Pointer),
    /// Applies a JSON Patch.
    Patch(Item),
    /// Applies a JSON Merge Patch.
    Merge(Item),
}

/// The parsed command line.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the command line, each by itself"
)]
pub(crate) struct Options {
    /// None for standard input.
    pub(crate) file: Option<PathBuf>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) pointers: Vec<String>,
    /// The document to compare with.
    pub(crate) other: Option<Item>,
    pub(crate) is_printed: bool,
    pub(crate) is_pretty: bool,
    pub(crate) is_colored: bool,
    pub(crate) depth: Option<usize>,
    pub(crate) is_sorted: bool,
    pub(crate) is_exact: bool,
}

impl Options {
    /// Reads the command line. `None` if help was asked for.
    pub(crate) fn parse(arguments: lexopt::Parser) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self::default();
        let mut arguments = arguments;
        let mut has_file = false;
        while let Some(argument) = arguments.next()? {
            match argument {
                Value(file) if !has_file => {
                    has_file = true;
                    options.file = (file != "-").then(|| file.into());
                }
                Value(pointer) => options.pointers.push(pointer.string()?),
                Long("set") => options.edits.push(set(&arguments.value()?.string()?)?),
                Long("remove") => {
                    let pointer = arguments.value()?.string()?;
                    options.edits.push(Edit::Remove(Pointer::from(&*pointer)));
                }
                Long("patch") => options.edits.push(Edit::Patch(document(&arguments.value()?)?)),
                Long("merge") => options.edits.push(Edit::Merge(document(&arguments.value()?)?)),
                Long("diff") => options.other = Some(document(&arguments.value()?)?),
                Long("print") => options.is_printed = true,
                Long("pretty") => options.is_pretty = true,
                Long("color") => options.is_colored = true,
                Long("depth") => options.depth = Some(arguments.value()?.parse()?),
                Long("sorted") => options.is_sorted = true,
                Long("exact") => options.is_exact = true,
                Short('h') | Long("help") => return Ok(None),
                _ => return Err(argument.unexpected().into()),
            }
        }
        options.is_printed |= options.pointers.is_empty() && options.other.is_none();
        Ok(Some(options))
    }
}

/// A document in a file.
fn document(path: &OsStr) -> Result<Item, Box<dyn Error>> {
    let path = Path::new(path);
    let named = |error: &dyn Error| format!("{}: {error}", path.display());
    let text = fs::read(path).map_err(|error| named(&error))?;
    json::parse(text).map_err(|error| Misread::boxed(path.display(), &error))
}

/// `POINTER=JSON`. The first `=` ends the pointer.
fn set(text: &str) -> Result<Edit, Box<dyn Error>> {
    let (pointer, value) = text.split_once('=').ok_or("--set needs POINTER=JSON")?;
    let item = json::parse(value).map_err(|error| Misread::boxed(format!("--set {pointer}"), &error))?;
    Ok(Edit::Set(Pointer::from(pointer), item))
}
