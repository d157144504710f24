//! [`Sheet`]: the bytes that were printed.
#![expect(
    clippy::inline_always,
    reason = "a call to print a few bytes takes more than to print them"
)]

use std::cell::Cell;
use std::mem;

/// The bytes that were printed: the last ones on a strip of fixed length, where the next ones are written in pieces whose lengths
/// the compiler knows.
///
/// ```text
/// done    {"name":"Bob","lives":…         a vector
/// strip   "speed":0.5⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷       moves to the vector when it is full
///                    └─ len
/// ```
///
/// A vector alone would ask for each piece whether there is room in memory that may move, and copy pieces of other lengths
/// by a call.
pub(super) struct Sheet {
    done: Vec<u8>,
    strip: [u8; STRIP],
    /// How many bytes of the strip were printed.
    len: usize,
    /// So much room is made when the strip is full for the first time.
    expected: usize,
}

const STRIP: usize = 1024;

/// So many bytes are enough for most things that are no collections.
pub(super) const BRIEF: usize = 40;

thread_local! {
    /// How long the last document was that this thread printed: the next one is often like it.
    static LAST: Cell<usize> = const { Cell::new(0) };
}

/// No more room than this is made before it is needed.
const MOST: usize = 1 << 20;

impl Sheet {
    pub(super) fn new() -> Self {
        Self {
            done: Vec::new(),
            strip: [0; STRIP],
            len: 0,
            expected: LAST.try_with(Cell::get).unwrap_or(0),
        }
    }

    /// How many bytes were printed.
    pub(super) fn len(&self) -> usize {
        self.done.len() + self.len
    }

    /// Everything that was printed, which is UTF-8.
    ///
    /// A copy: with the look by blocks, it takes less than the look of the standard library alone, and it is no longer than need be.
    pub(super) fn finish(mut self) -> String {
        let _ = LAST.try_with(|last| last.set(self.len().min(MOST)));
        let bytes = if self.done.is_empty() {
            &self.strip[..self.len]
        } else {
            self.all().as_slice()
        };
        let text = simdutf8::basic::from_utf8(bytes);
        text.expect("strings and ASCII were printed").to_owned()
    }

    /// Everything that was printed. Leaves nothing.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.flush();
        mem::take(&mut self.done)
    }

    /// The next bytes, which become part of what was printed by [`advance`](Self::advance).
    #[inline(always)]
    pub(super) fn room<const LEN: usize>(&mut self) -> &mut [u8; LEN] {
        const { assert!(LEN <= STRIP) };
        let start = if self.len <= STRIP - LEN {
            self.len
        } else {
            self.flush();
            0
        };
        match self.strip[start..].first_chunk_mut() {
            Some(room) => room,
            None => unreachable!("the strip is longer"),
        }
    }

    /// So many bytes were printed in the [`room`](Self::room).
    #[inline(always)]
    pub(super) fn advance(&mut self, len: usize) {
        self.len += len;
    }

    /// Prints the first bytes of `padded`, as many as `len`.
    #[inline(always)]
    pub(super) fn put<const LEN: usize>(&mut self, padded: [u8; LEN], len: usize) {
        *self.room() = padded;
        self.advance(len);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        self.put([byte], 1);
    }

    /// Prints bytes, however many.
    #[inline(never)]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        if let Some(room) = self.strip.get_mut(self.len..self.len + bytes.len()) {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.all().extend_from_slice(bytes);
        }
    }

    /// What was printed, to be continued.
    pub(super) fn all(&mut self) -> &mut Vec<u8> {
        self.flush();
        &mut self.done
    }

    /// Makes room on the strip.
    #[cold]
    #[inline(never)]
    fn flush(&mut self) {
        self.done.reserve(mem::take(&mut self.expected));
        self.done.extend_from_slice(&self.strip[..self.len]);
        self.len = 0;
    }
}

#[cfg(test)]
mod tests;
