//! [`Index`]: the places of the code points of a long string.

#[cfg(test)]
mod tests;

/// The number of bytes from one count to the next. A string of at most 64 bytes needs no index, because it is read from its
/// start.
pub(crate) const BLOCK: usize = 64;

/// The number of code points that begin before each block of [`BLOCK`] bytes.
///
/// ```text
/// bytes             0        64       128      192  ...
/// before            0        32       75       107  ...
/// code point 80                       ^ begins in this block: it is the fifth after 75
/// ```
///
/// A binary search finds the block of a code point, and at most 64 bytes are read from there on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    before: Vec<usize>,
    /// The number of code points.
    len: usize,
}

impl Index {
    pub(crate) fn new(text: &str) -> Self {
        let mut index = Self::default();
        index.renew(text, 0);
        index
    }

    /// Makes this the index of `text`, which has the same bytes as before up to `from`.
    pub(crate) fn renew(&mut self, text: &str, from: usize) {
        self.before.truncate(from / BLOCK + 1);
        let mut last = self.before.pop().unwrap_or_default();
        let mut blocks = text.as_bytes()[self.before.len() * BLOCK..].chunks_exact(BLOCK);
        self.before.push(last);
        for block in &mut blocks {
            last += starts(block);
            self.before.push(last);
        }
        self.len = last + starts(blocks.remainder());
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The byte at which a code point of `text` begins, or its end.
    pub(crate) fn byte(&self, text: &str, at: usize) -> usize {
        if at >= self.len {
            return text.len();
        }
        if self.len == text.len() {
            return at;
        }
        let block = self.before.partition_point(|before| *before <= at) - 1;
        let mut bytes = (block * BLOCK..).zip(&text.as_bytes()[block * BLOCK..]);
        let mut starts = bytes.by_ref().filter(|(_, byte)| is_start(**byte));
        starts
            .nth(at - self.before[block])
            .map_or(text.len(), |(place, _)| place)
    }

    /// The number of code points before a byte of `text`.
    pub(crate) fn position(&self, text: &str, byte: usize) -> usize {
        let block = byte / BLOCK;
        self.before[block] + starts(&text.as_bytes()[block * BLOCK..byte])
    }
}

/// The number of code points that begin in at most [`BLOCK`] bytes. A `u8` sum does not overflow, and compilers vectorize it.
fn starts(bytes: &[u8]) -> usize {
    let starts: u8 = bytes.iter().map(|byte| u8::from(is_start(*byte))).sum();
    starts.into()
}

/// Whether a code point begins with this byte.
const fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
