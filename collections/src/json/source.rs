//! [`Source`]: where the parser's bytes come from, and how far it has come.

use std::borrow::Cow;
use std::io;

use hifijson::escape::{self, Lex as _};
use hifijson::num::Lex as _;
use hifijson::str::{Error as StringError, LexWrite as _};
use hifijson::{Read, SliceLexer, Write};

use super::Problem;
use super::error::Place;

/// A lexer that knows where it is.
pub(super) trait Source: Read + Write {
    /// The bytes of a number.
    type Number: AsRef<[u8]>;

    /// Reads a string whose opening quote was taken, and makes something of it.
    fn string<T>(&mut self, make: impl FnOnce(Cow<'_, str>) -> T) -> Result<T, Broken>;

    /// Reads a number. Its last byte is no digit if it is broken off.
    fn number(&mut self) -> Self::Number;

    /// Bytes that were taken.
    fn offset(&self) -> u64;

    /// Where the byte `offset` is: the next one, or one before it in its line.
    fn place(&self, offset: u64) -> Place;

    /// What kept the source from giving more bytes after the last one, if it was not the end.
    fn failure(&mut self) -> Option<Problem>;
}

/// A string that could not be read, and how many bytes before the next one that was seen.
pub(super) struct Broken {
    pub(super) problem: Problem,
    pub(super) back: usize,
}

impl From<StringError> for Broken {
    /// For what is wrong between escapes.
    fn from(error: StringError) -> Self {
        match error {
            StringError::Control => Self {
                problem: Problem::Control,
                back: 1,
            },
            _ => UNTERMINATED,
        }
    }
}

const UNTERMINATED: Broken = Broken {
    problem: Problem::Unterminated,
    back: 0,
};

/// A part of a string between escapes; what comes after it was not taken yet.
fn part(bytes: &[u8]) -> Result<&str, Broken> {
    std::str::from_utf8(bytes).map_err(|error| Broken {
        problem: Problem::Utf8,
        back: bytes.len() - error.valid_up_to(),
    })
}

/// The character of an escape whose backslash was taken. The backslash is where a wrong one is reported.
fn escaped<S: Source>(source: &mut S) -> Result<char, Broken> {
    let backslash = source.offset() - 1;
    let kind = source.take_next().ok_or(UNTERMINATED)?;
    source.escape(kind).map_err(|error| {
        let problem = match error {
            escape::Error::Eof => return UNTERMINATED,
            escape::Error::InvalidChar(_) | escape::Error::ExpectedLowSurrogate => Problem::Surrogate,
            escape::Error::InvalidKind(_) | escape::Error::InvalidHex(_) => Problem::Escape,
        };
        Broken {
            problem,
            back: usize::try_from(source.offset() - backslash).unwrap_or(0),
        }
    })
}

/// A document in memory.
pub(super) struct Slice<'a> {
    lexer: SliceLexer<'a>,
    whole: &'a [u8],
}

impl<'a> Slice<'a> {
    pub(super) fn new(whole: &'a [u8]) -> Self {
        Self {
            lexer: SliceLexer::new(whole),
            whole,
        }
    }
}

impl Read for Slice<'_> {
    fn strip_prefix(&mut self, prefix: &[u8]) -> bool {
        self.lexer.strip_prefix(prefix)
    }

    #[inline]
    fn skip_until(&mut self, stop: impl FnMut(u8) -> bool) {
        self.lexer.skip_until(stop);
    }

    #[inline]
    fn peek_next(&mut self) -> Option<u8> {
        self.lexer.peek_next()
    }

    #[inline]
    fn take_next(&mut self) -> Option<u8> {
        self.lexer.take_next()
    }
}

impl<'a> Write for Slice<'a> {
    type Bytes = &'a [u8];

    #[inline]
    fn write_until(&mut self, bytes: &mut &'a [u8], stop: impl FnMut(u8) -> bool) {
        self.lexer.write_until(bytes, stop);
    }
}

impl<'a> Source for Slice<'a> {
    type Number = &'a [u8];

