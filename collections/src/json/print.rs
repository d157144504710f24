//! [`Printer`]: from items to JSON.

use std::mem;
use std::ptr;

use acedia_allocator::{Class, Owned};
use acedia_boxes::DoubleBox;
use acedia_text::{MutableText, Text};

use super::color;
use super::error::PrintError;
use super::escape::{self, push_first};
use super::number;
use super::page::{Frame, Late, Page, Spot};
use super::reach::{Alone, Reach};
use crate::collection::Collection;
use crate::hash_table::entries::ByShape;
use crate::hash_table::shape::PADDING;
use crate::item::Simple;
use crate::{Item, View};

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
/// Each collection is locked while what stands in it is printed. The outermost is locked as for changing it, if nobody is reading
/// it, so others wait until it is printed. A collection in it that nobody else owns, and nobody has a handle of, can't be reached
/// by others then, and needs no lock; so it is with those in that one. A collection that another thread is changing is waited
/// for only when no other is locked, and so is every mutable text, so what is printed may be of different moments.
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
        let mut page = Page::new();
        let mut open: Vec<Frame> = Vec::new();
        open.extend(self.whole(item, None, &mut page)?);
        while let Some(frame) = open.last_mut() {
            let Some(Late { start, item, level }) = frame.late.next() else {
                page.out.extend_from_slice(&frame.text[frame.printed..]);
                page.truncate(frame.levels);
                open.pop();
                continue;
            };
            page.out
                .extend_from_slice(&frame.text[mem::replace(&mut frame.printed, start)..start]);
            let inner = self.whole(&item, Some(level), &mut page)?;
            open.extend(inner);
        }
        Ok(page.finish())
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
        let levels = page.levels();
        let printed = Collection::with(item, |collection| {
            let is_watched = matches!(item.view(), View::Watched(_));
            if is_watched && page.is_around(place(collection), outer) {
                return self.without(PrintError::Cycle, outer.is_none(), &mut page.out);
            }
            let spot = page.begin(place(collection), outer);
            match collection {
                Collection::List(list) => match list.try_write() {
                    Some(mut items) => self.list(items.items_mut(), spot, page),
                    None => self.list(list.read().iter(), spot, page),
                },
                Collection::Table(table) => match table.try_write() {
                    Some(mut entries) => self.table(entries.by_shape_mut(), spot, page),
                    None => self.table(table.read().by_shape(), spot, page),
                },
            }
        });
        printed.unwrap_or_else(|| self.simple(&Simple::of(item), outer.is_none(), &mut page.out))?;
        Ok(page.rest(levels))
    }

    fn list(self, items: impl Iterator<Item = impl Reach>, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        page.out.push(b'[');
        let mut is_empty = true;
        for item in items {
            self.separate(is_empty, spot, page);
            is_empty = false;
            self.inner(item, spot, page)?;
        }
        self.close(is_empty, spot, page);
        page.out.push(b']');
        page.leave(spot);
        Ok(())
    }

    fn table<'a, R: Reach>(
        self,
        entries: ByShape<'a, impl Iterator<Item = R>, impl Iterator<Item = (&'a Item, R)>>,
        spot: Spot,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        page.out.push(b'{');
        let mut is_first = true;
        match entries {
            _ if self.is_sorted => {
                let mut sorted: Vec<_> = match entries {
                    ByShape::Shaped(shape, values) => shape.keys().iter().map(|key| &key.item).zip(values).collect(),
                    ByShape::Other(entries) => entries.collect(),
                };
                // Keys that are no immutable texts are not printed, and mutable ones are not waited for.
                sorted.sort_by_cached_key(|(key, _)| key.with(|text: &Text| text.to_string()));
                for entry in sorted {
                    is_first &= !self.entry(entry, is_first, spot, page)?;
                }
            }
            ByShape::Shaped(shape, values) => {
                let mut json = shape.json();
                for (key, item) in shape.keys().iter().zip(values) {
                    if self.is_pretty {
                        self.separate(is_first, spot, page);
                    }
                    // It begins with a comma.
                    let skipped = usize::from(is_first || self.is_pretty);
                    push_first::<PADDING>(&json[skipped..], key.json_len - skipped, &mut page.out);
                    json = &json[key.json_len..];
                    is_first = false;
                    self.value(item, spot, page)?;
                }
            }
            ByShape::Other(entries) => {
                for entry in entries {
                    is_first &= !self.entry(entry, is_first, spot, page)?;
                }
            }
        }
        self.close(is_first, spot, page);
        page.out.push(b'}');
        page.leave(spot);
        Ok(())
    }

    /// Whether the entry was printed, and not left out.
    fn entry(
        self,
        (key, item): (&Item, impl Reach),
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
        out.push(b':');
        self.value(item, spot, page)?;
        Ok(true)
    }

    /// Prints the item of an entry, after the colon.
    #[inline]
    fn value(self, item: impl Reach, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        if self.is_pretty {
            page.out.push(b' ');
        }
        self.inner(item, spot, page)
    }

    /// Prints what stands in a collection, which is locked. What might have to be waited for is put off.
    #[expect(
        clippy::inline_always,
        reason = "so that the length of what was printed stays in a register"
    )]
    #[inline(always)]
    fn inner(self, item: impl Reach, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        match item.item().view() {
            View::None => page.out.extend_from_slice(b"null"),
            View::Int(value) => number::write(value.into(), &mut page.out),
            View::Bool(value) => bool(value, &mut page.out),
            View::Owned(object) => match object.downcast_ref::<Text>() {
                Some(text) => escape::text(text, &mut page.out),
                None => return self.object(item, spot, page),
            },
            _ => return self.other(item.item(), spot, page),
        }
        Ok(())
    }

    /// The same of an object that `item` owns.
    #[inline(never)]
    fn object(self, mut item: impl Reach, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        if spot.nested + 1 < DEEPEST {
            match item.alone() {
                Some(Alone::List(list)) => {
                    let spot = page.enter(ptr::from_ref(list).addr(), spot);
                    return self.list(list.get_mut().items_mut(), spot, page);
                }
                Some(Alone::Table(table)) => {
                    let spot = page.enter(ptr::from_ref(table).addr(), spot);
                    return self.table(table.get_mut().by_shape_mut(), spot, page);
                }
                None => {}
            }
        }
        self.other_object(item.item(), spot, page)
    }

    /// The same of other objects.
    #[inline(never)]
    fn other_object(self, item: &Item, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        if let Some(value) = item.with(|value: &DoubleBox| value.get()) {
            return self.double(value, false, &mut page.out);
        }
        match item.object().and_then(Collection::of) {
            Some(collection) => self.collection(collection, item, spot, page),
            None => self.other(item, spot, page),
        }
    }

    /// The same of what is met more seldom. Mutable texts are put off, because others may lock them for long.
    #[inline(never)]
    fn other(self, item: &Item, spot: Spot, page: &mut Page) -> Result<(), PrintError> {
        let is_late = match item.view() {
            View::Owned(object) => object.is::<MutableText>(),
            View::Watched(handle) => handle.is::<MutableText>() || Collection::with(item, |_| ()).is_some(),
            _ => false,
        };
        if is_late {
            page.put_off(item.clone(), spot.level);
            return Ok(());
        }
        self.simple(&Simple::of(item), false, &mut page.out)
    }

    /// Prints a collection that `item` owns and others can reach, or puts it off, if it would have to be waited for, or if the stack is
    /// deep enough.
    fn collection(
        self,
        collection: Collection<'_>,
        item: &Item,
        spot: Spot,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        if spot.nested + 1 < DEEPEST {
            match collection {
                Collection::List(list) => {
                    if let Some(items) = list.try_read() {
                        let spot = page.enter(ptr::from_ref(list).addr(), spot);
                        return self.list(items.iter(), spot, page);
                    }
                }
                Collection::Table(table) => {
                    if let Some(entries) = table.try_read() {
                        let spot = page.enter(ptr::from_ref(table).addr(), spot);
                        return self.table(entries.by_shape(), spot, page);
                    }
                }
            }
        }
        page.put_off(item.clone(), spot.level);
        Ok(())
    }

    /// Prints what is no collection.
    fn simple(self, simple: &Simple, is_alone: bool, out: &mut Vec<u8>) -> Result<(), PrintError> {
        match simple {
            Simple::None => out.extend_from_slice(b"null"),
            Simple::Bool(value) => bool(*value, out),
            Simple::Integer(value) => number::write(*value, out),
            Simple::Double(value) => return self.double(*value, is_alone, out),
            Simple::String(string) => escape::string(string, out),
            Simple::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    self.simple(item, false, out)?;
                }
                out.push(b']');
            }
            Simple::Other(class) => return self.without(PrintError::Class(class), is_alone, out),
        }
        Ok(())
    }

    fn double(self, value: f64, is_alone: bool, out: &mut Vec<u8>) -> Result<(), PrintError> {
        if !value.is_finite() {
            return self.without(PrintError::NotFinite, is_alone, out);
        }
        // The shortest decimal that reads back as the same double, and as no integer. Its exponent needs no `+`.
        let mut buffer = zmij::Buffer::new();
        let decimal = buffer.format_finite(value);
        if value.abs() < 1e15 {
            out.extend_from_slice(decimal.as_bytes());
        } else {
            out.extend(decimal.bytes().filter(|byte| *byte != b'+'));
        }
        Ok(())
    }

    fn without(self, error: PrintError, is_alone: bool, out: &mut Vec<u8>) -> Result<(), PrintError> {
        if is_alone || self.unprintable == Unprintable::Refuse {
            return Err(error);
        }
        out.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn separate(self, is_first: bool, spot: Spot, page: &mut Page) {
        if !is_first {
            page.out.push(b',');
        }
        self.begin_line(spot.depth, page);
    }

    #[inline]
    fn close(self, is_empty: bool, spot: Spot, page: &mut Page) {
        if !is_empty {
            self.begin_line(spot.depth - 1, page);
        }
    }

    #[inline]
    fn begin_line(self, depth: usize, page: &mut Page) {
        if self.is_pretty {
            page.out.push(b'\n');
            page.out.resize(page.out.len() + 2 * depth.min(DEEPEST), b' ');
        }
    }
}

fn bool(value: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// What tells one collection from another.
fn place(collection: Collection<'_>) -> usize {
    match collection {
        Collection::List(list) => ptr::from_ref(list).addr(),
        Collection::Table(table) => ptr::from_ref(table).addr(),
    }
}
