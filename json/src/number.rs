//! Numbers: an integer if 64 bits hold it, else a double.

use super::error::Problem;
use super::escape::ends;
use super::parser::Decimals;
use super::scan::{ZEROS, digits_of};
use super::sheet::BRIEF;
use acedia_collections::Item;

/// The most bytes of a number that is kept as a double. Without a limit, an endless number would be read forever. std's parser
/// saturates larger exponents, which is wrong for longer numbers.
pub(super) const LONGEST: usize = 1 << 16;

/// The item of a number as JSON writes it.
pub(super) fn item(text: &str, decimals: Decimals) -> Result<Item, Problem> {
    if !text.ends_with(|last: char| last.is_ascii_digit()) && text.len() <= LONGEST {
        return Err(Problem::Number);
    }
    if text.contains(['.', 'e', 'E']) {
        return decimal(text, decimals);
    }
    // An integer has no negative zero, so `-0` becomes a double.
    if text != "-0" {
        if let Ok(value) = text.parse::<i64>() {
            return Ok(value.into());
        }
        if let Ok(value) = text.parse::<u64>() {
            return Ok(value.into());
        }
    }
    let value = nearest(text)?;
    if decimals == Decimals::Exact && text != "-0" && !is_exact_integer(text, value) {
        return Err(Problem::Inexact);
    }
    Ok(value.into())
}

/// The item of a number with a point or an exponent.
pub(super) fn decimal(text: &str, decimals: Decimals) -> Result<Item, Problem> {
    let value = nearest(text)?;
    if decimals == Decimals::Exact && !is_exact_decimal(text, value) {
        return Err(Problem::Inexact);
    }
    Ok(value.into())
}

/// The double nearest to a number.
fn nearest(text: &str) -> Result<f64, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::NumberTooLarge);
    }
    let value: f64 = text.parse().map_err(|_| Problem::Number)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Problem::NumberTooLarge)
    }
}

/// Writes a finite double as [`write_float`] does. Most doubles in documents are small multiples of a millionth. The number of
/// millionths fits in 53 bits, so no other multiple and no shorter decimal has the same nearest double.
#[inline(never)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "saturates, and less than 53 bits are exact"
)]
pub(super) fn write_double(value: f64, room: &mut [u8; BRIEF]) -> usize {
    const PARTS: u64 = 1_000_000;
    let size = value.abs();
    let parts = (size * PARTS as f64 + 0.5) as u64;
    let is_same = (parts as f64 / PARTS as f64).to_bits() == size.to_bits();
    // Doubles below 0.00001 are written with an exponent.
    if !is_same || parts >= MANY * PARTS || (1..10).contains(&parts) {
        return write_float(value, room);
    }
    room[0] = b'-';
    let start = usize::from(value.is_sign_negative());
    let (whole, len) = first(parts / PARTS);
    room[start..][..8].copy_from_slice(&whole);
    let point = start + len;
    room[point] = b'.';
    // Six digits and two zeros.
    let digits = digits_of(parts % PARTS * 100);
    room[point + 1..][..8].copy_from_slice(&(digits | ZEROS).to_le_bytes());
    let count = 8 - digits.leading_zeros() as usize / 8;
    point + 1 + count.max(1)
}

/// Writes a finite float as the shortest decimal that reads back as the same float, never in the form of an integer. Returns
/// the number of bytes.
#[inline(never)]
pub(super) fn write_float(value: impl zmij::Float, room: &mut [u8; BRIEF]) -> usize {
    let mut buffer = zmij::Buffer::new();
    let decimal = buffer.format_finite(value).as_bytes();
    let len = decimal.len();
    // Two copies of a fixed length take less time than one call for any length.
    match len {
        8..=16 => _ = ends::<8>(decimal, room),
        17..=32 => _ = ends::<16>(decimal, room),
        _ => room[..len].copy_from_slice(decimal),
    }
    // The `+` of an exponent is left out. An exponent has two or three digits.
    for digits in [2, 3] {
        let plus = len.saturating_sub(digits + 1);
        if decimal[plus] == b'+' {
            room.copy_within(plus + 1..len, plus);
            return len - 1;
        }
    }
    len
}

/// More than eight digits.
const MANY: u64 = 100_000_000;

/// Writes an integer, and returns the number of bytes.
#[inline(never)]
pub(super) fn write(value: i64, room: &mut [u8; BRIEF]) -> usize {
    match u64::try_from(value) {
        Ok(value) if value < MANY => {
            let (digits, len) = first(value);
            room[..8].copy_from_slice(&digits);
            len
        }
        _ => write_more(value, room),
    }
}

/// Out of line, to keep the path of few digits short.
#[inline(never)]
fn write_more(value: i64, room: &mut [u8; BRIEF]) -> usize {
    room[0] = b'-';
    let mut end = usize::from(value < 0);
    // Digits are stored in words of eight, the first of which may have fewer. The next word overwrites its surplus.
    let mut put = |(digits, len): ([u8; 8], usize)| {
        room[end % 32..][..8].copy_from_slice(&digits);
        end += len;
    };
    let (before, last) = (value.unsigned_abs() / MANY, value.unsigned_abs() % MANY);
    if before == 0 {
        put(first(last));
        return end;
    }
    // An integer of 64 bits has at most 19 digits. Many keys of databases have nine.
    if before < 10 {
        put(((before | ZEROS).to_le_bytes(), 1));
    } else if before < MANY {
        put(first(before));
    } else {
        put(first(before / MANY));
        put(eight(before % MANY));
    }
    put(eight(last));
    end
}

/// The digits of a number below 10^8, and their count.
#[inline]
fn first(value: u64) -> ([u8; 8], usize) {
    /// The last digit, so that zero has one.
    const LAST: u64 = 1 << 56;
    let digits = digits_of(value);
    let zeros = (digits | LAST).trailing_zeros() / 8;
    (((digits | ZEROS) >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize)
}

/// Eight digits, with leading zeros. They are combined in a register instead of in memory, because a load of bytes that
/// were stored in pieces waits for the last store.
#[inline]
fn eight(value: u64) -> ([u8; 8], usize) {
    ((digits_of(value) | ZEROS).to_le_bytes(), 8)
}

/// Whether the double nearest to an integer is that integer.
fn is_exact_integer(text: &str, value: f64) -> bool {
    format!("{value:.0}") == text
}

/// 17 digits identify every double. A program that prints a double writes no more.
const MOST: usize = 17;

/// Whether the double nearest to a decimal prints as that decimal: in the shortest form, or rounded to as many digits.
fn is_exact_decimal(text: &str, value: f64) -> bool {
    const FEW: usize = f64::DIGITS as usize;
    // With so few digits, no two decimals have the same nearest double, unless it is subnormal. So this one is the
    // shortest. At least one byte is a point or an `e`.
    text.len() <= FEW + 1 && value.is_normal() || prints_as(value, &significant(text))
}

/// The digits of a decimal without zeros at both ends. They distinguish it from all other decimals of about the same magnitude.
fn significant(text: &str) -> String {
    let decimal = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = decimal.replace(['-', '.'], "");
    digits.trim_matches('0').to_owned()
}

fn prints_as(value: f64, digits: &str) -> bool {
    let is_printed = |text: &str| significant(text) == digits;
    digits.len() <= MOST
        && (is_printed(zmij::Buffer::new().format_finite(value))
            || is_printed(&format!("{value:.*e}", digits.len().saturating_sub(1))))
}

#[cfg(test)]
mod tests;
