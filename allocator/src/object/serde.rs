//! Owners in any format of `serde`, as the content of their objects; keys and handles as their bits, for this process.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::any::AnyHandle;
use super::handle::Handle;
use super::object::{Object, Owned};
use crate::class::load_class;
use crate::pool::Key;

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
/// Panics as [`allocate`](crate::allocate) does.
impl<'de, T: Object + Deserialize<'de>> Deserialize<'de> for Owned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = T::deserialize(deserializer)?;
        Ok(T::allocate_with(|object| *object = content))
    }
}

fn key_from<E: Error>(bits: u64) -> Result<Key, E> {
    Key::from_bits(bits).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(bits), &"the bits of a key"))
}

/// Serializes the number of [`Key::to_bits`]. It names the object only in this process and this copy of
/// acedia, as the number of a [`Handle`] does.
///
/// A program whose numbers are doubles, such as one in JavaScript, rounds this number from life 2²¹ on, and the rounded number may
/// name another object. Send it the number of [`Key::to_safe_integer`].
impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.to_bits())
    }
}

/// An error for numbers that no pool can ever issue, such as 0.
impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        key_from(u64::deserialize(deserializer)?)
    }
}

/// Serializes the number of [`Handle::to_bits`], for a snapshot that the same process and copy of acedia read back.
///
/// ```
/// use acedia::{Handle, Object, class};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Default)]
/// struct Lamp;
/// impl Object for Lamp {
///     class!(Lamp, "Doc.SnapshotLamp");
/// }
///
/// #[derive(Deserialize, Serialize)]
/// struct Switch {
///     lamp: Handle<Lamp>,
/// }
///
/// let lamp = Lamp::allocate();
/// let snapshot = serde_json::to_string(&Switch { lamp: lamp.handle() })?;
/// let back: Switch = serde_json::from_str(&snapshot)?;
/// assert_eq!(back.lamp, lamp.handle());
/// drop(lamp);
/// assert!(!back.lamp.is_allocated()); // the life has ended; a snapshot does not keep it
/// assert!(serde_json::from_str::<Switch>(r#"{"lamp":0}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// In another process, in another run of the program or in another copy of acedia, the number names no object or the wrong
/// object. To save objects, serialize their owners. For JavaScript, see [`Key`](Key#impl-Serialize-for-Key).
impl<T: Object> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.key().serialize(serializer)
    }
}

/// An error for numbers that no pool can ever issue, such as 0.
impl<'de, T: Object> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Key::deserialize(deserializer).map(Self::of_key)
    }
}

/// Serializes the name of the class and the number of [`AnyHandle::to_bits`]. They name the object only in this
/// process and this copy of acedia, as the number of a [`Handle`] does.
///
/// ```
/// # use acedia::{AnyHandle, Object, class};
/// # #[derive(Default)]
/// # struct Lamp;
/// # impl Object for Lamp { class!(Lamp, "Doc.AnySnapshotLamp"); }
/// let lamp = Lamp::allocate();
/// let handle = lamp.handle().as_any();
/// let snapshot = serde_json::to_string(&handle)?; // ["Doc.AnySnapshotLamp",4294967297]
/// assert_eq!(serde_json::from_str::<AnyHandle>(&snapshot)?, handle);
/// let error =
///     serde_json::from_str::<AnyHandle>(r#"["Doc.AnySnapshotLamb",1]"#).unwrap_err();
/// assert!(error.to_string().contains("did you mean `Doc.AnySnapshotLamp`?"), "{error}");
/// # Ok::<(), serde_json::Error>(())
/// ```
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
