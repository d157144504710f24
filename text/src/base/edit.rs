//! Changes of a text.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Bound, Range, RangeBounds};

use super::BaseText;
use crate::buffer::count;
use crate::content::{Content, Piece};
use crate::formatting::Runs;
use crate::{Character, Format, Matching, case};

impl BaseText {
    /// Removes everything and keeps the memory.
    #[doc(alias = "Clear")]
    pub fn clear(&mut self) -> &mut Self {
        self.buffer.clear();
        self
    }

    /// Reserves capacity for `additional` more bytes of UTF-8. An ASCII character takes one byte, and other code points
    /// take two to four bytes.
    ///
    /// # Panics
    ///
    /// As `Vec::reserve`, if the buffer would exceed `isize::MAX` bytes.
    pub fn reserve(&mut self, additional: usize) -> &mut Self {
        self.buffer.reserve(additional);
        self
    }

    /// Adds one plain code point.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("ab");
    /// text.push('c').push('ß');
    /// assert_eq!(text, "abcß");
    /// ```
    #[inline]
    #[doc(alias = "AppendRawCharacter")]
    pub fn push(&mut self, c: char) -> &mut Self {
        self.append_str(c.encode_utf8(&mut [0; 4]), Format::PLAIN);
        self
    }

    /// Adds a string, a character or a text, with its formats.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("one");
    /// text.append(", two").append(' ').append(&BaseText::from("…"));
    /// assert_eq!(text, "one, two …");
    /// ```
    #[inline]
    #[doc(alias("AppendString", "AppendCharacter"))]
    pub fn append(&mut self, content: impl Content) -> &mut Self {
        self.append_or(content, Format::PLAIN)
    }

    /// Like [`append`](Self::append), but plain characters of `content` get the format `default`.
    #[inline]
    #[doc(alias = "Append")]
    pub fn append_or(&mut self, content: impl Content, default: Format) -> &mut Self {
        match content.piece() {
            Piece::Str(text) => self.append_str(text, default),
            Piece::Char(Character { code, format }) => {
                self.append_str(code.encode_utf8(&mut [0; 4]), format.or(default));
            }
            Piece::Text(text) if !text.has_formats() => self.append_str(text.as_str(), default),
            Piece::Text(text) => {
                let len = self.len();
                self.buffer.runs_mut().append(len, text.runs(), 0..text.len(), default);
                self.buffer.push_str(text.as_str());
            }
        }
        self
    }

    /// Adds a string in one format. Code points are counted only if there are formats.
    #[inline]
    fn append_str(&mut self, text: &str, format: Format) {
        if self.has_formats() || !format.is_plain() {
            let len = self.len();
            self.buffer.runs_mut().push(len, count(text), format);
        }
        self.buffer.push_str(text);
    }

    /// Adds a range of another text. The range must lie inside that text.
    pub(crate) fn append_range(&mut self, other: &Self, range: Range<usize>) {
        let text = other.part(range.clone());
        if !other.has_formats() {
            return self.append_str(text, Format::PLAIN);
        }
        let len = self.len();
        self.buffer.runs_mut().append(len, other.runs(), range, Format::PLAIN);
        self.buffer.push_str(text);
    }

    /// Adds a range of another text. The range `..` needs no search for its end.
    pub(crate) fn append_part(&mut self, other: &Self, range: impl RangeBounds<usize>) {
        match (range.start_bound(), range.end_bound()) {
            (Bound::Unbounded, Bound::Unbounded) => _ = self.append(other),
            _ => self.append_range(other, other.within(range)),
        }
    }

