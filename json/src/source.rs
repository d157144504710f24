//! [`Source`]: the input of the parser, and its position.

use std::mem;

use hifijson::escape::{self, Lex as _};
use hifijson::num::Lex as _;
use hifijson::str::Error as StringError;
use hifijson::token::Lex as _;
use hifijson::{Read, Write};

use super::error::{Place, Problem};
use super::number::LONGEST;
use super::parser::Decimals;
use super::scan::{Digits, Expected, HEAD, number, plain};
use acedia_collections::Item;

/// A lexer that tracks its position.
pub(super) trait Source: Read + Write + Sized {
    /// The text of a number.
    type Number: AsRef<str>;

    /// The next byte that is not white space.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        self.ws_peek()
    }

    /// Takes the expected bytes behind the last byte taken, if they come next and this can be decided at once.
    #[inline]
    fn takes(&mut self, expected: &Expected) -> bool {
        let _ = expected;
        false
    }

    /// Reads a string whose opening quote was taken, and gives the result of `make`.
    fn string<T>(&mut self, make: impl FnOnce(&str) -> T) -> Result<T, Broken>;

    /// Reads a number without an exponent, if it can be recognized at once: its value, or the text of a decimal that has more than 19
    /// digits, or more than 15 if it must be [exact](Decimals::Exact).
    #[inline]
    fn common_number(&mut self, decimals: Decimals) -> Option<Result<Item, Self::Number>> {
        let _ = decimals;
        None
    }

    /// Reads a `bool` or `null`, if it can be recognized at once.
    #[inline]
    fn literal(&mut self) -> Option<Item> {
        None
    }

    /// Reads a number. If it is incomplete, its last byte is no digit.
    fn number(&mut self) -> Self::Number;

    /// The byte taken last.
    fn last(&self) -> Option<u8>;

    /// The number of bytes taken.
    fn offset(&self) -> u64;

    /// The place of the byte at `offset`: the next byte, or one before it in the same line.
    fn place(&self, offset: u64) -> Place;

    /// The error that ended the source, if it was not the end of the input.
    fn failure(&mut self) -> Option<Problem>;
}

/// The problem of a string, and its distance in bytes before the next byte.
pub(super) struct Broken {
    pub(super) problem: Problem,
    pub(super) back: usize,
}

impl From<StringError> for Broken {
    /// For errors between escapes.
    fn from(error: StringError) -> Self {
        match error {
            StringError::Control => Self {
                problem: Problem::Control,
                back: 1,
            },
            _ => UNTERMINATED,
        }
    }
}

pub(super) const UNTERMINATED: Broken = Broken {
    problem: Problem::Unterminated,
    back: 0,
};

/// Checks a part of a string between escapes; the byte behind it was not taken yet. The problem is [`Problem::Unterminated`] if only the
/// end of a character is missing: it is for the caller to know whether the input ends here.
pub(super) fn part(bytes: &[u8]) -> Result<&str, Broken> {
    std::str::from_utf8(bytes).map_err(|error| Broken {
        problem: match error.error_len() {
            Some(_) => Problem::Utf8,
            None => Problem::Unterminated,
        },
        back: bytes.len() - error.valid_up_to(),
    })
}

impl Broken {
    /// The problem of a string, by whether the input ended at it. Asks only if that is unknown: what was taken may be out of reach
    /// afterwards.
    #[cold]
    pub(super) fn at(self, is_end: impl FnOnce() -> bool) -> Self {
        if !matches!(self.problem, Problem::Unterminated) || self.back == 0 {
            return self;
        }
        if is_end() {
            return UNTERMINATED;
        }
        Self {
            problem: Problem::Utf8,
            ..self
        }
    }
}

/// The escape at the beginning of `bytes`, behind the backslash, and its length. `None` if it is wrong or not complete.
#[inline]
pub(super) fn escape_at(bytes: &[u8]) -> Option<(char, usize)> {
    let c = match bytes.first()? {
        byte @ (b'"' | b'\\' | b'/') => char::from(*byte),
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unicode_at(&bytes[1..]),
        _ => return None,
    };
    Some((c, 1))
}

