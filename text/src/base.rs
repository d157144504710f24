//! [`BaseText`]: what all texts are made of.

mod edit;
mod notation;
mod search;
mod traits;

use std::ops::{Bound, Range, RangeBounds};

use crate::buffer::Buffer;
use crate::chars::{Characters, Chars};
use crate::formatting::Runs;
use crate::units::Units;
use crate::{Character, Format, hash};

/// A text as a plain value: code points of any script, and their formats.
///
/// [`Text`](crate::Text) and [`MutableText`](crate::MutableText) are objects that hold one. By itself it is to this crate what `String` is to Rust: it can
/// be changed by whoever has it, is on nobody's list, and is the cheapest place to build a text in.
///
/// ```
/// use acedia_text::{BaseText, Color, IntoText};
///
/// let mut text = BaseText::from("Grüße, ");
/// text.append("Welt").set_format(7.., Color::rgb(255, 0, 0).into());
/// assert_eq!((text.len(), text.char_at(2)), (11, Some('ü')));
/// assert_eq!(text.to_markup(..), "Grüße, {rgb(255,0,0) Welt}");
/// let text = text.into_text(); // an object
/// assert_eq!(text.to_string(), "Grüße, Welt");
/// // Built piece by piece, and read in several ways.
/// use acedia_text::{Format, Matching};
///
/// let mut line = BaseText::new();
/// line.reserve(40).append("scores").push(':').append_line_break();
/// line.append_colored(" 7", Format::PLAIN).append_markup("{$red !}", Format::PLAIN);
/// line.prepend("The ").insert(4, "new ").make_lowercase().trim();
/// assert_eq!(line.as_str(), Some("the new scores:\n 7!"));
/// assert!(line.starts_with("THE", Matching::ANY_CASE) && line.ends_with("7!", Matching::EXACT));
/// assert!(line.contains("scores", Matching::EXACT) && line.rfind("e", .., Matching::EXACT) == Some(12));
/// assert_eq!(line.chars().filter(char::is_ascii_digit).count(), 1);
/// assert!(line.character_at(18).unwrap().color().is_some() && !line.format_at(18).is_plain());
/// assert_eq!(line.slice(4..7), BaseText::from("new"));
/// assert_eq!(line.to_lowercase(..3).to_string(), "the");
/// assert!(!line.is_valid_name() && line.clear().is_empty());
/// ```
///
/// # Positions
///
/// Lengths and positions count code points, which are the characters of Rust. A range that reaches beyond the text means
/// the part of it that lies inside; none is out of range.
///
/// # Memory
///
/// Every code point takes one byte while all of them are ASCII, two while they are in the basic multilingual plane, and
/// else four. So length and look-up take no time, in any script. ASCII is also a `&str` for nothing: [`as_str`](Self::as_str).
/// Up to 64 ASCII characters stand in the value itself, which is 88 bytes large; what is longer or wider has a buffer.
///
/// Other text that is made of one string is kept as that, in UTF-8, until it is changed. Whoever asks for its code points has it
/// written down by codes as well, once.
///
/// Formats are kept as the places where they change; plain text has none.
///
/// A change that lets the first character in that needs a larger width rewrites the whole text, and so does one that takes
/// the last one out. More than 1,024 code points stay as wide as they are until as many were put in and taken out, so that
/// a character that comes and goes doesn't cost the whole text each time. A [`Text`](crate::Text) is always as narrow as can be.
///
/// # Equality
///
/// `==`, `Ord` and `Hash` go by the code points alone, case-sensitive. Formats are looked at by [`compare`](Self::compare).
#[derive(Clone, Default)]
#[repr(C)] // What stands before the characters is looked at with them.
pub struct BaseText {
    runs: Runs,
    buffer: Buffer,
}

impl BaseText {
    /// An empty text. Allocates nothing.
    #[must_use]
    #[doc(alias = "Empty")]
    pub fn new() -> Self {
        Self::default()
    }

    /// As narrow as can be, for what does not change any more.
    #[inline]
    pub(crate) fn tighten(&mut self) {
        self.buffer.tighten();
    }

