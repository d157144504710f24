//! Strings as JSON writes them.

use std::fmt::Write as _;

use acedia_text::BaseText;

use super::scan::plain;

/// Writes a text in quotes.
#[inline]
pub(super) fn text(text: &BaseText, out: &mut String) {
    out.push('"');
    match text.as_str() {
        Some(text) => plainly(text, out),
        None => wide(text, out),
    }
    out.push('"');
}

/// Writes a text that is not stored as ASCII: all of it, and once more from where something is to be escaped.
#[inline(never)]
fn wide(text: &BaseText, out: &mut String) {
    let start = out.len();
    text.append_to(out);
    let special = plain(&out.as_bytes()[start..]);
    if start + special < out.len() {
        let rest = out.split_off(start + special);
        escaped(&rest, 0, out);
    }
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
        escape(char::from(rest.as_bytes()[special]), out);
        rest = &rest[special + 1..];
        special = plain(rest.as_bytes());
    }
    out.push_str(rest);
}

/// Writes a character that can't stand in a string as it is.
#[inline(never)]
fn escape(c: char, out: &mut String) {
    let short = match c {
        '"' | '\\' => c,
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{c}' => 'f',
        '\r' => 'r',
        _ => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
            return;
        }
    };
    out.push('\\');
    out.push(short);
}