/// Like [`escape_at`], but after the `u`: one code unit, or two.
#[inline]
fn unicode_at(bytes: &[u8]) -> Option<(char, usize)> {
    let (digits, rest) = bytes.split_first_chunk()?;
    let unit = hex(*digits)?;
    if let Some(c) = char::from_u32(unit) {
        return Some((c, 5));
    }
    let (digits, _) = rest.strip_prefix(b"\\u")?.split_first_chunk()?;
    let low = hex(*digits).filter(|low| (0xdc00..0xe000).contains(low))?;
    // The other half of the surrogates cannot be first.
    let high = unit.checked_sub(0xd800).filter(|high| *high < 0x400)?;
    Some((char::from_u32(0x1_0000 + (high << 10) + (low - 0xdc00))?, 11))
}

/// The number of four hexadecimal digits.
#[inline]
fn hex(digits: [u8; 4]) -> Option<u32> {
    /// The value of each digit, and more than 16 bits for other bytes.
    static VALUES: [u32; 256] = {
        let mut values = [1 << 16; 256];
        let mut value = 0;
        while value < 16 {
            let (small, capital) = (b"0123456789abcdef"[value as usize], b"0123456789ABCDEF"[value as usize]);
            values[small as usize] = value;
            values[capital as usize] = value;
            value += 1;
        }
        values
    };
    // A wrong digit leaves a bit above the 16, wherever it stands, so one comparison at the end finds it.
    let [a, b, c, d] = digits.map(|digit| VALUES[usize::from(digit)]);
    let number = a << 12 | b << 8 | c << 4 | d;
    (number < 1 << 16).then_some(number)
}

/// Reads an escape whose backslash was taken. An error is reported at the backslash.
pub(super) fn escaped<S: Source>(source: &mut S) -> Result<char, Broken> {
    let backslash = source.offset() - 1;
    let kind = source.take_next().ok_or(UNTERMINATED)?;
    let read = if kind == b'u' {
        unicode(source)
    } else {
        source.escape(kind)
    };
    read.map_err(|error| {
        let problem = match error {
            escape::Error::Eof => return UNTERMINATED,
            escape::Error::InvalidChar(_) | escape::Error::ExpectedLowSurrogate => Problem::Surrogate,
            escape::Error::InvalidKind(_) | escape::Error::InvalidHex(_) => Problem::Escape,
        };
        // So many bytes before the next one is the backslash.
        Broken {
            problem,
            back: usize::try_from(source.offset() - backslash).unwrap_or(0),
        }
    })
}

/// Reads the digits of an escape, and the second half of a surrogate pair. Unlike the lexer, tells an input that ends between both
/// halves from one in which something else follows.
fn unicode<S: Source>(source: &mut S) -> Result<char, escape::Error> {
    let high: u16 = source.hex()?;
    // Half of a pair that stands alone, here the second one, is no `char` either.
    if !(0xd800..=0xdbff).contains(&high) {
        return char::from_u32(high.into()).ok_or(escape::Error::InvalidChar(high.into()));
    }
    for byte in *b"\\u" {
        if source.peek_next().ok_or(escape::Error::Eof)? != byte {
            return Err(escape::Error::ExpectedLowSurrogate);
        }
        source.take_next();
    }
    let both = [high, source.hex()?];
    let mut read = char::decode_utf16(both);
    read.next()
        .and_then(Result::ok)
        .ok_or(escape::Error::ExpectedLowSurrogate)
}

/// Whether the input ended where more of it could have been right.
#[cold]
pub(super) fn is_cut(problem: &Problem, back: usize, source: &mut impl Source) -> bool {
    match problem {
        Problem::Unterminated => true,
        // What is wrong was not taken.
        Problem::Expected(_) | Problem::Number => source.peek_next().is_none(),
        // An exponent may follow.
        Problem::NumberTooLarge | Problem::Inexact => back <= LONGEST && source.peek_next().is_none(),
        _ => false,
    }
}

/// The letters that come next, up to one more than any word that is named has.
pub(super) fn word(source: &mut impl Source) -> String {
    let mut word = String::new();
    while let Some(letter) = source.peek_next().filter(u8::is_ascii_alphabetic) {
        word.push(letter.into());
        source.take_next();
        if word.len() == 10 {
            break;
        }
    }
    word
}