    #[inline]
    fn string<T>(&mut self, make: impl FnOnce(Cow<'_, str>) -> T) -> Result<T, Broken> {
        let string = self.str_fold(
            Cow::Borrowed(""),
            |bytes: &mut &'a [u8], out: &mut Cow<'a, str>| {
                let part = part(bytes)?;
                if out.is_empty() {
                    *out = Cow::Borrowed(part);
                } else {
                    out.to_mut().push_str(part);
                }
                Ok::<_, Broken>(())
            },
            |source, out| {
                out.to_mut().push(escaped(source)?);
                Ok(())
            },
        )?;
        Ok(make(string))
    }

    #[inline]
    fn number(&mut self) -> &'a [u8] {
        let before = self.lexer.as_slice();
        self.num_ignore();
        &before[..before.len() - self.lexer.as_slice().len()]
    }

    fn offset(&self) -> u64 {
        (self.whole.len() - self.lexer.as_slice().len()) as u64
    }

    fn place(&self, offset: u64) -> Place {
        let before = &self.whole[..usize::try_from(offset).unwrap_or(usize::MAX).min(self.whole.len())];
        Lines::default().place(offset, before)
    }

    fn failure(&mut self) -> Option<Problem> {
        None
    }
}

/// Lines that were counted so far.
#[derive(Clone, Copy, Default)]
struct Lines {
    /// Line breaks.
    breaks: u64,
    /// Bytes before the last line.
    start: u64,
    /// Bytes that were looked at.
    end: u64,
}

impl Lines {
    fn count(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.end += 1;
            if *byte == b'\n' {
                self.breaks += 1;
                self.start = self.end;
            }
        }
    }

    /// Where `offset` is, if `before` is what stands between what was counted and it.
    fn place(mut self, offset: u64, before: &[u8]) -> Place {
        self.count(before);
        Place {
            offset,
            line: self.breaks + 1,
            column: offset - self.start + 1,
        }
    }
}

/// How much is read at a time.
const BUFFER: usize = 64 << 10;

/// A document that is read bit by bit.
pub(super) struct Reader<R> {
    input: R,
    buffer: Vec<u8>,
    /// The next byte in the buffer, and the end of what was read.
    next: usize,
    end: usize,
    /// What stands before the buffer.
    lines: Lines,
    longest: u64,
    failure: Option<Problem>,
}

impl<R: io::Read> Reader<R> {
    pub(super) fn new(input: R, longest: u64) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER],
            next: 0,
            end: 0,
            lines: Lines::default(),
            longest,
            failure: None,
        }
    }

    /// Reads more. `false` at the end, or if reading failed.
    #[cold]
    fn fill(&mut self) -> bool {
        if self.failure.is_some() {
            return false;
        }
        self.lines.count(&self.buffer[..self.end]);
        (self.next, self.end) = (0, 0);
        let read = loop {
            match self.input.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(Problem::Io(error));
                    break 0;
                }
                Ok(read) => break read,
            }
        };
        let room = self.longest - self.lines.end;
        self.end = usize::try_from(room).unwrap_or(usize::MAX).min(read);
        if self.end < read {
            self.failure = Some(Problem::TooLong(self.longest));
        }
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

/// Keeps what is taken.
struct Kept<'a, L> {
    lexer: &'a mut L,
    bytes: Vec<u8>,
}

impl<L: Read> Read for Kept<'_, L> {
    fn peek_next(&mut self) -> Option<u8> {
        self.lexer.peek_next()
    }

    fn take_next(&mut self) -> Option<u8> {
        let byte = self.lexer.take_next()?;
        self.bytes.push(byte);
        Some(byte)
    }
}

impl<R: io::Read> Source for Reader<R> {
    type Number = Vec<u8>;

    fn string<T>(&mut self, make: impl FnOnce(Cow<'_, str>) -> T) -> Result<T, Broken> {
        let string = self.str_fold(
            String::new(),
            |bytes: &mut Vec<u8>, out: &mut String| {
                out.push_str(part(bytes)?);
                Ok::<_, Broken>(())
            },
            |source, out| {
                out.push(escaped(source)?);
                Ok(())
            },
        )?;
        Ok(make(string.into()))
    }

    fn number(&mut self) -> Vec<u8> {
        let mut kept = Kept {
            lexer: self,
            bytes: Vec::new(),
        };
        kept.num_ignore();
        kept.bytes
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
