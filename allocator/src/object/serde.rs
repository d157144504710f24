//! Owners in any format of `serde`: as the content of their objects.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::object::{Object, Owned};

/// The object's content, as its class serializes it.
///
/// ```
/// use acedia_allocator::{Object, Owned, class};
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
/// Two owners of one object are written twice, and are two objects when they are read.
impl<T: Object + Serialize> Serialize for Owned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

/// A new object. Its class deserializes a plain value, which replaces the constructor's.
///
/// Panics as [`allocate`](crate::allocate) does.
impl<'de, T: Object + Deserialize<'de>> Deserialize<'de> for Owned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = T::deserialize(deserializer)?;
        Ok(T::allocate_with(|object| *object = content))
    }
}
