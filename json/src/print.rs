//! From items to JSON.

use std::mem;
use std::ptr;

use acedia::{AnyOwned, Owned};
use acedia_boxes::LongBox;
use acedia_text::{MutableText, Text};

use super::brief::{Room, Written, shape_key, written};
use super::color;
use super::error::PrintError;
use super::escape;
use super::number;
use super::page::{Late, Page, Spot};
use super::printer::{Printer, Unprintable};
use super::reach::{Alone, Reach};
use super::sheet::{BRIEF, Sheet};
use acedia_collections::__private::{ByShape, Collection, KEY_ROOM, ShapeKey, Simple};
use acedia_collections::{Item, View};

/// Deeper levels are not indented any further, and not printed on one stack.
const DEEPEST: usize = 64;

impl Printer {
    /// Prints an item.
    ///
    /// # Errors
    ///
    /// * The item is not a collection, and JSON cannot express it.
    /// * JSON cannot express a part of the item, and the printer has [`Unprintable::Refuse`].
    /// * The document would be longer than [`max_bytes`](Self::max_bytes).
    ///
    /// # Panics
    ///
    /// If waiting for a collection, text or ref in the item would deadlock, for instance because this thread is changing
    /// it: see [`ArrayList`](acedia_collections::ArrayList#threads).
    #[inline]
    #[track_caller]
    pub fn print(self, item: &Item) -> Result<String, PrintError> {
        let mut page = Page::take();
        self.whole(item, None, &mut page)?;
        self.rest(page)
    }

    /// Prints the parts that were put off, and ends the document. Inlined, so that the string reaches the caller in registers: a caller
    /// that moved it as one piece would wait for the three stores.
    #[inline]
    #[track_caller]
    fn rest(&self, mut page: Box<Page>) -> Result<String, PrintError> {
        if !page.frames.is_empty() {
            self.late(&mut page)?;
        }
        self.check_len(&page)?;
        Ok(page.finish())
    }

    #[inline(never)]
    #[track_caller]
    fn late(&self, page: &mut Page) -> Result<(), PrintError> {
        while let Some(frame) = page.frames.last_mut() {
            let Some(Late { start, item, level }) = frame.late.next() else {
                page.sheet.extend(&frame.text[frame.printed..]);
                let levels = frame.levels;
                page.frames.pop();
                page.truncate(levels);
                continue;
            };
            page.sheet
                .extend(&frame.text[mem::replace(&mut frame.printed, start)..start]);
            self.whole(&item, Some(level), page)?;
        }
        Ok(())
    }

    /// Like [`print`](Self::print), but with colors for keys, strings, numbers and words.
    ///
    /// ```
    /// use acedia_json::Printer;
    /// use acedia_collections::Item;
    ///
    /// let text = Printer::new().print_text(&Item::from(7))?;
    /// assert_eq!(text, "7");
    /// assert!(text.format_at(0).color().is_some());
    /// # Ok::<(), acedia_json::PrintError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`print`](Self::print).
    ///
    /// # Panics
    ///
    /// As [`print`](Self::print).
    #[track_caller]
    pub fn print_text(self, item: &Item) -> Result<Owned<Text>, PrintError> {
        Ok(color::colored(&self.print(item)?))
    }

    fn check_len(&self, page: &Page) -> Result<(), PrintError> {
        if page.sheet.len() as u64 > self.max_bytes {
            return Err(PrintError::TooLong(self.max_bytes));
        }
        Ok(())
    }

    /// Prints a value, while no collection is locked, except the parts that must be inserted later.
    #[track_caller]
    fn whole(&self, item: &Item, outer: Option<usize>, page: &mut Page) -> Result<(), PrintError> {
        self.check_len(page)?;
        let levels = page.levels();
        // An owned collection cannot contain itself, because cycles of owners are refused. A watched one can.
        match Collection::reach(item, &mut None) {
            Some(collection) if !item.is_owned() && page.is_around(place(collection), outer) => {
                self.without(PrintError::Cycle, outer.is_none(), &mut page.sheet)?;
            }
            Some(collection) if !item.is_owned() && self.is_bounded && page.is_too_often(place(collection)) => {
                let mark = match collection {
                    Collection::List(_) => "[…]",
                    Collection::Table(_) => "{…}",
                };
                page.sheet.extend(mark.as_bytes());
            }
            Some(collection) => self.whole_collection(collection, outer, page)?,
            None => self.simple(&Simple::of(item), outer.is_none(), &mut page.sheet)?,
        }
        page.rest(levels);
        Ok(())
    }

