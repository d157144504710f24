//! Writing strings as JSON.
#![expect(
    clippy::inline_always,
    reason = "the number of bytes to copy is known only after inlining"
)]

use acedia_text::BaseText;

use super::scan::{all_plain, is_plain};
use super::sheet::{BRIEF, Sheet};

/// Adds a string in quotes to other bytes.
pub(super) fn add_string(string: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in string.bytes() {
        let escape = ESCAPES[usize::from(byte)];
        out.extend_from_slice(&escape.to_le_bytes()[..len(escape)]);
    }
    out.push(b'"');
}

/// The length up to which a string is written without a loop.
const SHORT: usize = 32;

/// Writes a short text in quotes, if no byte of it needs an escape. Returns the number of bytes.
#[inline(never)]
pub(super) fn brief(text: &BaseText, room: &mut [u8; BRIEF]) -> Option<usize> {
    let bytes = text.as_str().as_bytes();
    let len = bytes.len();
    room[0] = b'"';
    let body = &mut room[1..];
    let is_plain = match len {
        // Each length is written in two pieces of a fixed size, which may overlap, because a copy of any size is a call.
        0 => true,
        1..=3 => {
            // For one or two bytes, some of these are the same byte.
            let [first, middle, last] = [0, len / 2, len - 1].map(|at| {
                body[at] = bytes[at];
                bytes[at]
            });
            is_plain([u64::from_le_bytes([first, middle, last, b' ', b' ', b' ', b' ', b' '])])
        }
        4..=7 => {
            let [first, last] = ends(bytes, body).map(|half| u64::from(u32::from_le_bytes(half)));
            is_plain([first | last << 32])
        }
        8..=16 => is_plain(ends(bytes, body).map(u64::from_le_bytes)),
        17..=SHORT => {
            let [first, last] = ends::<16>(bytes, body);
            all_plain(&first) & all_plain(&last)
        }
        _ => false,
    };
    if !is_plain {
        return None;
    }
    room[1 + len] = b'"';
    Some(len + 2)
}

/// Writes the first and the last `LEN` bytes of a string that has `LEN` to `2 * LEN` bytes, and returns them.
#[inline(always)]
pub(super) fn ends<const LEN: usize>(bytes: &[u8], room: &mut [u8]) -> [[u8; LEN]; 2] {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        unreachable!("the string is as long as that");
    };
    room[..LEN].copy_from_slice(first);
    room[bytes.len() - LEN..][..LEN].copy_from_slice(last);
    [*first, *last]
}

/// Writes a string in quotes.
#[inline(never)]
pub(super) fn string(string: &str, sheet: &mut Sheet) {
    sheet.push(b'"');
    let mut rest = string.as_bytes();
    while let Some((block, after)) = rest.split_first_chunk::<SHORT>() {
        if all_plain(block) {
            sheet.put(*block, SHORT);
        } else {
            escaped(block, sheet);
        }
        rest = after;
    }
    match string.as_bytes().last_chunk::<SHORT>() {
        // As a whole block again, because then its length is fixed.
        Some(last) if !rest.is_empty() && all_plain(last) => sheet.put_last(last, rest.len()),
        _ => escaped(rest, sheet),
    }
    sheet.push(b'"');
}

/// Writes at most [`SHORT`] bytes of a string, some of which may need escapes.
///
/// Each byte is looked up. So no branch depends on the positions of escapes, and the next byte waits only for the length of this one.
#[inline]
fn escaped(bytes: &[u8], sheet: &mut Sheet) {
    const MOST: usize = 256;
    const { assert!(6 * SHORT < MOST) };
    let room: &mut [u8; MOST + WORD] = sheet.room();
    let mut end = 0;
    for byte in bytes {
        let escape = ESCAPES[usize::from(*byte)];
        // As a whole word: the next one overwrites its surplus.
        room[end % MOST..][..WORD].copy_from_slice(&escape.to_le_bytes());
        end += len(escape);
    }
    sheet.advance(end);
}

const WORD: usize = 8;

/// The form of each byte in a string: up to six bytes, and their number in the last byte.
static ESCAPES: [u64; 256] = {
    let mut escapes = [0; 256];
    let mut byte = 0;
    while byte < escapes.len() {
        #[expect(clippy::cast_possible_truncation, reason = "it is a byte")]
        let (escape, len) = escape(byte as u8);
        let [a, b, c, d, e, f] = escape;
        escapes[byte] = u64::from_le_bytes([a, b, c, d, e, f, 0, len]);
        byte += 1;
    }
    escapes
};

#[inline]
fn len(escape: u64) -> usize {
    (escape >> 56) as usize
}

/// The form of a byte in a string, and its length.
const fn escape(byte: u8) -> ([u8; 6], u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' | b'\\' => byte,
        8 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        12 => b'f',
        b'\r' => b'r',
        0..b' ' => {
            let digits = [DIGITS[byte as usize / 16], DIGITS[byte as usize % 16]];
            return ([b'\\', b'u', b'0', b'0', digits[0], digits[1]], 6);
        }
        _ => return ([byte, 0, 0, 0, 0, 0], 1),
    };
    ([b'\\', short, 0, 0, 0, 0], 2)
}
