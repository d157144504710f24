//! Boxes and refs in any format that `serde` knows: as what is in them.

use acedia_allocator::{Object, Owned};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::primitive::Primitive;
use crate::{ArrayBox, ArrayRef, ValueBox, ValueRef, Vector};

/// As a sequence of three numbers.
impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        <[f32; 3]>::from(*self).serialize(serializer)
    }
}

/// Of a sequence of three numbers.
impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <[f32; 3]>::deserialize(deserializer).map(Self::from)
    }
}

/// A family of objects around a content, of which each can be made.
macro_rules! families {
    ($($family:ident of $content:ty, $written:expr;)+) => {$(
        /// As what is in it. A ref is copied first, so that nothing is locked while the copy is written.
        impl<T: Primitive + Serialize> Serialize for $family<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $written(self).serialize(serializer)
            }
        }

        /// A plain Rust value outside of the pool; [`owned`](crate::owned) reads objects.
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

/// Objects in a struct that `serde` reads and writes: `#[serde(with = "acedia_boxes::owned")]`.
///
/// ```
/// use acedia_allocator::Owned;
/// use acedia_boxes::{IntArrayRef, StringBox};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, Serialize)]
/// struct Player {
///     #[serde(with = "acedia_boxes::owned")]
///     name: Owned<StringBox>,
///     #[serde(with = "acedia_boxes::owned")]
///     scores: Owned<IntArrayRef>,
/// }
///
/// let player: Player = serde_json::from_str(r#"{"name":"Bob","scores":[3,5]}"#)?;
/// player.scores.push(8);
/// assert_eq!(serde_json::to_string(&player)?, r#"{"name":"Bob","scores":[3,5,8]}"#);
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
