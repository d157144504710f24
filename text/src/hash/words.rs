//! DJB2 in words of eight bytes, on any processor.

/// The number of bytes whose words are summed independently of each other.
const BLOCK: usize = 32;

/// Powers of 33. They move a hash by less than a word of codes.
const POWERS: [u32; 8] = {
    let mut powers = [1u32; 8];
    let mut codes = 1;
    while codes < powers.len() {
        powers[codes] = powers[codes - 1].wrapping_mul(33);
        codes += 1;
    }
    powers
};

/// 33 to the power of `exponent`.
pub(super) const fn power(exponent: u32) -> u32 {
    33u32.wrapping_pow(exponent)
}

/// Continues from `hash` with the codes of ASCII. Not inlined, so that address and length are in registers, which short texts
/// profit from.
#[inline(never)]
pub(super) fn hash(hash: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < BLOCK {
        few(hash, bytes)
    } else {
        many(hash, bytes)
    }
}

/// Whole blocks, and the rest.
#[inline(never)]
fn many(hash: u32, bytes: &[u8]) -> u32 {
    let blocks = bytes.chunks_exact(BLOCK);
    let rest = blocks.remainder();
    few(blocks.fold(hash, several::<4>), rest)
}

/// Less than a block. The places of the words do not depend on the length, so they are loaded at once.
#[inline]
fn few(hash: u32, bytes: &[u8]) -> u32 {
    let hash = match bytes.len() / 8 {
        3 => several::<3>(hash, bytes),
        2 => several::<2>(hash, bytes),
        1 => several::<1>(hash, bytes),
        _ => hash,
    };
    let rest = &bytes[bytes.len() / 8 * 8..];
    if rest.is_empty() {
        return hash;
    }
    hash.wrapping_mul(POWERS[rest.len() % 8]).wrapping_add(sum(part(rest)))
}

/// `WORDS` words, summed independently of each other.
#[inline]
fn several<const WORDS: usize>(hash: u32, bytes: &[u8]) -> u32 {
    let (mut total, mut factor) = (0u32, 1u32);
    for index in (0..WORDS).rev() {
        total = total.wrapping_add(sum(word(&bytes[index * 8..])).wrapping_mul(factor));
        factor = factor.wrapping_mul(const { power(8) });
    }
    hash.wrapping_mul(factor).wrapping_add(total)
}

/// Eight codes, the first in the lowest byte: sums of two neighbors, in four lanes of 16 bits. The sums are below 2^13.
#[inline]
fn neighbors(word: u64) -> u64 {
    const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    (word & BYTES) * 33 + (word >> 8 & BYTES)
}

/// The sum of eight codes: of four lanes that are two codes apart.
///
/// ```text
/// a, c  <- first and third lane, 32 bits apart    (a + c << 32) * (33^2 + 33^6 << 32)
///                                                     = .. + (a * 33^6 + c * 33^2) << 32
/// ```
///
/// So one multiplication moves two lanes and adds them, in the upper half. The lower half does not overflow into the upper
/// one: a lane is below 2^13 and multiplied by less than 2^11.
#[inline]
fn sum(word: u64) -> u32 {
    const LANES: u64 = 0x0000_ffff_0000_ffff;
    let lanes = neighbors(word);
    let even = (lanes & LANES).wrapping_mul(const { factors(2, 6) });
    let odd = (lanes >> 16 & LANES).wrapping_mul(const { factors(0, 4) });
    (even.wrapping_add(odd) >> 32) as u32
}

/// Two powers of 33 in one word.
const fn factors(low: u32, high: u32) -> u64 {
    power(low) as u64 | (power(high) as u64) << 32
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// One to seven bytes at the end of a word, with zeros before them, which do not change the polynomial.
#[inline]
fn part(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    // Two loads that overlap instead of a loop.
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
