//! Numbers: which class keeps one unchanged.

use acedia_boxes::DoubleBox;

use super::scan::{ZEROS, digits, digits_of, eight_digits};
use super::sheet::BRIEF;
use super::{Decimals, Problem};
use crate::Item;

/// Longer numbers are refused: std's reading of floats does not count larger exponents to their end.
pub(super) const LONGEST: usize = 1 << 16;

/// The smallest thing that keeps the number unchanged. `digits` is written as JSON has it.
pub(crate) fn item(digits: &[u8], decimals: Decimals) -> Result<Item, Problem> {
    if digits.len() > LONGEST {
        return Err(Problem::NumberTooLarge);
    }
    if !digits.last().is_some_and(u8::is_ascii_digit) {
        return Err(Problem::Number);
    }
    // What the lexer takes for a number is ASCII.
    let text = std::str::from_utf8(digits).map_err(|_| Problem::Number)?;
    if text == "-0" {
        // The integer has no sign.
        return Ok(Item::from(-0.0));
    }
    let is_whole = !digits.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    if is_whole {
        if let Ok(value) = text.parse::<i64>() {
            return Ok(of_integer(value));
        }
    }
    let value: f64 = text.parse().map_err(|_| Problem::Number)?;
    let vanished = value == 0.0 && Decimal::of(text).len > 0;
    if vanished || !value.is_finite() {
        return Err(Problem::NumberTooLarge);
    }
    if is_whole && !is_exact_integer(text, value) {
        return Err(Problem::NumberTooLarge);
    }
    if decimals == Decimals::Exact && !is_whole && !is_exact_decimal(text, value) {
        return Err(Problem::Inexact);
    }
    Ok(of_double(value))
}

/// An `i32` if it is one, else an `i64`.
#[inline]
pub(crate) fn of_integer(value: i64) -> Item {
    i32::try_from(value).map_or_else(|_| value.into(), Item::from)
}

/// More than eight digits.
const MANY: u64 = 100_000_000;

/// Writes an integer. How many bytes that are.
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

/// Apart, so that the way of few digits stays short.
#[inline(never)]
fn write_more(value: i64, room: &mut [u8; BRIEF]) -> usize {
    let mut end = 0;
    let mut put = |(digits, len): ([u8; 8], usize)| {
        room[end % 32..][..8].copy_from_slice(&digits);
        end += len;
    };
    if value < 0 {
        put((*b"-       ", 1));
    }
    let (before, last) = (value.unsigned_abs() / MANY, value.unsigned_abs() % MANY);
    if before < 10 {
        if before > 0 {
            put(((before | ZEROS).to_le_bytes(), 1));
        } else {
            put(first(last));
            return end;
        }
    } else if before < MANY {
        put(first(before));
    } else {
        put(first(before / MANY));
        put(eight(before % MANY));
    }
    put(eight(last));
    end
}

/// A number of at most eight digits, and how many they are.
#[inline]
fn first(value: u64) -> ([u8; 8], usize) {
    /// Of the last digit, so that there is one.
    const LAST: u64 = 1 << 56;
    let digits = digits_of(value);
    let zeros = (digits | LAST).trailing_zeros() / 8;
    (((digits | ZEROS) >> (8 * zeros)).to_le_bytes(), 8 - zeros as usize)
}

/// Eight digits, zeros before the first one too. They are put together in a register and not in memory, because a load of
/// what was stored in pieces waits for the last of them.
#[inline]
fn eight(value: u64) -> ([u8; 8], usize) {
    ((digits_of(value) | ZEROS).to_le_bytes(), 8)
}

/// A float if it is one, else a box of a double.
#[expect(clippy::cast_possible_truncation, reason = "what does not fit is not taken")]
pub(crate) fn of_double(value: f64) -> Item {
    let float = value as f32;
    if f64::from(float).to_bits() == value.to_bits() {
        Item::from(float)
    } else {
        DoubleBox::new(value).into()
    }
}

/// Whether the double nearest to an integer is that integer.
fn is_exact_integer(text: &str, value: f64) -> bool {
    format!("{value:.0}") == text
}

