//! [`Reader`]: a document that is read in blocks.

use std::{io, mem};

use hifijson::num::Lex as _;
use hifijson::str::Error as StringError;
use hifijson::token::Lex as _;
use hifijson::{Read, Write};

use super::error::{Place, Problem};
use super::number;
use super::parser::Decimals;
use super::scan::{Digits, Expected, plain};
use super::source::{Broken, Lines, Source, UNTERMINATED, escape_at, escaped, literal, part, signed};
use acedia_collections::Item;

/// The length of a block in bytes.
const BUFFER: usize = 64 << 10;

/// A document that is read in blocks. Common tokens that the block holds are read as in memory; the others, and those that a block
/// may cut, byte by byte.
pub(super) struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// The position of the next byte in the buffer, and the end of the bytes read.
    next: usize,
    end: usize,
    /// The byte before the buffer.
    last: Option<u8>,
    /// The lines before the buffer.
    lines: Lines,
    longest: u64,
    failure: Option<Problem>,
    /// Buffers for strings with escapes, and for strings that a block cuts.
    part: Vec<u8>,
    unescaped: String,
    /// Whether the input has ended. It is not read again: at a terminal the end would have to be typed once more.
    is_ended: bool,
}

impl<R: io::Read> Reader<R> {
    pub(super) fn new(input: R, longest: u64) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER],
            next: 0,
            end: 0,
            last: None,
            lines: Lines::default(),
            longest,
            failure: None,
            part: Vec::new(),
            unescaped: String::new(),
            is_ended: false,
        }
    }

    /// The bytes that were read and not taken.
    #[inline]
    fn rest(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    /// Reads a string whose opening quote was taken.
    fn long_string(&mut self, bytes: &mut Vec<u8>, out: &mut String) -> Result<(), Broken> {
        loop {
            bytes.clear();
            // There is more of this part if a block ends in it.
            loop {
                let len = plain(self.rest());
                bytes.extend_from_slice(&self.rest()[..len]);
                self.next += len;
                if self.next < self.end || !self.fill() {
                    break;
                }
            }
            out.push_str(part(bytes)?);
            match self.take_next().ok_or(UNTERMINATED)? {
                b'"' => return Ok(()),
                b'\\' => match escape_at(self.rest()) {
                    Some((c, len)) => {
                        out.push(c);
                        self.next += len;
                    }
                    None => out.push(escaped(self)?),
                },
                _ => return Err(StringError::Control.into()),
            }
        }
    }

    /// Reads the next block. `false` at the end, or if reading failed.
    #[cold]
    fn fill(&mut self) -> bool {
        if self.is_ended {
            return false;
        }
        self.lines.count(&self.buffer[..self.end]);
        self.last = self.buffer[..self.end].last().copied().or(self.last);
        (self.next, self.end) = (0, 0);
        let read = loop {
            match self.input.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(Problem::Io(error));
                    break 0;
                }
                // A broken reader may claim more than fits.
                Ok(read) => break read.min(self.buffer.len()),
            }
        };
        let room = self.longest - self.lines.end;
        self.end = usize::try_from(room).unwrap_or(usize::MAX).min(read);
        if self.end < read {
            self.failure = Some(Problem::TooLong(self.longest));
        }
        self.is_ended = read == 0 || self.failure.is_some();
        self.end > 0
    }
}

impl<R: io::Read> Read for Reader<R> {
    #[inline]
    fn peek_next(&mut self) -> Option<u8> {
        if self.next == self.end && !self.fill() {
            return None;
        }
        Some(self.buffer[self.next])
    }

    #[inline]
    fn take_next(&mut self) -> Option<u8> {
        let byte = self.peek_next()?;
        self.next += 1;
        Some(byte)
    }
}

impl<R: io::Read> Write for Reader<R> {
    type Bytes = Vec<u8>;

