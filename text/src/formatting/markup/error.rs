//! [`MarkupError`]: an error in a string with markup.

use std::fmt;

use crate::formatting::excerpt::Excerpt;

/// A malformed part of a string with markup: see [`markup_errors`](crate::markup_errors).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkupError {
    pub(super) kind: MarkupErrorKind,
    pub(super) offset: usize,
    pub(super) cause: Box<str>,
}

/// The kind of a [`MarkupError`]. [`markup_errors`](crate::markup_errors) sorts the errors in the order of these
/// variants.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkupErrorKind {
    /// A `}` that closes no block. The `}` is dropped.
    UnmatchedBracket,
    /// A block whose tag is empty. The block has no color.
    EmptyTag,
    /// A color in no known notation, or of an unknown name. The color is dropped.
    BadColor,
    /// A `^` before a character that is not a short color. Both characters are dropped.
    BadShortTag,
    /// A text after a color that is not a point of a gradient. The text is dropped.
    BadPoint,
}

impl MarkupError {
    /// The kind of error.
    #[must_use]
    pub const fn kind(&self) -> MarkupErrorKind {
        self.kind
    }

    /// The position of the error, in bytes from the start of the string.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The malformed text: a color, a short tag such as `^x`, or the rest of a color after the error. Empty for brackets and
    /// empty tags.
    #[must_use]
    pub fn cause(&self) -> &str {
        &self.cause
    }
}

impl fmt::Display for MarkupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cause = Excerpt(&self.cause);
        write!(f, "byte {}: ", self.offset)?;
        match self.kind {
            MarkupErrorKind::UnmatchedBracket => {
                f.write_str("this `}` closes no block; write `&}` for a `}` in the text")
            }
            MarkupErrorKind::EmptyTag => {
                f.write_str("expected a color after this `{`; write `&{` for a `{` in the text")
            }
            MarkupErrorKind::BadColor if matches!(&*self.cause, "" | "$") => {
                f.write_str("expected a color such as `$red`")
            }
            MarkupErrorKind::BadColor => write!(f, "`{cause}` is not a color"),
            MarkupErrorKind::BadShortTag => {
                write!(f, "`{cause}` is not a short color; write `&^` for a `^` in the text")
            }
            MarkupErrorKind::BadPoint if self.cause.is_empty() => {
                f.write_str("expected a point such as `[0.3]` or `[30%]`, found the end of the color")
            }
            MarkupErrorKind::BadPoint => write!(
                f,
                "expected the end of the color or a point such as `[0.3]` or `[30%]`, found `{cause}`"
            ),
        }
    }
}

impl std::error::Error for MarkupError {}
