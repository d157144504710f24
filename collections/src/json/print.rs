//! [`Printer`]: from items to JSON.

use std::fmt::Write as _;
use std::mem;
use std::ptr;
use std::vec;

use acedia_allocator::{Class, Owned};
use acedia_text::{MutableText, Text};

use super::color;
use super::error::PrintError;
use super::escape;
use crate::collection::Collection;
use crate::item::Simple;
use crate::{Entries, Item, Items, View};

/// Prints items as JSON.
///
/// | item | JSON |
/// |---|---|
/// | nothing, and what was watched and is freed | `null` |
/// | `bool`s and numbers, boxes and refs of them | `true`, `false`, numbers that read back as the same value |
/// | texts, mutable or not, and boxes and refs of strings | strings |
/// | lists | arrays |
/// | vectors, and boxes and refs of arrays | arrays, in one line; a vector has three numbers |
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
/// Each collection is locked while what stands in it is printed. One that another thread is changing is waited for only when
/// no other is locked, and so is every mutable text, so what is printed may be of different moments.
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

/// More levels than this are not indented any further, and not printed on one stack.
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
        let mut page = Page::default();
        let mut open: Vec<Frame> = Vec::new();
        open.extend(self.whole(item, None, &mut page)?);
        while let Some(frame) = open.last_mut() {
            let Some(Late { start, item, level }) = frame.late.next() else {
                page.out.push_str(&frame.text[frame.printed..]);
                page.levels.truncate(frame.levels);
                open.pop();
                continue;
            };
            page.out
                .push_str(&frame.text[mem::replace(&mut frame.printed, start)..start]);
            let inner = self.whole(&item, Some(level), &mut page)?;
            open.extend(inner);
        }
        Ok(page.out)
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

    /// Prints a value, while no collection is locked. What must be printed in between later is given.
    fn whole(self, item: &Item, outer: Option<usize>, page: &mut Page) -> Result<Option<Frame>, PrintError> {
        let levels = page.levels.len();
        let printed = Collection::with(item, |collection| {
            let is_watched = matches!(item.view(), View::Watched(_));
            if is_watched && page.is_around(place(collection), outer) {
                return self.without(PrintError::Cycle, outer.is_none(), &mut page.out);
            }
            let spot = page.enter(place(collection), outer, 0);
            match collection {
                Collection::List(list) => self.list(&list.read(), spot, page),
                Collection::Table(table) => self.table(&table.read(), spot, page),
            }
        });
        printed.unwrap_or_else(|| self.simple(&Simple::of(item), outer.is_none(), &mut page.out))?;
        Ok(page.rest(levels))
    }

    fn list(self, items: &Items, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        page.out.push('[');
        for (index, item) in items.iter().enumerate() {
            self.separate(index == 0, spot, page);
            self.inner(item, spot, page)?;
        }
        self.close(items.is_empty(), spot, page);
        page.out.push(']');
        page.leave(spot);
        Ok(())
    }

    fn table(self, entries: &Entries, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        page.out.push('{');
        let mut is_first = true;
        if self.is_sorted {
            let mut sorted: Vec<_> = entries.iter().collect();
            // Keys that are no immutable texts are not printed, and mutable ones are not waited for.
            sorted.sort_by_cached_key(|(key, _)| key.with(|text: &Text| text.to_string()));
            for entry in sorted {
                is_first &= !self.entry(entry, is_first, spot, page)?;
            }
        } else if let Some((shape, values)) = entries.shaped() {
            for (key, item) in shape.keys().iter().zip(values) {
                if self.is_pretty {
                    self.separate(is_first, spot, page);
                    page.out.push_str(key.json());
                } else {
                    page.out.push_str(key.json_after(is_first));
                }
                is_first = false;
                self.value(item, spot, page)?;
            }
        } else {
            for entry in entries {
                is_first &= !self.entry(entry, is_first, spot, page)?;
            }
        }
        self.close(is_first, spot, page);
        page.out.push('}');
        page.leave(spot);
        Ok(())
    }

    /// Whether the entry was printed, and not left out.
    fn entry(
        self,
        (key, item): (&Item, &Item),
        is_first: bool,
        spot: Spot,
        page: &mut Page,
    ) -> Result<bool, PrintError> {
        let class = key.class();
        if !class.is_some_and(Class::is::<Text>) {
            return match (self.unprintable, class) {
                (Unprintable::Refuse, Some(class)) => Err(PrintError::Key(class)),
                _ => Ok(false),
            };
        }
        let before = page.out.len();
        self.separate(is_first, spot, page);
        let out = &mut page.out;
        if key.with(|text: &Text| escape::text(text, out)).is_none() {
            // It was only watched, and has been freed since.
            out.truncate(before);
            return Ok(false);
        }
        out.push(':');
        self.value(item, spot, page)?;
        Ok(true)
    }

    /// Prints the item of an entry, after the colon.
    #[inline]
    fn value(self, item: &Item, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        if self.is_pretty {
            page.out.push(' ');
        }
        self.inner(item, spot, page)
    }

    /// Prints what stands in a collection, which is locked. A collection is put off if it would have to be waited for, or
    /// if the stack is deep enough; a mutable text always, because others may lock it for long.
    #[inline]
    fn inner(self, item: &Item, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        match item.view() {
            View::None => {
                page.out.push_str("null");
                return Ok(());
            }
            View::Int(value) => {
                page.out.push_str(itoa::Buffer::new().format(value));
                return Ok(());
            }
            View::Owned(object) => {
                if object.class().is::<Text>() {
                    if let Some(text) = object.downcast_ref::<Text>() {
                        escape::text(text, &mut page.out);
                        return Ok(());
                    }
                }
                if let Some(collection) = Collection::of(object) {
                    return self.collection(collection, item, spot, page);
                }
                if object.class().is::<MutableText>() {
                    page.put_off(item.clone(), spot.level);
                    return Ok(());
                }
            }
            View::Watched(handle) if handle.class().is::<MutableText>() || Collection::with(item, |_| ()).is_some() => {
                page.put_off(item.clone(), spot.level);
                return Ok(());
            }
            _ => {}
        }
        self.simple(&Simple::of(item), false, &mut page.out)
    }

    /// Prints a collection that `item` owns, or puts it off.
    fn collection(
        self,
        collection: Collection<'_>,
        item: &Item,
        spot: Spot,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        let nested = spot.nested + 1;
        if nested < DEEPEST {
            match collection {
                Collection::List(list) => {
                    if let Some(items) = list.try_read() {
                        let spot = page.enter(place(collection), Some(spot.level), nested);
                        return self.list(&items, spot, page);
                    }
                }
                Collection::Table(table) => {
                    if let Some(entries) = table.try_read() {
                        let spot = page.enter(place(collection), Some(spot.level), nested);
                        return self.table(&entries, spot, page);
                    }
                }
            }
        }
        page.put_off(item.clone(), spot.level);
        Ok(())
    }

    /// Prints what is no collection.
    fn simple(self, simple: &Simple, is_alone: bool, out: &mut String) -> Result<(), PrintError> {
        match simple {
            Simple::None => out.push_str("null"),
            Simple::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Simple::Integer(value) => out.push_str(itoa::Buffer::new().format(*value)),
            Simple::Double(value) if value.is_finite() => {
                // The shortest decimal that reads back as the same double, and as no integer. Writing to a string does not fail.
                let _ = write!(out, "{value:?}");
            }
            Simple::Double(_) => return self.without(PrintError::NotFinite, is_alone, out),
            Simple::String(string) => escape::string(string, out),
            Simple::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.simple(item, false, out)?;
                }
                out.push(']');
            }
            Simple::Other(class) => return self.without(PrintError::Class(class), is_alone, out),
        }
        Ok(())
    }

    fn without(self, error: PrintError, is_alone: bool, out: &mut String) -> Result<(), PrintError> {
        if is_alone || self.unprintable == Unprintable::Refuse {
            return Err(error);
        }
        out.push_str("null");
        Ok(())
    }

    #[inline]
    fn separate(self, is_first: bool, spot: Spot, page: &mut Page) {
        if !is_first {
            page.out.push(',');
        }
        self.begin_line(page.levels[spot.level].depth, page);
    }

    #[inline]
    fn close(self, is_empty: bool, spot: Spot, page: &mut Page) {
        if !is_empty {
            self.begin_line(page.levels[spot.level].depth - 1, page);
        }
    }

    #[inline]
    fn begin_line(self, depth: usize, page: &mut Page) {
        if self.is_pretty {
            page.out.push('\n');
            let indent = std::iter::repeat_n("  ", depth.min(DEEPEST));
            page.out.extend(indent);
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

/// A collection that is being printed, and which level is around it.
struct Level {
    place: usize,
    depth: usize,
    outer: Option<usize>,
}

/// Where something stands: in which level, and in how many collections that are printed on one stack.
#[derive(Clone, Copy)]
struct Spot {
    level: usize,
    nested: usize,
}

/// A collection or mutable text that is printed later, and where in the text of its frame it belongs.
struct Late {
    start: usize,
    item: Item,
    level: usize,
}

/// What comes after the first collection that was put off, and the collections that belong in between.
struct Frame {
    text: String,
    printed: usize,
    late: vec::IntoIter<Late>,
    /// How many levels there were before it.
    levels: usize,
}

/// What was printed so far, and in which collections.
#[derive(Default)]
struct Page {
    out: String,
    /// What was put off since no collection was locked, and what had been printed before: then `out` is what comes after.
    late: Vec<Late>,
    before: String,
    /// Collections that are being printed, and those around what was put off.
    levels: Vec<Level>,
}

impl Page {
    /// Begins a collection, which is printed on the stack of `nested` others.
    #[inline]
    fn enter(&mut self, place: usize, outer: Option<usize>, nested: usize) -> Spot {
        let depth = outer.map_or(0, |outer| self.levels[outer].depth) + 1;
        self.levels.push(Level { place, depth, outer });
        let level = self.levels.len() - 1;
        Spot { level, nested }
    }

    /// Ends it.
    #[inline]
    fn leave(&mut self, spot: Spot) {
        if self.late.is_empty() {
            self.levels.truncate(spot.level);
        }
    }

    /// Whether a collection is being printed around what stands there.
    fn is_around(&self, place: usize, outer: Option<usize>) -> bool {
        let level = |index: Option<usize>| index.map(|index| &self.levels[index]);
        std::iter::successors(level(outer), |inner| level(inner.outer)).any(|it| it.place == place)
    }

    fn put_off(&mut self, item: Item, level: usize) {
        if self.late.is_empty() {
            self.before = mem::take(&mut self.out);
        }
        let start = self.out.len();
        self.late.push(Late { start, item, level });
    }

    /// What was put off since there were so many levels.
    fn rest(&mut self, levels: usize) -> Option<Frame> {
        (!self.late.is_empty()).then(|| Frame {
            text: mem::replace(&mut self.out, mem::take(&mut self.before)),
            printed: 0,
            late: mem::take(&mut self.late).into_iter(),
            levels,
        })
    }
}
