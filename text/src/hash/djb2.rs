//! DJB2 of a text.

#[cfg(test)]
mod tests;

use super::words;

/// The hash of an empty text.
const START: u32 = 5381;

/// DJB2 of the code points. ASCII code points are bytes, which are summed in blocks.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "the hash is the same 32 bits with a sign")]
pub(crate) fn djb2(text: &str) -> i32 {
    let bytes = text.as_bytes();
    if !bytes.is_ascii() {
        return any_script(text) as i32;
    }
    words::hash(START, bytes) as i32
}

/// One code point after the other.
#[inline(never)]
fn any_script(text: &str) -> u32 {
    let step = |hash: u32, c: char| hash.wrapping_mul(33).wrapping_add(c.into());
    text.chars().fold(START, step)
}