    /// Prints a collection, without the parts that are put off.
    #[track_caller]
    fn whole_collection(
        &self,
        collection: Collection<'_>,
        outer: Option<usize>,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        let spot = &page.begin(place(collection), outer);
        // Under the exclusive lock, the objects that the items own need no lock (`Reach`). If another guard is reading, the shared
        // lock is taken.
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
    }

    // One call a level: the processor predicts about 30 to 50 returns. Without optimization, the frame would be too large.
    #[cfg_attr(
        not(debug_assertions),
        expect(clippy::inline_always, reason = "see above"),
        inline(always)
    )]
    fn list(
        &self,
        items: impl Iterator<Item = impl Reach>,
        spot: &Spot<'_>,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        // The bracket or comma before an item is written with the item, as one piece.
        let mut before = b'[';
        for item in items {
            if self.is_pretty {
                page.sheet.push(before);
                self.begin_line(spot.depth, page);
                self.item(item, spot, page)?;
            } else {
                let room: &mut Room = page.sheet.room();
                room[0] = before;
                self.behind(1, item, spot, page)?;
            }
            before = b',';
        }
        let is_empty = before == b'[';
        if is_empty {
            page.sheet.push(before);
        }
        self.close(is_empty, b']', spot, page);
        Ok(())
    }

    // One call a level: the processor predicts about 30 to 50 returns. Without optimization, the frame would be too large.
    #[cfg_attr(
        not(debug_assertions),
        expect(clippy::inline_always, reason = "see above"),
        inline(always)
    )]
    fn table<'a, R: Reach>(
        &self,
        entries: ByShape<'a, impl Iterator<Item = R>, impl Iterator<Item = (&'a Item, R)>>,
        spot: &Spot<'_>,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        // The byte before the next entry, which is a comma after the first one.
        let mut before = b'{';
        match entries {
            // The shape has its keys as JSON writes them, with a comma in front, which a brace replaces before the first key.
            ByShape::Shaped(shape, values) if !self.is_sorted => {
                for (key, item) in shape.keys().iter().zip(values) {
                    if key.json_len == 0 {
                        self.entry((&key.item, item), &mut before, spot, page)?;
                    } else if self.is_pretty || key.json_len > KEY_ROOM {
                        self.long_key(key, before, spot, page);
                        self.item(item, spot, page)?;
                    } else {
                        let start = shape_key(key, before, page.sheet.room());
                        self.behind(start, item, spot, page)?;
                    }
                    before = b',';
                }
            }
            ByShape::Other(entries) if !self.is_sorted => {
                for entry in entries {
                    self.entry(entry, &mut before, spot, page)?;
                }
            }
            _ => {
                for entry in sorted(entries) {
                    self.entry(entry, &mut before, spot, page)?;
                }
            }
        }
        let is_empty = before == b'{';
        if is_empty {
            page.sheet.push(before);
        }
        self.close(is_empty, b'}', spot, page);
        Ok(())
    }

    /// Prints a key of a shape that is long or needs a space behind it, with the brace or comma before it and the colon
    /// behind it.
    #[inline(never)]
    fn long_key(&self, key: &ShapeKey, before: u8, spot: &Spot<'_>, page: &mut Page) {
        page.sheet.push(before);
        self.begin_line(spot.depth, page);
        page.sheet.extend(&key.json[1..key.json_len.min(KEY_ROOM)]);
        page.sheet.extend(&key.json_rest);
        self.space(page);
    }

    /// Prints an entry, with the byte before it, and makes that byte a comma. An entry that JSON cannot express may be left out.
    fn entry(
        &self,
        (key, item): (&Item, impl Reach),
        before: &mut u8,
        spot: &Spot<'_>,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        let start = match key.object().and_then(AnyOwned::downcast_ref) {
            Some(text) => Some(self.own_key(text, *before, spot, page)),
            None => key.with(|text: &Text| self.own_key(text, *before, spot, page)),
        };
        let Some(start) = start else {
            // A watched key may have been freed since.
            let other = key.class().filter(|class| !class.is::<Text>());
            return match (self.unprintable, other) {
                (Unprintable::Refuse, Some(class)) => Err(PrintError::Key(class)),
                _ => Ok(()),
            };
        };
        *before = b',';
        self.behind(start, item, spot, page)
    }

    /// Prints a key of a table's own, with the brace or comma before it and the colon behind it. Returns the number of bytes that were
    /// written and do not count yet.
    #[inline(never)]
    fn own_key(&self, key: &Text, before: u8, spot: &Spot<'_>, page: &mut Page) -> usize {
        if !self.is_pretty {
            let room: &mut Room = page.sheet.room();
            room[0] = before;
            let Some(room) = room[1..].first_chunk_mut::<BRIEF>() else {
                unreachable!("there is room for it");
            };
            // A short key without escapes counts together with its value.
            if let Some(len) = escape::brief(key, room) {
                room[len] = b':';
                return len + 2;
            }
        }
        page.sheet.push(before);
        self.begin_line(spot.depth, page);
        escape::string(key.as_str(), &mut page.sheet);
        page.sheet.push(b':');
        self.space(page);
        0
    }

    /// Like [`behind`](Self::behind), but after the bytes before the item were printed.
    #[inline(never)]
    fn item(&self, item: impl Reach, spot: &Spot<'_>, page: &mut Page) -> Result<(), PrintError> {
        self.behind(0, item, spot, page)
    }

    /// Prints an item of a locked collection behind `start` bytes that were written and do not count yet. Puts off an item that may
    /// have to be waited for.
    #[expect(clippy::inline_always, reason = "keeps the length of the printed text in a register")]
    #[inline(always)]
    fn behind(&self, start: usize, item: impl Reach, spot: &Spot<'_>, page: &mut Page) -> Result<(), PrintError> {
        // A short item goes right behind those bytes, into the same room, so that one step counts both. For any other item, those bytes
        // count first, and the item is printed where they end.
        let room: &mut Room = page.sheet.room();
        let Some(room) = room[start..].first_chunk_mut::<BRIEF>() else {
            unreachable!("there is room for both");
        };
        match written(item.item(), room) {
            Written::Whole(len) => page.sheet.advance(start + len),
            Written::Text(text) => {
                page.sheet.advance(start);
                escape::string(text.as_str(), &mut page.sheet);
            }
            Written::Object => {
                page.sheet.advance(start);
                return self.object(item, spot, page);
            }
            Written::Other => {
                page.sheet.advance(start);
                return self.other(item.item(), spot, page);
            }
        }
        Ok(())
    }

    /// Like [`item`](Self::item), but for an object that `item` owns.
    #[inline(never)]
    fn object(&self, mut item: impl Reach, spot: &Spot<'_>, page: &mut Page) -> Result<(), PrintError> {
        // Deeper collections are put off (`collection`), which bounds the stack.
        if spot.nested + 1 < DEEPEST {
            match item.alone() {
                Some(Alone::List(list)) => {
                    let spot = &spot.inner(ptr::from_ref(list).addr());
                    return self.list(list.get_mut().items_mut(), spot, page);
                }
                Some(Alone::Table(table)) => {
                    let spot = &spot.inner(ptr::from_ref(table).addr());
                    return self.table(table.get_mut().by_shape_mut(), spot, page);
                }
                None => {}
            }
        }
        self.other_object(item.item(), spot, page)
    }

    /// Like [`object`](Self::object), but for other objects.
    #[inline(never)]
    fn other_object(&self, item: &Item, spot: &Spot<'_>, page: &mut Page) -> Result<(), PrintError> {
        if let Some(value) = item.with(|value: &LongBox| value.get()) {
            number(&mut page.sheet, |room| number::write(value, room));
            return Ok(());
        }
        match item.object().and_then(Collection::of) {
            Some(collection) => self.collection(collection, item, spot, page),
            None => self.other(item, spot, page),
        }
    }

    /// Like [`item`](Self::item), but for rare items. Mutable texts are put off, because other threads may lock them for
    /// long.
    #[inline(never)]
    fn other(&self, item: &Item, spot: &Spot<'_>, page: &mut Page) -> Result<(), PrintError> {
        let is_late = match item.view() {
            View::Owned(object) => object.is::<MutableText>(),
            View::Watched(handle) => handle.is::<MutableText>() || Collection::with(item, |_| ()).is_some(),
            _ => false,
        };
        if is_late {
            page.put_off(item.clone(), spot);
            return Ok(());
        }
        self.simple(&Simple::of(item), false, &mut page.sheet)
    }

    /// Prints a collection that `item` owns and other threads can reach. Puts it off if it would have to be waited for,
    /// or if the stack is deep enough.
    fn collection(
        &self,
        collection: Collection<'_>,
        item: &Item,
        spot: &Spot<'_>,
        page: &mut Page,
    ) -> Result<(), PrintError> {
        self.check_len(page)?;
        // Never waits, because outer collections are locked here: a thread that waits for one of them might hold this one.
        if spot.nested + 1 < DEEPEST {
            match collection {
                Collection::List(list) => {
                    if let Some(items) = list.try_read() {
                        let spot = &spot.inner(ptr::from_ref(list).addr());
                        return self.list(items.iter(), spot, page);
                    }
                }
                Collection::Table(table) => {
                    if let Some(entries) = table.try_read() {
                        let spot = &spot.inner(ptr::from_ref(table).addr());
                        return self.table(entries.by_shape(), spot, page);
                    }
                }
            }
        }
        page.put_off(item.clone(), spot);
        Ok(())
    }

    /// Prints a value that is not a collection.
    fn simple(&self, simple: &Simple, is_alone: bool, sheet: &mut Sheet) -> Result<(), PrintError> {
        match simple {
            Simple::None => sheet.put(*b"null", 4),
            Simple::Bool(value) => sheet.extend(value.to_string().as_bytes()),
            Simple::Integer(value) => number(sheet, |room| number::write(*value, room)),
            Simple::Unsigned(value) => sheet.all().extend(value.to_string().bytes()),
            Simple::Float(value) if value.is_finite() => number(sheet, |room| number::write_float(*value, room)),
            Simple::Double(value) if value.is_finite() => number(sheet, |room| number::write_double(*value, room)),
            // JSON has no infinity and no NaN.
            Simple::Float(_) | Simple::Double(_) => return self.without(PrintError::NotFinite, is_alone, sheet),
            Simple::String(string) => escape::string(string, sheet),
            Simple::Array(items) => {
                sheet.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        sheet.push(b',');
                    }
                    self.simple(item, false, sheet)?;
                }
                sheet.push(b']');
            }
            Simple::Other(class) => return self.without(PrintError::Class(class), is_alone, sheet),
        }
        Ok(())
    }

    fn without(&self, error: PrintError, is_alone: bool, sheet: &mut Sheet) -> Result<(), PrintError> {
        if is_alone || self.unprintable == Unprintable::Refuse {
            return Err(error);
        }
        sheet.put(*b"null", 4);
        Ok(())
    }

    #[inline]
    fn close(&self, is_empty: bool, bracket: u8, spot: &Spot<'_>, page: &mut Page) {
        if !is_empty {
            self.begin_line(spot.depth - 1, page);
        }
        page.sheet.push(bracket);
    }

    #[inline]
    fn begin_line(&self, depth: usize, page: &mut Page) {
        if self.is_pretty {
            indent(depth.min(DEEPEST), &mut page.sheet);
        }
    }

    /// Prints the space behind a colon.
    fn space(&self, page: &mut Page) {
        if self.is_pretty {
            page.sheet.push(b' ');
        }
    }
}

