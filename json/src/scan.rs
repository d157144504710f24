//! Scanning eight bytes at a time.

const BYTES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = BYTES << 7;

/// The number of bytes before the first one that needs an escape in a string: a quote, a backslash or a control
/// character. All of them, if there is none.
#[expect(clippy::inline_always, reason = "most strings need little else")]
#[inline(always)]
pub(super) fn plain(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    // Most strings end in their first word. Longer ones are checked by blocks, and the block that fails by words.
    if let Some((word, after)) = rest.split_first_chunk() {
        let count = plain_in(u64::from_le_bytes(*word));
        if count < word.len() {
            return count;
        }
        rest = after;
    }
    while let Some((block, after)) = rest.split_first_chunk::<16>() {
        if !all_plain(block) {
            break;
        }
        rest = after;
    }
    while let Some((word, after)) = rest.split_first_chunk() {
        let count = plain_in(u64::from_le_bytes(*word));
        if count < word.len() {
            return bytes.len() - rest.len() + count;
        }
        rest = after;
    }
    let tail = rest.iter().position(|byte| !is_plain_byte(*byte));
    bytes.len() - rest.len() + tail.unwrap_or(rest.len())
}

/// Whether the byte needs no escape in a string.
#[inline]
fn is_plain_byte(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// Whether no byte needs an escape. Checks every byte, so that the compiler can vectorize it.
#[inline]
pub(super) fn all_plain<const LEN: usize>(bytes: &[u8; LEN]) -> bool {
    let has = |is_it: fn(u8) -> bool| bytes.iter().fold(false, |any, byte| any | is_it(*byte));
    !(has(|byte| byte < b' ') | has(|byte| byte == b'"') | has(|byte| byte == b'\\'))
}

/// Whether no byte of these words needs an escape.
#[inline]
pub(super) fn is_plain<const WORDS: usize>(words: [u64; WORDS]) -> bool {
    words.into_iter().fold(0, |any, word| any | special(word)) == 0
}

/// The number of bytes of a word before the first that needs an escape. The first byte is the lowest.
#[inline]
fn plain_in(word: u64) -> usize {
    (special(word).trailing_zeros() / 8) as usize
}

/// A mask of the high bits of the bytes that need an escape. Bits above the lowest set one are not exact.
#[inline]
fn special(word: u64) -> u64 {
    let below = |word: u64, limit: u8| word.wrapping_sub(BYTES * u64::from(limit)) & !word;
    let quote = word ^ (BYTES * u64::from(b'"'));
    let backslash = word ^ (BYTES * u64::from(b'\\'));
    (below(word, b' ') | below(quote, 1) | below(backslash, 1)) & HIGH
}

/// The bytes that are expected next, behind one arbitrary byte.
///
/// ```text
/// expected   ,  "  n  a  m  e  "  :
/// mask       0  ff ff ff ff ff ff ff 0 0 0 …
/// ```
///
/// The comparison needs no loop, no call, and no branch on the length.
#[derive(Default)]
pub(super) struct Expected {
    words: [u64; WORDS],
    mask: [u64; WORDS],
    /// The bytes behind these words.
    tail: Box<[u8]>,
    len: u32,
}

const WORDS: usize = 4;
/// The bytes that [`Expected::is_next`] looks at.
pub(super) const HEAD: usize = 8 * WORDS;

impl Expected {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let (mut padded, mut mask) = ([0; HEAD], [0; HEAD]);
        let len = bytes.len().min(HEAD);
        if len > 0 {
            padded[1..len].copy_from_slice(&bytes[1..len]);
            mask[1..len].fill(0xff);
        }
        Self {
            words: words(&padded),
            mask: words(&mask),
            tail: bytes.get(HEAD..).unwrap_or_default().into(),
            len: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        }
    }

    /// The length, the first byte included.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether `bytes` begin with it. `false` if there are fewer than 32 bytes.
    #[inline]
    pub(super) fn is_next(&self, bytes: &[u8]) -> bool {
        let Some(head) = bytes.first_chunk::<HEAD>() else {
            return false;
        };
        let all = words(head).into_iter().zip(self.words).zip(self.mask);
        let others = all.fold(0, |others, ((word, expected), mask)| {
            others | ((word ^ expected) & mask)
        });
        others == 0 && (self.len() <= HEAD || self.ends_in(&bytes[HEAD..]))
    }

    /// Whether `bytes` begin with the tail.
    #[cold]
    fn ends_in(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.tail)
    }
}

#[inline]
fn words(bytes: &[u8; HEAD]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    }
    words
}

/// The number of leading digits.
#[inline]
pub(super) fn digits(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let count = digits_in(u64::from_le_bytes(*word));
        if count < 8 {
            return bytes.len() - rest.len() + count;
        }
        rest = after;
    }
    let tail = rest.iter().position(|byte| !byte.is_ascii_digit());
    bytes.len() - rest.len() + tail.unwrap_or(rest.len())
}

/// Eight `0` characters. Combined with digits by `|`, they make characters.
pub(super) const ZEROS: u64 = BYTES * b'0' as u64;

