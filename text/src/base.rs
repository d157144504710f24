//! [`BaseText`]: a text as a plain value.

mod edit;
mod notation;
mod search;
mod traits;

use std::ops::{Bound, Range, RangeBounds};
use std::str::Chars;

use crate::buffer::Buffer;
use crate::chars::Characters;
use crate::formatting::Runs;
use crate::{Character, Format, hash};

/// A text as a plain value: code points of any script, and their formats.
///
/// The objects [`Text`](crate::Text) and [`MutableText`](crate::MutableText) contain a `BaseText`. By itself, a `BaseText` is
/// a plain value like a `String`, without a pool, a lock or a handle. Building a text is cheapest in a `BaseText`.
///
/// | To | Call |
/// |---|---|
/// | make a text | [`new`](Self::new), [`from_markup`](Self::from_markup), [`try_from_markup`](Self::try_from_markup), [`from_colored`](Self::from_colored), [`from_utf8`](Self::from_utf8), `From<&str>` |
/// | make an object of a text | [`to_text`](Self::to_text), [`to_mutable_text`](Self::to_mutable_text), [`IntoText`](crate::IntoText) |
/// | read | [`as_str`](Self::as_str), [`len`](Self::len), [`chars`](Self::chars), [`characters`](Self::characters), [`char_at`](Self::char_at), [`slice`](Self::slice), [`split`](Self::split), [`parser`](Self::parser) |
/// | search and compare | [`find`](Self::find), [`rfind`](Self::rfind), [`contains`](Self::contains), [`starts_with`](Self::starts_with), [`ends_with`](Self::ends_with), [`compare`](Self::compare) |
/// | add | [`append`](Self::append), [`push`](Self::push), [`prepend`](Self::prepend), [`insert`](Self::insert), [`append_line_break`](Self::append_line_break), [`append_colored`](Self::append_colored), [`append_markup`](Self::append_markup) |
/// | change | [`remove`](Self::remove), [`replace`](Self::replace), [`trim`](Self::trim), [`simplify`](Self::simplify), [`make_lowercase`](Self::make_lowercase), [`make_uppercase`](Self::make_uppercase), [`clear`](Self::clear) |
/// | format | [`set_format`](Self::set_format), [`format_at`](Self::format_at), [`set_default_format`](Self::set_default_format) |
/// | print | [`to_markup`](Self::to_markup), [`to_colored`](Self::to_colored), [`to_utf8`](Self::to_utf8), `Display` |
/// | hash; allocate in advance | [`hash_code`](Self::hash_code); [`reserve`](Self::reserve) |
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
/// assert_eq!(line.as_str(), "the new scores:\n 7!");
/// assert!(
///     line.starts_with("THE", Matching::ANY_CASE) && line.ends_with("7!", Matching::EXACT)
/// );
/// assert!(
///     line.contains("scores", Matching::EXACT)
///         && line.rfind("e", .., Matching::EXACT) == Some(12)
/// );
/// assert_eq!(line.chars().filter(char::is_ascii_digit).count(), 1);
/// assert!(
///     line.character_at(18).unwrap().color().is_some() && !line.format_at(18).is_plain()
/// );
/// assert_eq!(line.slice(4..7), BaseText::from("new"));
/// assert_eq!(line.to_lowercase(..3).to_string(), "the");
/// assert!(!line.is_valid_name() && line.clear().is_empty());
/// ```
///
/// # Positions
///
/// Lengths and positions count code points, which are Rust's `char`s. Any range is valid: only the part of the range inside
/// the text counts.
///
/// # Memory
///
/// A text is UTF-8. Up to 28 bytes are stored in the value itself, which takes 40 bytes on 64-bit targets. A longer text
/// is in a `String` behind a pointer.
///
/// The first request for the length or a position of a text of more than 64 bytes makes an index: one number for each 64
/// bytes. From then on, the length takes constant time, and access by position takes a binary search. A change renews the
/// index from the place of the change on. A shorter text has no index, and is read from its start.
///
/// Formats are stored as the positions where the format changes. Plain text stores no formats.
///
/// # Equality
///
/// `==`, `Ord` and `Hash` use only the code points, and are case-sensitive. [`compare`](Self::compare) can also compare
/// formats.
#[derive(Clone, Default)]
pub struct BaseText {
    buffer: Buffer,
}