    /// A copy of a range, as a value.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let mut part = Self::new();
        part.append_part(self, range);
        part
    }

    /// Adds a line break, in the format of the last character.
    #[doc(alias = "AppendLineBreak")]
    pub fn append_line_break(&mut self) -> &mut Self {
        let format = self
            .len()
            .checked_sub(1)
            .map_or(Format::PLAIN, |last| self.format_at(last));
        self.append(Character::new('\n', format))
    }

    /// Inserts a string, a character or a text at the front.
    #[doc(alias(
        "Prepend",
        "PrependString",
        "PrependColoredString",
        "PrependFormatted",
        "PrependFormattedString"
    ))]
    pub fn prepend(&mut self, content: impl Content) -> &mut Self {
        self.insert(0, content)
    }

    /// Inserts a string, a character or a text before a position, or at the end if the position is beyond the end.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("ad");
    /// text.insert(1, "bc").insert(99, '!');
    /// assert_eq!(text, "abcd!");
    /// ```
    pub fn insert(&mut self, at: usize, content: impl Content) -> &mut Self {
        self.insert_or(at, content, Format::PLAIN)
    }

    /// Like [`insert`](Self::insert), but plain characters of `content` get the format `default`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Color};
    ///
    /// let mut text = BaseText::from("fire");
    /// text.insert_or(0, "beware of ", Color::rgb(255, 0, 0).into());
    /// assert_eq!(text.to_markup(..), "{rgb(255,0,0) beware of }fire");
    /// ```
    pub fn insert_or(&mut self, at: usize, content: impl Content, default: Format) -> &mut Self {
        let at = at.min(self.len());
        content.piece().with(|text, runs| {
            let mut runs = Cow::Borrowed(runs);
            if !default.is_plain() {
                runs.to_mut().set_default(count(text), default);
            }
            self.splice(at..at, text, &runs);
        });
        self
    }

    /// Removes a range.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("Hello, world");
    /// assert_eq!(text.remove(5..100), &"Hello");
    /// ```
    #[doc(alias = "Remove")]
    pub fn remove(&mut self, range: impl RangeBounds<usize>) -> &mut Self {
        let range = self.within(range);
        self.splice(range, "", &Runs::new());
        self
    }

    fn splice(&mut self, range: Range<usize>, text: &str, runs: &Runs) {
        if self.has_formats() || !runs.is_plain() {
            let len = self.len();
            self.buffer.runs_mut().replace(len, range.clone(), count(text), runs);
        }
        self.buffer.replace(range, text);
    }

    /// Replaces every occurrence of `before`, from left to right, by `after`, which keeps its own formats. Nothing changes if
    /// `before` is empty.
    ///
    /// ```
    /// use acedia_text::{BaseText, Matching};
    ///
    /// let mut text = BaseText::from("Cat, cat, CAT");
    /// assert_eq!(text.replace("cat", "dog", Matching::ANY_CASE), &"dog, dog, dog");
    /// ```
    ///
    /// # Cost
    ///
    /// Linear in the old and the new text.
    #[doc(alias("Replace", "ReplaceS"))]
    pub fn replace(&mut self, before: impl Content, after: impl Content, matching: Matching) -> &mut Self {
        let (starts, count) = self.occurrences(before, matching);
        if starts.is_empty() {
            return self;
        }
        let mut changed = Self::new();
        let mut done = 0;
        for start in starts {
            changed.append_range(self, done..start);
            changed.append(&after);
            done = start + count;
        }
        changed.append_range(self, done..self.len());
        *self = changed;
        self
    }

    /// Sets the format of a range.
    ///
    /// ```
    /// use acedia_text::{BaseText, Color, Format};
    ///
    /// let mut text = BaseText::from("stop now");
    /// text.set_format(..4, Format::colored(Color::rgb(255, 0, 0)));
    /// assert_eq!(text.to_markup(..), "{rgb(255,0,0) stop} now");
    /// ```
    ///
    /// # Cost
    ///
    /// Logarithmic in the number of format changes in the text, and linear in those inside the range. Formatting 100,000
    /// characters one at a time, in any order, takes 60 to 120 ns per character (Zen 5).
    #[doc(alias = "ChangeFormatting")]
    pub fn set_format(&mut self, range: impl RangeBounds<usize>, format: Format) -> &mut Self {
        let range = self.within(range);
        if self.has_formats() || !format.is_plain() {
            let len = self.len();
            self.buffer.runs_mut().set(len, range, format);
        }
        self
    }

    /// Sets the format of all plain characters.
    #[doc(alias("ChangeDefaultFormatting", "ChangeDefaultColor"))]
    pub fn set_default_format(&mut self, format: Format) -> &mut Self {
        if !format.is_plain() {
            let len = self.len();
            self.buffer.runs_mut().set_default(len, format);
        }
        self
    }

    /// Converts all letters to lowercase: one code point for one, by Unicode's simple mapping.
    #[doc(alias = "ToLower")]
    pub fn make_lowercase(&mut self) -> &mut Self {
        self.buffer.map(case::lower, str::make_ascii_lowercase);
        self
    }

    /// Converts all letters to uppercase: one code point for one, by Unicode's simple mapping.
    #[doc(alias = "ToUpper")]
    pub fn make_uppercase(&mut self) -> &mut Self {
        self.buffer.map(case::upper, str::make_ascii_uppercase);
        self
    }

    /// Removes whitespace at both ends.
    #[doc(alias = "Simplify")]
    pub fn trim(&mut self) -> &mut Self {
        let is_space = |c: char| Character::from(c).is_whitespace();
        let end = self.buffer.position(self.as_str().trim_end_matches(is_space).len());
        self.remove(end..);
        let start = self.chars().take_while(|c| is_space(*c)).count();
        self.remove(..start)
    }

    /// Removes whitespace at both ends, and replaces each run of whitespace inside by its first character.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("  to \n be\tor ");
    /// assert_eq!(text.simplify(), &"to be\tor");
    /// ```
    #[doc(alias = "Simplify")]
    pub fn simplify(&mut self) -> &mut Self {
        let mut simple = Self::new();
        let mut space = None;
        for character in self.characters() {
            if character.is_whitespace() {
                space = space.or(Some(character));
                continue;
            }
            if let Some(space) = space.take() {
                if !simple.is_empty() {
                    simple.append(space);
                }
            }
            simple.append(character);
        }
        *self = simple;
        self
    }
}

impl fmt::Write for BaseText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.append(text);
        Ok(())
    }
}

impl<C: Content> Extend<C> for BaseText {
    #[doc(alias("AppendManyCharacters", "AppendManyRawCharacters"))]
    fn extend<I: IntoIterator<Item = C>>(&mut self, contents: I) {
        for content in contents {
            self.append(content);
        }
    }
}
