//! [`MarkupError`]: what is wrong with a formatted string, and where.

use std::fmt;

use crate::formatting::excerpt::Excerpt;

/// A place in a formatted string that says nothing: see [`markup_errors`](crate::markup_errors).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkupError {
    pub(super) kind: MarkupErrorKind,
    pub(super) offset: usize,
    pub(super) cause: Box<str>,
}

/// What is wrong. In the order in which [`markup_errors`](crate::markup_errors) reports.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkupErrorKind {
    /// A `}` that closes no block. It is dropped.
    UnmatchedBracket,
    /// A block whose tag is empty. It has no color.
    EmptyTag,
    /// A color that is in no notation, or of an unknown name. The block does without it.
    BadColor,
    /// A `^` with a letter of no color. Both are dropped.
    BadShortTag,
    /// What stands behind a color is no point of a gradient. It is dropped.
    BadPoint,
}

impl fmt::Display for MarkupErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::UnmatchedBracket => "a bracket that closes no block",
            Self::EmptyTag => "an empty tag",
            Self::BadColor => "no color",
            Self::BadShortTag => "no short color",
            Self::BadPoint => "no point of a gradient",
        })
    }
}

impl MarkupError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> MarkupErrorKind {
        self.kind
    }

    /// Where, in bytes from the start of the formatted string.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The text that wasn't understood: a color, a short tag such as `^x`, or the rest of a color from the place of the
    /// error on. Empty for brackets and empty tags.
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
            MarkupErrorKind::UnmatchedBracket => f.write_str("this `}` closes no block; a `}` of the text is `&}`"),
            MarkupErrorKind::EmptyTag => f.write_str("expected a color behind this `{`; a `{` of the text is `&{`"),
            MarkupErrorKind::BadColor => write!(f, "`{cause}` is no color"),
            MarkupErrorKind::BadShortTag => write!(f, "`{cause}` is no short color; a `^` of the text is `&^`"),
            MarkupErrorKind::BadPoint if self.cause.is_empty() => {
                f.write_str("expected a point such as `[0.3]` or `[30%]`, found the end of the color")
            }
            MarkupErrorKind::BadPoint => write!(
                f,
                "expected a point such as `[0.3]` or `[30%]` or the end of the color, found `{cause}`"
            ),
        }
    }
}

impl std::error::Error for MarkupError {}