/// The digits of a decimal without zeros around them, and the power of ten behind them. Zero is no digits and no power.
#[derive(PartialEq, Eq)]
struct Decimal {
    /// Their number; only its lowest bits, if there are more than [`MOST`].
    digits: u64,
    len: usize,
    power: i64,
}

/// So many digits tell each double from all others; a decimal with more is none of what programs print for one.
const MOST: usize = 17;

impl Decimal {
    /// The decimal that `text` is, at most [`LONGEST`] bytes. The sign is not looked at.
    fn of(text: &str) -> Self {
        let text = text.strip_prefix('-').unwrap_or(text);
        let (whole, rest) = text.split_at(digits(text.as_bytes()));
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(digits(rest.as_bytes())),
            None => ("", rest),
        };
        let exponent = if rest.is_empty() {
            0
        } else {
            rest[1..].parse().unwrap_or(i64::MAX)
        };
        let (mut whole, mut fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let mut power = 0;
        if fraction.is_empty() {
            let trimmed = whole.trim_end_matches('0');
            power = moved(whole.len() - trimmed.len());
            whole = trimmed;
        }
        power = (power - moved(fraction.len())).saturating_add(exponent);
        if whole.is_empty() {
            fraction = fraction.trim_start_matches('0');
        }
        let len = whole.len() + fraction.len();
        Self {
            digits: number(number(0, whole), fraction),
            len,
            power: if len == 0 { 0 } else { power },
        }
    }
}

/// Whether a decimal is what the double nearest to it prints as: in the shortest way, or rounded to as many digits.
fn is_exact_decimal(text: &str, value: f64) -> bool {
    const FEW: usize = f64::DIGITS as usize;
    // Of so few digits, no two decimals are nearest to the same double, unless it is subnormal: this one is the shortest.
    // One byte at least is a point or an `e`.
    if text.len() <= FEW + 1 && value.is_normal() {
        return true;
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format_finite(value);
    text == shortest || {
        let decimal = Decimal::of(text);
        decimal.len <= MOST && (decimal == Decimal::of(shortest) || decimal == rounded(value, decimal.len))
    }
}

/// What a double is, rounded to so many digits. Apart, because few documents have numbers written in this way.
#[inline(never)]
fn rounded(value: f64, digits: usize) -> Decimal {
    Decimal::of(&format!("{value:.*e}", digits.saturating_sub(1)))
}

/// By how many powers of ten so many digits move others.
fn moved(digits: usize) -> i64 {
    i64::try_from(digits).unwrap_or(i64::MAX)
}

/// The lowest bits of the number whose digits are those of `before` and then `digits`.
fn number(before: u64, digits: &str) -> u64 {
    let mut number = before;
    let mut rest = digits.as_bytes();
    while let Some((eight, after)) = rest
        .split_first_chunk()
        .and_then(|(chunk, after)| Some((eight_digits(*chunk)?, after)))
    {
        number = number.wrapping_mul(100_000_000).wrapping_add(eight);
        rest = after;
    }
    rest.iter().fold(number, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u64::from(digit.wrapping_sub(b'0')))
    })
}

#[cfg(test)]
mod tests {
    use acedia_boxes::{DoubleBox, LongBox};

    use super::*;
    use crate::View;

    fn read(text: &str) -> Result<Item, Problem> {
        item(text.as_bytes(), Decimals::Nearest)
    }

    fn is_exact(text: &str) -> bool {
        match item(text.as_bytes(), Decimals::Exact) {
            Ok(_) => true,
            Err(Problem::Inexact) => false,
            Err(problem) => panic!("{text}: {problem}"),
        }
    }

    #[test]
    fn integers_are_as_small_as_they_can_be() {
        for value in [0, 7, -7, i32::MAX, i32::MIN] {
            assert!(
                matches!(read(&value.to_string()), Ok(item) if matches!(item.view(), View::Int(it) if it == value))
            );
        }
        for value in [
            i64::from(i32::MAX) + 1,
            i64::from(i32::MIN) - 1,
            (1 << 55) - 1,
            -1 << 55,
        ] {
            assert!(
                matches!(read(&value.to_string()), Ok(item) if matches!(item.view(), View::Long(it) if it == value))
            );
        }
        for value in [1 << 55, (-1 << 55) - 1, i64::MAX, i64::MIN] {
            let item = read(&value.to_string()).expect("fits");
            assert_eq!(item.with(|it: &LongBox| it.get()), Some(value));
        }
    }

