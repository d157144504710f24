//! From JSON to items.

use std::io;
use std::iter;

use super::error::{ParseError, Problem};
use super::notes::{Kind, Notes, Open};
use super::parser::Parser;
use super::reader::Reader;
use super::shapes::Keys;
use super::source::{Beginning, Failed, Input, Slice, Source};
use acedia_collections::__private::Collection;
use acedia_collections::{ArrayList, HashTable, Item};

impl Parser {
    /// Reads a document: one value, with only white space around it.
    ///
    /// # Errors
    ///
    /// The document is not JSON in UTF-8, has a number that [`Decimals::Exact`](super::Decimals::Exact) rejects, or
    /// exceeds a limit.
    #[doc(alias = "ParseWith")]
    pub fn parse(&self, document: impl AsRef<[u8]>) -> Result<Item, ParseError> {
        let document = document.as_ref();
        if document.len() as u64 > self.max_bytes {
            return Err(self.too_long(&Source::new(Slice::new(document))));
        }
        self.run(Slice::new(document), |document| document.whole(DOCUMENT)).0
    }

    /// Like [`parse`](Self::parse), but reads from a reader, 64 KiB at a time, up to the end or the first error.
    ///
    /// ```
    /// use std::io::{self, Read};
    /// use acedia_json::{Parser, Problem};
    ///
    /// let endless = io::repeat(b'[');
    /// let error = Parser::new().read(endless).unwrap_err();
    /// assert!(matches!(error.problem(), Problem::TooDeep(_)));
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`parse`](Self::parse), and also if the reader fails.
    pub fn read(&self, reader: impl io::Read) -> Result<Item, ParseError> {
        self.run(Reader::new(reader, self.max_bytes), |document| document.whole(DOCUMENT))
            .0
    }

    /// Reads the value at the beginning of a text, and also returns the number of bytes up to its end. Does not read the rest.
    ///
    /// ```
    /// use acedia_json::Parser;
    ///
    /// let text = r#"move {"x": 1, "y": 2} quickly"#;
    /// let (to, len) = Parser::new().parse_prefix(&text[5..])?;
    /// assert_eq!(to.to_table().unwrap().read()["y"].as_int(), Some(2));
    /// assert_eq!(&text[5 + len..], " quickly");
    /// # Ok::<(), acedia_json::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Like [`parse`](Self::parse), but any text may follow the value. The limit of bytes applies only to the value.
    pub fn parse_prefix(&self, text: impl AsRef<[u8]>) -> Result<(Item, usize), ParseError> {
        let text = text.as_ref();
        let (read, source) = self.run(Beginning(text), Document::value_and_delimiter);
        let (item, len) = (read?, source.offset());
        if len > self.max_bytes {
            return Err(self.too_long(&source));
        }
        Ok((item, usize::try_from(len).unwrap_or(usize::MAX)))
    }

    /// Reads values that follow each other, one for each call of `next`. A number or word must be followed by white space, a bracket or
    /// a quote; elsewhere, white space between values is optional. The iterator ends after the first error, because it cannot know
    /// where the next value begins; [`lines`](Self::lines) goes on with the next line. The iterator keeps 64 KiB of the input, the
    /// current value, and up to 1,024 keys, which the tables of all values share.
    ///
    /// ```
    /// use acedia_json::Parser;
    ///
    /// let log = "{\"id\":1} {\"id\":2}";
    /// let mut ids = Vec::new();
    /// for value in Parser::new().values(log.as_bytes()) {
    ///     ids.extend(value?.get("id").as_int());
    /// }
    /// assert_eq!(ids, [1, 2]);
    /// # Ok::<(), acedia_json::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Each value fails as in [`read`](Self::read). The limit of bytes applies to all values together.
    pub fn values<R: io::Read>(&self, reader: R) -> impl Iterator<Item = Result<Item, ParseError>> + use<R> {
        // Keeps the keys and their shapes for the next value. `None` after the last value, an error, or a panic of the reader.
        let mut document = Some(Box::new(Document::new(Reader::new(reader, self.max_bytes), *self)));
        iter::from_fn(move || {
            let mut open = document.take()?;
            let read = open.result(Document::next_value);
            if matches!(read, Ok(Some(_))) {
                open.notes.shapes.forget_crowd();
                document = Some(open);
            } else {
                open.notes.put_back();
            }
            read.transpose()
        })
    }

    fn too_long(&self, source: &Source<impl Input>) -> ParseError {
        ParseError {
            place: source.place(self.max_bytes),
            problem: Problem::TooLong(self.max_bytes),
            is_eof: false,
        }
    }

    /// The result of `read` on a document, and its source.
    fn run<I: Input, T>(
        self,
        input: I,
        read: impl FnOnce(&mut Document<I>) -> Result<T, Failed>,
    ) -> (Result<T, ParseError>, Source<I>) {
        let mut document = Document::new(input, self);
        let read = document.result(read);
        document.notes.put_back();
        (read, document.source)
    }
}

