//! Texts in any format that `serde` knows: as strings.
//!
//! ```
//! use acedia_allocator::Owned;
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

/// Of a string: a plain text. The string's memory is taken over, unless it is short ASCII.
impl<'de> Deserialize<'de> for BaseText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// A plain Rust value outside of the pool; an [`Owned`](acedia_allocator::Owned) of it is read as an object.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}

/// A plain Rust value outside of the pool; an [`Owned`](acedia_allocator::Owned) of it is read as an object.
impl<'de> Deserialize<'de> for MutableText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BaseText::deserialize(deserializer).map(Self::of)
    }
}
