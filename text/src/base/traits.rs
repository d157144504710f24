//! Traits of the standard library: comparison, hashing, printing and conversions.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::BaseText;
use crate::Character;
use crate::buffer::Buffer;
use crate::formatting::Runs;
use crate::short::same;

impl fmt::Display for BaseText {
    #[doc(alias = "ToString")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => f.pad(text),
            None => self.units().fmt(f),
        }
    }
}

impl fmt::Debug for BaseText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_str() {
            Some(text) => fmt::Debug::fmt(text, f),
            None => fmt::Debug::fmt(&self.chars().collect::<String>(), f),
        }
    }
}

impl PartialEq for BaseText {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.buffer == other.buffer
    }
}

impl Eq for BaseText {}

impl PartialEq<str> for BaseText {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        match self.as_str() {
            Some(text) => same(text, other),
            None => self.has_chars(other),
        }
    }
}

impl BaseText {
    /// Not inlined, so that the comparison of ASCII stays short.
    #[inline(never)]
    fn has_chars(&self, other: &str) -> bool {
        self.chars().eq(other.chars())
    }
}

impl PartialEq<&str> for BaseText {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialOrd for BaseText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BaseText {
    /// By code points, as strings are.
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.as_str(), other.as_str()) {
            (Some(ours), Some(theirs)) => ours.cmp(theirs),
            (Some(ours), None) => ours.chars().cmp(other.chars()),
            (None, Some(theirs)) => self.chars().cmp(theirs.chars()),
            (None, None) => self.chars().cmp(other.chars()),
        }
    }
}

impl Hash for BaseText {
    /// As the string hashes itself.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.as_str() {
            Some(text) => text.hash(state),
            None => self.chars().collect::<String>().hash(state),
        }
    }
}

impl AsRef<str> for BaseText {
    /// The text as a string. If it [is not stored](BaseText#memory) as one, the first call makes a string, which the text keeps
    /// until it changes.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let mut text = BaseText::from("größer");
    /// text.append("!");
    /// assert_eq!((text.as_str(), text.as_ref()), (None, "größer!"));
    /// ```
    #[inline]
    fn as_ref(&self) -> &str {
        self.buffer.to_str()
    }
}

/// Equality, order and hash are those of the string, so tables of `std` find a text by a `&str`.
///
/// ```
/// use std::collections::HashMap;
/// use acedia_text::BaseText;
///
/// let ages = HashMap::from([(BaseText::from("Zoë"), 7)]);
/// assert_eq!(ages.get("Zoë"), Some(&7));
/// ```
///
/// Costs as [`as_ref`](BaseText::as_ref).
impl Borrow<str> for BaseText {
    fn borrow(&self) -> &str {
        self.as_ref()
    }
}

impl From<&str> for BaseText {
    fn from(text: &str) -> Self {
        let mut base = Self::new();
        base.fill(text);
        base
    }
}

impl From<String> for BaseText {
    /// Takes the string's memory over, unless it is at most 64 bytes of ASCII.
    #[doc(alias = "FromString")]
    fn from(text: String) -> Self {
        Self {
            buffer: Buffer::from_string(text),
            runs: Runs::new(),
        }
    }
}

impl From<char> for BaseText {
    #[doc(alias = "FromCharacter")]
    fn from(c: char) -> Self {
        std::iter::once(c).collect()
    }
}

impl From<Character> for BaseText {
    #[doc(alias = "FromCharacter")]
    fn from(character: Character) -> Self {
        std::iter::once(character).collect()
    }
}

impl From<BaseText> for String {
    /// Copies only short ASCII texts and texts stored by code points. Other texts are strings already.
    fn from(text: BaseText) -> Self {
        text.buffer.into_string()
    }
}

impl FromStr for BaseText {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.into())
    }
}

impl<C> FromIterator<C> for BaseText
where
    Self: Extend<C>,
{
    fn from_iter<I: IntoIterator<Item = C>>(contents: I) -> Self {
        let mut text = Self::new();
        text.extend(contents);
        text
    }
}