/// A document in memory. Common tokens are read here, by words; the others by the lexer, byte by byte.
pub(super) struct Slice<'a> {
    whole: &'a [u8],
    /// The longest prefix that is UTF-8.
    text: &'a str,
    /// The number of bytes taken.
    at: usize,
    /// The last [`HEAD`] bytes and as many zeros, so that words can be read up to the end. Copied at the beginning, because a load of a
    /// word that was stored in pieces a moment ago would wait for the stores.
    last: [u8; 2 * HEAD],
    /// A buffer for strings with escapes.
    unescaped: String,
}

impl<'a> Slice<'a> {
    pub(super) fn new(whole: &'a [u8]) -> Self {
        let mut last = [0; 2 * HEAD];
        match whole.last_chunk::<HEAD>() {
            Some(bytes) => last[..HEAD].copy_from_slice(bytes),
            None => last[HEAD - whole.len()..HEAD].copy_from_slice(whole),
        }
        Self {
            whole,
            text: beginning(whole),
            at: 0,
            last,
            unescaped: String::new(),
        }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        &self.whole[self.at..]
    }

    /// The bytes from `at` on, or if they are fewer than [`HEAD`], so many of them and zeros.
    #[inline]
    fn near(&self, at: usize) -> &[u8] {
        let bytes = self.whole.get(at..).unwrap_or_default();
        if bytes.len() < HEAD {
            &self.last[HEAD - bytes.len()..]
        } else {
            bytes
        }
    }

    /// The ASCII taken since `start`. A document is read no further than it is UTF-8.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes bytes up to the next one that is not a plain part of a string.
    #[expect(
        clippy::inline_always,
        reason = "most strings need little else, and a call would write the result to memory"
    )]
    #[inline(always)]
    fn part(&mut self) -> Result<&'a str, Broken> {
        let start = self.at;
        self.at += plain(self.rest());
        self.text.get(start..self.at).ok_or_else(|| self.no_text())
    }

    /// The problem of bytes that were taken and are not UTF-8.
    #[cold]
    fn no_text(&self) -> Broken {
        let rest = &self.whole[self.text.len()..self.at];
        part(rest)
            .err()
            .unwrap_or(UNTERMINATED)
            .at(|| self.at == self.whole.len())
    }

    /// Reads the rest of a string, of which `first` was taken.
    #[inline(never)]
    fn escaped(&mut self, first: &str, out: &mut String) -> Result<(), Broken> {
        out.clear();
        out.push_str(first);
        // Each turn takes a byte that is no plain part of a string, and then the plain part behind it.
        loop {
            match self.take_next().ok_or(UNTERMINATED)? {
                b'"' => return Ok(()),
                b'\\' => match escape_at(self.rest()) {
                    Some((c, len)) => {
                        out.push(c);
                        self.at += len;
                    }
                    // The escape is wrong or not complete: read it again, for the error and its place.
                    None => out.push(escaped(self)?),
                },
                // Only control characters are left.
                _ => return Err(StringError::Control.into()),
            }
            out.push_str(self.part()?);
        }
    }
}

/// The `bool` or `null` at the beginning of `bytes`, and its length.
#[inline]
pub(super) fn literal(bytes: &[u8]) -> Option<(Item, usize)> {
    Some(match bytes.first_chunk()? {
        b"null" => (Item::NONE, 4),
        b"true" => (true.into(), 4),
        b"fals" if bytes.get(4) == Some(&b'e') => (false.into(), 5),
        _ => return None,
    })
}

/// The number at the beginning of `bytes` and its length, sign included, if both are known at once.
#[inline]
pub(super) fn signed(bytes: &[u8]) -> Option<(Digits, usize)> {
    let Some((b'-', digits)) = bytes.split_first() else {
        return number(bytes);
    };
    let (number, len) = number(digits)?;
    let number = match number {
        // An integer cannot keep the sign of a negative zero.
        Digits::Integer(0) => return None,
        Digits::Integer(value) => Digits::Integer(-value),
        Digits::Decimal(value) => Digits::Decimal(-value),
        Digits::Near(value) => Digits::Near(-value),
        Digits::Long => Digits::Long,
    };
    Some((number, len + 1))
}

