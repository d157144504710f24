//! [`Excerpt`]: the start of somebody's text, for a message.

use std::fmt::{self, Write};

/// Shows the start of a text: short enough for an error, with nothing in it that would disturb a terminal.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_printable() {
        assert_eq!(Excerpt("").to_string(), "");
        assert_eq!(Excerpt(r#"{'a' "b" \"#).to_string(), r#"{'a' "b" \"#);
        assert_eq!(Excerpt("\u{1b}[1m\u{202e}").to_string(), "\\u{1b}[1m\\u{202e}");
        assert_eq!(Excerpt(&"é".repeat(40)).to_string(), "é".repeat(40));
        assert_eq!(Excerpt(&"é".repeat(41)).to_string(), "é".repeat(40) + "…");
    }
}