/// The digits of a number below 10^8, the first one in the lowest byte.
#[inline]
pub(super) fn digits_of(value: u64) -> u64 {
    // Splits into two numbers of four digits, four of two, and eight of one. The multiplications divide by 100 and by
    // 10.
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | ((twos - tens * 10) << 8)
}

/// The number of leading digits of a word, whose first byte is its lowest.
#[inline]
fn digits_in(word: u64) -> usize {
    // Digits become numbers below ten, and other bytes do not.
    let word = word ^ ZEROS;
    let others = (((word & !HIGH) + BYTES * (0x80 - 10)) | word) & HIGH;
    (others.trailing_zeros() / 8) as usize
}

/// The number with these eight digits.
#[inline]
fn value_of(word: u64) -> u64 {
    // Combines neighbours: into four numbers of two digits, two of four, and one of eight.
    let digits = word & (BYTES * 0x0f);
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = twos.wrapping_mul(100).wrapping_add(twos >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
}

/// A number without a sign, by its digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Digits {
    /// An integer of at most 18 digits.
    Integer(i64),
    /// A decimal of at most 15 digits.
    Decimal(f64),
    /// The nearest double of a decimal of 16 to 19 digits, which may not print as the decimal.
    Near(f64),
    /// A decimal of more digits.
    Long,
}

/// The number at the beginning of `bytes` and its length. `None` for an exponent, an integer of more than 18 digits, or an
/// invalid number, and if fewer than eight bytes are left at the last digits.
#[inline]
pub(super) fn number(bytes: &[u8]) -> Option<(Digits, usize)> {
    /// Every integer of at most 18 digits fits in an `i64`.
    const MOST: usize = 18;
    /// Doubles hold these powers of ten exactly.
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    /// Like [`POWERS`], but as integers.
    const INTEGERS: [u64; MOST_DIGITS + 1] = {
        let mut powers = [1; MOST_DIGITS + 1];
        let mut nth = 1;
        while nth <= MOST_DIGITS {
            powers[nth] = powers[nth - 1] * 10;
            nth += 1;
        }
        powers
    };
    let (value, whole, next) = value_of_digits(bytes, 0)?;
    // A leading zero is not valid.
    if whole == 0 || (whole > 1 && bytes[0] == b'0') || matches!(next, b'e' | b'E') {
        return None;
    }
    if next != b'.' {
        let value = i64::try_from(value).ok().filter(|_| whole <= MOST)?;
        return Some((Digits::Integer(value), whole));
    }
    let (value, fraction, next) = value_of_digits(&bytes[whole + 1..], value)?;
    if fraction == 0 || matches!(next, b'e' | b'E') {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a double holds 15 digits exactly")]
    let digits = match POWERS.get(fraction) {
        // Both are exact, so the quotient is the nearest double.
        Some(power) if whole + fraction < POWERS.len() => Digits::Decimal(value as f64 / power),
        _ if whole + fraction <= MOST_DIGITS && value > 0 => Digits::Near(quotient(value, INTEGERS[fraction])),
        _ => Digits::Long,
    };
    Some((digits, whole + 1 + fraction))
}

/// Every integer of at most 19 digits fits in a `u64`.
const MOST_DIGITS: usize = 19;

/// The double nearest to the quotient of two numbers that are not 0. Out of line, because most numbers are shorter.
#[inline(never)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "see the steps"
)]
fn quotient(dividend: u64, divisor: u64) -> f64 {
    // Both begin with a one, so their quotient times 2^63 has 63 or 64 bits, 10 more than a double keeps.
    let (up, down) = (dividend.leading_zeros(), divisor.leading_zeros());
    let dividend = u128::from(dividend << up) << 63;
    let divisor = u128::from(divisor << down);
    let quotient = dividend / divisor;
    // A remainder sets the last bit, so that the quotient is halfway between two doubles only if it is exact.
    let is_inexact = quotient * divisor != dividend;
    let rounded = (quotient as u64 | u64::from(is_inexact)) as f64;
    // A power of two, by which every normal double is multiplied exactly.
    rounded * f64::from_bits(u64::from(1023 - 63 + down - up) << 52)
}

/// Appends the digits at the beginning of `bytes` to the number `before`. Returns the low 64 bits of the result, the count of digits in
/// `bytes`, and the byte behind them. `None` if fewer than eight bytes are left at the last digits.
#[inline]
fn value_of_digits(bytes: &[u8], before: u64) -> Option<(u64, usize, u8)> {
    const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let (mut value, mut len) = (before, 0);
    loop {
        let word = u64::from_le_bytes(*bytes.get(len..)?.first_chunk()?);
        let count = digits_in(word);
        if let Some(power) = POWERS.get(count) {
            let value = value.wrapping_mul(*power).wrapping_add(first_of(word, count));
            let next = (word >> (8 * count)).to_le_bytes()[0];
            return Some((value, len + count, next));
        }
        value = value.wrapping_mul(100_000_000).wrapping_add(value_of(word));
        len += 8;
    }
}

/// The number in the first `len` digits of a word, fewer than eight.
#[inline]
fn first_of(word: u64, len: usize) -> u64 {
    // The zero bits before the first digit count as zeros. Shifted twice, because without digits the shift is by 64 bits.
    value_of(word << 8 << (56 - 8 * len))
}
