//! [`MalformedMarkup`]: the errors of a string with markup, and its text.

use std::error::Error;
use std::fmt;

use crate::{BaseText, MarkupError};

/// The error of [`BaseText::try_from_markup`]: all errors in the markup, and the text without the malformed parts.
///
/// ```
/// use acedia_text::{BaseText, Color};
///
/// let error =
///     BaseText::try_from_markup("{$octarine Magic} {$red and} ^xfire}").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "byte 35: this `}` closes no block; write `&}` for a `}` in the text \
///      (the first of 3 errors)"
/// );
/// let offsets: Vec<_> = error.errors().iter().map(|error| error.offset()).collect();
/// assert_eq!(offsets, [35, 1, 29]);
///
/// let text = error.into_text();
/// assert_eq!(text, "Magic and fire");
/// assert_eq!(text.format_at(6).color(), Color::named("red"));
/// ```
#[derive(Debug, Clone)]
pub struct MalformedMarkup {
    text: Box<BaseText>,
    errors: Vec<MarkupError>,
}

impl MalformedMarkup {
    pub(crate) fn new(text: BaseText, errors: Vec<MarkupError>) -> Self {
        let text = Box::new(text);
        Self { text, errors }
    }

    /// The errors, in the order of [`markup_errors`](crate::markup_errors). There is at least one.
    #[must_use]
    pub fn errors(&self) -> &[MarkupError] {
        &self.errors
    }

    /// The text without the malformed parts, as [`BaseText::from_markup`] returns it.
    #[must_use]
    pub fn text(&self) -> &BaseText {
        &self.text
    }

    /// Like [`text`](Self::text), but by value.
    #[must_use]
    pub fn into_text(self) -> BaseText {
        *self.text
    }
}

impl fmt::Display for MalformedMarkup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.errors {
            [] => Ok(()),
            [only] => only.fmt(f),
            [first, ..] => write!(f, "{first} (the first of {} errors)", self.errors.len()),
        }
    }
}

impl Error for MalformedMarkup {}
