//! The keyed hash of a short text, which no other text has.
//!
//! Up to eight ASCII characters fit into 63 bits. A permutation of 63 bits, keyed by a secret, scrambles them. One more bit
//! marks such a hash. So two such texts have the same hash only if they are equal, and a table need not compare the texts:
//!
//! ```text
//!  63                33   32   31                 0
//! +--------------------+------+--------------------+
//! | scrambled, low 31  | mark | scrambled, high 32 |
//! +--------------------+------+--------------------+
//! ```
//!
//! The mark is in the middle, because tables use both ends. The halves are exchanged, because the higher bits of a product depend
//! on more bits of its factors: after the exchange they are the low bits, which select a table's bucket.

#[cfg(test)]
mod tests;

/// The most bytes of a text with such a hash.
pub(super) const MOST: usize = size_of::<u64>();

const MASK: u64 = u64::MAX >> 1;
const MARK: u64 = 1 << 32;

/// Random numbers. The factors are odd.
pub(super) struct Secret {
    pub(super) first: u64,
    pub(super) second: u64,
    pub(super) third: u64,
}

/// Whether a [`key_hash`](crate::key_hash) is exact. No other text has the same exact hash, so texts with equal exact hashes need not
/// be compared.
///
/// The key hashes of texts of one to eight ASCII characters are exact.
///
/// ```
/// use acedia_text::{is_exact, key_hash};
///
/// assert!(is_exact(key_hash("name")) && key_hash("name") != key_hash("nama"));
/// assert!(!is_exact(key_hash("a long name")));
/// ```
#[inline]
#[must_use]
pub const fn is_exact(key_hash: u64) -> bool {
    key_hash & MARK != 0
}

/// Turns `hash` into a hash that is not [exact](is_exact), for keys that share a table with texts.
///
/// Clears bit 32. A table uses the lowest 32 bits and the highest seven, so it does not use this bit.
///
/// ```
/// use acedia_text::{inexact, is_exact, key_hash};
///
/// assert!(!is_exact(inexact(key_hash("name"))) && inexact(7) == 7);
/// ```
#[inline]
#[must_use]
pub const fn inexact(hash: u64) -> u64 {
    hash & !MARK
}

/// The hash of one to eight ASCII characters, `None` for other texts.
#[inline]
pub(super) fn hash(text: &[u8], secret: &Secret) -> Option<u64> {
    // Each step is invertible: the addition, the multiplications by odd factors, the xor-shift, and the rotation.
    let mut x = word(text)?.wrapping_add(secret.first).wrapping_mul(secret.second) & MASK;
    x ^= x >> 32;
    x = x.wrapping_mul(secret.third);
    // Bit 63 is unused so far and becomes the mark.
    Some((x | !MASK).rotate_left(33))
}

/// The characters in 63 bits, a different number for each text. In a text of fewer than eight characters, the highest bit of the
/// last byte marks the end.
#[inline]
fn word(text: &[u8]) -> Option<u64> {
    let only_ascii = |bytes: u64| (bytes & 0x8080_8080_8080_8080 == 0).then_some(bytes);
    if let Ok(eight) = text.try_into() {
        return only_ascii(u64::from_le_bytes(eight));
    }
    let len = text.len();
    // Bytes that are read twice go to the same place both times.
    let bytes = match len {
        4..=7 => {
            let four = |at: usize| Some(u64::from(u32::from_le_bytes(*text.get(at..)?.first_chunk()?)));
            four(0)? | four(len - 4)? << (len * 8 - 32)
        }
        1..=3 => {
            let one = |at: usize| u64::from(text[at]) << (at * 8);
            one(0) | one(len / 2) | one(len - 1)
        }
        _ => return None,
    };
    Some(only_ascii(bytes)? | 1 << (len * 8 - 1))
}
