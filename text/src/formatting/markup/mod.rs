//! Markup: formatting written into the text. The notation stands at [`markup_errors`].
//!
//! Everything is text, malformed markup too: an error says what was not understood, and the rest is read on. One pass
//! over the source, one over the text; open blocks wait on a stack of their own, so it doesn't matter how deep they
//! are.

mod error;
mod gradient;
mod malformed;
mod read;
mod write;

pub use error::{MarkupError, MarkupErrorKind};
pub use malformed::MalformedMarkup;
pub(crate) use read::parse;
pub(crate) use write::write;

/// What is wrong with a string with markup, by kind, and in order of place within a kind.
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
/// # Markup
///
/// | | |
/// |---|---|
/// | `{tag content}` | a block in the color of its tag; the first whitespace ends the tag and is dropped; blocks nest |
/// | `}` | ends the innermost block |
/// | `{a:b:c content}` | a gradient over the block, from color to color |
/// | `{a:b[0.3]:c content}` | with the point of the block where an inner color is reached; also `[30%]` |
/// | `^x` | from here to the end of the block: the short color x |
/// | `&x` | the character x itself |
///
/// A color is written in any of its [notations](crate::Color#notations): `{$red fire}`, `{#ff0000 fire}`. The short
/// ones are
///
/// | | | | | | |
/// |---|---|---|---|---|---|
/// | `^0` | black | `^4` `^b` | blue | `^8` | 255,127,0 |
/// | `^1` `^r` | red | `^5` `^c` | cyan | `^9` | gray |
/// | `^2` `^g` | 0,255,0 | `^6` `^p` | magenta | `^o` | orange |
/// | `^3` `^y` | yellow | `^7` `^w` | white | | |
///
/// A block with an empty tag is plain, and so is one whose color isn't understood. A gradient has its first color at
/// the first character of the block and its last at the last, characters of inner blocks included. Inner points ascend,
/// above 0 and at most 1; those that don't, or aren't given, are spread evenly between their neighbors. A block that is
/// left open ends with the string, which is no error.
///
/// # Cost
///
/// Linear in the string, however deep its blocks are.
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