    /// Empties the text for an object's next life.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        self.runs.recycle();
        self.buffer.recycle();
    }

    /// [Empties](Self::recycle) the text and puts a string in it, if both are soon done; whether they were.
    #[inline]
    pub(crate) fn refill(&mut self, text: &str) -> bool {
        self.runs.are_unused() && self.buffer.refill(text)
    }

    /// Puts a whole string into an empty text.
    pub(crate) fn fill(&mut self, text: &str) {
        self.buffer.fill(text);
    }

    #[inline]
    pub(crate) fn units(&self) -> Units<'_> {
        self.buffer.units()
    }

    #[inline]
    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }

    /// How many code points there are. Costs nothing, but that the first call counts those of a string that [is kept](Self#memory).
    #[inline]
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    #[doc(alias = "IsEmpty")]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text as a string, if it [is stored](Self#memory) as one. Costs nothing.
    ///
    /// So is what is ASCII (but for a long text that had other characters a moment ago), and what was made from one string
    /// and not changed since.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("ascii").as_str(), Some("ascii"));
    /// let mut text = BaseText::from("größer");
    /// assert_eq!(text.as_str(), Some("größer"));
    /// assert_eq!(text.append("!").as_str(), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.buffer.as_str()
    }

    /// The code point at a position. Takes the same time for every position and script, once the first call has written down by
    /// codes what [is kept](Self#memory) as a string.
    #[inline]
    #[must_use]
    #[doc(alias = "GetRawCharacter")]
    pub fn char_at(&self, index: usize) -> Option<char> {
        self.units().get(index)
    }

    /// The code point at a position, with its format.
    #[must_use]
    #[doc(alias = "GetCharacter")]
    pub fn character_at(&self, index: usize) -> Option<Character> {
        Some(Character::new(self.char_at(index)?, self.format_at(index)))
    }

    /// The format at a position; plain beyond the end. A binary search among the places where the format changes.
    #[must_use]
    #[doc(alias = "GetFormatting")]
    pub fn format_at(&self, index: usize) -> Format {
        if index < self.len() {
            self.runs.at(index)
        } else {
            Format::PLAIN
        }
    }

    /// The code points in order.
    #[inline]
    #[must_use]
    pub fn chars(&self) -> Chars<'_> {
        self.units().chars()
    }

    /// The code points in order, with their formats.
    #[must_use]
    pub fn characters(&self) -> Characters<'_> {
        self.characters_in(0..self.len())
    }

    pub(crate) fn characters_in(&self, range: Range<usize>) -> Characters<'_> {
        Characters::new(self.units().slice(range.clone()).chars(), &self.runs, range)
    }

    /// `range`, which must lie inside, cut into parts of one format each, in order. None is empty, and neighbors differ in
    /// format.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (Units<'_>, Format)> {
        let units = self.units();
        let spans = self.runs.spans(range);
        spans.map(move |(span, format)| (units.slice(span), format))
    }

    /// Whether this can be the name of something: 1 to 50 ASCII letters, digits, `.` or `_`.
    #[must_use]
    #[doc(alias = "IsValidName")]
    pub fn is_valid_name(&self) -> bool {
        let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
        (1..=50).contains(&self.len()) && self.chars().all(valid)
    }

    /// The hash of the code points: 5381, then `hash * 33 + code` for each, wrapping. Formats don't count.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("hello").hash_code(), 261_238_937);
    /// ```
    ///
    /// # Cost
    ///
    /// Computed anew each time, in vectors where the machine has them. A [`Text`](crate::Text) computes it once in its life.
    ///
    /// # Security
    ///
    /// Anybody can make many texts with the same hash, so it is no hash for tables: `Hash` of an [`Owned`](acedia_allocator::Owned) text feeds them
    /// [`key_hash`](Self::key_hash) instead.
    #[must_use]
    #[doc(alias = "CalculateHashCode")]
    pub fn hash_code(&self) -> i32 {
        hash::djb2(self.units())
    }

    /// A hash of the code points that nobody can predict: keyed by a number drawn when the process begins.
    ///
    /// For tables; `Hash` of an [`Owned`](acedia_allocator::Owned) text goes by it. [`hash_code`](Self::hash_code) is not: whoever chooses the texts can
    /// give them all the same one.
    ///
    /// # Cost
    ///
    /// A look at each character, and what stands by code points is written as UTF-8 for it. A [`Text`](crate::Text) computes it once in its life.
    #[must_use]
    pub fn key_hash(&self) -> u64 {
        match self.as_str() {
            Some(text) => hash::keyed(text),
            None => hash::keyed(&self.chars().collect::<String>()),
        }
    }

    /// The part of `range` that lies inside.
    pub(crate) fn within(&self, range: impl RangeBounds<usize>) -> Range<usize> {
        let end = match range.end_bound() {
            Bound::Included(end) => end.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => usize::MAX,
        };
        let start = match range.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(start) => start.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = end.min(self.len());
        start.min(end)..end
    }
}
