//! [`Part`]: a borrowed part of a text.

use std::ops::Range;
use std::str::Chars;

use acedia::Owned;

use crate::{BaseText, MutableText, Text};

/// A part of a text that a [`Parser`](crate::Parser) has read. Borrows the text.
///
/// ```
/// use acedia_text::BaseText;
///
/// let text = BaseText::from("Bob 7");
/// let name = text.parser().name()?;
/// assert_eq!(name, "Bob");
/// assert_eq!(name.range(), 0..3);
/// assert_eq!(name.to_text().len(), 3);
/// assert!(!name.is_empty() && name.as_str() == "Bob" && name.chars().last() == Some('b'));
/// assert_eq!(name.to_base_text(), BaseText::from("Bob"));
/// assert_eq!(name.to_mutable_text().read().len(), 3);
/// # Ok::<(), acedia_text::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Part<'a> {
    text: &'a BaseText,
    range: Range<usize>,
}

impl<'a> Part<'a> {
    /// `range` must lie inside `text`.
    pub(crate) const fn new(text: &'a BaseText, range: Range<usize>) -> Self {
        Self { text, range }
    }

    /// The range of the part in its text.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The number of characters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Whether there are no characters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// The part as a string. Copies nothing. Finding the part costs as much as [`char_at`](BaseText::char_at).
    #[must_use]
    pub fn as_str(&self) -> &'a str {
        self.text.part(self.range())
    }

    /// The code points of the part in order.
    pub fn chars(&self) -> Chars<'a> {
        self.as_str().chars()
    }

    /// A copy as a value, with its formats.
    #[must_use]
    pub fn to_base_text(&self) -> BaseText {
        self.text.slice(self.range())
    }

    /// A copy as a new immutable object, with its formats.
    pub fn to_text(&self) -> Owned<Text> {
        self.text.to_text(self.range())
    }

    /// A copy as a new mutable object, with its formats.
    pub fn to_mutable_text(&self) -> Owned<MutableText> {
        self.text.to_mutable_text(self.range())
    }
}

impl From<Part<'_>> for BaseText {
    fn from(part: Part<'_>) -> Self {
        part.to_base_text()
    }
}
