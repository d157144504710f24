//! [`Printer`]: from items to JSON.

use std::fmt::Write as _;
use std::mem;
use std::ptr;
use std::vec;

use acedia_allocator::{Class, Owned};
use acedia_text::Text;

use super::color;
use super::error::PrintError;
use super::escape::string;
use crate::collection::Collection;
use crate::item::Simple;
use crate::{Entries, Item, Items, View};

/// Prints items as JSON.
///
/// | item | JSON |
/// |---|---|
/// | nothing, and what was watched and is freed | `null` |
/// | `bool`s and numbers, boxes and refs of them | `true`, `false`, numbers that read back as the same value |
/// | texts, mutable or not | strings |
/// | lists | arrays |
/// | tables | objects, of the entries whose keys are immutable texts; in no order, unless [`sorted`](Self::sorted) |
/// | anything else, and floats that are no numbers | see [`Unprintable`] |
///
/// ```
/// use acedia_collections::json::Printer;
/// use acedia_collections::{ArrayList, HashTable, Item};
///
/// let item = Item::from(HashTable::from([("list", ArrayList::from([1, 2]))]));
/// assert_eq!(Printer::new().print(&item)?, r#"{"list":[1,2]}"#);
/// assert_eq!(Printer::new().pretty().print(&item)?, "\
/// {
///   \"list\": [
///     1,
///     2
///   ]
/// }");
/// # Ok::<(), acedia_collections::json::PrintError>(())
/// ```
///
/// # Threads
///
/// Each collection is locked while what stands directly in it is printed, and one at a time. If another thread changes the
/// collections meanwhile, what is printed is of different moments.
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a printer does nothing by itself"]
pub struct Printer {
    is_pretty: bool,
    is_sorted: bool,
    unprintable: Unprintable,
}

/// What becomes of what JSON cannot say: objects of other classes, floats that are infinite or not a number, keys that are no
/// texts, and collections that watch a collection they stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unprintable {
    /// In a collection it is `null`, and an entry is left out if its key is no text. Alone it is an error.
    #[default]
    LeaveOut,
    /// It is an error.
    Refuse,
}

/// More levels than this are not indented any further.
const DEEPEST: usize = 64;

impl Printer {
    /// In one line, without spaces.
    pub const fn new() -> Self {
        Self {
            is_pretty: false,
            is_sorted: false,
            unprintable: Unprintable::LeaveOut,
        }
    }

    /// One line for each item and entry, two spaces further in for each level, up to the 64th.
    #[doc(alias = "PrettyPrint")]
    pub const fn pretty(self) -> Self {
        Self {
            is_pretty: true,
            ..self
        }
    }

    /// The entries of tables in the order of their keys, by code points, so that equal tables are printed alike.
    ///
    /// ```
    /// use acedia_collections::json::{self, Printer};
    ///
    /// let item = json::parse(r#"{"b": 1, "a": {"d": 2, "c": 3}}"#).unwrap();
    /// assert_eq!(Printer::new().sorted().print(&item)?, r#"{"a":{"c":3,"d":2},"b":1}"#);
    /// # Ok::<(), json::PrintError>(())
    /// ```
    pub const fn sorted(self) -> Self {
        Self {
            is_sorted: true,
            ..self
        }
    }

    /// What becomes of what JSON cannot say.
    pub const fn unprintable(self, unprintable: Unprintable) -> Self {
        Self { unprintable, ..self }
    }

    /// Prints.
    ///
    /// # Errors
    ///
    /// The item alone is nothing that JSON could say, or something in it is and [`Unprintable::Refuse`] was asked for.
    pub fn print(self, item: &Item) -> Result<String, PrintError> {
        let mut out = String::new();
        let mut open: Vec<Frame> = Vec::new();
        open.extend(self.value(item, &[], &mut out)?);
        while let Some(frame) = open.last_mut() {
            let Some((start, child)) = frame.children.next() else {
                out.push_str(&frame.text[frame.printed..]);
                open.pop();
                continue;
            };
            out.push_str(&frame.text[mem::replace(&mut frame.printed, start)..start]);
            let inner = self.value(&child, &open, &mut out)?;
            open.extend(inner);
        }
        Ok(out)
    }

    /// As [`print`](Self::print), with colours for keys, strings, numbers and words.
    ///
    /// ```
    /// use acedia_collections::json::Printer;
    /// use acedia_collections::Item;
    ///
    /// let text = Printer::new().print_text(&Item::from(7))?;
    /// assert_eq!(*text, "7");
    /// assert!(text.format_at(0).color().is_some());
    /// # Ok::<(), acedia_collections::json::PrintError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As there.
    pub fn print_text(self, item: &Item) -> Result<Owned<Text>, PrintError> {
        Ok(color::colored(&self.print(item)?))
    }

    /// Prints a value. Of a collection in which there are others, the rest is given.
    fn value(self, item: &Item, open: &[Frame], out: &mut String) -> Result<Option<Frame>, PrintError> {
        let inner = Collection::with(item, |collection| {
            let place = place(collection);
            let is_watched = matches!(item.view(), View::Watched(_));
            if is_watched && open.iter().any(|frame| frame.place == place) {
                return self.without(PrintError::Cycle, open.is_empty(), out).map(|()| None);
            }
            let depth = open.len() + 1;
            let mut page = Page::new(out);
            match collection {
                Collection::List(list) => self.list(&list.read(), depth, &mut page)?,
                Collection::Table(table) => self.table(&table.read(), depth, &mut page)?,
            }
            Ok(page.rest(place))
        });
        inner.unwrap_or_else(|| {
            let printed = scalar(item, out);
            printed.or_else(|error| self.without(error, open.is_empty(), out))?;
            Ok(None)
        })
    }

