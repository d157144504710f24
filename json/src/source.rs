//! [`Source`]: the input of the parser, and its position.

use std::mem;
use std::ops::Range;

use super::error::{Place, Problem};
use super::number::{self, LONGEST};
use super::parser::Decimals;
use super::scan::{Digits, Expected, HEAD, digits, number, plain};
use acedia_collections::Item;

/// A document in memory, or one that is read in blocks.
pub(super) trait Input {
    /// The bytes that were read and not discarded.
    fn bytes(&self) -> &[u8];

    /// A part of these bytes, if it is UTF-8.
    fn text(&self, part: Range<usize>) -> Option<&str>;

    /// Reads more bytes, if there are any. May discard the bytes before the last one of the first `taken`. Returns the number of
    /// discarded bytes, and whether bytes were read.
    fn more(&mut self, taken: usize) -> (usize, bool) {
        let _ = taken;
        (0, false)
    }

    /// The lines in the discarded bytes.
    fn lines(&self) -> Lines {
        Lines::default()
    }

    /// The error that ended the input, if one did.
    fn failure(&mut self) -> Option<Problem> {
        None
    }
}

/// A document in memory.
pub(super) struct Slice<'a> {
    whole: &'a [u8],
    /// The longest prefix that is UTF-8.
    text: &'a str,
}

impl<'a> Slice<'a> {
    pub(super) fn new(whole: &'a [u8]) -> Self {
        let text = simdutf8::basic::from_utf8(whole);
        Self {
            whole,
            text: text.unwrap_or_else(|_| beginning(whole).0),
        }
    }
}

impl Input for Slice<'_> {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self.whole
    }

    #[inline]
    fn text(&self, part: Range<usize>) -> Option<&str> {
        self.text.get(part)
    }
}

/// The beginning of a text in memory. Checks only the strings that are read.
pub(super) struct Beginning<'a>(pub(super) &'a [u8]);

impl Input for Beginning<'_> {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self.0
    }

    #[inline]
    fn text(&self, part: Range<usize>) -> Option<&str> {
        std::str::from_utf8(self.0.get(part)?).ok()
    }
}

/// A lexer that tracks its position. Common tokens are read by words. A token that a block cuts is read again when there is more of it.
pub(super) struct Source<I> {
    input: I,
    /// The number of bytes taken, without those that the input has discarded.
    at: usize,
    /// The last [`HEAD`] bytes and as many zeros, so that words can be read up to the end. Copied when bytes are read, because a copy
    /// right before a word is loaded would stall on store forwarding.
    last: [u8; 2 * HEAD],
    /// A buffer for strings with escapes, and for strings that a block cuts.
    unescaped: String,
}

/// The longest string whose memory is kept.
const KEPT: usize = 64 << 10;

/// A problem, and its distance in bytes before the next byte. Boxed, to keep the result of the common case small.
pub(super) struct Failed(pub(super) Box<(Problem, usize)>);

impl Failed {
    #[cold]
    pub(super) fn new(problem: Problem, back: usize) -> Self {
        Self(Box::new((problem, back)))
    }
}

impl<I: Input> Source<I> {
    pub(super) fn new(input: I) -> Self {
        let mut source = Self {
            input,
            at: 0,
            last: [0; 2 * HEAD],
            unescaped: String::new(),
        };
        source.copy_last();
        source
    }

    fn copy_last(&mut self) {
        let bytes = self.input.bytes();
        match bytes.last_chunk::<HEAD>() {
            Some(bytes) => self.last[..HEAD].copy_from_slice(bytes),
            None => self.last[HEAD - bytes.len()..HEAD].copy_from_slice(bytes),
        }
    }

    /// Reads more bytes. `false` at the end, or if reading failed.
    fn more(&mut self) -> bool {
        let (gone, is_more) = self.input.more(self.at);
        self.at -= gone;
        if is_more {
            self.copy_last();
        }
        is_more
    }

    /// The bytes that were read and not taken.
    #[inline]
    fn rest(&self) -> &[u8] {
        &self.input.bytes()[self.at..]
    }

    /// Whether a token of `len` bytes reaches the end of what was read.
    #[inline]
    fn is_last(&self, len: usize) -> bool {
        self.at + len == self.input.bytes().len()
    }

    /// The bytes from `at` on, followed by zeros if they are fewer than [`HEAD`].
    #[inline]
    fn near(&self, at: usize) -> &[u8] {
        let bytes = self.input.bytes().get(at..).unwrap_or_default();
        if bytes.len() < HEAD {
            &self.last[HEAD - bytes.len()..]
        } else {
            bytes
        }
    }

