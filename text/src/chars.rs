//! [`Characters`]: the code points of a text in order, with their formats.

use std::iter::FusedIterator;
use std::ops::Range;
use std::str::Chars;

use crate::formatting::{Runs, Spans};
use crate::{Character, Format};

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
    /// The characters of `range`, of which `text` is the string.
    pub(crate) fn new(text: &'a str, runs: &'a Runs, range: Range<usize>) -> Self {
        Self {
            chars: text.chars(),
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
        let len = self.left + self.spans.len();
        (len, Some(len))
    }
}

impl ExactSizeIterator for Characters<'_> {}

impl FusedIterator for Characters<'_> {}
