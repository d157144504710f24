//! Prints formatted text as markup.

#[cfg(test)]
mod tests;

use super::special::special;
use crate::Format;

/// Writes pieces of text, each of one format, as markup, from which the same pieces can be read.
///
/// If no piece is empty and neighbors differ in format, the result is a normal form: equal texts have equal markup.
pub(crate) fn write<'a>(pieces: impl Iterator<Item = (&'a str, Format)>) -> String {
    let mut out = String::new();
    for (piece, format) in pieces {
        match format.color() {
            None => escape(piece, &mut out),
            Some(color) => {
                out.extend(["{", &color.to_string(), " "]);
                escape(piece, &mut out);
                out.push('}');
            }
        }
    }
    out
}

/// Adds `&` before every character that has a meaning in markup.
fn escape(mut text: &str, out: &mut String) {
    while let Some(index) = special(text) {
        out.extend([&text[..index], "&", &text[index..=index]]);
        text = &text[index + 1..];
    }
    out.push_str(text);
}
