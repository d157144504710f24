//! [`Short`]: a few ASCII characters, stored in place.

#[cfg(test)]
mod tests;

use ascii::{AsciiChar, AsciiStr};

/// The most characters that fit.
pub(crate) const MOST: usize = 64;

/// The `len` that marks a text stored elsewhere: more than fits.
const NONE: u8 = u8::MAX;

/// A text of at most [`MOST`] ASCII characters inside the object it belongs to, or a mark that the text is stored elsewhere.
///
/// Making such a text touches only the object's own memory and calls no allocator. Characters are copied in two pieces of a
/// constant size, which overlap in the middle. The copy also checks that they are ASCII.
///
/// ```text
/// "overlapping"    o v e r l a p p
///                        r l a p p i n g
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Short {
    len: u8,
    chars: [AsciiChar; MOST],
}

impl Default for Short {
    fn default() -> Self {
        Self {
            len: 0,
            chars: [AsciiChar::Null; MOST],
        }
    }
}

impl Short {
    /// The text, if it is here.
    #[inline]
    pub(crate) fn as_str(&self) -> Option<&str> {
        self.chars
            .get(..usize::from(self.len))
            .map(|chars| <&AsciiStr>::from(chars).as_str())
    }

    /// The characters, if they are here, to change letters in place.
    pub(crate) fn as_ascii_mut(&mut self) -> Option<&mut AsciiStr> {
        self.chars.get_mut(..usize::from(self.len)).map(Into::into)
    }

    #[inline]
    pub(crate) fn is_here(&self) -> bool {
        usize::from(self.len) <= MOST
    }

    /// Whether the text is here and `count` characters more fit.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        count <= MOST && usize::from(self.len) + count <= MOST
    }

    /// Stores an empty text here.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Marks the text as stored elsewhere.
    pub(crate) fn leave(&mut self) {
        self.len = NONE;
    }

    /// Replaces the text and returns `true`, if the text is here and the new one is short and ASCII.
    #[inline]
    pub(crate) fn set(&mut self, text: &str) -> bool {
        let here = self.is_here();
        let room = self.chars.get_mut(..text.len()).filter(|_| here);
        let done = room.is_some_and(|room| copy(room, text.as_bytes()));
        if done {
            self.len = len_of(text);
        }
        done
    }

    /// Adds to the text and returns `true`, if the text is here, the addition fits, and it is ASCII.
    pub(crate) fn push_str(&mut self, text: &str) -> bool {
        let room = self.chars.get_mut(usize::from(self.len)..);
        let room = room.and_then(|room| room.get_mut(..text.len()));
        let done = room.is_some_and(|room| copy(room, text.as_bytes()));
        if done {
            self.len += len_of(text);
        }
        done
    }
}

/// Whether two strings are equal. Most compared strings are short and equal, so those are compared without a call, in two
/// pieces that overlap.
#[inline]
pub(crate) fn same(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (ours.as_bytes(), theirs.as_bytes());
    match (ours.len(), theirs.len()) {
        (8..=16, len) => len == ours.len() && same_ends::<8>(ours, theirs),
        (17..=32, len) => len == ours.len() && same_ends::<16>(ours, theirs),
        _ => ours == theirs,
    }
}

/// Whether the first and the last `LEN` bytes are equal.
#[inline]
fn same_ends<const LEN: usize>(ours: &[u8], theirs: &[u8]) -> bool {
    ours.first_chunk::<LEN>() == theirs.first_chunk() && ours.last_chunk::<LEN>() == theirs.last_chunk()
}

/// The length of a text that fits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "it is at most MOST")]
fn len_of(text: &str) -> u8 {
    text.len() as u8
}

/// Copies as many bytes as `to` has room for, and returns whether all are ASCII. The high bit of each byte is cleared.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call per text made costs a tenth of making it")]
fn copy(to: &mut [AsciiChar], from: &[u8]) -> bool {
    match from.len() {
        8..=16 => ends::<8>(to, from),
        17..=32 => ends::<16>(to, from),
        33.. => ends::<32>(to, from),
        4..=7 => ends::<4>(to, from),
        2..=3 => ends::<2>(to, from),
        1 => ends::<1>(to, from),
        0 => true,
    }
}

/// Copies the first and the last `LEN` bytes. The check comes after the copy: in the other order compilers copy byte by byte.
#[inline]
fn ends<const LEN: usize>(to: &mut [AsciiChar], from: &[u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<LEN>(), from.last_chunk::<LEN>()) else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut() {
        *to = first.map(low_bits);
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = last.map(low_bits);
    }
    high_bits(first) | high_bits(last) == 0
}

/// The character of an ASCII byte. The mask makes the compiler drop the check.
#[inline]
fn low_bits(byte: u8) -> AsciiChar {
    AsciiChar::from_ascii(byte & 0x7f).unwrap_or(AsciiChar::Null)
}

/// Not zero if a byte is not ASCII. Works on whole words, for which compilers generate better code than for bytes.
#[inline]
fn high_bits<const LEN: usize>(bytes: &[u8; LEN]) -> u64 {
    let words = bytes.chunks_exact(8).filter_map(|word| word.first_chunk());
    let words = words.fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let rest = bytes.chunks_exact(8).remainder().iter().fold(0, |all, byte| all | byte);
    (words | u64::from(rest)) & u64::from_ne_bytes([0x80; 8])
}
