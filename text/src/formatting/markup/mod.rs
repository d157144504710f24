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
    // The same question twice: the compiler makes vectors of the one and a look-up of the other.
    #[expect(clippy::needless_bitwise_bool, reason = "branches can't be vectors")]
    let in_vectors = |byte: &u8| (*byte == b'{') | (*byte == b'}') | (*byte == b'^') | (*byte == b'&');
    let one_by_one = |byte: &u8| matches!(byte, b'{' | b'}' | b'^' | b'&');
    let mut rest = text.as_bytes();
    while let Some((chunk, after)) = rest.split_first_chunk::<16>() {
        if chunk.iter().fold(false, |found, byte| found | in_vectors(byte)) {
            break;
        }
        rest = after;
    }
    let index = rest.iter().position(one_by_one)?;
    Some(text.len() - rest.len() + index)
}