    fn list(self, items: &Items, depth: usize, page: &mut Page<'_>) -> Result<(), PrintError> {
        page.out().push('[');
        for (index, item) in items.iter().enumerate() {
            self.separate(index == 0, depth, page.out());
            self.inner(item, page)?;
        }
        self.close(items.is_empty(), depth, page.out());
        page.out().push(']');
        Ok(())
    }

    fn table(self, entries: &Entries, depth: usize, page: &mut Page<'_>) -> Result<(), PrintError> {
        page.out().push('{');
        let mut is_first = true;
        if self.is_sorted {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by_cached_key(|(key, _)| key.as_string());
            for entry in sorted {
                is_first &= !self.entry(entry, is_first, depth, page)?;
            }
        } else {
            for entry in entries {
                is_first &= !self.entry(entry, is_first, depth, page)?;
            }
        }
        self.close(is_first, depth, page.out());
        page.out().push('}');
        Ok(())
    }

    /// Whether the entry was printed, and not left out.
    fn entry(
        self,
        (key, item): (&Item, &Item),
        is_first: bool,
        depth: usize,
        page: &mut Page<'_>,
    ) -> Result<bool, PrintError> {
        let class = key.class();
        if !class.is_some_and(Class::is::<Text>) {
            return match (self.unprintable, class) {
                (Unprintable::Refuse, Some(class)) => Err(PrintError::Key(class)),
                _ => Ok(false),
            };
        }
        let out = page.out();
        let before = out.len();
        self.separate(is_first, depth, out);
        if key.with(|text: &Text| string(text, out)).is_none() {
            // It was only watched, and has been freed since.
            out.truncate(before);
            return Ok(false);
        }
        out.push_str(if self.is_pretty { ": " } else { ":" });
        self.inner(item, page)?;
        Ok(true)
    }

    /// Prints what stands in a collection, or puts it off if it is a collection itself.
    fn inner(self, item: &Item, page: &mut Page<'_>) -> Result<(), PrintError> {
        if Collection::with(item, |_| ()).is_some() {
            page.put_off(item.clone());
            return Ok(());
        }
        let out = page.out();
        scalar(item, out).or_else(|error| self.without(error, false, out))
    }

    fn without(self, error: PrintError, is_alone: bool, out: &mut String) -> Result<(), PrintError> {
        if is_alone || self.unprintable == Unprintable::Refuse {
            return Err(error);
        }
        out.push_str("null");
        Ok(())
    }

    fn separate(self, is_first: bool, depth: usize, out: &mut String) {
        if !is_first {
            out.push(',');
        }
        self.begin_line(depth, out);
    }

    fn close(self, is_empty: bool, depth: usize, out: &mut String) {
        if !is_empty {
            self.begin_line(depth - 1, out);
        }
    }

    fn begin_line(self, depth: usize, out: &mut String) {
        if self.is_pretty {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
        }
    }
}

/// What tells one collection from another.
fn place(collection: Collection<'_>) -> usize {
    match collection {
        Collection::List(list) => ptr::from_ref(list).addr(),
        Collection::Table(table) => ptr::from_ref(table).addr(),
    }
}

/// The rest of a collection in which there are others, which are printed in between when the lock was given back.
struct Frame {
    place: usize,
    text: String,
    printed: usize,
    /// Where in the text they belong.
    children: vec::IntoIter<(usize, Item)>,
}

/// What stands directly in a collection: printed at once up to the first collection in it.
struct Page<'a> {
    out: &'a mut String,
    rest: String,
    children: Vec<(usize, Item)>,
}

impl<'a> Page<'a> {
    fn new(out: &'a mut String) -> Self {
        Self {
            out,
            rest: String::new(),
            children: Vec::new(),
        }
    }

    fn out(&mut self) -> &mut String {
        if self.children.is_empty() {
            self.out
        } else {
            &mut self.rest
        }
    }

    fn put_off(&mut self, child: Item) {
        self.children.push((self.rest.len(), child));
    }

    fn rest(self, place: usize) -> Option<Frame> {
        (!self.children.is_empty()).then(|| Frame {
            place,
            text: self.rest,
            printed: 0,
            children: self.children.into_iter(),
        })
    }
}

/// Prints what is no collection.
fn scalar(item: &Item, out: &mut String) -> Result<(), PrintError> {
    match Simple::of(item) {
        Simple::None => out.push_str("null"),
        Simple::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        Simple::Integer(value) => out.push_str(itoa::Buffer::new().format(value)),
        Simple::Double(value) => return double(value, out),
        Simple::Text => {
            if item.with_text(|text| string(text, out)).is_none() {
                // It was only watched, and has been freed since.
                out.push_str("null");
            }
        }
        Simple::Other(class) => return Err(PrintError::Class(class)),
    }
    Ok(())
}

/// The shortest decimal that reads back as the same double, and as no integer.
fn double(value: f64, out: &mut String) -> Result<(), PrintError> {
    if !value.is_finite() {
        return Err(PrintError::NotFinite);
    }
    // Writing to a string does not fail.
    let _ = write!(out, "{value:?}");
    Ok(())
}
