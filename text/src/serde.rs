//! Texts in any format of `serde`, as strings.
//!
//! ```
//! use acedia::Owned;
//! use acedia_text::{MutableText, Text};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Player {
//!     name: Owned<Text>,
//!     notes: Owned<MutableText>,
//! }
//!
//! let player: Player = serde_json::from_str(r#"{"name":"Ĉio","notes":"new"}"#)?;
//! player.notes.write().append(" here");
//! assert_eq!(serde_json::to_string(&player)?, r#"{"name":"Ĉio","notes":"new here"}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{BaseText, MutableText, NameOwner, Text};

/// As a string without formats. To keep them, write [`to_markup`](BaseText::to_markup).
impl Serialize for BaseText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// As a [`BaseText`].
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.base.serialize(serializer)
    }
}

/// As a [`BaseText`]. Writes a copy, so that the text is not locked meanwhile.
impl Serialize for MutableText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let copy = self.read().clone();
        copy.serialize(serializer)
    }
}

/// As its text. A [`Name`](crate::Name) itself is no content, so it is not serialized.
impl Serialize for NameOwner {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

/// From a string, as [`NameOwner::new`].
impl<'de> Deserialize<'de> for NameOwner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

/// From a string, as a plain text. Takes over the memory of the string, unless it has at most 28 bytes.
impl<'de> Deserialize<'de> for BaseText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// As a plain Rust value outside of the pool. Deserialize an [`Owned`](acedia::Owned) for an object.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}

/// As a plain Rust value outside of the pool. Deserialize an [`Owned`](acedia::Owned) for an object.
impl<'de> Deserialize<'de> for MutableText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}
