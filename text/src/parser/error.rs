//! [`ParseError`]: the error of a parser's step.

#[cfg(test)]
mod tests;

use std::fmt;

use arrayvec::ArrayString;

use crate::content::Content;
use crate::formatting::Excerpt;

/// The error of a step of a [`Parser`](crate::Parser): the expected and the found text. Making an error does not allocate,
/// because parsers that try alternatives make many.
///
/// ```
/// use acedia_text::BaseText;
///
/// let text = BaseText::from("x = 7");
/// let mut parser = text.parser();
/// let error = parser.integer().unwrap_err();
/// assert_eq!(error.to_string(), "character 0: expected a digit, found `x`");
/// let error = parser.eat("y =").unwrap_err();
/// assert_eq!(error.to_string(), "character 0: expected `y =`, found `x`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    expected: Expected,
    position: usize,
    found: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// "a digit"
    Noun(&'static str),
    /// The start of the expected text, and whether it is cut.
    Text(ArrayString<22>, bool),
}

const _: () = assert!(size_of::<ParseError>() <= 56);

impl ParseError {
    pub(super) const fn noun(noun: &'static str, position: usize, found: Option<char>) -> Self {
        Self {
            expected: Expected::Noun(noun),
            position,
            found,
        }
    }

    pub(super) fn text(text: &impl Content, position: usize, found: Option<char>) -> Self {
        let (mut start, mut is_cut) = (ArrayString::new(), false);
        text.piece().with(|text, _| {
            // As many characters as fit.
            is_cut = text.chars().any(|c| start.try_push(c).is_err());
        });
        Self {
            expected: Expected::Text(start, is_cut),
            position,
            found,
        }
    }

    /// The expectation: a noun such as "a digit", or the start of the expected text.
    #[must_use]
    pub fn expected(&self) -> &str {
        match &self.expected {
            Expected::Noun(noun) => noun,
            Expected::Text(start, _) => start,
        }
    }

    /// The position, in characters from the start of the text.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The character at the position, or `None` at the end of the text.
    #[must_use]
    pub const fn found(&self) -> Option<char> {
        self.found
    }
}

impl fmt::Debug for ParseError {
    /// Prints the message: `ParseError(character 0: expected a digit, found `x`)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({self})")
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: expected ", self.position)?;
        match &self.expected {
            Expected::Noun(noun) => f.write_str(noun)?,
            Expected::Text(start, is_cut) => write!(f, "`{}{}`", Excerpt(start), if *is_cut { "…" } else { "" })?,
        }
        match self.found {
            None => f.write_str(", found the end"),
            Some(c) => write!(f, ", found `{}`", Excerpt(c.encode_utf8(&mut [0; 4]))),
        }
    }
}

impl std::error::Error for ParseError {}
