//! Prints formatted text as markup.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use super::special::special;
use crate::Format;

/// Writes pieces of text, each of one format, as markup, from which the same pieces can be read.
///
/// If no piece is empty and neighbors differ in format, the result is a normal form: equal texts have equal markup.
pub(crate) fn write(pieces: impl Iterator<Item = (impl fmt::Display, Format)>, out: &mut impl Write) -> fmt::Result {
    for (piece, format) in pieces {
        match format.color() {
            None => write!(Escaped(out), "{piece}")?,
            Some(color) => {
                write!(out, "{{{color} ")?;
                write!(Escaped(out), "{piece}")?;
                out.write_char('}')?;
            }
        }
    }
    Ok(())
}

/// Writes `&` before every character that has a meaning in markup.
struct Escaped<'a, W>(&'a mut W);

impl<W: Write> Write for Escaped<'_, W> {
    fn write_str(&mut self, mut text: &str) -> fmt::Result {
        while let Some(index) = special(text) {
            self.0.write_str(&text[..index])?;
            self.0.write_char('&')?;
            self.0.write_str(&text[index..=index])?;
            text = &text[index + 1..];
        }
        self.0.write_str(text)
    }
}