    #[test]
    fn integers_are_written() {
        let powers = (0..19).map(|power| 10_i64.pow(power));
        let values = powers.flat_map(|power| [power - 1, power, power + 1, power * 2, power / 3 * 7]);
        for value in values.chain([i64::MAX, i64::MIN, i64::MIN + 1, 1_020_304_050, 102_030_405]) {
            for value in [value, value.wrapping_neg()] {
                let mut room = [0; BRIEF];
                let len = write(value, &mut room);
                assert_eq!(room[..len], *value.to_string().as_bytes());
            }
        }
    }

    #[test]
    fn integers_beyond_64_bits_are_exact_or_refused() {
        // 2^63 and 10^22 are doubles; their neighbours are not.
        for (text, value) in [
            ("9223372036854775808", 2f64.powi(63)),
            ("10000000000000000000000", 1e22),
        ] {
            assert_eq!(read(text).expect("exact").as_double(), Some(value));
        }
        for text in [
            "9223372036854775809",
            "-9223372036854775809",
            "10000000000000000000001",
            "18446744073709551615",
        ] {
            assert!(matches!(read(text), Err(Problem::NumberTooLarge)), "{text}");
        }
    }

    #[test]
    fn decimals_are_floats_if_nothing_is_lost_and_doubles_else() {
        for (text, value) in [("0.5", 0.5_f32), ("1e2", 100.0), ("-1.25E-1", -0.125), ("1.0", 1.0)] {
            assert!(
                matches!(read(text), Ok(item) if matches!(item.view(), View::Float(it) if it.to_bits() == value.to_bits())),
                "{text}"
            );
        }
        for (text, value) in [("0.1", 0.1), ("1e300", 1e300), ("5e-324", 5e-324)] {
            let item = read(text).expect("fits");
            assert_eq!(item.with(|it: &DoubleBox| it.get()), Some(value), "{text}");
        }
        for text in ["-0", "-0.0"] {
            assert!(
                matches!(read(text), Ok(item) if matches!(item.view(), View::Float(it) if it.to_bits() == 1 << 31))
            );
        }
    }

    #[test]
    fn what_no_double_is_near_to_is_refused() {
        for text in [
            "1e309",
            "-1e309",
            "1e-400",
            "0.000e99999999999999999999",
            "1e99999999999999999999",
        ] {
            let zero = text.starts_with("0.000");
            assert_eq!(matches!(read(text), Err(Problem::NumberTooLarge)), !zero, "{text}");
        }
        for text in ["", "-", "1.", "1e", "1e+"] {
            assert!(matches!(read(text), Err(Problem::Number)), "{text}");
        }
    }

    #[test]
    fn exact_decimals_are_those_that_print_as_they_were_written() {
        for text in [
            "0.1",
            "1.50",
            "100e-2",
            "1.7976931348623157e308",
            "5e-324",
            "0.0",
            "0e5",
            "123456.789e3",
            "-0.0000000000000000000",
        ] {
            assert!(is_exact(text), "{text}");
        }
        for text in [
            "0.1000000000000000055511151231257827",
            "3.14159265358979323846",
            "0.12345678901234567",
            "9007199254740993.0",
            "123456789012345678.5",
            "3e-324",
        ] {
            assert!(!is_exact(text), "{text}");
        }
    }

