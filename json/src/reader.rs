//! [`Reader`]: a document that is read in blocks.

use std::io::{self, Read as _};
use std::ops::Range;

use super::error::Problem;
use super::source::{Input, Lines};

/// The length of a block in bytes.
const BLOCK: usize = 64 << 10;

/// A reader that claims no more bytes than fit, even if the inner one does.
pub(super) struct Fitting<R>(pub(super) R);

impl<R: io::Read> io::Read for Fitting<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room).map(|read| read.min(room.len()))
    }
}

pub(super) struct Reader<R> {
    input: Fitting<R>,
    /// The bytes that were read, up to `end`. Longer than a block only for a long number.
    buffer: Vec<u8>,
    end: usize,
    /// The lines in the discarded bytes.
    lines: Lines,
    longest: u64,
    failure: Option<Problem>,
    /// Whether the input has ended. It is not read again: at a terminal the end would have to be typed once more.
    is_ended: bool,
}

impl<R: io::Read> Reader<R> {
    pub(super) fn new(input: R, longest: u64) -> Self {
        Self {
            input: Fitting(input),
            buffer: vec![0; BLOCK],
            end: 0,
            lines: Lines::default(),
            longest,
            failure: None,
            is_ended: false,
        }
    }

    /// Discards the bytes before the last one that was taken, if all bytes were taken or the buffer is full. Returns the number of
    /// discarded bytes.
    fn make_room(&mut self, taken: usize) -> usize {
        if taken < self.end && self.end < self.buffer.len() {
            return 0;
        }
        let gone = taken.saturating_sub(1);
        self.lines.count(&self.buffer[..gone]);
        self.buffer.copy_within(gone..self.end, 0);
        self.end -= gone;
        if self.end == self.buffer.len() {
            self.buffer.resize(self.end + BLOCK, 0);
        }
        gone
    }
}

impl<R: io::Read> Input for Reader<R> {
    #[inline]
    fn bytes(&self) -> &[u8] {
        &self.buffer[..self.end]
    }

    #[inline]
    fn text(&self, part: Range<usize>) -> Option<&str> {
        std::str::from_utf8(&self.buffer[part]).ok()
    }

    #[cold]
    fn more(&mut self, taken: usize) -> (usize, bool) {
        if self.is_ended {
            return (0, false);
        }
        let gone = self.make_room(taken);
        let room = &mut self.buffer[self.end..];
        let read = loop {
            match self.input.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(Problem::Io(error));
                    break 0;
                }
                Ok(read) => break read,
            }
        };
        let left = self.longest - self.lines.end - self.end as u64;
        let fits = usize::try_from(left).unwrap_or(usize::MAX).min(read);
        if fits < read {
            self.failure = Some(Problem::TooLong(self.longest));
        }
        self.end += fits;
        self.is_ended = read == 0 || self.failure.is_some();
        (gone, fits > 0)
    }

    fn lines(&self) -> Lines {
        self.lines
    }

    fn failure(&mut self) -> Option<Problem> {
        self.failure.take()
    }
}
