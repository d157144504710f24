//! Boxes and refs in any format of `serde`, as their content.
//!
//! ```
//! use acedia::Owned;
//! use acedia_boxes::{IntArrayRef, StringBox};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Player {
//!     name: Owned<StringBox>,
//!     scores: Owned<IntArrayRef>,
//! }
//!
//! let player: Player = serde_json::from_str(r#"{"name":"Bob","scores":[3,5]}"#)?;
//! player.scores.push(8);
//! assert_eq!(serde_json::to_string(&player)?, r#"{"name":"Bob","scores":[3,5,8]}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::primitive::Primitive;
use crate::{ArrayBox, ArrayRef, ValueBox, ValueRef, Vector};

/// Serializes a sequence of three numbers.
impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        <[f32; 3]>::from(*self).serialize(serializer)
    }
}

/// Deserializes a sequence of three numbers.
impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[f32; 3]>::deserialize(deserializer).map(Self::from)
    }
}

/// Implements both traits for a family, given the type of its content and a function that gets the content.
macro_rules! families {
    ($($family:ident of $content:ty, $written:expr;)+) => {$(
        /// Serializes the content. A ref is copied first, so that it is not locked while the copy is written.
        impl<T: Primitive + Serialize> Serialize for $family<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $written(self).serialize(serializer)
            }
        }

        /// Deserializes a plain Rust value outside of the pool. For an object, deserialize an [`Owned`](acedia::Owned).
        impl<'de, T: Primitive + Deserialize<'de>> Deserialize<'de> for $family<T> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$content>::deserialize(deserializer).map(Self::from)
            }
        }
    )+};
}

families! {
    ValueBox of T, ValueBox::value;
    ValueRef of T, ValueRef::get;
    ArrayBox of Vec<T>, ArrayBox::as_slice;
    ArrayRef of Vec<T>, ArrayRef::to_vec;
}