/// The entries in the order of their keys.
fn sorted<'a, R: Reach>(
    entries: ByShape<'a, impl Iterator<Item = R>, impl Iterator<Item = (&'a Item, R)>>,
) -> Vec<(&'a Item, R)> {
    let mut sorted: Vec<_> = match entries {
        ByShape::Shaped(shape, values) => shape.keys().iter().map(|key| &key.item).zip(values).collect(),
        ByShape::Other(entries) => entries.collect(),
    };
    // Keys that are not immutable texts are not printed, and mutable texts must not be waited for.
    sorted.sort_by_cached_key(|(key, _)| key.with(|text: &Text| text.to_string()));
    sorted
}

#[inline(never)]
fn indent(depth: usize, sheet: &mut Sheet) {
    sheet.push(b'\n');
    for _ in 0..depth {
        sheet.put(*b"  ", 2);
    }
}

fn number(sheet: &mut Sheet, write: impl FnOnce(&mut [u8; BRIEF]) -> usize) {
    let len = write(sheet.room());
    sheet.advance(len);
}

/// The address that identifies a collection.
fn place(collection: Collection<'_>) -> usize {
    match collection {
        Collection::List(list) => ptr::from_ref(list).addr(),
        Collection::Table(table) => ptr::from_ref(table).addr(),
    }
}