    /// The next byte.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u8> {
        if self.is_last(0) && !self.more() {
            return None;
        }
        Some(self.input.bytes()[self.at])
    }

    #[inline]
    pub(super) fn take_next(&mut self) -> Option<u8> {
        let next = self.next()?;
        self.at += 1;
        Some(next)
    }

    /// The next byte that is not white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.rest().first() {
            Some(next) if *next > b' ' => Some(*next),
            _ => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> Option<u8> {
        loop {
            let is_token = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            let space = self.rest().iter().position(is_token);
            self.at += space.unwrap_or(self.rest().len());
            if space.is_some() || !self.more() {
                return self.rest().first().copied();
            }
        }
    }

    /// Takes the expected bytes behind the last byte taken, if they come next and this can be decided at once.
    #[inline]
    pub(super) fn takes(&mut self, expected: &Expected) -> bool {
        // No key contains zeros, so the zeros after the end match none.
        let is_next = expected.is_next(self.near(self.at.wrapping_sub(1)));
        if is_next {
            self.at += expected.len() - 1;
        }
        is_next
    }

    /// Reads a string whose opening quote was taken, and returns the result of `make`.
    #[inline]
    pub(super) fn string<T>(&mut self, make: impl FnOnce(&str) -> T) -> Result<T, Failed> {
        let len = plain(self.rest());
        let end = self.at + len;
        if self.input.bytes().get(end) == Some(&b'"') {
            if let Some(text) = self.input.text(self.at..end) {
                let value = make(text);
                self.at = end + 1;
                return Ok(value);
            }
        }
        let mut unescaped = mem::take(&mut self.unescaped);
        let read = self.any_string(len, &mut unescaped).map(|()| make(&unescaped));
        unescaped.clear();
        unescaped.shrink_to(KEPT);
        self.unescaped = unescaped;
        read
    }

    /// Like [`string`](Self::string), but for a string that has escapes, spans blocks, or is wrong. `len` is the length of its first
    /// plain part.
    #[inline(never)]
    fn any_string(&mut self, mut len: usize, out: &mut String) -> Result<(), Failed> {
        // Each turn takes a plain part of the string, and what is behind it.
        loop {
            let (bytes, end) = (self.input.bytes(), self.at + len);
            match (self.input.text(self.at..end), bytes.get(end)) {
                (Some(text), Some(b'"')) => {
                    out.push_str(text);
                    self.at = end + 1;
                    return Ok(());
                }
                (Some(text), Some(b'\\')) => {
                    out.push_str(text);
                    self.at = end;
                    match escape_at(&bytes[end + 1..]) {
                        Some((c, len)) => {
                            out.push(c);
                            self.at += 1 + len;
                        }
                        None => self.cut_escape()?,
                    }
                }
                _ => self.cut_string(len, out)?,
            }
            len = plain(self.rest());
        }
    }

    /// Takes a plain part of a string that a block may cut, and reads the next block.
    #[cold]
    fn cut_string(&mut self, len: usize, out: &mut String) -> Result<(), Failed> {
        let (text, is_wrong) = beginning(&self.rest()[..len]);
        out.push_str(text);
        // The bytes of a character that is not complete.
        let left = len - text.len();
        self.at += text.len();
        let is_last = self.is_last(left);
        let problem = if is_wrong || (left > 0 && !is_last) {
            Problem::Utf8
        } else if !is_last {
            Problem::Control
        } else if self.more() {
            return Ok(());
        } else {
            self.at += left;
            Problem::Unterminated
        };
        Err(Failed::new(problem, 0))
    }

    /// Reads the next block if it may complete the escape that comes next.
    #[cold]
    fn cut_escape(&mut self) -> Result<(), Failed> {
        let problem = match wrong_escape(&self.rest()[1..]) {
            Some(problem) => problem,
            None if self.more() => return Ok(()),
            None => {
                self.at += self.rest().len();
                Problem::Unterminated
            }
        };
        Err(Failed::new(problem, 0))
    }

    /// Reads a number.
    #[inline]
    pub(super) fn number(&mut self, decimals: Decimals) -> Result<Item, Failed> {
        // Zeros end a number at the end of the document.
        if let Some((number, len)) = signed(self.near(self.at)) {
            let item = match number {
                Digits::Integer(value) => Some(value.into()),
                Digits::Decimal(value) => Some(value.into()),
                Digits::Near(value) if decimals == Decimals::Nearest => Some(value.into()),
                Digits::Near(_) | Digits::Long => None,
            };
            if let Some(item) = item {
                if !self.is_last(len) || !self.more() {
                    self.at += len;
                    return Ok(item);
                }
            }
        }
        self.any_number(decimals)
    }

    #[inline(never)]
    fn any_number(&mut self, decimals: Decimals) -> Result<Item, Failed> {
        let mut len = 0;
        loop {
            let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            len += self.rest()[len..].iter().take_while(is_part).count();
            if !self.is_last(len) || len > LONGEST || !self.more() {
                break;
            }
        }
        let bytes = &self.rest()[..len];
        let len = number_len(bytes);
        let text = std::str::from_utf8(&bytes[..len]).unwrap_or_default();
        let read = number::item(text, decimals);
        self.at += len;
        read.map_err(|problem| {
            let back = if matches!(problem, Problem::Number) { 0 } else { len };
            Failed::new(problem, back)
        })
    }

    /// Reads a `bool` or `null`, if it can be recognized at once.
    #[inline]
    pub(super) fn literal(&mut self) -> Option<Item> {
        let bytes = self.near(self.at);
        let (item, len) = match bytes.first_chunk()? {
            b"null" => (Item::NONE, 4),
            b"true" => (true.into(), 4),
            b"fals" if bytes.get(4) == Some(&b'e') => (false.into(), 5),
            _ => return None,
        };
        self.at += len;
        Some(item)
    }

    /// Takes the letters that come next, at most 10: one more than the longest word that an error names.
    pub(super) fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(letter) = self.next().filter(u8::is_ascii_alphabetic) {
            word.push(letter.into());
            self.at += 1;
            if word.len() == 10 {
                break;
            }
        }
        word
    }

    /// Whether the input ended where more input could have avoided the problem.
    #[cold]
    pub(super) fn is_cut(&mut self, problem: &Problem, back: usize) -> bool {
        match problem {
            Problem::Unterminated => true,
            // The wrong byte was not taken.
            Problem::Expected(_) | Problem::Number => self.next().is_none(),
            // An exponent may follow.
            Problem::NumberTooLarge | Problem::Inexact => back <= LONGEST && self.next().is_none(),
            _ => false,
        }
    }

    /// The byte taken last.
    pub(super) fn last(&self) -> Option<u8> {
        self.input.bytes()[..self.at].last().copied()
    }

    /// The number of bytes taken.
    pub(super) fn offset(&self) -> u64 {
        self.input.lines().end + self.at as u64
    }

    /// The place of the byte at `offset`. The byte must not have been discarded, unless it is the last discarded one.
    pub(super) fn place(&self, offset: u64) -> Place {
        let lines = self.input.lines();
        let before = usize::try_from(offset.saturating_sub(lines.end)).unwrap_or(usize::MAX);
        let bytes = self.input.bytes();
        lines.place(offset, &bytes[..before.min(bytes.len())])
    }

    /// The error that ended the input, if one did and all bytes are taken.
    pub(super) fn failure(&mut self) -> Option<Problem> {
        if self.is_last(0) { self.input.failure() } else { None }
    }
}

