//! [`Source`]: where the parser's bytes come from, and how far it has come.

use std::borrow::Cow;

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
pub(super) fn part(bytes: &[u8]) -> Result<&str, Broken> {
    std::str::from_utf8(bytes).map_err(|error| Broken {
        problem: Problem::Utf8,
        back: bytes.len() - error.valid_up_to(),
    })
}

/// The character of an escape whose backslash was taken. The backslash is where a wrong one is reported.
pub(super) fn escaped<S: Source>(source: &mut S) -> Result<char, Broken> {
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
pub(super) struct Lines {
    /// Line breaks.
    breaks: u64,
    /// Bytes before the last line.
    start: u64,
    /// Bytes that were looked at.
    pub(super) end: u64,
}

impl Lines {
    pub(super) fn count(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.end += 1;
            if *byte == b'\n' {
                self.breaks += 1;
                self.start = self.end;
            }
        }
    }

    /// Where `offset` is, if `before` is what stands between what was counted and it.
    pub(super) fn place(mut self, offset: u64, before: &[u8]) -> Place {
        self.count(before);
        Place {
            offset,
            line: self.breaks + 1,
            column: offset - self.start + 1,
        }
    }
}
