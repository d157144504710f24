//! Strings as JSON writes them.

use std::io::Write as _;

use acedia_text::BaseText;

use super::scan::plain;

/// Adds the first bytes of `padded`, as many as `len`: with others behind them at first, because a copy of a number of bytes
/// that is not known beforehand is a call.
#[inline]
pub(super) fn push_first<const ROOM: usize>(padded: &[u8], len: usize, out: &mut Vec<u8>) {
    match padded.first_chunk::<ROOM>() {
        Some(room) if len <= ROOM => {
            out.extend_from_slice(room);
            out.truncate(out.len() - (ROOM - len));
        }
        _ => out.extend_from_slice(&padded[..len]),
    }
}

/// Writes a text in quotes.
#[expect(
    clippy::inline_always,
    reason = "so that the length of what was printed stays in a register"
)]
#[inline(always)]
pub(super) fn text(text: &BaseText, out: &mut Vec<u8>) {
    out.push(b'"');
    match text.as_str() {
        Some(text) => plainly(text.as_bytes(), out),
        None => wide(text, out),
    }
    out.push(b'"');
}

/// Apart, so that the way of ASCII stays short.
#[inline(never)]
fn wide(text: &BaseText, out: &mut Vec<u8>) {
    text.append_escaped_to(out, escape);
}

/// Writes a string in quotes.
pub(super) fn string(string: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    plainly(string.as_bytes(), out);
    out.push(b'"');
}

/// Writes a string, at once as far as nothing is to be escaped.
#[inline]
fn plainly(bytes: &[u8], out: &mut Vec<u8>) {
    let first = plain(bytes);
    if first == bytes.len() {
        out.extend_from_slice(bytes);
    } else {
        escaped(bytes, first, out);
    }
}

/// Writes what has something to escape in it, first of all at `special`.
#[inline(never)]
fn escaped(bytes: &[u8], mut special: usize, out: &mut Vec<u8>) {
    let mut rest = bytes;
    while special < rest.len() {
        out.extend_from_slice(&rest[..special]);
        escape(rest[special], out);
        rest = &rest[special + 1..];
        special = plain(rest);
    }
    out.extend_from_slice(rest);
}

/// Writes an ASCII character that can't stand in a string as it is.
#[inline]
fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        8 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        12 => b'f',
        b'\r' => b'r',
        _ => {
            // A vector takes everything.
            let _ = write!(out, "\\u{byte:04x}");
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