/// The longest prefix that is UTF-8, and whether the bytes behind it cannot be the beginning of a character.
fn beginning(bytes: &[u8]) -> (&str, bool) {
    let chunk = bytes.utf8_chunks().next();
    let valid = chunk.map_or("", |chunk| chunk.valid());
    let error = std::str::from_utf8(&bytes[valid.len()..]).err();
    (valid, error.is_some_and(|error| error.error_len().is_some()))
}

/// The escape at the beginning of `bytes`, behind the backslash, and its length. `None` if it is wrong or not complete.
#[inline]
fn escape_at(bytes: &[u8]) -> Option<(char, usize)> {
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
    // A low surrogate cannot come first.
    let high = unit.checked_sub(0xd800).filter(|high| *high < 0x400)?;
    Some((char::from_u32(0x1_0000 + (high << 10) + (low - 0xdc00))?, 11))
}

/// The problem of bytes behind a backslash that are not an escape. `None` if more bytes could complete one.
#[cold]
fn wrong_escape(bytes: &[u8]) -> Option<Problem> {
    for (index, byte) in bytes.iter().enumerate() {
        let problem = match index {
            0 if *byte != b'u' => Problem::Escape,
            1..=4 | 7..=10 if !byte.is_ascii_hexdigit() => Problem::Escape,
            // Four digits that are half of a pair, but not the first half, which begins with `d8` to `db`.
            4 if !b"89abAB".contains(&bytes[2]) => Problem::Surrogate,
            5 if *byte != b'\\' => Problem::Surrogate,
            6 if *byte != b'u' => Problem::Surrogate,
            // Complete, but not the second half.
            10 => Problem::Surrogate,
            _ => continue,
        };
        return Some(problem);
    }
    None
}

/// The value of four hexadecimal digits.
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

/// The number at the beginning of `bytes` and its length, sign included, if both are known at once.
#[inline]
fn signed(bytes: &[u8]) -> Option<(Digits, usize)> {
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

/// The length of the number at the beginning of `bytes`. If it is incomplete, its last byte is not a digit.
fn number_len(bytes: &[u8]) -> usize {
    let is_at = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
    let sign = usize::from(is_at(0, b"-"));
    // Nothing follows a leading zero.
    let whole = if is_at(sign, b"0") { 1 } else { digits(&bytes[sign..]) };
    let mut len = sign + whole;
    if whole > 0 && is_at(len, b".") {
        len += 1;
        let fraction = digits(&bytes[len..]);
        len += fraction;
        if fraction == 0 {
            return len;
        }
    }
    if whole > 0 && is_at(len, b"eE") {
        len += 1;
        len += usize::from(is_at(len, b"+-"));
        len += digits(&bytes[len..]);
    }
    len
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

    /// The place of `offset`. `before` has the bytes between the counted ones and `offset`.
    pub(super) fn place(mut self, offset: u64, before: &[u8]) -> Place {
        self.count(before);
        Place {
            offset,
            line: self.breaks + 1,
            column: offset - self.start + 1,
        }
    }
}
