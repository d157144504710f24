//! What ends a run of plain bytes in a string.

const BYTES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = BYTES << 7;

/// How many bytes stand before the first one that cannot stand in a string of JSON as it is: a quote, a backslash or a
/// control character. All of them, if there is none.
#[inline]
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return bytes.len() - rest.len() + (found.trailing_zeros() / 8) as usize;
        }
        rest = after;
    }
    let tail = rest.iter().position(|byte| !is_plain(*byte));
    bytes.len() - rest.len() + tail.unwrap_or(rest.len())
}

#[inline]
fn is_plain(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// The high bits of the bytes that are special. What stands above the lowest of them is not exact.
#[inline]
fn special(word: u64) -> u64 {
    let below = |word: u64, limit: u8| word.wrapping_sub(BYTES * u64::from(limit)) & !word;
    let quote = word ^ (BYTES * u64::from(b'"'));
    let backslash = word ^ (BYTES * u64::from(b'\\'));
    (below(word, b' ') | below(quote, 1) | below(backslash, 1)) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for len in 0..20 {
                for at in 0..len {
                    for filler in [b' ', b'a', 0x7f, 0x80, 0xff] {
                        let mut bytes = vec![filler; len];
                        bytes[at] = byte;
                        let expected = if is_plain(byte) { len } else { at };
                        assert_eq!(plain(&bytes), expected, "{byte} at {at} of {len}");
                    }
                }
            }
        }
    }
}