    fn write_until(&mut self, bytes: &mut Vec<u8>, mut stop: impl FnMut(u8) -> bool) {
        bytes.clear();
        while self.peek_next().is_some() {
            let rest = &self.buffer[self.next..self.end];
            let found = rest.iter().position(|byte| stop(*byte));
            let end = found.unwrap_or(rest.len());
            bytes.extend_from_slice(&rest[..end]);
            self.next += end;
            if found.is_some() {
                return;
            }
        }
    }
}

/// Keeps the bytes that are taken, and ends a number that is too long.
struct Kept<'a, L> {
    lexer: &'a mut L,
    bytes: Vec<u8>,
}

impl<L: Read> Read for Kept<'_, L> {
    fn peek_next(&mut self) -> Option<u8> {
        if self.bytes.len() > number::LONGEST {
            return None;
        }
        self.lexer.peek_next()
    }

    fn take_next(&mut self) -> Option<u8> {
        let byte = self.peek_next()?;
        self.lexer.take_next();
        self.bytes.push(byte);
        Some(byte)
    }
}

/// The text of a number, which is ASCII.
fn ascii(number: Vec<u8>) -> String {
    String::from_utf8(number).unwrap_or_default()
}

impl<R: io::Read> Source for Reader<R> {
    type Number = String;

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.rest().first() {
            Some(next) if *next > b' ' => Some(*next),
            _ => self.ws_peek(),
        }
    }

    #[inline]
    fn takes(&mut self, expected: &Expected) -> bool {
        let is_next = self.buffer[..self.end]
            .get(self.next.wrapping_sub(1)..)
            .is_some_and(|bytes| expected.is_next(bytes));
        if is_next {
            self.next += expected.len() - 1;
        }
        is_next
    }

    #[inline]
    fn string<T>(&mut self, make: impl FnOnce(&str) -> T) -> Result<T, Broken> {
        let rest = self.rest();
        let len = plain(rest);
        if rest.get(len) == Some(&b'"') {
            if let Ok(text) = part(&rest[..len]) {
                let value = make(text);
                self.next += len + 1;
                return Ok(value);
            }
        }
        let (mut bytes, mut out) = (mem::take(&mut self.part), mem::take(&mut self.unescaped));
        let read = self.long_string(&mut bytes, &mut out).map(|()| make(&out));
        out.clear();
        // A long string is not kept beyond its end.
        out.shrink_to(BUFFER);
        bytes.shrink_to(BUFFER);
        (self.part, self.unescaped) = (bytes, out);
        read.map_err(|broken| broken.at(|| self.peek_next().is_none()))
    }

    #[inline]
    fn common_number(&mut self, decimals: Decimals) -> Option<Result<Item, String>> {
        let (number, len) = signed(self.rest())?;
        let start = self.next;
        self.next += len;
        Some(match number {
            Digits::Integer(value) => Ok(value.into()),
            Digits::Decimal(value) => Ok(value.into()),
            Digits::Near(value) if decimals == Decimals::Nearest => Ok(value.into()),
            Digits::Near(_) | Digits::Long => Err(ascii(self.buffer[start..self.next].to_vec())),
        })
    }

    #[inline]
    fn literal(&mut self) -> Option<Item> {
        let (item, len) = literal(self.rest())?;
        self.next += len;
        Some(item)
    }

    fn number(&mut self) -> String {
        let mut kept = Kept {
            lexer: self,
            bytes: Vec::new(),
        };
        kept.num_ignore();
        ascii(kept.bytes)
    }

    fn last(&self) -> Option<u8> {
        self.buffer[..self.next].last().copied().or(self.last)
    }

    fn offset(&self) -> u64 {
        self.lines.end + self.next as u64
    }

    fn place(&self, offset: u64) -> Place {
        let before = usize::try_from(offset.saturating_sub(self.lines.end)).unwrap_or(usize::MAX);
        self.lines.place(offset, &self.buffer[..before.min(self.end)])
    }

    fn failure(&mut self) -> Option<Problem> {
        if self.next == self.end {
            self.failure.take()
        } else {
            None
        }
    }
}
