//! [`Sheet`]: the printed bytes.
#![expect(clippy::inline_always, reason = "a call takes longer than printing a few bytes")]

use std::mem;

/// The printed bytes. The last ones are on a strip of fixed length, where the next ones are written in pieces whose
/// lengths the compiler knows.
///
/// ```text
/// done    {"name":"Bob","lives":…         a vector
/// strip   "speed":0.5⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷⌷       moves to the vector when full
///                    └─ len
/// ```
///
/// A vector alone would check the capacity for each piece, and copy pieces of variable length by a call.
pub(super) struct Sheet {
    done: Vec<u8>,
    strip: [u8; STRIP],
    /// The number of bytes on the strip.
    len: usize,
    /// The capacity to reserve when the strip is full for the first time: the length of the last document, because the next one
    /// is often similar.
    expected: usize,
}

const STRIP: usize = 1024;

/// Enough bytes for most values that are not collections.
pub(super) const BRIEF: usize = 40;

/// The most capacity to reserve in advance.
const MOST: usize = 1 << 20;

impl Sheet {
    pub(super) fn new() -> Self {
        Self {
            done: Vec::new(),
            strip: [0; STRIP],
            len: 0,
            expected: 0,
        }
    }

    /// The number of printed bytes.
    pub(super) fn len(&self) -> usize {
        self.done.len() + self.len
    }

    /// All printed bytes, which are UTF-8. Leaves an empty sheet.
    ///
    /// Copies into a string of the exact length. Together with the validation by blocks, this takes less time than the
    /// standard library's validation alone.
    #[inline]
    pub(super) fn finish(&mut self) -> String {
        let printed = self.len();
        let bytes = if self.done.is_empty() {
            &self.strip[..self.len]
        } else {
            self.all().as_slice()
        };
        let text = simdutf8::basic::from_utf8(bytes);
        let text = text.expect("strings and ASCII were printed").to_owned();
        (self.done, self.len, self.expected) = (Vec::new(), 0, printed.min(MOST));
        text
    }

    /// The next bytes of the strip, which [`advance`](Self::advance) makes part of the printed bytes.
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

    /// Notes that `len` bytes were written into the [`room`](Self::room).
    #[inline(always)]
    pub(super) fn advance(&mut self, len: usize) {
        self.len += len;
    }

    /// Prints the first `len` bytes of `padded`.
    #[inline(always)]
    pub(super) fn put<const LEN: usize>(&mut self, padded: [u8; LEN], len: usize) {
        *self.room() = padded;
        self.advance(len);
    }

    /// Prints the last `len` bytes of a block. The bytes before them were printed last.
    #[inline(always)]
    pub(super) fn put_last<const LEN: usize>(&mut self, block: &[u8; LEN], len: usize) {
        let start = (self.len + len).checked_sub(LEN);
        match start.and_then(|start| self.strip[start..].first_chunk_mut()) {
            Some(room) => {
                *room = *block;
                self.advance(len);
            }
            // The bytes before them have left the strip, or it is full.
            None => self.extend(&block[LEN - len..]),
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, byte: u8) {
        self.put([byte], 1);
    }

    /// Prints any number of bytes.
    #[inline(never)]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        if let Some(room) = self.strip.get_mut(self.len..self.len + bytes.len()) {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.all().extend_from_slice(bytes);
        }
    }

    /// The printed bytes as a vector, to append to.
    pub(super) fn all(&mut self) -> &mut Vec<u8> {
        self.flush();
        &mut self.done
    }

    /// Empties the strip into the vector.
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
