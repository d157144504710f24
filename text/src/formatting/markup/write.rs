//! Prints formatting as markup.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use super::special::special;
use crate::Format;

/// Writes pieces of text, each of one format, as markup: reading it gives them back.
///
/// If no piece is empty and neighbors differ in format, this is the normal form: equal text, equal markup.
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

/// Puts `&` before every character that means something else in markup.
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
