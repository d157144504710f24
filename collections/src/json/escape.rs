//! Strings as JSON writes them.

use std::fmt::Write as _;

use acedia_text::BaseText;

use super::scan::{is_plain, plain};

/// Writes a text in quotes.
#[inline]
pub(super) fn text(text: &BaseText, out: &mut String) {
    out.push('"');
    match text.as_str() {
        Some(text) => plainly(text, out),
        None => text.chars().for_each(|c| match u8::try_from(c) {
            Ok(byte) if !is_plain(byte) => escape(byte, out),
            _ => out.push(c),
        }),
    }
    out.push('"');
}

/// Writes a string in quotes.
pub(super) fn string(string: &str, out: &mut String) {
    out.push('"');
    plainly(string, out);
    out.push('"');
}

/// Writes a string, at once as far as nothing is to be escaped.
#[inline]
fn plainly(text: &str, out: &mut String) {
    let first = plain(text.as_bytes());
    if first == text.len() {
        out.push_str(text);
    } else {
        escaped(text, first, out);
    }
}

/// Writes what has something to escape in it, first of all at `special`.
#[inline(never)]
fn escaped(text: &str, mut special: usize, out: &mut String) {
    let mut rest = text;
    while special < rest.len() {
        out.push_str(&rest[..special]);
        escape(rest.as_bytes()[special], out);
        rest = &rest[special + 1..];
        special = plain(rest.as_bytes());
    }
    out.push_str(rest);
}

#[inline]
fn escape(byte: u8, out: &mut String) {
    let short = match byte {
        b'"' => '"',
        b'\\' => '\\',
        8 => 'b',
        b'\t' => 't',
        b'\n' => 'n',
        12 => 'f',
        b'\r' => 'r',
        _ => {
            let _ = write!(out, "\\u{byte:04x}");
            return;
        }
    };
    out.push('\\');
    out.push(short);
}
