//! Strings as JSON writes them.
#![expect(
    clippy::inline_always,
    reason = "how many bytes are copied is known only where it is inlined"
)]

use acedia_text::BaseText;

use super::scan::{all_plain, plain, plain_in};
use super::sheet::Sheet;

/// Writes a text in quotes.
#[inline(never)]
pub(super) fn text(text: &BaseText, sheet: &mut Sheet) {
    match text.as_str() {
        Some(text) => string(text, sheet),
        None => string(&text.to_string(), sheet),
    }
}

/// Writes a string in quotes.
#[inline]
pub(super) fn string(string: &str, sheet: &mut Sheet) {
    let bytes = string.as_bytes();
    if !short(bytes, sheet) {
        any(bytes, sheet);
    }
}

/// Adds a string in quotes to other bytes.
pub(super) fn add_string(string: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in string.bytes() {
        if all_plain(&[byte]) {
            out.push(byte);
        } else {
            add_special(byte, out);
        }
    }
    out.push(b'"');
}

/// As [`special`].
fn add_special(byte: u8, out: &mut Vec<u8>) {
    let (escape, len) = escape(byte);
    out.extend_from_slice(&escape[..len]);
}

/// Up to so many bytes are written without a loop.
const SHORT: usize = 32;

/// Writes a short string in which nothing is to be escaped. Whether it is one.
#[inline(always)]
fn short(bytes: &[u8], sheet: &mut Sheet) -> bool {
    let len = bytes.len();
    let room: &mut [u8; SHORT + 2] = sheet.room();
    room[0] = b'"';
    let body = &mut room[1..];
    let is_plain = match len {
        0 => true,
        1..=3 => {
            // One of them may stand for two.
            let [first, middle, last] = [0, len / 2, len - 1].map(|at| {
                body[at] = bytes[at];
                bytes[at]
            });
            is_plain_word([first, middle, last, b' ', b' ', b' ', b' ', b' '])
        }
        4..=7 => ends(bytes, body, |[a, b, c, d], [e, f, g, h]| {
            is_plain_word([a, b, c, d, e, f, g, h])
        }),
        8..=16 => ends(bytes, body, |first, last| is_plain_word(first) & is_plain_word(last)),
        17..=SHORT => ends(bytes, body, |first: [u8; 16], last| {
            all_plain(&first) & all_plain(&last)
        }),
        _ => false,
    };
    if is_plain {
        room[1 + len] = b'"';
        sheet.advance(len + 2);
    }
    is_plain
}

/// Writes the first and the last `LEN` bytes of a string, which are all of it, and gives them to `are_plain`.
#[inline(always)]
fn ends<const LEN: usize>(bytes: &[u8], room: &mut [u8], are_plain: impl FnOnce([u8; LEN], [u8; LEN]) -> bool) -> bool {
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        return false;
    };
    room[..LEN].copy_from_slice(first);
    room[bytes.len() - LEN..][..LEN].copy_from_slice(last);
    are_plain(*first, *last)
}

#[inline]
fn is_plain_word(bytes: [u8; 8]) -> bool {
    plain_in(u64::from_le_bytes(bytes)) == bytes.len()
}

/// Writes any string in quotes.
#[inline(never)]
fn any(bytes: &[u8], sheet: &mut Sheet) {
    sheet.push(b'"');
    let special = plain(bytes);
    sheet.extend(&bytes[..special]);
    escaped(&bytes[special..], sheet);
    sheet.push(b'"');
}

/// Writes a part of a string in which there may be much to escape.
fn escaped(bytes: &[u8], sheet: &mut Sheet) {
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let count = plain_in(u64::from_le_bytes(*word));
        sheet.put(*word, count);
        rest = if count < word.len() {
            special(word[count], sheet);
            &rest[count + 1..]
        } else {
            after
        };
    }
    for byte in rest {
        if all_plain(&[*byte]) {
            sheet.push(*byte);
        } else {
            special(*byte, sheet);
        }
    }
}

/// Writes an ASCII character that can't stand in a string as it is.
#[inline]
fn special(byte: u8, sheet: &mut Sheet) {
    let (escape, len) = escape(byte);
    sheet.put(escape, len);
}

/// How an ASCII character is written that can't stand in a string as it is, and how long that is.
#[inline]
fn escape(byte: u8) -> ([u8; 6], usize) {
    let short = match byte {
        b'"' | b'\\' => byte,
        8 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        12 => b'f',
        b'\r' => b'r',
        _ => {
            let digit = |value: u8| b"0123456789abcdef"[usize::from(value % 16)];
            return ([b'\\', b'u', b'0', b'0', digit(byte / 16), digit(byte)], 6);
        }
    };
    ([b'\\', short, 0, 0, 0, 0], 2)
}

#[cfg(test)]
mod tests {
    use acedia_text::Text;

    use super::*;

    fn printed(print: impl FnOnce(&mut Sheet)) -> String {
        let mut sheet = Sheet::new();
        print(&mut sheet);
        sheet.finish()
    }

    #[test]
    fn every_length_with_every_byte_at_every_place() {
        for len in 1..70 {
            for at in 0..len {
                for c in ['"', '\\', '\n', '\u{1}', '\u{1f}', ' ', '\u{7f}', 'ĝ'] {
                    let mut chars = vec!['a'; len];
                    chars[at] = c;
                    let whole: String = chars.into_iter().collect();
                    let expected = serde_json::to_string(&whole).expect("a string");
                    assert_eq!(printed(|sheet| string(&whole, sheet)), expected);
                    assert_eq!(printed(|sheet| text(&Text::from(&whole), sheet)), expected);
                    let mut added = Vec::new();
                    add_string(&whole, &mut added);
                    assert_eq!(added, expected.as_bytes());
                }
            }
        }
        assert_eq!(printed(|sheet| string("", sheet)), "\"\"");
        assert_eq!(printed(|sheet| text(&Text::from(""), sheet)), "\"\"");
    }
}
