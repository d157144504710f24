//! Conversion from and to strings that contain the formats: colored strings and markup.

use std::fmt;
use std::ops::RangeBounds;

use super::BaseText;
use crate::chars::Characters;
use crate::formatting::{MarkupError, colored, markup};
use crate::{Color, Format, MalformedMarkup};

/// Colored strings.
impl BaseText {
    /// The text of a colored string. In such a string, U+001B and three characters for red, green and blue change the
    /// color.
    ///
    /// ```
    /// use acedia_text::{BaseText, Color};
    ///
    /// let text = BaseText::from_colored("plain \u{1b}\u{ff}\u{1}\u{1}red");
    /// assert_eq!(text, "plain red");
    /// assert_eq!(text.format_at(6).color(), Some(Color::rgb(255, 1, 1)));
    /// ```
    ///
    /// The text ends before an incomplete code.
    #[must_use]
    #[doc(alias = "FromColoredString")]
    pub fn from_colored(text: &str) -> Self {
        let mut parsed = Self::new();
        parsed.append_colored(text, Format::PLAIN);
        parsed
    }

    /// Adds a colored string: see [`from_colored`](Self::from_colored). The characters before its first code get the format
    /// `default`.
    #[doc(alias = "AppendColoredString")]
    pub fn append_colored(&mut self, text: &str, default: Format) -> &mut Self {
        for (piece, format) in colored::read(text, default) {
            self.append_or(piece, format);
        }
        self
    }

    /// A part as a colored string: see [`from_colored`](Self::from_colored). Plain characters get the color `default`,
    /// because such a string cannot express "no color". U+001B in the text is left out, because it would begin a code.
    #[must_use]
    #[doc(alias = "ToColoredString")]
    #[doc(alias = "IntoColoredString")]
    pub fn to_colored(&self, range: impl RangeBounds<usize>, default: Color) -> String {
        colored::write(self.pieces(self.within(range)), default)
    }
}

/// Markup.
impl BaseText {
    /// The text of a string with markup: `{$red danger}`, `^r`, `&{`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Color};
    ///
    /// let text = BaseText::from_markup("beware of {$red fire}");
    /// assert_eq!(text, "beware of fire");
    /// assert_eq!(text.format_at(10).color(), Color::named("red"));
    /// ```
    ///
    /// [`markup_errors`](crate::markup_errors#markup) describes the notation. Malformed parts are left out;
    /// [`try_from_markup`](Self::try_from_markup) reports them.
    #[must_use]
    #[doc(alias("FromFormattedString", "FromFormatted"))]
    pub fn from_markup(text: &str) -> Self {
        let mut parsed = Self::new();
        drop(parsed.set_markup(text));
        parsed
    }

    /// Like [`from_markup`](Self::from_markup), but fails on malformed markup.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::try_from_markup("beware of {$red fire}")?;
    /// assert_eq!(text, "beware of fire");
    /// let error = BaseText::try_from_markup("beware of {$rde fire}").unwrap_err();
    /// assert_eq!(error.to_string(), "byte 11: `$rde` is not a color");
    /// assert_eq!(*error.text(), "beware of fire");
    /// # Ok::<(), acedia_text::MalformedMarkup>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A part of the string is malformed. The error also contains the text of the rest.
    pub fn try_from_markup(text: &str) -> Result<Self, MalformedMarkup> {
        let mut parsed = Self::new();
        let errors = parsed.set_markup(text);
        if errors.is_empty() {
            Ok(parsed)
        } else {
            Err(MalformedMarkup::new(parsed, errors))
        }
    }

    /// Replaces the text by the parsed markup, and returns the errors.
    pub(crate) fn set_markup(&mut self, text: &str) -> Vec<MarkupError> {
        let parsed = markup::parse(text);
        self.buffer.clear();
        self.buffer.push_str(&parsed.plain);
        if !parsed.runs.is_plain() {
            *self.buffer.runs_mut() = parsed.runs;
        }
        parsed.errors
    }

    /// Adds a string with markup: see [`from_markup`](Self::from_markup). Its plain characters get the format `default`.
    #[doc(alias("AppendFormatted", "AppendFormattedString"))]
    pub fn append_markup(&mut self, text: &str, default: Format) -> &mut Self {
        self.append_or(Self::from_markup(text), default)
    }

    /// A part as a string with markup, from which [`from_markup`](Self::from_markup) makes the same text.
    #[must_use]
    #[doc(alias("ToFormattedString", "IntoFormattedString", "ToFormattedText", "ToFormattedTextM"))]
    pub fn to_markup(&self, range: impl RangeBounds<usize>) -> String {
        markup::write(self.pieces(self.within(range)))
    }
}

impl fmt::Debug for Characters<'_> {
    /// Prints the rest as markup: `Characters("rest, {rgb(255,0,0) red}")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest: BaseText = self.clone().collect();
        f.debug_tuple("Characters").field(&rest.to_markup(..)).finish()
    }
}
