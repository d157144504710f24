//! Strings as JSON writes them.

use std::fmt::Write as _;

use acedia_text::BaseText;

/// Writes a text in quotes.
pub(super) fn string(text: &BaseText, out: &mut String) {
    out.push('"');
    match text.as_str() {
        Some(text) => escaped(text, out),
        None => escaped(&text.to_string(), out),
    }
    out.push('"');
}

fn escaped(text: &str, out: &mut String) {
    let mut rest = text;
    // Without a way out in the middle, this is done many bytes at a time.
    if !text.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
        while let Some(at) = rest.bytes().position(|byte| !is_plain(byte)) {
            out.push_str(&rest[..at]);
            escape(rest.as_bytes()[at], out);
            rest = &rest[at + 1..];
        }
    }
    out.push_str(rest);
}

fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

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
