//! [`ParseError`]: the error of a parser's step.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use crate::content::{Content, Piece};
use crate::formatting::Excerpt;

/// The error of a step of a [`Parser`](crate::Parser): the expected and the found text. Making an error does not allocate,
/// because a parser tries alternatives by steps that fail.
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
    /// This text, or its start.
    Text(Start),
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
        let mut start = Start::default();
        // An error only means that the rest did not fit.
        let _ = match text.piece() {
            Piece::Str(text) => start.write_str(text),
            Piece::Char(character) => start.write_char(character.code),
            Piece::Text(text) => write!(start, "{text}"),
        };
        Self {
            expected: Expected::Text(start),
            position,
            found,
        }
    }

    /// The expectation: a noun such as "a digit", or the start of the expected text.
    #[must_use]
    pub fn expected(&self) -> &str {
        match &self.expected {
            Expected::Noun(noun) => noun,
            Expected::Text(start) => start.as_str(),
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
    /// Prints the sentence: `ParseError(character 0: expected a digit, found `x`)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ParseError({self})")
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: expected ", self.position)?;
        match &self.expected {
            Expected::Noun(noun) => f.write_str(noun)?,
            Expected::Text(start) if start.is_cut => write!(f, "`{}…`", Excerpt(start.as_str()))?,
            Expected::Text(start) => write!(f, "`{}`", Excerpt(start.as_str()))?,
        }
        match self.found {
            None => f.write_str(", found the end"),
            Some(c) => write!(f, ", found `{}`", Excerpt(c.encode_utf8(&mut [0; 4]))),
        }
    }
}

impl std::error::Error for ParseError {}

/// The start of a text, in place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Start {
    bytes: [u8; 22],
    len: usize,
    is_cut: bool,
}

impl Start {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("made of whole characters")
    }
}

impl Write for Start {
    /// Takes as many characters as fit, and fails if there are more.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            if self.len + c.len_utf8() > self.bytes.len() {
                self.is_cut = true;
                return Err(fmt::Error);
            }
            self.len += c.encode_utf8(&mut self.bytes[self.len..]).len();
        }
        Ok(())
    }
}
