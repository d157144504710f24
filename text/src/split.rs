//! [`Split`]: the parts of a text between separators.

use std::fmt;
use std::iter::FusedIterator;

use acedia::Owned;

use crate::{BaseText, Text};

impl BaseText {
    /// The parts between the occurrences of `separator`, as objects with their formats: n + 1 parts for n separators.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let path = BaseText::from("/usr//bin");
    /// let parts: Vec<_> = path.split('/').map(|part| part.to_string()).collect();
    /// assert_eq!(parts, ["", "usr", "", "bin"]);
    /// assert_eq!(path.split('/').filter(|part| !part.is_empty()).count(), 2);
    /// ```
    ///
    /// [`IntoText::into_mutable_text`](crate::IntoText::into_mutable_text) makes a part mutable without copying it.
    #[doc(alias("SplitByCharacter", "SplitByCharacterS"))]
    pub fn split(&self, separator: char) -> Split<'_> {
        Split {
            text: self,
            separator,
            next: Some(0),
        }
    }

    /// Splits the rest of the text by the text's first character. An empty text has no parts.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let parts: Vec<_> =
    ///     BaseText::from("zWordzz").parts().map(|part| part.to_string()).collect();
    /// assert_eq!(parts, ["Word", "", ""]);
    /// ```
    #[doc(alias("Parts", "PartsS"))]
    pub fn parts(&self) -> Split<'_> {
        let separator = self.char_at(0);
        Split {
            text: self,
            separator: separator.unwrap_or_default(),
            next: separator.map(|_| 1),
        }
    }
}

/// The parts of a text between separators: [`BaseText::split`], [`BaseText::parts`].
#[derive(Clone)]
#[must_use = "iterators do nothing unless asked for an item"]
pub struct Split<'a> {
    text: &'a BaseText,
    separator: char,
    /// The start of the next part, if there is one.
    next: Option<usize>,
}

impl fmt::Debug for Split<'_> {
    /// Prints the rest: `Split("b c", at ' ')`. Prints no parts, because each of them would be a new object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next {
            Some(next) => write!(f, "Split({:?}, at {:?})", self.text.slice(next..), self.separator),
            None => f.write_str("Split(nothing)"),
        }
    }
}

impl Iterator for Split<'_> {
    type Item = Owned<Text>;

    fn next(&mut self) -> Option<Owned<Text>> {
        let start = self.next?;
        let part = self.text.after(start).chars().position(|c| c == self.separator);
        self.next = part.map(|len| start + len + 1);
        let end = part.map_or(self.text.len(), |len| start + len);
        Some(self.text.to_text(start..end))
    }
}

impl FusedIterator for Split<'_> {}