const DOCUMENT: &str = "the end of the document";

pub(super) struct Document<I> {
    source: Source<I>,
    parser: Parser,
    notes: Box<Notes>,
}

/// The name of a common mistake, if the problem is that something else was expected as the next byte.
#[cold]
fn named(problem: Problem, source: &mut Source<impl Input>) -> Problem {
    if !matches!(problem, Problem::Expected(_) | Problem::Number) {
        return problem;
    }
    // Only for a message: bytes may be taken now, because nothing is parsed after an error.
    let (offset, last) = (source.offset(), source.last());
    let next = source.next();
    let is_key = matches!(problem, Problem::Expected("a key" | "a key or `}`"));
    let is_value = matches!(problem, Problem::Expected("a value" | "a value or `]`"));
    let mut follows = |bytes: &[u8]| bytes.iter().all(|byte| source.take_next() == Some(*byte));
    match next {
        Some(b'/' | b'#') => Problem::Comment,
        Some(b'}') if matches!(problem, Problem::Expected("a key")) => Problem::TrailingComma,
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$') if is_key => Problem::UnquotedKey,
        Some(b'.') if is_value || last == Some(b'-') => Problem::LeadingPoint,
        Some(b'0'..=b'9') if last == Some(b'0') => Problem::LeadingZero,
        Some(b'\'') => Problem::SingleQuote,
        Some(0xef) if offset == 0 && follows(b"\xef\xbb\xbf") => Problem::ByteOrderMark,
        // No character begins with these bytes. UTF-16 may begin with `fe` or `ff`.
        Some(0x80..=0xc1 | 0xf5..=0xff) => Problem::Utf8,
        Some(b'A'..=b'Z' | b'a'..=b'z') if is_value || last == Some(b'-') => match &*source.word() {
            "NaN" | "Infinity" => Problem::NotFinite,
            "True" | "TRUE" | "False" | "FALSE" | "Null" | "NULL" | "None" | "undefined" if is_value => Problem::Word,
            _ => problem,
        },
        _ => problem,
    }
}

fn expected(what: &'static str) -> Failed {
    Failed::new(Problem::Expected(what), 0)
}

impl<I: Input> Document<I> {
    fn new(input: I, parser: Parser) -> Self {
        Self::of(input, parser, Notes::take())
    }

    pub(super) fn of(input: I, parser: Parser, notes: Box<Notes>) -> Self {
        let source = Source::new(input);
        Self { source, parser, notes }
    }

    pub(super) fn into_notes(self) -> Box<Notes> {
        self.notes
    }

