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

use crate::{BaseText, MutableText, Text};

/// Serializes a string without formats. To keep the formats, serialize [`to_markup`](BaseText::to_markup).
impl Serialize for BaseText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Serializes a [`BaseText`].
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.base.serialize(serializer)
    }
}

/// Serializes a [`BaseText`]. Writes a copy, so that the text is not locked meanwhile.
impl Serialize for MutableText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let copy = self.read().clone();
        copy.serialize(serializer)
    }
}

/// Deserializes a string as a plain text. Takes over the memory of the string, unless the string has at most 28 bytes.
impl<'de> Deserialize<'de> for BaseText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// Deserializes a plain Rust value outside of the pool. For an object, deserialize an [`Owned`](acedia::Owned).
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}

/// Deserializes a plain Rust value outside of the pool. For an object, deserialize an [`Owned`](acedia::Owned).
impl<'de> Deserialize<'de> for MutableText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}
