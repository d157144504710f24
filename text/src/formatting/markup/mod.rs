//! Markup: formatting written into the text.
//!
//! | | |
//! |---|---|
//! | `{tag content}` | a block in the color of its tag; the first whitespace ends the tag and is dropped; blocks nest |
//! | `}` | closes the innermost block |
//! | `{a:b:c content}` | a gradient over the block, from color to color |
//! | `{a:b[0.3]:c content}` | with the point where an inner color is reached, also `[30%]` |
//! | `^x` | from here to the end of the block: the short color x |
//! | `&x` | the character x itself |
//!
//! Everything is text, and malformed markup too: an error says what was not understood, and the rest is read on. One
//! pass over the source and one over the text; blocks wait on a stack of ours, so their depth doesn't matter.

mod error;
mod gradient;
mod read;
mod write;

pub use error::{MarkupError, MarkupErrorKind};
pub(crate) use read::parse;
pub(crate) use write::write;

/// What is wrong with a formatted string, by kind, and in order of place within a kind.
///
/// ```
/// use acedia_text::{MarkupErrorKind, markup_errors};
///
/// assert!(markup_errors("{$red R}ainbow &} ^gGreen").is_empty());
///
/// let errors = markup_errors("{$octarine Magic}}");
/// assert_eq!(errors[0].kind(), MarkupErrorKind::UnmatchedBracket);
/// assert_eq!(errors[0].offset(), 17);
/// assert_eq!(errors[1].to_string(), "byte 1: `$octarine` is no color");
/// ```
///
/// Linear in the string. A block that is left open ends with the string; that is no error.
#[must_use]
pub fn markup_errors(markup: &str) -> Vec<MarkupError> {
    parse(markup).errors
}

/// Where the first character with a meaning stands.
fn special(text: &str) -> Option<usize> {
    let is_special = |byte: &u8| matches!(byte, b'{' | b'}' | b'^' | b'&');
    let bytes = text.as_bytes();
    // Whole chunks first, without a branch for each byte, so that they are looked at in vectors.
    let plain = |chunk: &&[u8]| !chunk.iter().fold(false, |found, byte| found | is_special(byte));
    let skipped = 16 * bytes.chunks_exact(16).take_while(plain).count();
    let index = bytes[skipped..].iter().position(is_special)?;
    Some(skipped + index)
}
