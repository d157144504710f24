//! [`Sign`]: plus or minus.

/// The sign of a number.
///
/// Exhaustive, because a sign is a plus or a minus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}
