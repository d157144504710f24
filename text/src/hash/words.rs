//! DJB2 in words of eight bytes, on any processor.

const fn power(exponent: u32) -> u32 {
    33u32.wrapping_pow(exponent)
}

/// Continues `hash` over ASCII bytes.
pub(super) fn hash(hash: u32, bytes: &[u8]) -> u32 {
    let mut words = bytes.chunks_exact(8);
    let whole = words.by_ref().fold(hash, |hash, bytes| {
        let word = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        hash.wrapping_mul(const { power(8) }).wrapping_add(sum(word))
    });
    let step = |hash: u32, byte: &u8| hash.wrapping_mul(33).wrapping_add((*byte).into());
    words.remainder().iter().fold(whole, step)
}

/// The weighted sum of eight codes, of which the first is in the lowest byte. First, neighbors are summed in four lanes of 16
/// bits. Then the lanes, two codes apart, are summed:
///
/// ```text
/// a, c  <- first and third lane, 32 bits apart    (a + c << 32) * (33^2 + 33^6 << 32)
///                                                     = .. + (a * 33^6 + c * 33^2) << 32
/// ```
///
/// One multiplication weights two lanes and adds them in the upper half. The lower half does not overflow into the upper half,
/// because a lane is below 2^13 and its factor is below 2^11.
#[inline]
fn sum(word: u64) -> u32 {
    const BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    const LANES: u64 = 0x0000_ffff_0000_ffff;
    let lanes = (word & BYTES) * 33 + (word >> 8 & BYTES);
    let even = (lanes & LANES).wrapping_mul(const { factors(2, 6) });
    let odd = (lanes >> 16 & LANES).wrapping_mul(const { factors(0, 4) });
    (even.wrapping_add(odd) >> 32) as u32
}

/// Two powers of 33 in one word.
const fn factors(low: u32, high: u32) -> u64 {
    power(low) as u64 | (power(high) as u64) << 32
}
