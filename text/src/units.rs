//! [`Units`]: code points of one width, borrowed.

use std::ops::Range;

/// The number of bytes per code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// ASCII.
    One = 1,
    /// The basic multilingual plane. A `char` is never a surrogate.
    Two = 2,
    /// Everything.
    Four = 4,
}

impl Width {
    #[inline]
    pub(crate) const fn of(c: char) -> Self {
        match c as u32 {
            0..0x80 => Self::One,
            0x80..0x1_0000 => Self::Two,
            _ => Self::Four,
        }
    }

    /// The narrowest width for all characters of `text`, according to the leading bytes of its UTF-8.
    pub(crate) fn of_str(text: &str) -> Self {
        match text.bytes().fold(0, u8::max) {
            0..0x80 => Self::One,
            0x80..0xf0 => Self::Two,
            _ => Self::Four,
        }
    }

    /// The smallest code that needs this width. No code needs a width of one.
    pub(crate) const fn smallest(self) -> u32 {
        match self {
            Self::One => u32::MAX,
            Self::Two => 0x80,
            Self::Four => 0x1_0000,
        }
    }

    pub(crate) const fn bytes(self) -> usize {
        self as usize
    }
}

/// Code points of one width: a whole buffer, or a part of one. Wide ones are little-endian.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Units<'a> {
    Ascii(&'a str),
    Two(&'a [u8]),
    Four(&'a [u8]),
}

impl<'a> Units<'a> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Two(bytes) => bytes.len() / 2,
            Self::Four(bytes) => bytes.len() / 4,
        }
    }

    /// One code, written to `memory`.
    pub(crate) fn of_char(c: char, memory: &'a mut [u8; 4]) -> Self {
        match Width::of(c) {
            Width::One => Self::Ascii(c.encode_utf8(memory)),
            Width::Two => {
                memory[..2].copy_from_slice(&two(c as u32));
                Self::Two(&memory[..2])
            }
            Width::Four => {
                *memory = four(c as u32);
                Self::Four(memory)
            }
        }
    }

    #[cfg(any(test, all(feature = "simd", target_arch = "x86_64")))]
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Ascii(text) => text.as_bytes(),
            Self::Two(bytes) | Self::Four(bytes) => bytes,
        }
    }

    pub(crate) fn width(self) -> Width {
        match self {
            Self::Ascii(_) => Width::One,
            Self::Two(_) => Width::Two,
            Self::Four(_) => Width::Four,
        }
    }

    #[inline]
    pub(crate) fn get(self, index: usize) -> Option<char> {
        match self {
            Self::Ascii(text) => text.as_bytes().get(index).map(|byte| char::from(*byte)),
            Self::Two(bytes) => bytes.chunks_exact(2).nth(index).map(|unit| to_char(read_two(unit))),
            Self::Four(bytes) => bytes.chunks_exact(4).nth(index).map(|unit| to_char(read_four(unit))),
        }
    }

    /// A part, which must lie inside.
    #[inline]
    pub(crate) fn slice(self, range: Range<usize>) -> Self {
        match self {
            Self::Ascii(text) => Self::Ascii(&text[range]),
            Self::Two(bytes) => Self::Two(&bytes[range.start * 2..range.end * 2]),
            Self::Four(bytes) => Self::Four(&bytes[range.start * 4..range.end * 4]),
        }
    }

    /// The width that these codes need. For a part it may be less than the actual width.
    pub(crate) fn narrowest(self) -> Width {
        let widest = match self {
            Self::Ascii(_) => 0,
            Self::Two(bytes) => bytes.chunks_exact(2).map(read_two).fold(0, u32::max),
            Self::Four(bytes) => bytes.chunks_exact(4).map(read_four).fold(0, u32::max),
        };
        Width::of(to_char(widest))
    }

    /// The number of these codes that need this width.
    pub(crate) fn count_from(self, width: Width) -> usize {
        let smallest = width.smallest();
        match self {
            Self::Ascii(_) => 0,
            Self::Two(bytes) => bytes.chunks_exact(2).filter(|unit| read_two(unit) >= smallest).count(),
            Self::Four(bytes) => bytes.chunks_exact(4).filter(|unit| read_four(unit) >= smallest).count(),
        }
    }
}

/// The `char` of a unit. Units are only written from `char`s, so the replacement character never results.
#[inline]
pub(crate) fn to_char(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[inline]
pub(crate) fn read_two(unit: &[u8]) -> u32 {
    u32::from(u16::from_le_bytes([unit[0], unit[1]]))
}

#[inline]
pub(crate) fn read_four(unit: &[u8]) -> u32 {
    u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]])
}

/// A unit of two bytes, for a code that fits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the caller has checked the width")]
pub(crate) const fn two(code: u32) -> [u8; 2] {
    (code as u16).to_le_bytes()
}

/// A unit of four bytes.
#[inline]
pub(crate) const fn four(code: u32) -> [u8; 4] {
    code.to_le_bytes()
}