/// The longest prefix of a document that is UTF-8.
fn beginning(whole: &[u8]) -> &str {
    simdutf8::basic::from_utf8(whole).unwrap_or_else(|_| whole.utf8_chunks().next().map_or("", |chunk| chunk.valid()))
}

impl Read for Slice<'_> {
    fn strip_prefix(&mut self, prefix: &[u8]) -> bool {
        let starts = self.rest().starts_with(prefix);
        self.at += if starts { prefix.len() } else { 0 };
        starts
    }

    fn skip_until(&mut self, stop: impl FnMut(u8) -> bool) {
        self.write_until(&mut &[][..], stop);
    }

    #[inline]
    fn peek_next(&mut self) -> Option<u8> {
        self.whole.get(self.at).copied()
    }

    #[inline]
    fn take_next(&mut self) -> Option<u8> {
        let next = self.peek_next()?;
        self.at += 1;
        Some(next)
    }
}

impl<'a> Write for Slice<'a> {
    type Bytes = &'a [u8];

    fn write_until(&mut self, bytes: &mut &'a [u8], mut stop: impl FnMut(u8) -> bool) {
        let rest = self.rest();
        let len = rest.iter().position(|byte| stop(*byte)).unwrap_or(rest.len());
        *bytes = &rest[..len];
        self.at += len;
    }
}

impl<'a> Source for Slice<'a> {
    type Number = &'a str;

    #[inline]
    fn peek(&mut self) -> Option<u8> {
        match self.peek_next() {
            Some(next) if next > b' ' => Some(next),
            _ => self.ws_peek(),
        }
    }

    #[inline]
    fn takes(&mut self, expected: &Expected) -> bool {
        // The zeros behind the end are no part of a key.
        let is_next = expected.is_next(self.near(self.at.wrapping_sub(1)));
        if is_next {
            self.at += expected.len() - 1;
        }
        is_next
    }

    #[inline]
    fn string<T>(&mut self, make: impl FnOnce(&str) -> T) -> Result<T, Broken> {
        let part = self.part()?;
        if self.peek_next() == Some(b'"') {
            self.at += 1;
            return Ok(make(part));
        }
        let mut unescaped = mem::take(&mut self.unescaped);
        self.escaped(part, &mut unescaped)?;
        let value = make(&unescaped);
        self.unescaped = unescaped;
        Ok(value)
    }

    #[inline]
    fn common_number(&mut self, decimals: Decimals) -> Option<Result<Item, &'a str>> {
        // Zeros end a number at the end of the document.
        let (number, len) = signed(self.near(self.at))?;
        let start = self.at;
        self.at += len;
        Some(match number {
            Digits::Integer(value) => Ok(value.into()),
            Digits::Decimal(value) => Ok(value.into()),
            Digits::Near(value) if decimals == Decimals::Nearest => Ok(value.into()),
            Digits::Near(_) | Digits::Long => Err(self.since(start)),
        })
    }

    #[inline]
    fn literal(&mut self) -> Option<Item> {
        let (item, len) = literal(self.rest())?;
        self.at += len;
        Some(item)
    }

    fn number(&mut self) -> &'a str {
        let start = self.at;
        self.num_ignore();
        self.since(start)
    }

    fn last(&self) -> Option<u8> {
        self.whole[..self.at].last().copied()
    }

    fn offset(&self) -> u64 {
        self.at as u64
    }

    fn place(&self, offset: u64) -> Place {
        let before = &self.whole[..usize::try_from(offset).unwrap_or(usize::MAX).min(self.whole.len())];
        Lines::default().place(offset, before)
    }

    fn failure(&mut self) -> Option<Problem> {
        None
    }
}

/// The lines counted so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Lines {
    /// Line breaks.
    breaks: u64,
    /// The offset of the last line.
    start: u64,
    /// The number of bytes counted.
    pub(super) end: u64,
}

impl Lines {
    pub(super) fn count(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.end += 1;
            if *byte == b'\n' {
                self.breaks += 1;
                self.start = self.end;
            }
        }
    }

    /// The place of `offset`, where `before` is the bytes between the counted ones and it.
    pub(super) fn place(mut self, offset: u64, before: &[u8]) -> Place {
        self.count(before);
        Place {
            offset,
            line: self.breaks + 1,
            column: offset - self.start + 1,
        }
    }
}
