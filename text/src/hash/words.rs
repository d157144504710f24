//! DJB2 in words of eight bytes, on any machine.

use super::power;
use crate::units::{Units, read_four};

/// Goes on from `hash`.
#[inline]
pub(super) fn hash(hash: u32, units: Units<'_>) -> u32 {
    match units {
        Units::Ascii(text) => narrow::<8>(hash, text.as_bytes(), of_ascii),
        Units::Two(bytes) => narrow::<4>(hash, bytes, of_two),
        Units::Four(bytes) => of_four(hash, bytes),
    }
}

/// Codes that stand `CODES` in a word; `halves` sums up the two halves of one.
///
/// Codes that don't fill a word come first, shifted to its end: zeros in front of a text don't change a polynomial.
#[inline]
fn narrow<const CODES: u32>(hash: u32, bytes: &[u8], halves: impl Fn(u64) -> u64) -> u32 {
    let (first, bytes) = bytes.split_at(bytes.len() % 8);
    let mut hash = hash;
    if !first.is_empty() {
        let codes = u32::try_from(first.len()).unwrap_or_default() * CODES / 8;
        hash = hash
            .wrapping_mul(power(codes))
            .wrapping_add(sum::<CODES>(halves(part(first)), 1));
    }
    let mut blocks = bytes.chunks_exact(32);
    for four in &mut blocks {
        hash = several::<4, CODES>(hash, four, &halves);
    }
    let rest = blocks.remainder();
    match rest.len() / 8 {
        3 => several::<3, CODES>(hash, rest, &halves),
        2 => several::<2, CODES>(hash, rest, &halves),
        1 => several::<1, CODES>(hash, rest, &halves),
        _ => hash,
    }
}

/// `WORDS` words that don't wait for each other.
#[inline]
fn several<const WORDS: usize, const CODES: u32>(hash: u32, bytes: &[u8], halves: impl Fn(u64) -> u64) -> u32 {
    let (mut total, mut factor) = (0u32, 1u32);
    for index in (0..WORDS).rev() {
        total = total.wrapping_add(sum::<CODES>(halves(word(&bytes[index * 8..])), factor));
        factor = factor.wrapping_mul(const { power(CODES) });
    }
    hash.wrapping_mul(factor).wrapping_add(total)
}

/// The halves put together and moved by `factor`: two multiplications side by side.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
fn sum<const CODES: u32>(halves: u64, factor: u32) -> u32 {
    let moved = const { power(CODES / 2) }.wrapping_mul(factor);
    (halves as u32)
        .wrapping_mul(moved)
        .wrapping_add(((halves >> 32) as u32).wrapping_mul(factor))
}

/// Eight codes of one byte each, the first in the lowest byte: neighbors are added, then pairs.
#[inline]
fn of_ascii(word: u64) -> u64 {
    const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    of_pairs::<{ 33 * 33 }>((word & BYTES) * 33 + (word >> 8 & BYTES))
}

/// Four codes of two bytes each: neighbors are added.
#[inline]
fn of_two(word: u64) -> u64 {
    of_pairs::<33>(word)
}

/// The sums of neighbors, of which the first is moved by `FACTOR`, in four lanes of 16 bits. No lane overflows: two ASCII
/// codes are below 2^13 and moved by less than 2^11, and one code below 2^16 is moved by less than 2^6.
#[inline]
fn of_pairs<const FACTOR: u64>(lanes: u64) -> u64 {
    const LANES: u64 = 0x0000_ffff_0000_ffff;
    (lanes & LANES) * FACTOR + (lanes >> 16 & LANES)
}

/// Codes of four bytes each, four at a time.
fn of_four(hash: u32, bytes: &[u8]) -> u32 {
    let one = |hash: u32, code: &[u8]| hash.wrapping_mul(33).wrapping_add(read_four(code));
    let mut blocks = bytes.chunks_exact(16);
    let mut hash = hash;
    for block in &mut blocks {
        let [a, b, c, d] = [0, 4, 8, 12].map(|at| read_four(&block[at..]));
        hash = hash
            .wrapping_mul(power(4))
            .wrapping_add(a.wrapping_mul(power(3)))
            .wrapping_add(b.wrapping_mul(power(2)))
            .wrapping_add(c.wrapping_mul(33))
            .wrapping_add(d);
    }
    blocks.remainder().chunks_exact(4).fold(hash, one)
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// One to seven bytes at the end of a word, with zeros before them.
#[inline]
fn part(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    // Loads that overlap, and no loop.
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(last) << 32 | u64::from(first) << (8 * (8 - len));
    }
    let at = |index: usize| u64::from(bytes[index]);
    match len {
        3 => at(0) << 40 | at(1) << 48 | at(2) << 56,
        2 => at(0) << 48 | at(1) << 56,
        1 => at(0) << 56,
        _ => 0,
    }
}
