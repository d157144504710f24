//! [`Excerpt`]: the start of a text, for a message.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

/// Prints the start of a text: short enough for an error message, with control characters escaped.
#[derive(Debug)]
pub(crate) struct Excerpt<'a>(pub(crate) &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 40;
        let mut chars = self.0.chars();
        for c in chars.by_ref().take(LONGEST) {
            match c {
                '"' | '\'' | '\\' => f.write_char(c)?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        f.write_str(if chars.as_str().is_empty() { "" } else { "…" })
    }
}
