//! [`Matching`]: how characters are compared.

use crate::case;

/// Whether uppercase and lowercase letters are different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Case {
    /// Uppercase and lowercase letters are different.
    #[default]
    Sensitive,
    /// Uppercase and lowercase letters are equal, by Unicode's simple case folding: one code point for one.
    Insensitive,
}

/// Whether formats are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Formats {
    /// Formats are ignored.
    #[default]
    Ignored,
    /// Characters are equal only if their formats are equal, too.
    Compared,
}

/// How characters are compared.
///
/// ```
/// use acedia_text::{BaseText, Case, Formats, Matching};
///
/// let (plain, red) = (BaseText::from("fire"), BaseText::from_markup("{$red FIRE}"));
/// assert!(!plain.compare(&red, Matching::EXACT));
/// assert!(plain.compare(&red, Matching::ANY_CASE));
/// assert!(!plain.compare(&red, Matching::FORMATTED_ANY_CASE));
/// assert_eq!(
///     Matching::FORMATTED_ANY_CASE,
///     Matching { case: Case::Insensitive, formats: Formats::Compared }
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("CaseSensitivity", "FormatSensitivity"))]
pub struct Matching {
    /// Whether uppercase and lowercase letters are different.
    pub case: Case,
    /// Whether formats are compared.
    pub formats: Formats,
}

impl Matching {
    /// Compares code points. The default.
    pub const EXACT: Self = Self::new(Case::Sensitive, Formats::Ignored);
    /// Compares code points, and ignores case.
    pub const ANY_CASE: Self = Self::new(Case::Insensitive, Formats::Ignored);
    /// Compares code points and formats.
    pub const FORMATTED: Self = Self::new(Case::Sensitive, Formats::Compared);
    /// Compares code points and formats, and ignores case.
    pub const FORMATTED_ANY_CASE: Self = Self::new(Case::Insensitive, Formats::Compared);

    const fn new(case: Case, formats: Formats) -> Self {
        Self { case, formats }
    }

    /// The code point by which a character is compared.
    pub(crate) fn code(self, c: char) -> char {
        match self.case {
            Case::Sensitive => c,
            Case::Insensitive => case::fold(c),
        }
    }
}
