//! Steps that read numbers.

#[cfg(test)]
mod tests;

use std::str::FromStr;

use super::{ParseError, Parser};
use crate::Matching;

/// The sign of a number.
#[expect(clippy::exhaustive_enums, reason = "a sign is a plus or a minus")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
}

impl Parser<'_> {
    /// Reads `+` or `-`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Sign};
    ///
    /// let text = BaseText::from("-1");
    /// assert_eq!(text.parser().sign().unwrap_or(Sign::Plus), Sign::Minus);
    /// ```
    ///
    /// # Errors
    ///
    /// The next character is neither `+` nor `-`.
    #[doc(alias = "MSign")]
    pub fn sign(&mut self) -> Result<Sign, ParseError> {
        let sign = self.character_where("a sign", |character| matches!(character.code, '+' | '-'))?;
        Ok(if sign.code == '-' { Sign::Minus } else { Sign::Plus })
    }

    /// Reads the prefix of a base, if there is one, and returns the base: 16 for `0x`, 8 for `0o`, 2 for `0b`, otherwise 10.
    #[doc(alias = "MBase")]
    pub fn base(&mut self) -> u32 {
        let base = match self.rest().get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => return 10,
        };
        self.take(2);
        base
    }

    /// Reads digits of a base from 2 to 36, with letters of either case. If the number is too large, the result is
    /// `i32::MAX`.
    ///
    /// No base is an error: 0 means 10, a base above 36 means 36, and in base 1 the only digit is `0`.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("ffz").parser().unsigned(16), Ok(255));
    /// ```
    ///
    /// # Errors
    ///
    /// There is no digit of that base.
    #[doc(alias = "MUnsignedInteger")]
    pub fn unsigned(&mut self, base: u32) -> Result<i32, ParseError> {
        self.digits(Sign::Plus, or_decimal(base), usize::MAX)
    }

    /// Reads exactly `count` digits of a base from 2 to 36; base 0 means 10. If the number is too large, the result is
    /// `i32::MAX`. If `count` is 0, reads any number of digits, as [`unsigned`](Self::unsigned) does.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("20261121");
    /// let mut parser = text.parser();
    /// assert_eq!(
    ///     (parser.unsigned_exact(10, 4), parser.unsigned_exact(10, 2)),
    ///     (Ok(2026), Ok(11))
    /// );
    /// assert!(parser.unsigned_exact(10, 3).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// There are fewer than `count` digits, or none.
    #[doc(alias = "MUnsignedInteger")]
    pub fn unsigned_exact(&mut self, base: u32, count: usize) -> Result<i32, ParseError> {
        self.attempt(|parser| {
            let start = parser.position();
            let most = if count == 0 { usize::MAX } else { count };
            let value = parser.digits(Sign::Plus, or_decimal(base), most)?;
            if parser.position() - start < count {
                return Err(parser.error("another digit"));
            }
            Ok(value)
        })
    }

    /// Reads an integer: an optional sign, an optional prefix of [`base`](Self::base), and digits. If the number is out
    /// of range, the result is `i32::MAX` or `i32::MIN`.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("-0x1F").parser().integer(), Ok(-31));
    /// ```
    ///
    /// # Errors
    ///
    /// There are no digits.
    #[doc(alias = "MInteger")]
    pub fn integer(&mut self) -> Result<i32, ParseError> {
        self.attempt(|parser| {
            let sign = parser.sign().unwrap_or(Sign::Plus);
            let base = parser.base();
            parser.digits(sign, base, usize::MAX)
        })
    }

    /// Like [`integer`](Self::integer), but in a given base from 2 to 36, and without prefixes. With base 0, a prefix gives the
    /// base, as in `integer`.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("-0x1f");
    /// assert_eq!((text.parser().integer_in(0), text.parser().integer_in(10)), (Ok(-31), Ok(0)));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`integer`](Self::integer).
    #[doc(alias = "MInteger")]
    pub fn integer_in(&mut self, base: u32) -> Result<i32, ParseError> {
        if base == 0 {
            return self.integer();
        }
        self.attempt(|parser| {
            let sign = parser.sign().unwrap_or(Sign::Plus);
            parser.digits(sign, base, usize::MAX)
        })
    }

    /// Reads a number with a fraction, as an `f32`, an `f64` or any other type that parses `-12.5e-3`.
    ///
    /// The number has an optional sign, digits, an optional dot with optional digits, an optional exponent, and an optional `f`.
    /// An `e` after the digits always begins an exponent, so `3e` and `0.054e` are errors.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("-12.5e-1f").parser().number(), Ok(-1.25_f32));
    /// ```
    ///
    /// # Errors
    ///
    /// There is no digit before the dot or in the exponent, or `F` does not parse the number.
    #[doc(alias = "MNumber")]
    pub fn number<F: FromStr>(&mut self) -> Result<F, ParseError> {
        self.attempt(|parser| {
            let start = parser.clone();
            let _ = parser.sign();
            parser.decimals()?;
            if parser.eat('.').is_ok() {
                let _ = parser.decimals();
            }
            if parser.eat_by('e', Matching::ANY_CASE).is_ok() {
                let _ = parser.sign();
                parser.decimals()?;
            }
            let number = &parser.text.as_str()[start.byte..parser.byte];
            let _ = parser.eat_by('f', Matching::ANY_CASE);
            number
                .parse()
                .map_err(|_| start.error("a number of the requested type"))
        })
    }

    /// Reads up to `most` digits. A number out of range becomes the nearest one in range.
    fn digits(&mut self, sign: Sign, base: u32, most: usize) -> Result<i32, ParseError> {
        /// One more than `i32::MAX`.
        const LARGEST: i64 = 1 << 31;

        let mut read = 0;
        let mut value = 0_i64;
        for c in self.rest().chars().take(most) {
            let Some(digit) = c.to_digit(36).filter(|digit| *digit < base) else {
                break;
            };
            // At most 2^31 * 36 + 35 in any base.
            value = (value * i64::from(base.min(36)) + i64::from(digit)).min(LARGEST);
            read += 1;
        }
        if read == 0 {
            return Err(self.error("a digit"));
        }
        self.take(read);
        Ok(match sign {
            Sign::Plus => i32::try_from(value).unwrap_or(i32::MAX),
            Sign::Minus => i32::try_from(-value).unwrap_or(i32::MIN),
        })
    }

    /// Reads decimal digits.
    fn decimals(&mut self) -> Result<(), ParseError> {
        if self.take_while(|c| c.is_ascii_digit()).is_empty() {
            return Err(self.error("a digit"));
        }
        Ok(())
    }
}

/// The base of an unsigned number, for which 0 means 10.
fn or_decimal(base: u32) -> u32 {
    if base == 0 { 10 } else { base }
}
