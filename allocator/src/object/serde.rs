//! Owners in any format of `serde`, as the content of their objects; keys and handles as their bits, for this process.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::any::AnyHandle;
use super::object::Object;
use crate::class::load_class;
use crate::pool::{Handle, Key, Owned};

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

fn key_from<E: Error>(bits: u64) -> Result<Key, E> {
    Key::from_bits(bits).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(bits), &"the bits of a handle"))
}

/// Writes the bits of the handle as a number.
impl<T> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.to_bits())
    }
}

/// Reads the bits of a handle. They do not name the pool: a handle of another one resolves to `None`.
impl<'de, T> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        key_from(u64::deserialize(deserializer)?).map(Self::of_key)
    }
}

impl Serialize for AnyHandle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.class().name(), self.to_bits()).serialize(serializer)
    }
}

/// An error for a name that no class has, and for numbers that no pool can ever issue.
impl<'de> Deserialize<'de> for AnyHandle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, bits) = <(String, u64)>::deserialize(deserializer)?;
        let class = load_class(&name).map_err(D::Error::custom)?;
        key_from(bits).map(|key| Self::of(class, key))
    }
}
