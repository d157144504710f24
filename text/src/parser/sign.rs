//! [`Sign`]: plus or minus.

/// The sign of a number.
#[expect(clippy::exhaustive_enums, reason = "a sign is a plus or a minus")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}