impl BaseText {
    /// An empty text. Allocates nothing.
    #[must_use]
    #[doc(alias = "Empty")]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the text for an object's next life.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        self.buffer.recycle();
    }

    /// Replaces the content by a plain string, for an object's next life.
    #[inline]
    pub(crate) fn refill(&mut self, text: &str) {
        self.recycle();
        self.buffer.fill(text);
    }

    /// The part of the text in a range of code points, as a string.
    pub(crate) fn part(&self, range: Range<usize>) -> &str {
        self.buffer.slice(range)
    }

    /// The string from a code point on.
    pub(crate) fn after(&self, at: usize) -> &str {
        self.buffer.after(at)
    }

    #[inline]
    pub(crate) fn runs(&self) -> &Runs {
        self.buffer.runs()
    }

    /// The number of code points. For a [long](Self#memory) text, the first call counts them, and later calls take constant time.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLength")]
    pub fn len(&self) -> usize {
        self.buffer.len()
    }

    /// Whether there are no code points.
    #[inline]
    #[must_use]
    #[doc(alias = "IsEmpty")]
    pub fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    /// The text as a string. Copies nothing.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("größer");
    /// assert_eq!(text.append("!").as_str(), "größer!");
    /// ```
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.buffer.as_str()
    }

    /// The code point at a position. For a [long](Self#memory) text, the first call makes an index, and later calls search it, and
    /// read at most 64 bytes of the text.
    #[inline]
    #[must_use]
    #[doc(alias = "GetRawCharacter")]
    pub fn char_at(&self, index: usize) -> Option<char> {
        self.after(index).chars().next()
    }

    /// The code point at a position, with its format.
    #[must_use]
    #[doc(alias = "GetCharacter")]
    pub fn character_at(&self, index: usize) -> Option<Character> {
        Some(Character::new(self.char_at(index)?, self.format_at(index)))
    }

    /// The format at a position, or plain beyond the end. A binary search among the positions where the format changes.
    #[must_use]
    #[doc(alias = "GetFormatting")]
    pub fn format_at(&self, index: usize) -> Format {
        if index < self.len() {
            self.runs().at(index)
        } else {
            Format::PLAIN
        }
    }

    /// Whether a part has a format that is not plain.
    #[inline]
    #[doc(hidden)]
    #[must_use]
    pub fn has_formats(&self) -> bool {
        !self.runs().is_plain()
    }

    /// The code points in order.
    #[inline]
    pub fn chars(&self) -> Chars<'_> {
        self.as_str().chars()
    }

    /// The code points in order, with their formats.
    ///
    /// ```
    /// use acedia_text::{BaseText, Color};
    ///
    /// let text = BaseText::from_markup("a{rgb(1,2,3) b}");
    /// let colors: Vec<_> = text.characters().map(|it| (it.code, it.color())).collect();
    /// assert_eq!(colors, [('a', None), ('b', Some(Color::rgb(1, 2, 3)))]);
    /// ```
    #[must_use]
    pub fn characters(&self) -> Characters<'_> {
        self.characters_in(0..self.len())
    }

    pub(crate) fn characters_in(&self, range: Range<usize>) -> Characters<'_> {
        Characters::new(self.part(range.clone()), self.runs(), range)
    }

    /// The pieces of one format in `range`, which must lie inside the text, in order. No piece is empty, and neighbors differ in
    /// format.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (&str, Format)> {
        let spans = self.runs().spans(range);
        spans.map(|(span, format)| (self.part(span), format))
    }

    /// Whether this is a valid name: 1 to 50 ASCII letters, digits, `.` or `_`.
    #[must_use]
    #[doc(alias = "IsValidName")]
    pub fn is_valid_name(&self) -> bool {
        let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
        (1..=50).contains(&self.len()) && self.chars().all(valid)
    }

    /// The DJB2 hash of the code points: 5381, then `hash * 33 + code` for each, wrapping. Ignores formats.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// assert_eq!(BaseText::from("hello").hash_code(), 261_238_937);
    /// ```
    ///
    /// # Cost
    ///
    /// Linear at each call. A [`Text`](crate::Text) computes this hash once in its life.
    ///
    /// # Security
    ///
    /// It is easy to make many texts with the same hash, so do not use it for tables. `Hash` of an
    /// [`Owned`](acedia::Owned) text uses [`key_hash`](Self::key_hash) instead.
    #[must_use]
    #[doc(alias = "CalculateHashCode")]
    pub fn hash_code(&self) -> i32 {
        hash::djb2(self.as_str())
    }

    /// An unpredictable hash of the code points, keyed by random numbers drawn once per process.
    ///
    /// This hash is for tables: `Hash` of an [`Owned`](acedia::Owned) text uses it. An attacker can choose texts that
    /// all have the same [`hash_code`](Self::hash_code), but not texts with the same key hash.
    ///
    /// # Cost
    ///
    /// Linear. A [`Text`](crate::Text) computes this hash once in its life.
    #[must_use]
    pub fn key_hash(&self) -> u64 {
        hash::keyed(self.as_str())
    }

    /// The part of `range` inside the text.
    pub(crate) fn within(&self, range: impl RangeBounds<usize>) -> Range<usize> {
        let end = match range.end_bound() {
            Bound::Included(end) => end.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => usize::MAX,
        };
        let end = end.min(self.len());
        start_of(&range).min(end)..end
    }
}

fn start_of(range: &impl RangeBounds<usize>) -> usize {
    match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(start) => start.saturating_add(1),
        Bound::Unbounded => 0,
    }
}
