//! [`Character`]: a code point and its format.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::{Case, Color, Format, Formats, Matching, case};

/// One character of a text: its code point and its format.
///
/// ```
/// use acedia_text::{Character, Color, Format, Matching};
///
/// let red = Character::new('ж', Color::rgb(255, 0, 0).into());
/// assert_eq!(red.to_uppercase().code, 'Ж');
/// assert!(red.is_same('Ж', Matching::ANY_CASE));
/// assert!(!red.is_same('ж', Matching::FORMATTED));
/// assert_eq!(Character::from('7').to_digit(10), Some(7));
/// assert_eq!(red.color(), Some(Color::rgb(255, 0, 0)));
/// assert!(
///     red.is_lowercase()
///         && red.to_uppercase().is_uppercase()
///         && red.to_uppercase().to_lowercase() == red
/// );
/// assert!(
///     Character::from('\t').is_whitespace() && Character::from('"').is_quotation_mark()
/// );
/// assert_eq!(red.with_format(Format::PLAIN), 'ж'.into());
/// ```
///
/// Acedia has an invalid character; here an `Option` takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("GetInvalidCharacter", "IsValidCharacter"))]
pub struct Character {
    /// The code point. Test it with the methods of `char`: `is_ascii_digit`, `is_ascii_alphabetic`, `is_ascii`.
    #[doc(alias("IsDigit", "IsAlpha", "IsASCII", "IsCodePoint"))]
    pub code: char,
    /// The format of the character.
    #[doc(alias = "GetCharacterFormatting")]
    pub format: Format,
}

impl Character {
    /// A character with that code point and format.
    #[must_use]
    #[doc(alias = "CharacterFromCodePoint")]
    pub const fn new(code: char, format: Format) -> Self {
        Self { code, format }
    }

    /// The same code point in another format.
    #[must_use]
    #[doc(alias = "SetFormatting")]
    pub const fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The color of the character, or `None` if the character is plain.
    #[must_use]
    #[doc(alias = "GetCharacterColor")]
    pub const fn color(self) -> Option<Color> {
        self.format.color()
    }

    /// The lowercase letter by Unicode's simple mapping, in the same format. Other characters are unchanged.
    #[must_use]
    #[doc(alias = "ToLower")]
    pub fn to_lowercase(self) -> Self {
        Self::new(case::lower(self.code), self.format)
    }

    /// The uppercase letter by Unicode's simple mapping, in the same format. Other characters are unchanged.
    #[must_use]
    #[doc(alias = "ToUpper")]
    pub fn to_uppercase(self) -> Self {
        Self::new(case::upper(self.code), self.format)
    }

    /// Whether both characters are equal under `matching`.
    #[must_use]
    #[doc(alias = "AreEqual")]
    pub fn is_same(self, other: impl Into<Self>, matching: Matching) -> bool {
        let other = other.into();
        let code = match matching.case {
            Case::Sensitive => self.code == other.code,
            Case::Insensitive => case::fold(self.code) == case::fold(other.code),
        };
        code && (matching.formats == Formats::Ignored || self.format == other.format)
    }

    /// The value of the character as a digit of `base`. Letters of either case follow the digits 0 to 9. `None` if the
    /// character is not a digit of that base. A base outside of 2 to 36 counts as 36.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("7fg");
    /// let digits: Vec<_> = text.characters().map(|it| it.to_digit(16)).collect();
    /// assert_eq!(digits, [Some(7), Some(15), None]);
    /// ```
    #[must_use]
    #[doc(alias = "CharacterToInt")]
    pub fn to_digit(self, base: u32) -> Option<u32> {
        self.code.to_digit(if (2..=36).contains(&base) { base } else { 36 })
    }

    /// Whether the character is a lowercase letter of any script. Acedia knows only Latin and Cyrillic letters.
    #[must_use]
    #[doc(alias = "IsLower")]
    pub fn is_lowercase(self) -> bool {
        self.code.is_lowercase()
    }

    /// Whether the character is an uppercase letter of any script. Acedia knows only Latin and Cyrillic letters.
    #[must_use]
    #[doc(alias = "IsUpper")]
    pub fn is_uppercase(self) -> bool {
        self.code.is_uppercase()
    }

    /// Whether the character is in U+0009 to U+000D or in Unicode's category Zs. U+0085, U+2028 and U+2029 do not count.
    #[must_use]
    #[doc(alias = "IsWhitespace")]
    pub const fn is_whitespace(self) -> bool {
        matches!(
            self.code,
            ' ' | '\t'..='\r' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        )
    }

    /// Whether the character is `"`, `'` or `` ` ``.
    #[must_use]
    #[doc(alias = "IsQuotationMark")]
    pub const fn is_quotation_mark(self) -> bool {
        matches!(self.code, '"' | '\'' | '`')
    }
}

impl From<char> for Character {
    fn from(code: char) -> Self {
        Self::new(code, Format::PLAIN)
    }
}

impl From<Character> for char {
    fn from(character: Character) -> Self {
        character.code
    }
}

impl fmt::Display for Character {
    #[doc(alias = "CharacterToString")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}
