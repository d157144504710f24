//! Owners in any format of `serde`, as the content of their objects. Handles as their bits, valid in this process only.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::object::Object;
use crate::pool::{Handle, Owned};

/// The object's content, as its class serializes it.
///
/// ```
/// use acedia::{Object, Owned, class};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default, Deserialize, Serialize)]
/// struct Sword {
///     sharpness: u8,
/// }
///
/// impl Object for Sword {
///     class!(Sword, "Doc.SerializedSword");
/// }
///
/// #[derive(Deserialize, Serialize)]
/// struct Knight {
///     sword: Owned<Sword>,
/// }
///
/// let knight: Knight = serde_json::from_str(r#"{"sword":{"sharpness":7}}"#)?;
/// assert_eq!(knight.sword.sharpness, 7);
/// assert_eq!(serde_json::to_string(&knight)?, r#"{"sword":{"sharpness":7}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// If an object has two owners, its content is written twice, and reading makes two objects.
impl<T: Object + Serialize> Serialize for Owned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

/// Deserializes a new object: its class deserializes a plain value, which replaces the value that the constructor has
/// made.
///
/// Panics as [`Object::allocate`] does.
impl<'de, T: Object + Deserialize<'de>> Deserialize<'de> for Owned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = T::deserialize(deserializer)?;
        Ok(T::allocate_with(|object| *object = content))
    }
}

/// Writes the bits as a number.
impl<T> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.to_bits())
    }
}

/// Reads the bits of a handle. They do not name the pool. In another pool, the handle resolves to `None`.
impl<'de, T> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = u64::deserialize(deserializer)?;
        Self::from_bits(bits)
            .ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(bits), &"the bits of a handle"))
    }
}
