//! Texts in any format that `serde` knows: as strings.

use acedia_allocator::{Object, Owned};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BaseText, MutableText, Text};

/// As a string. Formats are left out: [`to_markup`](BaseText::to_markup) has them.
impl Serialize for BaseText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_str(self),
        }
    }
}

/// As a [`BaseText`].
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.base.serialize(serializer)
    }
}

/// As a [`BaseText`]: a copy, so that nothing is locked while it is written.
impl Serialize for MutableText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let copy = self.read().clone();
        copy.serialize(serializer)
    }
}

/// Of a string: a plain text. The string's memory is taken over, if it is ASCII.
impl<'de> Deserialize<'de> for BaseText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// A plain Rust value outside of the pool; [`owned`](crate::owned) reads objects.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}

/// A plain Rust value outside of the pool; [`owned`](crate::owned) reads objects.
impl<'de> Deserialize<'de> for MutableText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}

/// Objects in a struct that `serde` reads and writes: `#[serde(with = "acedia_text::owned")]`.
///
/// ```
/// use acedia_allocator::Owned;
/// use acedia_text::{MutableText, Text};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, Serialize)]
/// struct Player {
///     #[serde(with = "acedia_text::owned")]
///     name: Owned<Text>,
///     #[serde(with = "acedia_text::owned")]
///     notes: Owned<MutableText>,
/// }
///
/// let player: Player = serde_json::from_str(r#"{"name":"Ĉio","notes":"new"}"#)?;
/// player.notes.write().append(" here");
/// assert_eq!(serde_json::to_string(&player)?, r#"{"name":"Ĉio","notes":"new here"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// `Serialize` and `Deserialize` of the classes themselves are about plain values; an [`Owned`] is a type of another crate, as
/// they are traits of another.
pub mod owned {
    use super::{Deserialize, Deserializer, Object, Owned, Serialize, Serializer};

    /// Writes what is in the object.
    ///
    /// # Errors
    ///
    /// The format's.
    pub fn serialize<T: Object + Serialize, S: Serializer>(
        object: &Owned<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        T::serialize(object, serializer)
    }

    /// Reads an object.
    ///
    /// # Errors
    ///
    /// The format's, or the input is of another type.
    ///
    /// # Panics
    ///
    /// As [`allocate`](acedia_allocator::allocate).
    pub fn deserialize<'de, T: Object + Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Owned<T>, D::Error> {
        let content = T::deserialize(deserializer)?;
        Ok(T::allocate_with(|object| *object = content))
    }
}
