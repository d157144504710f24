//! The characters that have a meaning in markup.

/// The position of the first character with a meaning.
pub(super) fn special(text: &str) -> Option<usize> {
    // The same test in two forms: the compiler turns the first into vector code, the second into a table look-up.
    #[expect(clippy::needless_bitwise_bool, reason = "branches prevent vector code")]
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