    /// Neighbours are as long, and what no double is at this length.
    #[test]
    fn exact_decimals_may_be_rounded_to_fewer_than_all_digits_of_a_double() {
        for (text, value, neighbours) in [
            (
                "0.10000000000000001",
                0.1,
                ["0.10000000000000004", "0.099999999999999999"],
            ),
            (
                "65.613616999999977",
                65.613_616_999_999_98,
                ["65.613616999999976", "65.613616999999978"],
            ),
            (
                "52.520006599999995",
                52.520_006_599_999_995,
                ["52.520006599999994", "52.520006599999998"],
            ),
            ("4.9e-324", 5e-324, ["4.8e-324", "5.1e-324"]),
            ("4.94e-324", 5e-324, ["4.93e-324", "4.95e-324"]),
            (
                "2.2250738585072009e-308",
                2.225_073_858_507_201e-308,
                ["2.2250738585072008e-308", "2.2250738585072011e-308"],
            ),
            (
                "1.2345678901234568e+300",
                1.234_567_890_123_456_8e300,
                ["1.2345678901234566e300", "1.2345678901234569e300"],
            ),
            (
                "9007199254740994.0",
                9_007_199_254_740_994.0,
                ["9007199254740993.0", "9007199254740995.0"],
            ),
        ] {
            for sign in ["", "-"] {
                let text = format!("{sign}{text}");
                let value = if sign.is_empty() { value } else { -value };
                let item = item(text.as_bytes(), Decimals::Exact).unwrap_or_else(|problem| panic!("{text}: {problem}"));
                assert_eq!(item.as_double(), Some(value), "{text}");
                for neighbour in neighbours {
                    assert!(!is_exact(&format!("{sign}{neighbour}")), "{sign}{neighbour}");
                }
            }
        }
    }

    /// Pseudo-random numbers, whose highest bits are the best ones.
    fn randoms() -> impl Iterator<Item = u64> {
        std::iter::successors(Some(1_u64), |random| {
            Some(random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1))
        })
    }

    #[test]
    fn what_is_printed_with_up_to_17_digits_is_exact() {
        /// Bits of a float's fraction.
        const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
        let of_all_sizes = randoms().step_by(2).zip(randoms().skip(1).step_by(2));
        let of_all_sizes = of_all_sizes.map(|(high, low)| f64::from_bits(high & (u64::MAX << 32) | low >> 32));
        let subnormals = randoms().map(|bits| f64::from_bits(bits >> (64 - FRACTION)));
        let of_few_bits = randoms().map(|bits| f64::from_bits(bits & (u64::MAX << 40)));
        let edges = [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, f64::EPSILON, f64::MAX, f64::MIN];
        let values = edges.into_iter().chain(of_all_sizes.take(80_000));
        let values = values.chain(subnormals.take(20_000)).chain(of_few_bits.take(20_000));
        let mut seen = [0; 3];
        for (value, random) in values.zip(randoms().skip(7)).filter(|(value, _)| value.is_finite()) {
            let text = format!("{value:.16e}");
            let item = item(text.as_bytes(), Decimals::Exact).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(item.as_double().map(f64::to_bits), Some(value.to_bits()), "{text}");
            seen[usize::from(value.is_normal())] += 1;
            // With fewer digits it may be another double, but is still what that one prints as.
            let short = format!("{value:.*e}", (random >> 60) as usize);
            if short.parse().is_ok_and(f64::is_finite) {
                assert!(is_exact(&short), "{short} of {value:e}");
            }
            seen[2] += usize::from(!is_exact(&format!("{value:.17e}")));
        }
        assert!(
            seen.iter().all(|seen| *seen > 20_000) && seen.iter().sum::<usize>() > 100_000,
            "{seen:?}"
        );
    }

    /// What is told by the number of digits, against what is told by the digits.
    #[test]
    fn few_digits_are_always_exact() {
        let (mut few, mut many) = (0, 0);
        for random in randoms().skip(1).take(20_000) {
            let digits = (random >> 8) % 10_u64.pow((random >> 59) as u32 % 18);
            let text = format!(
                "{digits}.0e{}",
                i64::try_from(random >> 40).expect("24 bits") % 340 - 325
            );
            let Ok(value) = text.parse::<f64>() else { continue };
            if value.is_finite() {
                let (decimal, shortest) = (Decimal::of(&text), Decimal::of(&format!("{value:e}")));
                let is_same = decimal.len <= MOST && (decimal == shortest || decimal == rounded(value, decimal.len));
                assert_eq!(is_exact_decimal(&text, value), is_same, "{text}");
                *(if is_same { &mut few } else { &mut many }) += 1;
            }
        }
        assert!(few > 500 && many > 500, "{few} and {many}");
    }
}
