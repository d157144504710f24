//! [`Chars`] and [`Characters`]: the code points of a text in order.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use crate::formatting::{Runs, Spans};
use crate::units::{Units, read_four, read_two, to_char};
use crate::{Character, Format};

/// The code points of a text: [`BaseText::chars`](crate::BaseText::chars).
#[derive(Clone)]
pub struct Chars<'a>(Units<'a>);

impl<'a> Chars<'a> {
    #[inline]
    pub(crate) fn new(units: Units<'a>) -> Self {
        Self(units)
    }
}

impl<'a> Units<'a> {
    #[inline]
    pub(crate) fn chars(self) -> Chars<'a> {
        Chars::new(self)
    }
}

impl Iterator for Chars<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        let first = self.0.get(0)?;
        self.0 = self.0.slice(1..self.0.len());
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }

    fn count(self) -> usize {
        self.0.len()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<char> {
        let len = self.0.len();
        self.0 = self.0.slice(n.min(len)..len);
        self.next()
    }

    /// Has one loop for each width.
    #[inline]
    fn fold<B, F: FnMut(B, char) -> B>(self, init: B, next: F) -> B {
        match self.0 {
            Units::Ascii(text) => text.bytes().map(char::from).fold(init, next),
            Units::Two(bytes) => bytes
                .chunks_exact(2)
                .map(|unit| to_char(read_two(unit)))
                .fold(init, next),
            Units::Four(bytes) => bytes
                .chunks_exact(4)
                .map(|unit| to_char(read_four(unit)))
                .fold(init, next),
        }
    }
}

impl DoubleEndedIterator for Chars<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<char> {
        let rest = self.0.len().checked_sub(1)?;
        let last = self.0.get(rest)?;
        self.0 = self.0.slice(0..rest);
        Some(last)
    }
}

impl fmt::Debug for Chars<'_> {
    /// The rest: `Chars("rest")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chars").field(&self.clone().collect::<String>()).finish()
    }
}

impl ExactSizeIterator for Chars<'_> {}

impl FusedIterator for Chars<'_> {}

/// The code points of a text with their formats: [`BaseText::characters`](crate::BaseText::characters).
#[derive(Clone)]
pub struct Characters<'a> {
    chars: Chars<'a>,
    spans: Spans<'a>,
    /// The number of `chars` left in the current span, and their format.
    left: usize,
    format: Format,
}

impl<'a> Characters<'a> {
    /// The characters of `range`, whose codes are `chars`.
    pub(crate) fn new(chars: Chars<'a>, runs: &'a Runs, range: Range<usize>) -> Self {
        Self {
            chars,
            spans: runs.spans(range),
            left: 0,
            format: Format::PLAIN,
        }
    }
}

impl Iterator for Characters<'_> {
    type Item = Character;

    #[inline]
    fn next(&mut self) -> Option<Character> {
        let code = self.chars.next()?;
        if self.left == 0 {
            let (span, format) = self.spans.next()?;
            (self.left, self.format) = (span.len(), format);
        }
        self.left -= 1;
        Some(Character::new(code, self.format))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.chars.size_hint()
    }
}

impl ExactSizeIterator for Characters<'_> {}

impl FusedIterator for Characters<'_> {}
