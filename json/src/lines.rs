//! [`Parser::lines`]: a value in each line.

use std::io::{self, BufRead as _, BufReader, Read as _};

use super::error::{ParseError, Place, Problem};
use super::notes::Notes;
use super::parse::Document;
use super::parser::Parser;
use super::reader::Fitting;
use super::source::Slice;
use acedia_collections::Item;

/// The length of a block in bytes, and the longest line whose memory is kept.
const BUFFER: usize = 64 << 10;

impl Parser {
    /// Reads a value from each line: NDJSON, also called JSON Lines. An error concerns one line, and the next call of `next` reads the
    /// next line. Blank lines are skipped. The iterator ends with the input, or after an error of the reader.
    ///
    /// ```
    /// use acedia_json::Parser;
    ///
    /// let log = "{\"id\":1}\n{\"id\":\n{\"id\":3}\n";
    /// let (mut ids, mut errors) = (Vec::new(), Vec::new());
    /// for line in Parser::new().lines(log.as_bytes()) {
    ///     match line {
    ///         Ok(item) => ids.extend(item.get("id").as_int()),
    ///         Err(error) => errors.push(error.to_string()),
    ///     }
    /// }
    /// assert_eq!(ids, [1, 3]);
    /// assert_eq!(errors, ["line 2, column 7: expected a value"]);
    /// ```
    ///
    /// [`line`](ParseError::line) and [`offset`](ParseError::offset) count from the beginning of the input.
    /// [`is_eof`](ParseError::is_eof) is `false` in a line that ends with a line break, so it distinguishes a last line that is still
    /// being written from a truncated one.
    ///
    /// # Errors
    ///
    /// Each line fails as in [`read`](Self::read). The limit of bytes applies to each line, without its line break. No more than that
    /// is kept of a longer line, and the rest of the line is skipped.
    ///
    /// # Cost
    ///
    /// The iterator keeps 64 KiB of the input, the current line, and up to 1,024 keys, which the tables of all lines share.
    pub fn lines<R: io::Read>(&self, reader: R) -> impl Iterator<Item = Result<Item, ParseError>> + use<R> {
        Lines {
            parser: *self,
            input: Some(BufReader::with_capacity(BUFFER, Fitting(reader))),
            line: Vec::new(),
            number: 0,
            start: 0,
            end: 0,
            notes: None,
        }
    }
}

/// The values of a reader, one in each line.
struct Lines<R> {
    parser: Parser,
    /// `None` when the input has ended or the reader has failed.
    input: Option<BufReader<Fitting<R>>>,
    /// The current line, without its line break.
    line: Vec<u8>,
    number: u64,
    /// The offsets of the current and of the next line.
    start: u64,
    end: u64,
    /// The keys and their shapes, for the next line.
    notes: Option<Box<Notes>>,
}

impl<R: io::Read> Lines<R> {
    /// The value of the next line. `None` if the line is blank, or the input has ended.
    fn read(&mut self) -> Result<Option<Item>, ParseError> {
        (self.start, self.number) = (self.end, self.number + 1);
        // A line within the limit may be followed by its line break.
        if !self.take(self.parser.max_bytes.saturating_add(1))? {
            while !self.take(BUFFER as u64)? {}
            return Err(self.error(Problem::TooLong(self.parser.max_bytes), self.parser.max_bytes));
        }
        let is_blank = self.line.iter().all(|byte| b" \t\r".contains(byte));
        if is_blank { Ok(None) } else { self.parse().map(Some) }
    }

    /// Reads up to `most` bytes of a line. Returns whether its end was read.
    fn take(&mut self, most: u64) -> Result<bool, ParseError> {
        self.line.clear();
        self.line.shrink_to(BUFFER);
        let Some(input) = &mut self.input else { return Ok(true) };
        let read = input.take(most).read_until(b'\n', &mut self.line);
        self.end += self.line.len() as u64;
        let is_whole = self.line.last() == Some(&b'\n');
        self.line.truncate(self.line.len() - usize::from(is_whole));
        let is_last = !is_whole && (self.line.len() as u64) < most;
        if is_last || read.is_err() {
            // At a terminal, the end would have to be typed again.
            self.input = None;
        }
        match read {
            Ok(_) => Ok(is_whole || is_last),
            Err(error) => Err(self.error(Problem::Io(error), self.end - self.start)),
        }
    }

    fn error(&self, problem: Problem, column: u64) -> ParseError {
        ParseError {
            problem,
            place: Place {
                offset: self.start + column,
                line: self.number,
                column: column + 1,
            },
            is_eof: false,
        }
    }

    /// The value of the current line.
    fn parse(&mut self) -> Result<Item, ParseError> {
        let notes = self.notes.take().unwrap_or_else(Notes::take);
        let mut document = Document::of(Slice::new(&self.line), self.parser, notes);
        let read = document.result(|document| document.whole("the end of the line"));
        let mut notes = document.into_notes();
        if read.is_ok() {
            notes.shapes.forget_crowd();
            self.notes = Some(notes);
        } else {
            notes.put_back();
        }
        read.map_err(|mut error| {
            error.place.offset += self.start;
            error.place.line = self.number;
            // More input does not complete a truncated line that another line follows.
            error.is_eof &= self.input.is_none();
            error
        })
    }
}

impl<R: io::Read> Iterator for Lines<R> {
    type Item = Result<Item, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.input.is_some() {
            if let Some(value) = self.read().transpose() {
                return Some(value);
            }
        }
        if let Some(notes) = self.notes.take() {
            notes.put_back();
        }
        None
    }
}
