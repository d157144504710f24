//! [`ParseError`]: what a parser expected, and where.

use std::fmt;

/// What a [`Parser`](crate::Parser) expected, and what it found. Made without an allocation, because failing is how
/// parsers choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    expected: &'static str,
    position: usize,
    found: Option<char>,
}

impl ParseError {
    pub(super) const fn new(expected: &'static str, position: usize, found: Option<char>) -> Self {
        Self {
            expected,
            position,
            found,
        }
    }

    /// What was expected, as a noun: "a digit".
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// Where, in characters from the start of the text.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The character that stands there; `None` at the end.
    #[must_use]
    pub const fn found(&self) -> Option<char> {
        self.found
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: expected {}, found ", self.position, self.expected)?;
        match self.found {
            None => f.write_str("the end"),
            Some(c @ ('"' | '\'' | '\\')) => write!(f, "`{c}`"),
            Some(c) => write!(f, "`{}`", c.escape_debug()),
        }
    }
}

impl std::error::Error for ParseError {}