    /// The result of `read`, with the place of its problem.
    pub(super) fn result<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failed>) -> Result<T, ParseError> {
        read(self).map_err(|Failed(failed)| {
            let (problem, back) = *failed;
            let source = &mut self.source;
            let failure = source.failure();
            // If the reader failed, or the document is too long, that is the problem, and its place is the end of the input.
            let is_eof = failure.is_none() && source.is_cut(&problem, back);
            let back = if failure.is_some() { 0 } else { back as u64 };
            ParseError {
                place: source.place(source.offset() - back),
                problem: match failure {
                    Some(failure) => failure,
                    None if back == 0 => named(problem, source),
                    None => problem,
                },
                is_eof,
            }
        })
    }

    /// Reads one value and the white space behind it. If more follows, the error expects `end`.
    pub(super) fn whole(&mut self, end: &'static str) -> Result<Item, Failed> {
        let item = self.one()?;
        if self.source.peek().is_some() {
            return Err(expected(end));
        }
        self.check_reader()?;
        Ok(item)
    }

    /// The error of a failed reader, which gives no more bytes, like one that has ended.
    fn check_reader(&mut self) -> Result<(), Failed> {
        match self.source.failure() {
            Some(problem) => Err(Failed::new(problem, 0)),
            None => Ok(()),
        }
    }

    /// Reads one value, unless the input ends.
    fn next_value(&mut self) -> Result<Option<Item>, Failed> {
        if self.source.peek().is_none() {
            self.check_reader()?;
            return Ok(None);
        }
        self.value_and_delimiter().map(Some)
    }

    /// Reads one value. Nothing may follow that would belong to a longer number or word.
    fn value_and_delimiter(&mut self) -> Result<Item, Failed> {
        let item = self.one()?;
        // A number or a word ends only where the next byte says so: `12` may be the beginning of `12x`.
        let ends_itself = matches!(self.source.last(), Some(b'"' | b']' | b'}'));
        if ends_itself {
            return Ok(item);
        }
        match self.source.next() {
            Some(next) if next.is_ascii_alphanumeric() || b"_-+.".contains(&next) => {
                Err(expected("the end of the value"))
            }
            Some(_) => Ok(item),
            None => {
                self.check_reader()?;
                Ok(item)
            }
        }
    }

    fn one(&mut self) -> Result<Item, Failed> {
        loop {
            if self.value()? {
                // The value is complete, and may complete collections around it.
                while self.after_item()? {
                    if self.notes.open.is_empty() {
                        return Ok(self.notes.items.pop().unwrap_or_default());
                    }
                }
            }
        }
    }

    /// Reads a value and pushes it, or reads the beginning of a list or table that is not empty and opens it. Returns
    /// whether the value is complete.
    #[inline]
    fn value(&mut self) -> Result<bool, Failed> {
        let next = self.source.peek().ok_or_else(|| expected("a value"))?;
        let item = match next {
            b'"' => {
                self.source.take_next();
                self.source.string(|text| text.into())?
            }
            b'-' | b'0'..=b'9' => self.source.number(self.parser.decimals)?,
            b'[' => return self.begin(false),
            b'{' => return self.begin(true),
            b't' | b'f' | b'n' => self.literal()?,
            // The list is not empty, since an empty one ends in `begin`, so a comma stands before this bracket.
            b']' if matches!(self.notes.open.last(), Some(Open { kind: Kind::List, .. })) => {
                return Err(Failed::new(Problem::TrailingComma, 0));
            }
            _ => return Err(expected("a value")),
        };
        self.notes.items.push(item);
        Ok(true)
    }

    #[inline]
    fn literal(&mut self) -> Result<Item, Failed> {
        match self.source.literal() {
            Some(item) => Ok(item),
            None => self.any_literal(),
        }
    }

    #[inline(never)]
    fn any_literal(&mut self) -> Result<Item, Failed> {
        let (word, item) = match self.source.next() {
            Some(b'n') => (&b"null"[..], Item::NONE),
            Some(b't') => (&b"true"[..], true.into()),
            _ => (&b"false"[..], false.into()),
        };
        for (taken, letter) in word.iter().enumerate() {
            // A wrong letter is not taken, which tells it from the end of the input.
            if self.source.next() != Some(*letter) {
                return Err(Failed::new(Problem::Expected("a value"), taken));
            }
            self.source.take_next();
        }
        Ok(item)
    }

    /// Reads the beginning of a list or table, or all of an empty one. Returns whether it was empty.
    #[expect(clippy::inline_always, reason = "a list and a table have little in common")]
    #[inline(always)]
    fn begin(&mut self, is_table: bool) -> Result<bool, Failed> {
        let open = &mut self.notes.open;
        if open.len() >= self.parser.max_depth {
            return Err(Failed::new(Problem::TooDeep(self.parser.max_depth), 0));
        }
        // The keys of the table around, by which the first key of this one is guessed.
        let around = open.last().map_or_else(Keys::default, |around| match around.kind {
            Kind::Shaped(ahead) => ahead.keys,
            Kind::List | Kind::Table => around.around,
        });
        open.push(Open {
            kind: match is_table {
                false => Kind::List,
                true if self.notes.shapes.pauses() => Kind::Table,
                true => Kind::Shaped(self.notes.shapes.first(around)),
            },
            around,
            start: self.notes.items.len(),
        });
        self.source.take_next();
        // Most tables begin with the key that is expected, without white space.
        if is_table && self.expected_key() {
            return Ok(false);
        }
        let (end, what) = if is_table {
            (b'}', "a key or `}`")
        } else {
            (b']', "a value or `]`")
        };
        let next = self.source.peek().ok_or_else(|| expected(what))?;
        if next == end {
            self.source.take_next();
            self.end();
            return Ok(true);
        }
        if is_table {
            self.key(what)?;
        }
        Ok(false)
    }

    /// Takes the expected key and the colon behind it, if they come next without white space.
    #[expect(
        clippy::inline_always,
        reason = "most keys need nothing else, and a call would cost as much"
    )]
    #[inline(always)]
    fn expected_key(&mut self) -> bool {
        let Notes { open, shapes, .. } = &mut *self.notes;
        if let Some(Open {
            kind: Kind::Shaped(ahead),
            ..
        }) = open.last_mut()
        {
            if let Some((json, longer)) = shapes.expected(*ahead) {
                if self.source.takes(json) {
                    *ahead = longer;
                    return true;
                }
            }
        }
        false
    }

    /// Reads a key and the colon after it.
    #[inline(never)]
    fn key(&mut self, what: &'static str) -> Result<(), Failed> {
        if self.source.peek() != Some(b'"') {
            return Err(expected(what));
        }
        // Tries again, because the white space before it is gone now.
        if self.expected_key() {
            return Ok(());
        }
        self.source.take_next();
        let Notes { open, items, shapes } = &mut *self.notes;
        let key = self.source.string(|key| shapes.key(key))?;
        if let Some(inner) = open.last_mut() {
            if let Kind::Shaped(ahead) = &mut inner.kind {
                let keys = ahead.keys;
                if let Some(longer) = shapes.step(keys, inner.around, &key) {
                    *ahead = longer;
                } else {
                    // No shape has these keys, so the table gets keys of its own, which alternate with the values read so far.
                    let values = items.take(inner.start);
                    let read = shapes.items(keys).zip(values);
                    items.extend(read.flat_map(|(key, item)| [key, item]));
                    inner.kind = Kind::Table;
                }
            }
            if matches!(inner.kind, Kind::Table) {
                items.push(shapes.item(key));
            }
        }
        if self.source.peek() != Some(b':') {
            return Err(expected("`:`"));
        }
        self.source.take_next();
        Ok(())
    }

    /// Reads the comma behind an item, with the next key, or the end of the list or table. Returns whether it is the end,
    /// or nothing is around the item.
    #[inline]
    fn after_item(&mut self) -> Result<bool, Failed> {
        let (is_table, end, what) = match self.notes.open.last().map(|inner| inner.kind) {
            None => return Ok(true),
            Some(Kind::List) => (false, b']', "`,` or `]`"),
            Some(Kind::Shaped(_) | Kind::Table) => (true, b'}', "`,` or `}`"),
        };
        match self.source.peek() {
            Some(b',') => {
                self.source.take_next();
                // The key that is expected is read by words; `key` reads any other.
                if is_table && !self.expected_key() {
                    self.key("a key")?;
                }
                Ok(false)
            }
            Some(next) if next == end => {
                self.source.take_next();
                self.end();
                Ok(true)
            }
            _ => Err(expected(what)),
        }
    }

    /// Replaces the items since the beginning of a list or table by that list or table.
    #[inline(never)]
    fn end(&mut self) {
        let Some(Open { kind, start, .. }) = self.notes.open.pop() else {
            return;
        };
        // A collection that becomes an item is marked before another thread can reach it: see `Place::mark`.
        let items = &mut self.notes.items;
        let is_inside = !self.notes.open.is_empty();
        let table = match kind {
            Kind::List => {
                let list = ArrayList::of_last(items, start);
                if is_inside {
                    Collection::List(&list).mark();
                }
                items.push(list.into());
                return;
            }
            Kind::Shaped(ahead) => HashTable::of_shape(self.notes.shapes.shape(ahead.keys), items, start),
            Kind::Table => {
                self.notes.shapes.count_own();
                HashTable::of_pairs(items, start)
            }
        };
        if is_inside {
            Collection::Table(&table).mark();
        }
        items.push(table.into());
    }
}
