//! Traits of the standard library: comparison, hashing, printing and conversions.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::BaseText;
use crate::buffer::{Buffer, same};
use crate::{CachedText, Character, Part, Text};

/// The traits that treat a text as its string.
macro_rules! reads_as_string {
    ($($text:ty),*) => {
        $(impl fmt::Display for $text {
            #[doc(alias = "ToString")]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $text {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl AsRef<str> for $text {
            /// The text as a string. Copies nothing.
            #[inline]
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $text {
            #[inline]
            fn eq(&self, other: &str) -> bool {
                same(self.as_str(), other)
            }
        }

        impl PartialEq<&str> for $text {
            fn eq(&self, other: &&str) -> bool {
                *self == **other
            }
        })*
    };
}

reads_as_string!(BaseText, Text, CachedText, Part<'_>);

impl PartialEq for BaseText {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        *self == *other.as_str()
    }
}

impl Eq for BaseText {}

impl PartialOrd for BaseText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BaseText {
    /// Orders by code points, as strings are ordered.
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for BaseText {
    /// Hashes as the string does.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

/// A text and its string have the same equality, order and hash, so a `std` map whose keys are texts can be searched by a `&str`.
///
/// ```
/// use std::collections::HashMap;
/// use acedia_text::BaseText;
///
/// let ages = HashMap::from([(BaseText::from("Zoë"), 7)]);
/// assert_eq!(ages.get("Zoë"), Some(&7));
/// ```
impl Borrow<str> for BaseText {
    fn borrow(&self) -> &str {
        self.as_ref()
    }
}

impl From<&str> for BaseText {
    fn from(text: &str) -> Self {
        let mut base = Self::new();
        base.buffer.push_str(text);
        base
    }
}

impl From<String> for BaseText {
    /// Takes over the memory of the string, unless the string has at most 28 bytes.
    #[doc(alias = "FromString")]
    fn from(text: String) -> Self {
        Self {
            buffer: Buffer::from_string(text),
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
    /// Copies only a text of at most 28 bytes.
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
