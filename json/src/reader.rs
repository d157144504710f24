//! [`Reader`]: a document that is read in blocks.

use std::io;

use hifijson::num::Lex as _;
use hifijson::str::LexWrite as _;
use hifijson::{Read, Write};

use super::error::{Place, Problem};
use super::number;
use super::source::{Broken, Lines, Source, escaped, part};

/// The length of a block in bytes.
const BUFFER: usize = 64 << 10;

/// A document that is read in blocks.
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
            is_ended: false,
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

impl<R: io::Read> Source for Reader<R> {
    type Number = String;

    fn string<T>(&mut self, make: impl FnOnce(&str) -> T) -> Result<T, Broken> {
        let read = self.str_fold(
            String::new(),
            |bytes: &mut Vec<u8>, out: &mut String| {
                out.push_str(part(bytes)?);
                Ok::<_, Broken>(())
            },
            |source, out| {
                out.push(escaped(source)?);
                Ok(())
            },
        );
        match read {
            Ok(string) => Ok(make(&string)),
            Err(broken) => Err(broken.at(|| self.peek_next().is_none())),
        }
    }

    fn number(&mut self) -> String {
        let mut kept = Kept {
            lexer: self,
            bytes: Vec::new(),
        };
        kept.num_ignore();
        // The lexer takes only ASCII for a number.
        String::from_utf8(kept.bytes).unwrap_or_default()
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
