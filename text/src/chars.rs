//! [`Chars`] and [`Characters`]: the code points of a text in order.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use crate::formatting::{Runs, Spans};
use crate::{Character, Format};

/// The code points of a text: [`BaseText::chars`](crate::BaseText::chars).
#[derive(Clone)]
pub struct Chars<'a> {
    rest: std::str::Chars<'a>,
    left: usize,
}

impl<'a> Chars<'a> {
    /// The code points of a string, which are `len`.
    #[inline]
    pub(crate) fn new(text: &'a str, len: usize) -> Self {
        Self {
            rest: text.chars(),
            left: len,
        }
    }
}

impl Iterator for Chars<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        self.left = self.left.saturating_sub(1);
        self.rest.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn count(self) -> usize {
        self.left
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<char> {
        self.left = self.left.saturating_sub(n).saturating_sub(1);
        self.rest.nth(n)
    }

    #[inline]
    fn fold<B, F: FnMut(B, char) -> B>(self, init: B, next: F) -> B {
        self.rest.fold(init, next)
    }
}

impl DoubleEndedIterator for Chars<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<char> {
        self.left = self.left.saturating_sub(1);
        self.rest.next_back()
    }
}

impl fmt::Debug for Chars<'_> {
    /// The rest: `Chars("rest")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chars").field(&self.rest.as_str()).finish()
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
